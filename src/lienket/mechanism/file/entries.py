"""A description as entries of a file, the inverse of `building`: what a builder would make again is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from typing import Any

from ...foundation.frozen_dataclass import replace
from ...language.as_expression import EXACT_DENOMINATOR
from ...language.engine.engine import Engine
from ...language.expression import Expression
from ...model.bodies import Body, Description, Element, Joint, Place, Shape
from ...model.file.constraints import inline, number
from ...model.file.mechanism_schema import (
    COORDINATE,
    ELEMENTS,
    FLAG,
    JOINTS,
    NUMBER,
    PLACE,
    PLACES,
    TURNING,
    VECTOR,
    Argument,
)
from ..building.shapes import with_shapes
from ..joints import kind_of
from .building import PlanarFileBuilder, SpatialFileBuilder

_LETTERS = ("x", "y", "z")
_STANDARD_AXES = {"prismatic": (1, 0, 0), "slot": (1, 0, 0)}  # of other kinds (0, 0, 1)


def number_of(e: Expression) -> int | float | str:
    """Return a number as files have it, short decimals such as 0.25 instead of fractions, or a formula."""
    if e.is_Rational and not e.is_Integer and EXACT_DENOMINATOR % int(e.q) == 0 and abs(int(e.p)) < 2**53:
        return float(e)
    return number(e)


class Writer:
    """Entries of the bodies, joints and elements of a description."""

    def __init__(self, description: Description) -> None:
        self.description, self.planar = description, description.planar
        self.normal = Engine(()).normal

    def vector(self, entries: Iterable[Expression]) -> list[Any]:
        """Return a vector: two components in the plane."""
        return [number_of(e) for e in entries][: 2 if self.planar else 3]

    def bodies(self) -> Iterator[dict[str, Any]]:
        """Yield the bodies, with shapes where a builder would make others."""
        plain = [self._usual(body) for body in self.description.bodies]
        stated = [*plain]
        for _ in range(2):  # the shapes of one body may decide on the sizes of others
            drawn = self._drawn(stated)
            stated = [
                p if body == d else body for p, body, d in zip(plain, self.description.bodies, drawn, strict=True)
            ]
        if self._drawn(stated) != list(self.description.bodies):
            stated = list(self.description.bodies)
        for body, usual, shown in zip(self.description.bodies, plain, stated, strict=True):
            shapes = {} if shown is usual else {"shapes": [*map(self._shape, body.shapes)]}
            yield self._body(body, bool(usual.shapes)) | shapes

    def _drawn(self, bodies: list[Body]) -> list[Body]:
        """Return the bodies with the shapes that a builder gives them."""
        parts = self.description
        return [body.mapped(self.normal) for body in with_shapes(bodies, parts.joints, parts.elements, self.planar)]

    def _usual(self, body: Body) -> Body:
        """Return a body as the builder makes it: as a uniform rod if it is one, else without shapes."""
        if body.mass != 0 and body.centre[0] != 0 and not any(body.centre[1:]):
            builder = PlanarFileBuilder("") if self.planar else SpatialFileBuilder("")
            builder.body(body.name, mass=body.mass, length=2 * body.centre[0])
            rod = builder._bodies[0].mapped(self.normal)
            if replace(rod, shapes=body.shapes) == body and not builder._faults:
                return rod
        return replace(body, shapes=())

    def _body(self, body: Body, is_rod: bool) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": body.name, "mass": number_of(body.mass)}
        if is_rod:
            return entry | {"length": number_of(self.normal(2 * body.centre[0]))}
        if any(body.inertia):
            xx, yy, zz, *products = body.inertia
            matrix = [*(number_of(e) for e in (xx, yy, zz)), *(number_of(e) for e in products if any(products))]
            entry["inertia"] = number_of(zz) if self.planar else matrix
        return entry | ({"centre": self.vector(body.centre)} if any(body.centre) else {})

    def _shape(self, shape: Shape) -> dict[str, Any]:
        entry: dict[str, Any] = {"kind": shape.kind, "points": [self.vector(point) for point in shape.points]}
        entry |= {"sizes": [*map(number_of, shape.sizes)]} if shape.sizes else {}
        return inline(entry | ({"rotation": _rows(shape.rotation)} if shape.rotation else {}))

    def place(self, place: Place) -> Any:
        """Return a place: the name of its body if it is the origin."""
        entry: dict[str, Any] = {"body": place.body}
        if any(place.position):
            entry["at"] = self.vector(place.position)
        if place.angle != 0:
            entry["angle"] = number_of(place.angle)
        if place.rotation:
            entry["rotation"] = _rows(place.rotation)
        return place.body if len(entry) == 1 else inline(entry)

    def joint(self, joint: Joint) -> dict[str, Any]:
        """Return a joint."""
        entry: dict[str, Any] = {"name": joint.name, "kind": joint.kind}
        entry |= {"a": self.place(joint.first), "b": self.place(joint.second)}
        keys = JOINTS[joint.kind]
        if joint.second_axis is not None:
            entry["axes"] = [self.vector(joint.axis), self.vector(joint.second_axis)]
        elif "axis" in keys and tuple(joint.axis) != _STANDARD_AXES.get(joint.kind, (0, 0, 1)):
            entry["axis"] = self.vector(joint.axis)
        if joint.pitch is not None:
            entry["pitch"] = number_of(joint.pitch)
        if joint.angles:
            entry["angles"] = joint.angles
        base = self._base(joint)
        return entry | ({"coordinate": base} if base not in (None, joint.name) else {})

    def _base(self, joint: Joint) -> str | None:
        """Return the beginning of the names of the coordinates; None if there are none."""
        kind = kind_of(joint)
        suffixes = (kind.planar_suffixes if self.planar else kind.spatial_suffixes) or ()
        return joint.coordinates[0].removesuffix(suffixes[0]) if suffixes else None

    def element(self, element: Element) -> dict[str, Any]:
        """Return an element: its places, joints and numbers under the names of its kind's arguments."""
        entry: dict[str, Any] = {"name": element.name, "kind": element.kind}
        places, joints = iter(element.places), iter(element.joints)
        for key, argument in ELEMENTS[element.kind].items():
            if argument.role == PLACE:
                entry[key] = self.place(next(places))
            elif argument.role == PLACES:
                entry[key] = [*map(self.place, places)]
            elif argument.role == COORDINATE:
                entry[key] = self._joint_of(next(joints))
            else:
                entry |= self._other(element, key, argument)
        return entry

    def _other(self, element: Element, key: str, argument: Argument) -> dict[str, Any]:
        """Return the entry of a number, vector or option of an element, empty if it is the default."""
        if argument.role == FLAG:
            return {key: True} if element[key] else {}
        if argument.role in (VECTOR, TURNING):
            prefix = "axis_" if key == "axis" else ""
            components = [element[f"{prefix}{letter}"] for letter in _LETTERS]
            single = argument.role == TURNING and self.planar
            return {key: number_of(components[2]) if single else self.vector(components)}
        if argument.role == NUMBER and not element.has(key):
            return {}
        value = element[key]
        if argument.default is not MISSING and value == argument.default:
            return {}
        return {key: number_of(value) if argument.role == NUMBER else value}

    def _joint_of(self, coordinate: str) -> str:
        """Return the name of the joint whose only coordinate this is, else that of the coordinate."""
        for joint in self.description.joints:
            if joint.coordinates == (coordinate,):
                return joint.name
        return coordinate


def _rows(rotation: tuple[Expression, ...]) -> list[list[Any]]:
    """Return a rotation matrix row by row."""
    return [[number_of(e) for e in rotation[i : i + 3]] for i in (0, 3, 6)]
