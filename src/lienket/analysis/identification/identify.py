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
    """The parameters of a law of friction, from forces measured at a contact.

        F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset

    `tangential` is F, the force on the body that slides; `normal` is N, whatever its sign; `slip` is the sliding
    velocity v; n numbers each, in the order of time and equally far apart. `law` is "coulomb" (mu),
    "coulomb+viscous", "stribeck" (mu, mu_static, stribeck) or "stribeck+viscous". Intervals hold the true value with
    the probability `level`, if the noise is on F, normal and independent; a noise that is correlated in time is found
    in the residuals, and widens them. Samples with |v| <= `threshold` stick and are left out; it is a thousandth of
    the largest slip if not given. `weights` are proportional to 1/variance of each sample. `offset=True` also finds
    a constant that the sensor adds to F. All faults are reported together in one ModelError.

        found = identify(*measured(record, motion, at=(x, y)), law="stribeck")
        found["mu"].value, found["mu"].interval, found.warnings
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
    """The contact at the point `at` at those times of a record that a motion covers.

    The motion gives the tangent and the slip of the point, the record the force: along x, y, z with axes="fixed",
    along tangent, normal and binormal with axes="path". The arguments are those of `Record.force`; if the tangent is
    not stated, it is the direction of the velocity, and the slip is never negative. In space without a `normal` the
    normal force is all that is not tangential.
    """
    faults = Faults()
    if tangent is None and curve is None and path is None:
        tangent = "velocity"
    point = tuple(at)
    along, _ = path_tangent(point, tangent, curve, path, reverse, faults)
    names = record.components if components is None else tuple(components)
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
    force = np.column_stack([record.table(name).value(t) for name in names])
    velocity, direction = (_numbers(trajectory, t, vector) for vector in (map(der, point), along))
    if axes == "path":
        across = force[:, 1] if len(along) == 2 or normal is not None else np.hypot(force[:, 1], force[:, 2])
        return MeasuredContact(force[:, 0], across, contact(velocity, velocity, direction, still=True).slip)
    upright = None if normal is None else _numbers(trajectory, t, normal)
    return contact(force, velocity, direction, upright, still=True)


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
