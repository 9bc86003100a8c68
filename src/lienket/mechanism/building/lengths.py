"""Points on bodies, and the length of a mechanism to which the sizes of its drawing are related."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import sympy as sp

from ...language.expression import Expression
from ...language.symbols import t
from ...language.traversal import symbols_in
from ...model.bodies import GROUND, Body, Element, Joint
from ...model.bodies.description import Vector


def placed_on(body: str, joints: Sequence[Joint], elements: Sequence[Element]) -> list[Vector]:
    """Return the different points of a body that have joints and elements, in the order of statement, at t = 0."""
    places = [place for joint in joints for place in (joint.first, joint.second)]
    places += [place for element in elements if element.kind != "torque" for place in element.places]
    return list(dict.fromkeys(at_start(place.position) for place in places if place.body == body))


def at_start(point: Vector) -> Vector:
    """Return a point at t = 0; an entry without a value there is 0."""
    if not any(t in symbols_in(e) for e in point):
        return point
    x, y, z = (e.subs(t, 0) for e in point)
    x, y, z = (sp.S.Zero if e.has(sp.nan, sp.zoo, sp.oo) else e for e in (x, y, z))
    return (x, y, z)


def length_of(bodies: Sequence[Body], joints: Sequence[Joint], elements: Sequence[Element]) -> Expression:
    """Return the greatest size of a body, or a size with parameters if none is a number, or that of the ground, or 1.

    The size of a body is the diagonal of the points that it has and of what is drawn of it.
    """
    points = [_points(body, joints, elements) for body in bodies]
    sizes = [size for body in bodies for shape in body.shapes for size in shape.sizes]
    ground = [placed_on(GROUND, joints, elements)]
    for found, given in ((points, sizes), (ground, [])):
        numbers = [2 * float(size) for size in given if size.is_number] + [_diagonal(some) for some in found]
        if max(numbers, default=0.0) > 0:
            return sp.Float(max(numbers))
        symbolic = [*_distances(found), *(2 * size for size in given if not size.is_number)]
        if symbolic:
            return symbolic[0]
    return sp.S.One


def _points(body: Body, joints: Sequence[Joint], elements: Sequence[Element]) -> list[Vector]:
    drawn = [point for shape in body.shapes for point in shape.points]
    centre = [body.centre] if body.mass != 0 else []
    return list(dict.fromkeys([*placed_on(body.name, joints, elements), *drawn, *centre]))


def _diagonal(points: Iterable[Vector]) -> float:
    """Return the diagonal of the box around the points that are numbers."""
    known = [[float(e) for e in point] for point in points if all(e.is_number for e in point)]
    return float(np.linalg.norm(np.ptp(known, axis=0))) if known else 0.0


def _distances(bodies: Iterable[Sequence[Vector]]) -> Iterable[Expression]:
    """Yield the distances between successive different points of a body."""
    for points in bodies:
        for a, b in pairwise(points):
            d = [q - p for p, q in zip(a, b, strict=True) if q != p]
            if len(d) == 1:
                yield -d[0] if d[0].could_extract_minus_sign() else d[0]
            elif d:
                yield sp.sqrt(sum((e**2 for e in d), sp.S.Zero))
