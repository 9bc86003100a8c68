"""Places of all bodies: T_b = T_a P_a J(q) P_b^-1 along the tree, backwards T_a = T_b P_b J^-1 P_a^-1 (mechanisms 1.1).

Besides the frames each link keeps the vectors between its points and the directions of its coordinates, in the axes of
the ground: nothing that follows needs differences of places, which lose digits far from the origin.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..foundation.frozen_dataclass import dataclass
from ..language.symbols import t
from ..language.traversal import symbols_in
from ..model.bodies import GROUND, Place
from .joints import kind_of
from .scalars.algebra import ZERO, Algebra, Scalar, Vector, add, negative, scaled, subtract
from .scalars.axes import UNTURNED, Axes, about_z, of_euler_parameters, of_rotation, rate_columns, turn
from .tree import Link, Tree


@dataclass(frozen=True, eq=False)
class Frame:
    """Frame of a body: its axes, and the place of its origin."""

    axes: Axes
    origin: Vector


@dataclass(frozen=True, eq=False)
class Attached:
    """Place on a body as scalars: position, axes, and whether they move with time."""

    position: Vector
    axes: Axes
    moves: bool


@dataclass(frozen=True, eq=False)
class Motions:
    """Directions of the coordinates of a joint in the axes of its frames: (direction, index of the coordinate).

    `shifts` displace the second point from the first, `turns` turn the second body relative to the first. Each turn's
    axis stands still in the axes after the turns before it.
    """

    shifts: tuple[tuple[Vector, int], ...]
    turns: tuple[tuple[Vector, int], ...]
    euler: bool


@dataclass(frozen=True, eq=False)
class LinkPlace:
    """A link in a position: axes A, B of both places of its joint, and vectors in the axes of the ground.

    `to_first`, `to_second` lead from the origins of the first and the second body to the points of the joint,
    `between` from the first point to the second.
    """

    A: Axes
    B: Axes
    to_first: Vector
    to_second: Vector
    between: Vector
    motions: Motions


@dataclass(frozen=True, eq=False)
class Position:
    """Frames of all bodies by name, and the place of every link of the tree."""

    frames: dict[str, Frame]
    links: tuple[LinkPlace, ...]


def attached(place: Place, algebra: Algebra) -> Attached:
    """Return a place as scalars."""
    x, y, z = map(algebra.number, place.position)
    moves = any(t in symbols_in(e) for e in place.expressions())
    if place.rotation:
        return Attached((x, y, z), of_rotation(tuple(map(algebra.number, place.rotation))), moves)
    return Attached((x, y, z), about_z(algebra.number(place.angle), algebra), moves)


def position_of(tree: Tree, algebra: Algebra, planar: bool) -> Position:
    """Return the position of all bodies of the tree."""
    frames, places = {GROUND: Frame(UNTURNED, ZERO)}, []
    for link in tree.links:
        frame, place = carried(link, frames[link.inner], algebra, planar, link.forward)
        frames[link.outer] = frame
        places.append(place)
    return Position(frames, tuple(places))


def carried(link: Link, known: Frame, algebra: Algebra, planar: bool, from_first: bool) -> tuple[Frame, LinkPlace]:
    """Return the frame of the other body of a link, and its place, from the frame of its first or second body."""
    joint = link.joint
    q = [algebra.q[k] for k in link.at]
    first, second = attached(joint.first, algebra), attached(joint.second, algebra)
    displacement, turned, motion = _joint_motion(link, q, algebra, planar)
    if from_first:
        A = known.axes.times(first.axes, algebra)
        B = A.times(turned, algebra)
        axes_a, axes_b = known.axes, B.times(second.axes.inverse(algebra), algebra)
    else:
        B = known.axes.times(second.axes, algebra)
        A = B.times(turned.inverse(algebra), algebra)
        axes_a, axes_b = A.times(first.axes.inverse(algebra), algebra), known.axes
    to_first, to_second, between = axes_a @ first.position, axes_b @ second.position, A @ displacement
    step = subtract(add(to_first, between), to_second)  # from the origin of the first body to that of the second
    other = Frame(axes_b, add(known.origin, step)) if from_first else Frame(axes_a, subtract(known.origin, step))
    shifts = tuple((A @ e, k) for e, k in motion.shifts)
    turns = tuple((A @ e, k) for e, k in motion.turns)
    place = LinkPlace(A, B, to_first, to_second, between, Motions(shifts, turns, motion.euler))
    return other, place


def _joint_motion(link: Link, q: Sequence[Scalar], algebra: Algebra, planar: bool) -> tuple[Vector, Axes, Motions]:
    """Return displacement and rotation of J(q), and the directions of its coordinates, in the first place's axes."""
    kind = kind_of(link.joint)
    shifts = kind.shifts(link.joint, algebra, planar)
    displacement = add(ZERO, *(scaled(q[s.index], s.direction) for s in shifts))
    axes, turns = UNTURNED, []
    if kind.euler and not planar:
        p = tuple(q[-4:])
        first = len(q) - 4
        turns = [(column, link.at[first + k]) for k, column in enumerate(rate_columns(p))]
        axes = of_euler_parameters(p)
    else:
        for each in kind.turns(link.joint, algebra, planar):
            turns.append((axes @ each.axis, link.at[each.index]))
            axes = axes.times(turn(each.axis, q[each.index], algebra), algebra)
    directions = tuple((s.direction, link.at[s.index]) for s in shifts)
    return displacement, axes, Motions(directions, tuple(turns), kind.euler and not planar)


def place_on(frame: Frame, place: Place, algebra: Algebra) -> tuple[Axes, Vector]:
    """Return the axes of a place in those of the ground, and the vector to it from the origin of its body."""
    there = attached(place, algebra)
    return frame.axes.times(there.axes, algebra), frame.axes @ there.position


def outward(link: Link, place: LinkPlace) -> Vector:
    """Return the vector from the reference point of a link, its second point, to the origin of its outer body."""
    return negative(place.to_second) if link.forward else negative(add(place.between, place.to_first))


def inward(link: Link, place: LinkPlace) -> Vector:
    """Return the vector from the origin of a link's inner body to the reference point of the link."""
    return add(place.to_first, place.between) if link.forward else place.to_second
