"""Loads of a SymPy model: their faults, and the generalized forces they exert."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import sympy as sp

from ...errors import Fault
from ...language.expression import Coordinate, Expression
from ...language.symbols import t
from .parts import one_line

if TYPE_CHECKING:
    from sympy.physics.mechanics import Point, ReferenceFrame, Vector


def _velocity(location: Point | ReferenceFrame, frame: ReferenceFrame) -> Vector:
    """Return the velocity of a point or the angular velocity of a frame."""
    from sympy.physics.mechanics import Point

    return location.vel(frame) if isinstance(location, Point) else location.ang_vel_in(frame)


def load_faults(
    loads: Sequence[object], frame: ReferenceFrame, coordinates: Sequence[Coordinate], speeds: Sequence[Coordinate]
) -> list[Fault]:
    """Return the faults of all loads.

    A load must be a pair (point or frame, vector) without accelerations, and its point or frame needs a velocity.
    """
    from sympy.physics.mechanics import Point, ReferenceFrame, Vector

    faults = []
    for number, load in enumerate(loads, 1):
        where = f"load {number}"
        location, vector = load if isinstance(load, (tuple, list)) and len(load) == 2 else (None, None)
        if not isinstance(location, (Point, ReferenceFrame)) or not isinstance(vector, Vector):
            advice = "Write Force(point, vector), Torque(frame, vector) or the pair alone."
            faults.append(Fault(where, "it is not a pair of a point or frame and a vector", advice))
            continue
        derivatives = {d for column, _ in vector.args for d in column.atoms(sp.Derivative)}
        if any(d.expr in speeds or (d.expr in coordinates and d.derivative_count > 1) for d in derivatives):
            what = f"the load on {location} depends on accelerations"
            faults.append(Fault(where, what, "Only q, q' and t are allowed in it: state such inertia by a body."))
        try:
            _velocity(location, frame)
        except ValueError as error:
            faults.append(Fault(where, one_line(error), f"Give {location} a velocity in {frame}."))
    return faults


def forces_of_loads(
    loads: Iterable[tuple[Point | ReferenceFrame, Vector]],
    frame: ReferenceFrame,
    coordinates: Sequence[Coordinate],
    speeds: dict[Expression, Expression],
) -> dict[Coordinate, Expression]:
    """Return Q_i = sum F . dv_P/dq'_i + sum M . dw/dq'_i over forces F on points P and torques M on frames."""
    forces = dict.fromkeys(coordinates, sp.S.Zero)
    for location, vector in loads:
        velocity, load = _velocity(location, frame).xreplace(speeds), vector.xreplace(speeds)
        for q in coordinates:
            forces[q] += velocity.diff(q.diff(t), frame, var_in_dcm=False).dot(load)
    return forces
