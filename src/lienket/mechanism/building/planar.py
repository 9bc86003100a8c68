"""Builder of planar mechanisms; `lienket.planar.Mechanism` adds the methods that need a System."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from ...language.expression import ExpressionLike
from ...model.bodies import GROUND, Body, Place
from .builder import BodyName, Builder, JointName
from .elements import ElementCalls

Pair = Sequence[ExpressionLike]


class PlanarBody(BodyName):
    """Body of a planar mechanism, or the ground."""

    def at(self, x: ExpressionLike = 0, y: ExpressionLike = 0, angle: ExpressionLike = 0) -> Place:
        """Return the place (x, y) in the body's axes, with axes turned by an angle.

        Parameters
        ----------
        x, y : number or expression
            Position in the body's axes; it may depend on time, `lk.t`.
        angle : number or expression
            Turn of the place's axes, anticlockwise.

        Returns
        -------
        Place
            The place, for joints and elements.
        """
        read, where = self._builder._expression, f"{self!r}, place"
        zero = sp.S.Zero
        return Place(self.name, (read(x, where, True), read(y, where, True), zero), read(angle, where, True))


class PlanarBuilder(ElementCalls, Builder):
    """Bodies, joints and elements of a planar mechanism."""

    _planar = True

    def __init__(self, name: str, gravity: Pair = (0, -9.81), values: Mapping[Any, Any] | None = None) -> None:
        super().__init__(name, gravity, values)

    @property
    def ground(self) -> PlanarBody:
        """The body that does not move."""
        return PlanarBody(self, GROUND)

    def body(
        self,
        name: str,
        mass: ExpressionLike = 0,
        inertia: ExpressionLike = 0,
        centre: Pair = (0, 0),
        length: ExpressionLike | None = None,
    ) -> PlanarBody:
        """Add a body.

        Parameters
        ----------
        name : str
            Name of the body.
        mass : number or expression
            Mass.
        inertia : number or expression
            Moment of inertia about the centre.
        centre : pair
            Mass centre in the body's axes.
        length : number or expression, optional
            Makes a uniform rod from the body's origin along its x axis: centre length/2, inertia mass length^2/12.

        Returns
        -------
        PlanarBody
            The body, whose `at` gives places.
        """
        where = f"body {name!r}"
        text = self._new_name(name, "body", self.bodies)
        m, J = self._number(mass, f"{where}, mass", 0.0), self._number(inertia, f"{where}, inertia", 0.0)
        x, y, z = self._vector(centre, f"{where}, centre")
        if length is not None:
            rod = self._number(length, f"{where}, length", 0.0, positive=True)
            if J != 0 or (x, y) != (0, 0):
                self._faults.add(
                    where, "length= makes a uniform rod, whose inertia and centre follow", "Leave them out."
                )
            x, y, J = rod / 2, sp.S.Zero, m * rod**2 / 12
        self._bodies.append(Body(text, m, (x, y, z), (sp.S.Zero, sp.S.Zero, J, *(sp.S.Zero,) * 3)))
        return PlanarBody(self, text)

    def revolute(self, name: str, a: object, b: object, *, coordinate: str | None = None) -> JointName:
        """Add a hinge at which the points of both places coincide; its coordinate is the angle of b relative to a."""
        return self._add_joint(name, "revolute", a, b, coordinate)

    def prismatic(
        self, name: str, a: object, b: object, *, axis: Pair = (1, 0), coordinate: str | None = None
    ) -> JointName:
        """Add a slide: b moves along the axis of a and does not turn; its coordinate is the distance."""
        return self._add_joint(name, "prismatic", a, b, coordinate, axis=self._axis(axis, f"joint {name!r}, axis"))

    def slot(self, name: str, a: object, b: object, *, axis: Pair = (1, 0), coordinate: str | None = None) -> JointName:
        """Add a pin b on the line through a along the axis; its coordinates are NAME_distance and NAME_angle."""
        return self._add_joint(name, "slot", a, b, coordinate, axis=self._axis(axis, f"joint {name!r}, axis"))

    def weld(self, name: str, a: object, b: object) -> JointName:
        """Add a rigid connection of both places."""
        return self._add_joint(name, "weld", a, b, None)

    def free(self, name: str, a: object, b: object, *, coordinate: str | None = None) -> JointName:
        """Add the coordinates NAME_x, NAME_y and NAME_angle of a body that moves freely relative to another."""
        return self._add_joint(name, "free", a, b, coordinate)

    def rolling(self, name: str, line: object, wheel: object, *, radius: ExpressionLike, axis: Pair = (1, 0)) -> None:
        """Add a wheel with centre b that rolls on the left side of a line through a along the axis."""
        where = f"element {name!r}"
        x, y, z = self._axis(axis, f"{where}, axis")
        places = (self._place(line, f"{where}, line"), self._place(wheel, f"{where}, wheel"))
        numbers = {"radius": self._number(radius, f"{where}, radius", 0.0, positive=True)}
        self._add_element(name, "rolling", places=places, numbers={**numbers, "axis_x": x, "axis_y": y, "axis_z": z})

    def torque(self, name: str, body: object, value: ExpressionLike) -> None:
        """Add a torque on a body, anticlockwise; a number or an expression of anything."""
        place = self._place(body, f"element {name!r}")
        zero = sp.S.Zero
        numbers = {"x": zero, "y": zero, "z": self._effort(value, f"element {name!r}, value")}
        self._add_element(name, "torque", places=(place,), numbers=numbers)


__all__ = ["Iterable", "PlanarBody", "PlanarBuilder"]
