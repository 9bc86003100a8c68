"""Entries of a file given to a builder, call by call; formulas are read, and faults of both are collected."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

import sympy as sp

from ...language.expression import Expression
from ...language.real_number import real_number
from ...model.bodies import Place, Shape
from ...model.bodies.description import Vector
from ...model.file.mechanism_schema import (
    AXES,
    ELEMENTS,
    JOINTS,
    NUMBER,
    PLACE,
    PLACES,
    TURNING,
    VECTOR,
    Argument,
    BodyEntry,
    MechanismFile,
    PlaceEntry,
    ShapeEntry,
)
from ...model.file.reading import Formulas
from ..building.builder import Builder
from ..building.planar import PlanarBuilder
from ..building.reading import rotation_of
from ..building.spatial import SpatialBuilder

UNIT_ROUNDING = 1e-15  # [1] deviation of the square of a unit vector from 1 that counts as rounding


class AsWritten(Builder):
    """What files need of a builder: axes that have length 1 stay as they are."""

    def _axis(self, axis: object, where: str) -> Vector:
        v = self._vector(axis, where)
        return v if _is_unit(v) else super()._axis(axis, where)

    def check_parts(self) -> None:
        """Raise one ModelError with the faults of bodies, joints and elements, regardless of their connections."""
        self._faults.raise_any(f"The mechanism {self.name!r}")


class PlanarFileBuilder(AsWritten, PlanarBuilder):
    """Builder of the planar mechanism of a file."""


class SpatialFileBuilder(AsWritten, SpatialBuilder):
    """Builder of the spatial mechanism of a file."""


def built(model: MechanismFile, read: Formulas) -> PlanarFileBuilder | SpatialFileBuilder:
    """Return a builder with the bodies, joints and elements of a file."""
    planar = model.mechanism == "planar"
    usual = (0, -9.81) if planar else (0, 0, -9.81)
    gravity = usual if model.gravity is None else [read(e, "gravity") for e in model.gravity]
    inputs = [read.names[name] for name in model.inputs]
    make = PlanarFileBuilder if planar else SpatialFileBuilder
    builder = make(model.name, gravity, None, inputs)
    entries = Entries(builder, read)
    for body in model.bodies:
        entries.body(body)
    for joint in model.joints:
        entries.call(joint, "joint", JOINTS[joint.kind])
    for element in model.elements:
        entries.call(element, "element", ELEMENTS[element.kind])
    return builder


class Entries:
    """Entries of a file as calls of a builder."""

    def __init__(self, builder: PlanarFileBuilder | SpatialFileBuilder, read: Formulas) -> None:
        self.builder, self.read = builder, read
        self.planar = isinstance(builder, PlanarBuilder)

    def body(self, entry: BodyEntry) -> None:
        """Add a body."""
        where = f"body {entry.name!r}"
        given = {key: getattr(entry, key) for key in ("mass", "inertia", "centre", "length")}
        if self.planar and isinstance(entry.inertia, list):
            self.builder._faults.add(f"{where}, inertia", "in the plane it is one number, about z", "Give J_zz.")
            given["inertia"] = 0
        numbers = {key: self._numbers(e, f"{where}, {key}") for key, e in given.items() if e is not None}
        shapes = [self._shape(shape, f"{where}, shapes, entry {k}") for k, shape in enumerate(entry.shapes, 1)]
        self.builder.body(entry.name, **numbers, shapes=shapes or None)

    def call(self, entry: Any, noun: str, arguments: dict[str, Argument]) -> None:
        """Add a joint or an element: the call that its kind names."""
        where = f"{noun} {entry.name!r}"
        faults, space = self.builder._faults, "the plane" if self.planar else "space"
        method = getattr(self.builder, entry.kind, None)
        if method is None:
            faults.add(where, f"there is no {noun} of the kind {entry.kind!r} in {space}")
            return
        possible = inspect.signature(method).parameters
        given: dict[str, Any] = {}
        for f in fields(entry):
            value = getattr(entry, f.name)
            if f.name in ("name", "kind") or value is None:
                continue
            if f.name in possible:
                given[f.name] = self._value(value, arguments[f.name].role, f"{where}, {f.name}")
            elif value != arguments[f.name].default:
                faults.add(f"{where}, {f.name}", f"in {space} a {noun} of the kind {entry.kind!r} has no such key")
        method(entry.name, **given)

    def _value(self, value: Any, role: str, where: str) -> Any:
        """Return what a key means, according to its role."""
        if role == PLACE:
            return self._place(value, where)
        if role == PLACES:
            return [self._place(e, f"{where}, entry {k}") for k, e in enumerate(value, 1)]
        return self._numbers(value, where) if role in (NUMBER, VECTOR, TURNING, AXES) else value

    def _numbers(self, value: Any, where: str) -> Any:
        """Return a number or formula, or lists of them, as expressions."""
        return [self._numbers(e, where) for e in value] if isinstance(value, list) else self.read(value, where)

    def _place(self, stated: str | PlaceEntry, where: str) -> Place:
        """Return a place; its body is looked up by the builder."""
        entry = PlaceEntry(stated) if isinstance(stated, str) else stated
        builder, zero = self.builder, sp.S.Zero
        at = (zero,) * 3 if entry.at is None else builder._vector(self._numbers(entry.at, where), where, True)
        if self.planar and entry.rotation is not None:
            builder._faults.add(f"{where}, rotation", "in the plane a place has no matrix", "Give its angle.")
        if not self.planar and entry.angle != 0:
            builder._faults.add(f"{where}, angle", "in space a place has no angle", "Give a matrix: rotation = [...].")
        if isinstance(builder, PlanarBuilder):
            return Place(entry.body, at, builder._expression(self.read(entry.angle, where), where, True))
        return Place(entry.body, at, zero, self._rotation(entry.rotation, where, True))

    def _rotation(self, rows: Any, where: str, moving: bool = False) -> tuple[Expression, ...]:
        """Return the entries of a rotation matrix."""
        return () if rows is None else rotation_of(self._numbers(rows, where), where, self.builder._faults, moving)

    def _shape(self, entry: ShapeEntry, where: str) -> Shape:
        """Return a shape."""
        points = tuple(self.builder._vector(self._numbers(point, where), where) for point in entry.points)
        sizes = (self.builder._expression(self.read(e, where), where) for e in entry.sizes)
        return Shape(entry.kind, points, tuple(sizes), self._rotation(entry.rotation, where))


def _is_unit(v: Vector) -> bool:
    """Return whether a vector has length 1, up to rounding, or identically if it has parameters."""
    square: Expression = sum(e**2 for e in v)
    if square.is_number:
        return abs(real_number(square) - 1) <= UNIT_ROUNDING
    from ...language.engine.engine import Engine
    from ...language.engine.zero_test import vanishes

    return vanishes(Engine(()).inward(square - 1))
