"""Rows of all joints and elements on the twists of the bodies, at one position.

The twist of a body is (v/l, w): the velocity of a point among its joints over a length l of the mechanism, and its
angular velocity, in the axes of the ground. A wrench at the second point of a joint, on its second body and opposite on
the first, gives the row f . v + tau . w. The rank of these rows is that of G less the unit rows of Euler parameters, in
whichever coordinates, and so n - rank G = 6 b - rank (3 b - rank in the plane).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...mechanism.elements.holding import HOLDING
from ...mechanism.held import HeldRow
from ...mechanism.joints import kind_of
from ...mechanism.state import MechanismState, coordinate_of
from ...model.bodies import GROUND, Element, Joint, Place
from .held_wrenches import Held, Seat, held_by, seat_of

PLANE = [0, 1, 5]  # entries of a spatial twist that a plane motion has


@dataclass(frozen=True, eq=False)
class Part:
    """Joint or element: the words of its rows, and the rows (k x d) on the twists of all bodies.

    A joint has its seat and the wrenches that it holds; both are None for an element.
    """

    name: str
    words: tuple[str, ...]
    rows: Array
    seat: Seat | None = None
    held: Held | None = None


class Twists:
    """Bodies of a mechanism at a position: the points and the length to which their twists refer."""

    def __init__(self, state: MechanismState) -> None:
        self.state = state
        self.names = tuple(body.name for body in state.description.bodies)
        places = self._places()
        self.points = {name: np.mean(places[name], axis=0) for name in self.names}
        self.length = _length(places)

    @property
    def columns(self) -> int:
        """Number of columns: 6 for each body, 3 in the plane."""
        return (3 if self.state.planar else 6) * len(self.names)

    def parts(self) -> list[Part]:
        """Return all joints in order of statement, then all elements that hold something."""
        description = self.state.description
        return [
            *(self._joint(joint) for joint in description.joints),
            *(self._element(e) for e in description.elements if e.kind in HOLDING),
        ]

    def centre(self, name: str) -> Array:
        """Return the vector from the point of a body to its mass centre, over the length."""
        body = self.state.description.body[name]
        return (self._world(Place(name, body.centre, body.centre[0] * 0)) - self.points[name]) / self.length

    # Private

    def _joint(self, joint: Joint) -> Part:
        seat = seat_of(joint, self.state, self.length)
        held = held_by(seat)
        at = self._world(joint.second)
        rows = [
            self._pair(joint, at, seat.axes @ wrench[:3], self.length * (seat.axes @ wrench[3:]))
            for wrench in held.wrenches
        ]
        return Part(joint.name, held.words, np.array(rows).reshape(-1, self.columns), seat, held)

    def _element(self, element: Element) -> Part:
        every = HOLDING[element.kind](element, self.state)
        held = [row for each in every if each.restitution is None for row in each.rows]  # stops hold nothing
        rows = [self._held_row(row) for row in held]
        sizes = [np.linalg.norm(row) for row in rows]
        scaled = [row / size if size > 0 else row for row, size in zip(rows, sizes, strict=True)]
        words = _words(element, len(rows))
        return Part(element.name, words, np.array(scaled).reshape(-1, self.columns))

    def _held_row(self, held: HeldRow) -> Array:
        """Return the row of a constraint from the load of its unit multiplier."""
        row = np.zeros(self.columns)
        for body, wrench in held.load.wrenches:
            force, moment = np.array(wrench.force, dtype=float), np.array(wrench.moment, dtype=float)
            origin = np.array(self.state.position.frames[body].origin, dtype=float)
            row += self._one(body, force, moment + np.cross(origin - self.points[body], force))
        for name, effort in held.load.efforts:
            joint, index = coordinate_of(self.state.description, name)
            efforts = kind_of(joint).efforts(joint, self.state.relative(joint), self.state.algebra, self.state.planar)
            force, moment = (np.array(e, dtype=float) for e in efforts[index])
            row += float(effort) * self._pair(joint, self._world(joint.second), force, moment)  # type: ignore[arg-type]
        return row

    def _pair(self, joint: Joint, at: Array, force: Array, moment: Array) -> Array:
        """Return the row of a wrench at a point on the second body of a joint, and the opposite one on the first."""
        row = np.zeros(self.columns)
        for body, sign in ((joint.second.body, 1.0), (joint.first.body, -1.0)):
            if body != GROUND:
                row += sign * self._one(body, force, moment + np.cross(at - self.points[body], force))
        return row

    def _one(self, body: str, force: Array, moment: Array) -> Array:
        """Return the row of a wrench on one body about its point."""
        row = np.zeros(self.columns)
        entries = np.concatenate([force, moment / self.length])
        width = 3 if self.state.planar else 6
        first = width * self.names.index(body)
        row[first : first + width] = entries[PLANE] if self.state.planar else entries
        return row

    def _world(self, place: Place) -> Array:
        return np.array(self.state.place(place), dtype=float)

    def _places(self) -> dict[str, list[Array]]:
        """Return the points of each body at which joints and elements act, and its mass centre."""
        description = self.state.description
        found: dict[str, list[Array]] = {GROUND: []}
        for body in description.bodies:
            found[body.name] = [self._world(Place(body.name, body.centre, body.centre[0] * 0))]
        for place in self._attached():
            found[place.body].append(self._world(place))
        return found

    def _attached(self) -> Iterator[Place]:
        for joint in self.state.description.joints:
            yield from (joint.first, joint.second)
        for element in self.state.description.elements:
            yield from element.places


def _length(places: dict[str, list[Array]]) -> float:
    """Return the largest distance of two points of one body, else of any two points, else 1."""
    on_bodies = [points for name, points in places.items() if name != GROUND]
    for groups in (on_bodies, [[p for points in places.values() for p in points]]):
        distances = [float(np.linalg.norm(a - b)) for points in groups for a, b in combinations(points, 2)]
        if distances and max(distances) > 0:
            return max(distances)
    return 1.0


def _words(element: Element, count: int) -> tuple[str, ...]:
    """Return the words of the rows of an element."""
    known = {
        "rod": ("distance of its ends",),
        "rope": ("length of the rope",),
        "motion": ("given motion",),
        "gear": ("ratio of the gear",),
        "rack": ("travel for each turn",),
        "rolling": ("distance from the line", "rolling without slip"),
    }.get(element.kind, ())
    return (*known, *(f"row {k + 1}" for k in range(len(known), count)))[:count]
