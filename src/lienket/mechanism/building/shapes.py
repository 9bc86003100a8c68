"""Shapes that are drawn of bodies whose user gives none: lines between the places of their joints."""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import replace
from ...model.bodies import Body, Joint, Shape
from ...model.bodies.description import Vector


def with_shapes(bodies: Sequence[Body], joints: Sequence[Joint], planar: bool) -> tuple[Body, ...]:
    """Return the bodies, those without shapes with default ones."""
    return tuple(body if body.shapes else replace(body, shapes=_default(body, joints, planar)) for body in bodies)


def _default(body: Body, joints: Sequence[Joint], planar: bool) -> tuple[Shape, ...]:
    """Return lines that connect the places of the joints, a polygon for three or more in the plane."""
    places = [place.position for joint in joints for place in (joint.first, joint.second) if place.body == body.name]
    points: list[Vector] = list(dict.fromkeys(places))
    if len(points) == 1 and points[0] != body.centre:
        points.append(body.centre)
    if len(points) < 2:
        return (Shape("circle" if planar else "sphere", (body.centre,)),)
    if planar and len(points) > 2:
        return (Shape("polygon", tuple(points)),)
    return tuple(Shape("line", (points[0], point)) for point in points[1:])
