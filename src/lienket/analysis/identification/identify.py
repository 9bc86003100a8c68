"""The functions users call to identify a law of friction.

measured   a Record and a Trajectory -> MeasuredContact: tangential and normal force and slip at a point
identify   tangential, normal, slip -> Identified
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.models import compiled_system
from ...language.faults import Faults
from ...language.symbols import der
from ...model.measurements import Record, path_tangent
from .contact import MeasuredContact, contact
from .fit import fit_law
from .result import Identified

if TYPE_CHECKING:
    from ...trajectory import Trajectory


def identify(
    tangential: Any,
    normal: Any,
    slip: Any,
    law: str = "coulomb",
    *,
    level: float = 0.95,
    threshold: float | None = None,
    weights: Any = None,
    offset: bool = False,
) -> Identified:
    """Fit a friction law to forces measured at a contact.

    F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset, by least squares.

    Parameters
    ----------
    tangential : array_like
        Force F on the sliding body (n), in order of time at equal intervals.
    normal : array_like
        Normal force N (n), of either sign.
    slip : array_like
        Sliding velocity v (n).
    law : {"coulomb", "coulomb+viscous", "stribeck", "stribeck+viscous"}
        Terms of the law: mu; mu and viscous; mu, mu_static and stribeck; or all of these.
    level : float
        Probability with which an interval contains the true value, if the noise is on F, normal and independent. Noise
        that is correlated in time is detected in the residuals and widens the intervals.
    threshold : float, optional
        Samples with |v| <= threshold stick and are left out; by default a thousandth of the largest slip.
    weights : array_like, optional
        Numbers proportional to 1/variance of each sample (n); by default all equal.
    offset : bool
        Whether to fit a constant that the sensor adds to F.

    Returns
    -------
    Identified
        Parameters with intervals, covariance, residuals and warnings.

    Raises
    ------
    ModelError
        If the arrays do not fit together or do not suffice for the law; all faults are reported together.

    Examples
    --------
    >>> import numpy as np
    >>> slip, normal = np.linspace(0.1, 2, 100), np.linspace(40, 60, 100)
    >>> found = lk.laws.identify(-0.3*normal - 1.5*slip, normal, slip, law="coulomb+viscous")
    >>> {name: round(value, 6) for name, value in found.values.items()}
    {'mu': 0.3, 'viscous': 1.5}
    """
    return fit_law(tangential, normal, slip, law, level, threshold, weights, offset)


def measured(
    record: Record,
    trajectory: Trajectory,
    at: Any,
    components: Any = None,
    *,
    axes: str = "fixed",
    tangent: Any = None,
    normal: Any = None,
    curve: Any = None,
    path: Any = None,
    reverse: bool = False,
) -> MeasuredContact:
    """Return force and slip at a point at the times of a record that a motion covers.

    Parameters
    ----------
    record : Record
        Measured force.
    trajectory : Trajectory
        Motion during the measurement, which gives the tangent and the slip.
    at : iterable of expressions
        Point r(q, t), two or three coordinates.
    components : iterable of str, optional
        Columns of the record, one per coordinate of the point; by default all.
    axes : {"fixed", "path"}
        Axes in which the force was measured: x, y, z, or tangent, normal, binormal.
    tangent, normal, curve, path, reverse : optional
        Path of the point, as in `Record.force`. By default the tangent is the direction of the velocity, and the slip
        is never negative. In space without `normal`, the normal force is the whole force across the tangent.

    Returns
    -------
    MeasuredContact
        Tangential force, normal force and slip, one number per time; the arguments of `identify`.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> free = lk.System("sled", [x, y], kinetic=der(x)**2 + der(y)**2, forces={x: -1, y: -10})
    >>> motion = free.constrain("ground", y).simulate(start={"x": 0, "x'": 4}, until=1)
    >>> force = lk.laws.record({"t": [0, 0.25, 0.5, 0.75, 1], "X": [-1]*5, "Y": [10]*5})
    >>> contact = lk.laws.measured(force, motion, at=(x, y))
    >>> contact.tangential[0].round(6), contact.normal[0].round(6), contact.slip[-1].round(6)
    (np.float64(-1.0), np.float64(10.0), np.float64(3.5))
    """
    if tangent is None and curve is None and path is None:
        tangent = "velocity"
    faults, point = Faults(), tuple(at)
    along, _ = path_tangent(point, tangent, curve, path, reverse, faults)
    names = record.components if components is None else tuple(components)
    _check_measured(names, len(along), axes, normal, faults)
    t = _common_times(record, trajectory, faults)
    force = np.column_stack([record.table(name).value(t) for name in names])
    velocity, direction = (_numbers(trajectory, t, vector) for vector in (map(der, point), along))
    if axes == "path":
        across = force[:, 1] if len(along) == 2 or normal is not None else np.hypot(force[:, 1], force[:, 2])
        return MeasuredContact(force[:, 0], across, contact(velocity, velocity, direction, still=True).slip)
    upright = None if normal is None else _numbers(trajectory, t, normal)
    return contact(force, velocity, direction, upright, still=True)


def _check_measured(names: tuple[str, ...], dimension: int, axes: str, normal: Any, faults: Faults) -> None:
    """Report components, axes or a normal that do not fit a point with `dimension` coordinates."""
    if len(names) != dimension:
        faults.add(
            "components", f"the point has {dimension} coordinates and needs as many components, not {', '.join(names)}"
        )
    if axes not in ("fixed", "path"):
        faults.add("axes", f"they must be 'fixed' or 'path', not {axes!r}")
    if normal is not None and (dimension != 3 or len(normal) != 3):
        faults.add("normal", "it must have three components, and is for a contact in space only")


def _common_times(record: Record, trajectory: Trajectory, faults: Faults) -> Any:
    """Return the times of the record within the motion; all faults are raised together."""
    t = record.t[(record.t >= trajectory.t[0]) & (record.t <= trajectory.t[-1])]
    if not len(t):
        spans = f"{record.t[0]:g} to {record.t[-1]:g} and {trajectory.t[0]:g} to {trajectory.t[-1]:g}"
        faults.add("record", f"it has no times in common with the motion: {spans}")
    faults.raise_any(f"The contact measured by the record {record.name!r}")
    return t


def _numbers(trajectory: Trajectory, t: Any, vector: Any) -> Any:
    """Return expressions of q, q' and t along a motion, a row for each time, with the parameters of that time."""
    expressions = {f"component {k}": e for k, e in enumerate(vector)}
    code = compiled_system(trajectory.system.statement, expressions)
    motion = trajectory.sampled(t)
    history = motion.run.history
    parts = np.zeros(len(t), dtype=int) if history is None else history.part
    numbers = np.empty((len(t), len(expressions)))
    for part in np.unique(parts):
        rows = parts == part
        parameters = motion.run.problem.parameters if history is None else history.parameters[part]
        values = dict(zip(trajectory.system.parameters, parameters, strict=True))
        outputs = code.evaluate(t[rows], motion.q[rows], motion.v[rows], values).outputs
        numbers[rows] = np.column_stack(list(outputs.values()))
    return numbers
