"""Builder of planar mechanisms; `lienket.planar.Mechanism` adds the methods that need a System."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from ...language.expression import Coordinate, ExpressionLike
from ...model.bodies import GROUND, Body, Place
from .builder import BodyName, Builder, JointName
from .elements import ElementCalls
from .solids.algebra import NO_INERTIA
from .solids.given import rod_instead, shapes_of, solid_instead
from .solids.planar import uniform_rod
from .solids.solid import PlanarSolid

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

    def __init__(
        self,
        name: str,
        gravity: Pair = (0, -9.81),
        values: Mapping[Any, Any] | None = None,
        inputs: Iterable[Coordinate] = (),
    ) -> None:
        super().__init__(name, gravity, values, inputs)

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
        *,
        solid: PlanarSolid | None = None,
        shapes: object = None,
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
        solid : PlanarSolid, optional
            Brings mass, inertia, centre and shapes, such as `lk.planar.disc(mass, radius)`.
        shapes : solid, Shape or sequence of them, optional
            What is drawn instead of the shapes of the solid or of lines between the joints; masses do not count.

        Returns
        -------
        PlanarBody
            The body, whose `at` gives places.
        """
        where = f"body {name!r}"
        text = self._new_name(name, "body", self.bodies)
        J = self._number(inertia, f"{where}, inertia", 0.0)
        stated = PlanarSolid(
            self._number(mass, f"{where}, mass", 0.0),
            self._vector(centre, f"{where}, centre"),
            (*NO_INERTIA[:2], J, *NO_INERTIA[3:]),
        )
        if length is not None:
            rod = uniform_rod(stated.mass, self._number(length, f"{where}, length", 0.0, positive=True))
            stated = rod_instead(rod, stated, where, self._faults)
        made = solid_instead(solid, stated, where, self._faults)
        drawn = shapes_of(shapes, True, where, self._faults) or made.shapes
        self._bodies.append(Body(text, made.mass, made.centre, made.inertia, drawn))
        return PlanarBody(self, text)

    def revolute(self, name: str, a: object, b: object, *, coordinate: str | None = None) -> JointName:
        """Add a hinge at which the points of both places coincide; its coordinate is the angle of b relative to a.

        `a` and `b` are places on the first and the second body, `body.at(...)`; `coordinate` names the angle, which
        otherwise has the name of the joint.
        """
        return self._add_joint(name, "revolute", a, b, coordinate)

    def prismatic(
        self, name: str, a: object, b: object, *, axis: Pair = (1, 0), coordinate: str | None = None
    ) -> JointName:
        """Add a slide: b moves along the axis of a and does not turn; its coordinate is the distance.

        `axis` is a direction of any length in the axes of the place `a`; `coordinate` names the distance, which
        otherwise has the name of the joint.
        """
        return self._add_joint(name, "prismatic", a, b, coordinate, axis=self._axis(axis, f"joint {name!r}, axis"))

    def slot(self, name: str, a: object, b: object, *, axis: Pair = (1, 0), coordinate: str | None = None) -> JointName:
        """Add a pin b on the line through a along the axis; its coordinates are NAME_distance and NAME_angle.

        `axis` is a direction of any length in the axes of the place `a`; `coordinate` replaces NAME.
        """
        return self._add_joint(name, "slot", a, b, coordinate, axis=self._axis(axis, f"joint {name!r}, axis"))

    def weld(self, name: str, a: object, b: object) -> JointName:
        """Add a rigid connection of both places."""
        return self._add_joint(name, "weld", a, b, None)

    def free(self, name: str, a: object, b: object, *, coordinate: str | None = None) -> JointName:
        """Add the coordinates NAME_x, NAME_y and NAME_angle of a body that moves freely relative to another.

        They are those of the place `b` in the axes of `a`, often a place of the ground; `coordinate` replaces NAME.
        """
        return self._add_joint(name, "free", a, b, coordinate)

    def rolling(self, name: str, line: object, wheel: object, *, radius: ExpressionLike, axis: Pair = (1, 0)) -> None:
        """Add a wheel that rolls without slip on the left side of a line.

        The line goes through the place `line` along the `axis` in the axes of that place; the place `wheel` is the
        centre of the wheel with a `radius`.
        """
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
