"""What the planar and the spatial builder share: names, places, bodies and elements collected with all their faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from inspect import isfunction
from typing import Any

import sympy as sp

from ...errors import Faults, did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...foundation.nearest_name import with_suggestions
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression, ExpressionLike
from ...language.names import identifier_problem, key_name
from ...language.short_text import short_text
from ...language.symbols import coordinates as make_coordinates
from ...model.bodies import GROUND, Body, Description, Element, Joint, Place
from ...model.bodies.description import Vector
from ...model.statement import Statement
from ..joints import KINDS, kind_of
from ..tree import absolute_joint, cut_joints, spanning_tree
from .reading import expression_of, number_of
from .whole import check_body_names, check_whole

RELATIVE, ABSOLUTE = "relative", "absolute"
NO_ANGLE = sp.S.Zero


@dataclass(frozen=True)
class JointName:
    """Joint of a builder: its `name`, and its `coordinates` as symbols for formulas."""

    name: str
    coordinates: tuple[Coordinate, ...]

    @property
    def coordinate(self) -> Coordinate:
        """The coordinate of a joint that has one."""
        return self.coordinates[0]


class BodyName:
    """Body of a builder, or the ground; `at` gives its places."""

    def __init__(self, builder: Builder, name: str) -> None:
        self._builder, self.name = builder, name

    def __repr__(self) -> str:
        return f"body {self.name!r}"


class Builder:
    """Bodies, joints and elements are added by calls; nothing is refused before `statement`, which names all faults."""

    _planar = False

    def __init_subclass__(cls) -> None:
        for name, method in list(vars(cls).items()):
            if isfunction(method) and not name.startswith("_"):  # the calls of users
                setattr(cls, name, with_suggestions(method))

    def __init__(
        self,
        name: str,
        gravity: Sequence[ExpressionLike],
        values: Mapping[Any, Any] | None = None,
        inputs: Iterable[Coordinate] = (),
    ) -> None:
        self.name = name
        self._inputs = tuple(inputs)
        self._faults = Faults()
        self._values = dict(values or {})
        self._bodies: list[Body] = []
        self._joints: list[Joint] = []
        self._elements: list[Element] = []
        self._gravity = self._vector(gravity, "gravity")

    # What is there

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the bodies, without the ground."""
        return tuple(body.name for body in self._bodies)

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""
        return tuple(joint.name for joint in self._joints)

    @property
    def elements(self) -> tuple[str, ...]:
        """Names of the elements."""
        return tuple(element.name for element in self._elements)

    # Freezing

    def description(self, coordinates: str = RELATIVE, cut: Iterable[str] | None = None) -> Description:
        """Return the frozen description; raise one ModelError with all faults."""
        faults = Faults()
        for fault in self._faults:
            faults.add(fault.where, fault.what, fault.advice)
        chosen = self._chosen_cuts(cut, faults)
        if coordinates not in (RELATIVE, ABSOLUTE):
            faults.add("coordinates", f"{coordinates!r} is neither {RELATIVE!r} nor {ABSOLUTE!r}")
        joints = tuple(self._joints)
        absolute = coordinates == ABSOLUTE
        names = tuple(j.name for j in joints) if absolute else cut_joints(self._bodies, joints, chosen)
        description = Description(
            self._planar, self._gravity, self._drawn_bodies(), joints, tuple(self._elements), absolute, names
        )
        known = spanning_tree(description).coordinates if not faults else self._possible_coordinates(absolute)
        named = [*map(key_name, self._values), *map(key_name, self._inputs)]
        check_whole(self._bodies, joints, self._elements, chosen, known, named, faults)
        if absolute:
            check_body_names(self._bodies, faults)
        faults.raise_any(f"The mechanism {self.name!r}")
        return description

    def _possible_coordinates(self, absolute: bool) -> tuple[str, ...]:
        """Return the coordinates that a mechanism with faults might have."""
        own = tuple(x for joint in self._joints for x in joint.coordinates)
        return (
            own + tuple(x for body in self._bodies for x in absolute_joint(body, self._planar).coordinates) * absolute
        )

    def statement(self, coordinates: str = RELATIVE, cut: Iterable[str] | None = None) -> Statement:
        """Return the checked statement; raise one ModelError with all faults."""
        from ...model.input.system import with_numbers
        from ..statement import statement_of

        statement = statement_of(self.name, self.description(coordinates, cut), ())
        return with_numbers(statement, self._values, self._inputs)

    def _drawn_bodies(self) -> tuple[Body, ...]:
        """Return the bodies with the shapes that are drawn."""
        from .shapes import with_shapes

        return with_shapes(self._bodies, self._joints, self._elements, self._planar)

    def _chosen_cuts(self, cut: Iterable[str] | None, faults: Faults) -> tuple[str, ...]:
        names = (cut,) if isinstance(cut, str) else tuple(cut or ())
        for name in names:
            if name not in self.joints:
                faults.add("cut", f"there is no joint {name!r}{did_you_mean(str(name), self.joints)}")
        return names

    # Reading what users give

    def _new_name(self, name: object, kind: str, known: Iterable[str]) -> str:
        """Return the name of a new part; report one that is no text or taken."""
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._faults.add(kind, f"its name must be a printable text, not {name!r}")
            return str(name)
        if name in known or (name == GROUND and kind == "body"):
            self._faults.add(f"{kind} {name!r}", "the name is taken" if name != GROUND else "it is the fixed body")
        return name

    def _expression(self, thing: object, where: str, moving: bool = False) -> Expression:
        """Return an expression of parameters, and of time if it may be `moving`."""
        return expression_of(thing, where, self._faults, moving)

    def _effort(self, thing: object, where: str) -> Expression:
        """Return an expression of anything: a force or a torque."""
        return as_expression(thing, where, self._faults)

    def _vector(self, entries: object, where: str, moving: bool = False, effort: bool = False) -> Vector:
        """Return a vector of the mechanism's dimension, with z = 0 in the plane."""
        size = 2 if self._planar else 3
        listed = (
            list(entries) if isinstance(entries, Iterable) and not isinstance(entries, (str, sp.Basic)) else [entries]
        )
        if len(listed) != size:
            self._faults.add(where, f"{size} components were expected, not {short_text(entries)}")
            listed = [0] * size
        read = [self._effort(e, where) if effort else self._expression(e, where, moving) for e in listed]
        x, y, z = (*read, sp.S.Zero)[:3]
        return (x, y, z)

    def _axis(self, axis: object, where: str) -> Vector:
        """Return a direction with length 1."""
        v = self._vector(axis, where)
        square = sum(e**2 for e in v)
        if square == 0 or (square.is_number and float(square) < TINY):
            self._faults.add(
                where, "the axis is zero", "Give a direction, such as (0, 0, 1); its length does not matter."
            )
            return v
        if square == 1:
            return v
        length = sp.sqrt(square)
        x, y, z = (e / length if not square.is_number else _exact(float(e) / float(length)) for e in v)
        return (x, y, z)

    def _place(self, place: object, where: str) -> Place:
        """Return a place on a body of this mechanism."""
        if isinstance(place, BodyName):
            place = Place(place.name, (sp.S.Zero,) * 3, NO_ANGLE)
        if not isinstance(place, Place):
            self._faults.add(where, f"a place body.at(...) was expected, not {short_text(place)}")
            return Place(GROUND, (sp.S.Zero,) * 3, NO_ANGLE)
        if place.body != GROUND and place.body not in self.bodies:
            known = did_you_mean(place.body, self.bodies)
            self._faults.add(where, f"the body {place.body!r} is not part of this mechanism{known}")
        return place

    def _number(self, thing: object, where: str, least: float | None = None, positive: bool = False) -> Expression:
        """Return a number or parameter that is not below a bound."""
        return number_of(thing, where, self._faults, least, positive)

    def _coordinate(self, joint: object, where: str) -> str:
        """Return the name of the coordinate that a joint, its name or a coordinate's name means."""
        name = joint.name if isinstance(joint, JointName) else str(joint)
        for known in self._joints:
            euler = kind_of(known).euler and not self._planar
            if euler and name in (known.name, *known.coordinates[-4:]):
                advice = 'Give the joint angles="xyz", or act on its body with .torque.'
                if known.kind == "free":
                    advice = f"Name one of {known.coordinates[:3]}, or act on its body with .torque."
                what = f"the joint {known.name!r} has Euler parameters, along which nothing acts"
                self._faults.add(where, what, advice)
                return ""
            if known.name == name:
                if len(known.coordinates) == 1:
                    return known.coordinates[0]
                names = ", ".join(map(repr, known.coordinates))
                what = (
                    f"the joint {name!r} has no coordinate" if not names else f"the joint {name!r} has several: {names}"
                )
                self._faults.add(where, what, "Name one of them instead of the joint." if names else "")
                return ""
            if name in known.coordinates:
                return name
        known_names = [*self.joints, *(x for j in self._joints for x in j.coordinates)]
        self._faults.add(where, f"there is no joint {name!r}{did_you_mean(name, known_names)}")
        return ""

    # Adding

    def _add_joint(
        self, name: object, kind: str, first: object, second: object, coordinate: str | None, **given: Any
    ) -> JointName:
        where = f"joint {name!r}"
        text = self._new_name(name, "joint", (*self.joints, *self.elements))
        a, b = self._place(first, f"{where}, first place"), self._place(second, f"{where}, second place")
        if a.body == b.body:
            self._faults.add(where, f"both places are on {_the(a.body)}", "A joint connects two bodies.")
        axis = given.pop("axis", (sp.S.Zero, sp.S.Zero, sp.S.One))
        joint = Joint(text, kind, a, b, (), axis, **given)
        suffixes = kind_of(joint).planar_suffixes if self._planar else kind_of(joint).spatial_suffixes
        base = text if coordinate is None else str(coordinate)
        names = tuple(f"{base}{suffix}" for suffix in suffixes or ())
        problem = identifier_problem(names[0]) if names else ""
        if problem:
            self._faults.add(where, problem, "Name its coordinate with coordinate=.")
            names = tuple(f"q{len(self._joints)}{suffix}" for suffix in suffixes or ())
        from ...foundation.frozen_dataclass import replace

        self._joints.append(replace(joint, coordinates=names))
        symbols = tuple(make_coordinates(x) for x in names)
        return JointName(text, symbols)

    def _add_element(self, name: object, kind: str, **given: Any) -> None:
        text = self._new_name(name, "element", (*self.joints, *self.elements))
        numbers = tuple(sorted(given.pop("numbers", {}).items()))
        options = tuple(sorted(given.pop("options", {}).items()))
        self._elements.append(Element(text, kind, numbers=numbers, options=options, **given))


TINY = 1e-300  # [length^2] square of an axis below which it is zero


def _exact(x: float) -> Expression:
    """Return a component of an axis, exact where it is 0 or +-1."""
    return sp.Integer(round(x)) if x in (-1.0, 0.0, 1.0) else sp.Float(x)


def _the(body: str) -> str:
    return "the ground" if body == GROUND else f"the body {body!r}"


__all__ = ["KINDS", "BodyName", "Builder", "JointName"]
