"""The functions users call to identify a law of friction.

measured   a Record and a Trajectory -> MeasuredContact: tangential and normal force and slip at a point
identify   tangential, normal, slip -> Identified
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.evaluation.compilation import compiled_system
from ...errors import Faults
from ...language.symbols import der
from ...model.contacts import with_contact_modes
from ...model.measurements import Record, path_tangent
from .contact import MeasuredContact, contact
from .fit import fit_law
from .result import Identified

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from ...foundation.arrays import Array
    from ...language.expression import Expression, ExpressionLike
    from ...trajectory import Trajectory


def identify(
    tangential: ArrayLike,
    normal: ArrayLike,
    slip: ArrayLike,
    law: str = "coulomb",
    *,
    level: float = 0.95,
    threshold: float | None = None,
    weights: ArrayLike | None = None,
    offset: bool = False,
) -> Identified:
    """Identify the parameters of a friction law from forces measured at a contact.

        F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset

    Intervals are valid if the noise is on F, normally distributed and independent; noise correlated in time is
    detected in the residuals and widens them.

    Parameters
    ----------
    tangential, normal, slip : array_like
        F on the sliding body, N of either sign and the sliding velocity v; n numbers each, at equally spaced times.
    law : {"coulomb", "coulomb+viscous", "stribeck", "stribeck+viscous"}
        Form of the law; "coulomb" has mu, "stribeck" mu, mu_static and stribeck.
    level : float
        Probability with which an interval contains the true value.
    threshold : float, optional
        ArrayLike with |v| at most this large stick and are excluded; by default a thousandth of the largest |v|.
    weights : array_like, optional
        Numbers proportional to 1/variance of each sample.
    offset : bool
        Whether to identify a constant that the sensor adds to F.

    Returns
    -------
    Identified
        ``["mu"].value``, ``["mu"].interval`` and ``.warnings``.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> v = [0.5 + 0.1*k for k in range(12)]
    >>> force = [-3.0 + 0.01*(-1)**k for k in range(12)]
    >>> result = lk.laws.identify(force, [10.0]*12, v)
    >>> print(round(result["mu"].value, 6))
    0.3
    """
    return fit_law(tangential, normal, slip, law, level, threshold, weights, offset)


def measured(
    record: Record,
    trajectory: Trajectory,
    at: Sequence[ExpressionLike],
    components: Iterable[str] | None = None,
    *,
    axes: str = "fixed",
    tangent: str | Sequence[ExpressionLike] | None = None,
    normal: Sequence[ExpressionLike] | None = None,
    curve: ExpressionLike | None = None,
    path: Any = None,
    reverse: bool = False,
) -> MeasuredContact:
    """Return the force and the slip at a point, at the times of a record that a motion covers.

    The motion gives the tangent and the slip of the point, the record gives the force.

    Parameters
    ----------
    record : Record
        Measured force.
    trajectory : Trajectory
        Motion of the point.
    at : vector
        Position of the point, expressions of coordinates.
    components : iterable of str, optional
        Columns of the record, one for each axis; all by default.
    axes : {"fixed", "path"}
        Axes of the components: x, y, z, or tangent, normal and binormal.
    tangent, normal, curve, path, reverse
        Direction of the path, as in `Record.force`. By default the tangent is the direction of the velocity, and the
        slip is never negative. In space without `normal`, the normal force is the whole force across the tangent.

    Returns
    -------
    MeasuredContact
        tangential, normal and slip (N each): ``identify(*contact)``.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> mass = lk.System("mass", [x, y], kinetic=der(x)**2 + der(y)**2)
    >>> motion = mass.simulate(start={"x'": 2.0}, until=3.0)
    >>> force = lk.laws.record({"t": [0, 1, 2, 3], "X": [-3, -3, -3, -3], "Y": [10, 10, 10, 10]})
    >>> lk.laws.measured(force, motion, at=(x, y)).tangential.round(9)
    array([-3., -3., -3., -3.])
    """
    faults = Faults()
    stated = "velocity" if tangent is None and curve is None and path is None else tangent
    point = tuple(at)
    along, _ = path_tangent(point, stated, curve, path, reverse, faults)
    names = record.components if components is None else tuple(components)
    t = _common_times(record, trajectory, names, along, axes, normal, faults)
    force = np.column_stack([record.table(name).value(t) for name in names])
    return _contact(force, trajectory, t, point, along, axes, normal)


def _common_times(
    record: Record,
    trajectory: Trajectory,
    names: Sequence[str],
    along: Sequence[Expression],
    axes: str,
    normal: Sequence[ExpressionLike] | None,
    faults: Faults,
) -> Array:
    """Return the times of the record within the motion; raise all faults of the arguments of `measured`."""
    if len(names) != len(along):
        faults.add(
            "components", f"the point has {len(along)} coordinates and needs as many components, not {', '.join(names)}"
        )
    if axes not in ("fixed", "path"):
        faults.add("axes", f"they must be 'fixed' or 'path', not {axes!r}")
    if normal is not None and (len(along) != 3 or len(normal) != 3):
        faults.add("normal", "it must have three components, and is for a contact in space only")
    t = record.t[(record.t >= trajectory.t[0]) & (record.t <= trajectory.t[-1])]
    if not len(t):
        spans = f"{record.t[0]:g} to {record.t[-1]:g} and {trajectory.t[0]:g} to {trajectory.t[-1]:g}"
        faults.add("record", f"it has no times in common with the motion: {spans}")
    faults.raise_any(f"The contact measured by the record {record.name!r}")
    return t


def _contact(
    force: Array,
    trajectory: Trajectory,
    t: Array,
    point: Sequence[ExpressionLike],
    along: Sequence[Expression],
    axes: str,
    normal: Sequence[ExpressionLike] | None,
) -> MeasuredContact:
    """Return the measured force (N x 2 or N x 3) along and across the path, and the slip of the point."""
    velocity, direction = (_numbers(trajectory, t, vector) for vector in (map(der, point), along))
    if axes == "path":
        across = force[:, 1] if len(along) == 2 or normal is not None else np.hypot(force[:, 1], force[:, 2])
        return MeasuredContact(force[:, 0], across, contact(velocity, velocity, direction, still=True).slip)
    upright = None if normal is None else _numbers(trajectory, t, normal)
    return contact(force, velocity, direction, upright, still=True)


def _numbers(trajectory: Trajectory, t: Array, vector: Iterable[ExpressionLike]) -> Array:
    """Return expressions of q, q' and t along a motion, a row for each time, with the parameters of that time."""
    expressions = {f"component {k}": e for k, e in enumerate(vector)}
    statement = trajectory.system.statement
    code, symbols = compiled_system(statement, expressions), with_contact_modes(statement).parameters
    motion = trajectory.sampled(t)
    history = motion._run.history
    parts = np.zeros(len(t), dtype=int) if history is None else history.part
    numbers = np.empty((len(t), len(expressions)))
    for part in np.unique(parts):
        rows = parts == part
        parameters = motion._run.problem.parameters if history is None else history.parameters[part]
        values = {p: x for p, x in zip(symbols, parameters, strict=True) if p in statement.parameters}
        outputs = code.evaluate(t[rows], motion.q[rows], motion.v[rows], values).outputs
        numbers[rows] = np.column_stack(list(outputs.values()))
    return numbers
