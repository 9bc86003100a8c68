"""What a joint holds: orthonormal wrenches in the axes of its first place, each with its words (mechanisms 2.3, 2.4).

A wrench is (force, torque/l), l a length of the mechanism, at the second place on the second body. The directions are
those of the joint itself, so that the words name what a redundant row would hold: "force along z", "turn about x".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...mechanism.joints.axis_of import axis_of, second_axis_of
from ...mechanism.scalars.algebra import Vector
from ...mechanism.scalars.axes import perpendicular
from ...mechanism.state import MechanismState
from ...model.bodies import Joint

AXIS_ROUNDING = 1e-9  # [1] component of a unit axis that counts as zero in words
UNIT_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LETTERS = "xyz"


@dataclass(frozen=True, eq=False)
class Held:
    """Wrenches (k x 6) that a joint holds, orthonormal, and the words of each."""

    wrenches: Array
    words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Seat:
    """A joint at a position, in the axes of its first place: `axes` of that place in those of the ground (3 x 3).

    `n` is the axis, `u` and `w` are across it; in the plane `u` is the axis, `w` to its left, and `n` is z. `normal` is
    across both axes of a universal joint, `advance` that of a screw per radian over the length of the mechanism.
    """

    kind: str
    planar: bool
    axes: Array
    u: Array
    w: Array
    n: Array
    normal: Array
    advance: float


def seat_of(joint: Joint, state: MechanismState, length: float) -> Seat:
    """Return a joint at a position."""
    axes = np.array(state.axes(joint.first).matrix, dtype=float)
    axis = axis_of(joint, state.algebra)
    if state.planar:
        triad: tuple[Vector, Vector, Vector] = (axis, (-axis[1], axis[0], 0), (0, 0, 1))
    else:
        triad = (*perpendicular(axis), axis)
    u, w, n = (np.array(e, dtype=float) for e in triad)
    normal, advance = np.zeros(3), 0.0
    if joint.second_axis is not None:
        other = np.array(state.axes(joint.second).matrix, dtype=float) @ np.array(
            second_axis_of(joint, state.algebra), dtype=float
        )
        normal = np.cross(n, axes.T @ other)
        normal /= np.linalg.norm(normal)
    if joint.pitch is not None:
        advance = float(state.number(joint.pitch)) / (2 * np.pi * length)  # type: ignore[arg-type]
    return Seat(joint.kind, state.planar, axes, u, w, n, normal, advance)


def held_by(seat: Seat) -> Held:
    """Return what a joint holds."""
    u, w, n = seat.u, seat.w, seat.n
    x, y, z = map(np.array, UNIT_AXES)
    if seat.planar:
        held = {
            "revolute": ((x, y), ()),
            "prismatic": ((w,), (z,)),
            "slot": ((w,), ()),
            "weld": ((x, y), (z,)),
            "free": ((), ()),
        }[seat.kind]
        return holding(*held)
    held = {
        "revolute": ((u, w, n), (u, w)),
        "cylindrical": ((u, w), (u, w)),
        "screw": ((u, w), (u, w)),
        "prismatic": ((u, w), (u, w, n)),
        "universal": ((x, y, z), (seat.normal,)),
        "spherical": ((x, y, z), ()),
        "planar": ((n,), (u, w)),
        "weld": ((x, y, z), (x, y, z)),
        "free": ((), ()),
    }[seat.kind]
    found = holding(*held)
    if seat.kind != "screw":
        return found
    along = np.concatenate([-n, seat.advance * n]) / np.hypot(1.0, seat.advance)
    return Held(np.vstack([found.wrenches, along]), (*found.words, "advance of its screw"))


def holding(forces: Sequence[Array], turns: Sequence[Array]) -> Held:
    """Return forces along and turns about directions of length 1."""
    zero = np.zeros(3)
    rows = [np.concatenate([e, zero]) for e in forces] + [np.concatenate([zero, e]) for e in turns]
    words = [f"force along {direction(e)}" for e in forces] + [f"turn about {direction(e)}" for e in turns]
    return Held(np.array(rows).reshape(-1, 6), tuple(words))


def direction(e: Array) -> str:
    """Return the words of a direction: x, y, z, or its components."""
    large = int(np.argmax(np.abs(e)))
    others = [abs(e[k]) for k in range(3) if k != large]
    if max(others) < AXIS_ROUNDING:
        return LETTERS[large]
    return "(" + ", ".join(f"{x:.3g}" for x in np.where(np.abs(e) < AXIS_ROUNDING, 0.0, e)) + ")"
