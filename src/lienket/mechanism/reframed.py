"""Bodies with their frames at the joint that carries them: constants are put together once, not in every evaluation.

With the frame of a body at the place P of its inward joint, r -> R_P^T (r - r_P), R -> R_P^T R, J -> R_P^T J R_P, the
way from the joint to the body's frame is the unit matrix. Places moved by time, and rotations with symbols, stay as
they are stated.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass, replace
from ..language.symbols import t
from ..language.traversal import symbols_in
from ..model.bodies import GROUND, Body, Description, Place
from ..model.bodies.description import Vector
from .tree import Tree, spanning_tree

CACHED = 256  # [mechanisms] whose frames are kept
ORIGIN: Vector = (sp.S.Zero, sp.S.Zero, sp.S.Zero)


@dataclass(frozen=True)
class Reframed:
    """Mechanism with other frames of the bodies: its description and tree, and the places of the frames as stated."""

    description: Description
    tree: Tree
    frames: tuple[tuple[str, Place], ...]  # of each body: the new frame in the stated one

    def place(self, place: Place) -> Place:
        """Return a stated place in the new frame of its body."""
        return _moved(place, dict(self.frames).get(place.body))

    @property
    def stated(self) -> dict[str, Place]:
        """The stated frame of each body as a place in the new one."""
        return {name: self.place(Place(name, ORIGIN, sp.S.Zero)) for name, _ in self.frames}


@lru_cache(maxsize=CACHED)
def reframed(description: Description) -> Reframed:
    """Return a mechanism with the frame of each body at its inward joint."""
    tree, frames = spanning_tree(description), {}
    for link in tree.links:
        place = link.joint.second if link.forward else link.joint.first
        if _is_constant(place):
            frames[link.outer] = place
    bodies = tuple(_body(body, frames.get(body.name)) for body in description.bodies)
    joints = tuple(
        replace(j, first=_moved(j.first, frames.get(j.first.body)), second=_moved(j.second, frames.get(j.second.body)))
        for j in description.joints
    )
    elements = tuple(
        replace(e, places=tuple(_moved(place, frames.get(place.body)) for place in e.places))
        for e in description.elements
    )
    moved = replace(description, bodies=bodies, joints=joints, elements=elements)
    ends = {body.name: frames.get(body.name, Place(body.name, ORIGIN, sp.S.Zero)) for body in description.bodies}
    return Reframed(moved, spanning_tree(moved), tuple(ends.items()))


def _is_constant(place: Place) -> bool:
    """Return whether a place does not move with time, and its axes are turned by numbers or not at all."""
    numbers = all(e.is_number for e in place.rotation)
    return numbers and not any(t in symbols_in(e) for e in place.expressions())


def _body(body: Body, frame: Place | None) -> Body:
    """Return a body in another frame, without shapes."""
    if frame is None or body.name == GROUND:
        return body
    xx, yy, zz, xy, xz, yz = body.inertia
    J = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    if frame.rotation:
        R = _matrix(frame)
        J = _product(_product(_transposed(R), J), R)
    elif frame.angle != 0 and (xx, yy, xy, xz, yz) != (0,) * 5:
        R = _turn(frame.angle)
        J = _product(_product(_transposed(R), J), R)
    centre = _moved(Place(body.name, body.centre, sp.S.Zero), frame).position
    inertia = (J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])
    return replace(body, centre=centre, inertia=inertia)


def _moved(place: Place, frame: Place | None) -> Place:
    """Return a place in another frame of its body."""
    if frame is None:
        return place
    step = [_plain(x - y) for x, y in zip(place.position, frame.position, strict=True)]
    if not frame.rotation and frame.angle == 0:
        return replace(place, position=tuple(step))
    R = _transposed(_matrix(frame) if frame.rotation else _turn(frame.angle))
    x, y, z = (_plain(sum(R[i][k] * step[k] for k in range(3))) for i in range(3))
    if not frame.rotation and not place.rotation:
        return replace(place, position=(x, y, z), angle=_plain(place.angle - frame.angle))
    turned = _product(R, _matrix(place) if place.rotation else _turn(place.angle))
    unit = (
        all(abs(float(turned[i][j]) - (i == j)) < TURN_ROUNDING for i in range(3) for j in range(3))
        if all(e.is_number for row in turned for e in row)
        else False
    )
    rotation = () if unit else tuple(e for row in turned for e in row)
    return replace(place, position=(x, y, z), angle=sp.S.Zero, rotation=rotation)


TURN_ROUNDING = 4e-16  # [1] entry of a product of rotations that counts as that of the unit matrix


def _plain(e: Any) -> Any:
    """Return the number 0 for a sum of floats that is zero."""
    return sp.S.Zero if e.is_number and e == 0 else e


def _turn(angle: Any) -> list[list[Any]]:
    c, s, zero = sp.cos(angle), sp.sin(angle), sp.S.Zero
    return [[c, -s, zero], [s, c, zero], [zero, zero, sp.S.One]]


def _matrix(place: Place) -> list[list[Any]]:
    return [list(place.rotation[3 * k : 3 * k + 3]) for k in range(3)]


def _transposed(M: list[list[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*M, strict=True)]


def _product(M: list[list[Any]], N: list[list[Any]]) -> list[list[Any]]:
    return [[_plain(sum(M[i][k] * N[k][j] for k in range(3))) for j in range(3)] for i in range(3)]
