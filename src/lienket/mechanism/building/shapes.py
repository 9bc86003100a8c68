"""Shapes that are drawn of bodies whose user gives none, from the places of their joints and elements.

two places or more   a line, in space a thin capsule; a polygon around three or more places in a plane
one place            a bar to the mass centre with a circle or sphere there, if the centre is elsewhere; else a block on
                     a slide, a circle in the plane, in space a cylinder about the axis of the joint or a sphere
no place             a circle or sphere at the mass centre

A wheel on a line has its radius. Other sizes that are not given are parts of the mechanism's length. Places that are
moved by time are drawn where they are at t = 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ...foundation.frozen_dataclass import replace
from ...language.expression import Expression
from ...model.bodies import Body, Element, Joint, Place, Shape
from ...model.bodies.description import Vector
from .lengths import at_start, length_of, placed_on
from .outline import outline
from .solids.algebra import ZERO, add, scaled, turned

THICKNESS = sp.Rational(1, 40)  # [1] radius of bars relative to the mechanism's length
POINT = sp.Rational(1, 20)  # [1] radius of points and half the width of blocks relative to the mechanism's length
BLOCK = sp.Rational(3, 2)  # [1] length of a block or of a cylinder on an axis relative to its width
SLIDES = ("prismatic", "cylindrical")
ABOUT_AXIS = ("revolute", "screw", "planar", *SLIDES)
SIZE: dict[str, Expression] = {"circle": POINT, "sphere": POINT, "capsule": THICKNESS, "cylinder": THICKNESS}


def with_shapes(
    bodies: Sequence[Body], joints: Sequence[Joint], elements: Sequence[Element], planar: bool
) -> tuple[Body, ...]:
    """Return the bodies, those without shapes with default ones, all shapes with sizes."""
    length = length_of(bodies, joints, elements)
    drawn = []
    for body in bodies:
        shapes = body.shapes or _default(body, joints, elements, planar, length)
        drawn.append(replace(body, shapes=tuple(_sized(shape, length) for shape in shapes)))
    return tuple(drawn)


def _sized(shape: Shape, length: Expression) -> Shape:
    """Return a shape with its size, a part of the mechanism's length if none is given."""
    return replace(shape, sizes=(SIZE[shape.kind] * length,)) if not shape.sizes and shape.kind in SIZE else shape


def _default(
    body: Body, joints: Sequence[Joint], elements: Sequence[Element], planar: bool, length: Expression
) -> tuple[Shape, ...]:
    """Return the shapes of a body without its own; their sizes may be left open."""
    wheels = [e for e in elements if e.kind == "rolling" and e.places[1].body == body.name]
    if wheels:
        return tuple(shape for wheel in wheels for shape in _wheel(wheel, planar))
    points = placed_on(body.name, joints, elements)
    if len(points) > 1:
        return outline(points, planar)
    round_shape = "circle" if planar else "sphere"
    at = points[0] if points else body.centre
    if body.mass != 0 and body.centre != at:
        return (*outline([at, body.centre], planar), Shape(round_shape, (body.centre,)))
    along = [(joint, place) for joint in joints for place in _places_with_axis(joint, body.name)]
    for joint, place in along:
        if not planar:
            return (_on_axis(joint, place, at, length),)
        if joint.kind in SLIDES:
            return (_block(joint, place, at, length),)
    return (Shape(round_shape, (at,)),)


def _places_with_axis(joint: Joint, body: str) -> list[Place]:
    """Return the places on a body in whose axes the axis of a joint is the same in all positions."""
    return [p for p in (joint.first, joint.second) if p.body == body and joint.kind in ABOUT_AXIS]


def _axis_on_body(joint: Joint, place: Place) -> Vector:
    """Return the axis of a joint in the axes of the body that has the place, at t = 0."""
    c, s = sp.cos(place.angle), sp.sin(place.angle)
    x, y, z = joint.axis
    return at_start(turned(place.rotation, joint.axis) if place.rotation else (c * x - s * y, s * x + c * y, z))


def _on_axis(joint: Joint, place: Place, at: Vector, length: Expression) -> Shape:
    """Return a cylinder about the axis of a joint."""
    half = scaled(BLOCK * POINT * length, _axis_on_body(joint, place))
    return Shape("cylinder", (add(at, scaled(sp.S.NegativeOne, half)), add(at, half)), (POINT * length,))


def _block(joint: Joint, place: Place, at: Vector, length: Expression) -> Shape:
    """Return a rectangle along the axis of a planar slide."""
    x, y, _ = _axis_on_body(joint, place)
    along, across = scaled(BLOCK * POINT * length, (x, y, ZERO)), scaled(POINT * length, (-y, x, ZERO))
    corners = []
    for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        corners.append(add(at, add(scaled(sp.Integer(i), along), scaled(sp.Integer(j), across))))
    return Shape("polygon", tuple(corners))


def _wheel(element: Element, planar: bool) -> tuple[Shape, ...]:
    """Return the outline of a wheel on a line, and a spoke along the x axis of the body."""
    centre, radius = at_start(element.places[1].position), element["radius"]
    spoke = Shape("line", (centre, add(centre, (radius, ZERO, ZERO))))
    return (Shape("circle", (centre,), (radius,)), spoke) if planar else (Shape("sphere", (centre,), (radius,)),)
