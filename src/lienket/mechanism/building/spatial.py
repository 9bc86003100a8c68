"""Builder of spatial mechanisms; `lienket.spatial.Mechanism` adds the methods that need a System."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from ...language.expression import Coordinate, Expression, ExpressionLike
from ...model.bodies import GROUND, Body, Place
from .builder import BodyName, Builder, JointName
from .elements import ElementCalls
from .inertia import inertia_of, possible_inertia
from .reading import ORTHONORMAL, rotation_of
from .solids.given import rod_instead, shapes_of, solid_instead
from .solids.solid import SpatialSolid
from .solids.spatial import uniform_rod

Triple = Sequence[ExpressionLike]


class SpatialBody(BodyName):
    """Body of a spatial mechanism, or the ground."""

    def at(self, x: ExpressionLike = 0, y: ExpressionLike = 0, z: ExpressionLike = 0, rotation: object = None) -> Place:
        """Return the place (x, y, z) in the body's axes, with axes turned by a rotation matrix.

        Parameters
        ----------
        x, y, z : number or expression
            Position in the body's axes; it may depend on time, `lk.t`.
        rotation : matrix, optional
            Its columns are the place's axes in those of the body, 3 x 3.

        Returns
        -------
        Place
            The place, for joints and elements.
        """
        read, where = self._builder._expression, f"{self!r}, place"
        position = (read(x, where, True), read(y, where, True), read(z, where, True))
        return Place(self.name, position, sp.S.Zero, self._builder._rotation(rotation, where))  # type: ignore[attr-defined]


class SpatialBuilder(ElementCalls, Builder):
    """Bodies, joints and elements of a spatial mechanism."""

    def __init__(
        self,
        name: str,
        gravity: Triple = (0, 0, -9.81),
        values: Mapping[Any, Any] | None = None,
        inputs: Iterable[Coordinate] = (),
    ) -> None:
        super().__init__(name, gravity, values, inputs)

    @property
    def ground(self) -> SpatialBody:
        """The body that does not move."""
        return SpatialBody(self, GROUND)

    def body(
        self,
        name: str,
        mass: ExpressionLike = 0,
        inertia: object = 0,
        centre: Triple = (0, 0, 0),
        length: ExpressionLike | None = None,
        *,
        solid: SpatialSolid | None = None,
        shapes: object = None,
    ) -> SpatialBody:
        """Add a body.

        Parameters
        ----------
        name : str
            Name of the body.
        mass : number or expression
            Mass.
        inertia : number, 3 numbers, 6 numbers or 3 x 3 matrix
            Inertia about the centre in the body's axes: principal moments, or the entries xx yy zz xy xz yz of the
            matrix. Products of inertia are entries of the matrix, J_xy = -int x y dm.
        centre : three numbers
            Mass centre in the body's axes.
        length : number or expression, optional
            Makes a thin uniform rod from the body's origin along its x axis.
        solid : SpatialSolid, optional
            Brings mass, inertia, centre and shapes, such as `lk.spatial.box(mass, (x, y, z))`.
        shapes : solid, Shape or sequence of them, optional
            What is drawn instead of the shapes of the solid or of lines between the joints; masses do not count.

        Returns
        -------
        SpatialBody
            The body, whose `at` gives places.
        """
        where = f"body {name!r}"
        text = self._new_name(name, "body", self.bodies)
        stated = SpatialSolid(
            self._number(mass, f"{where}, mass", 0.0),
            self._vector(centre, f"{where}, centre"),
            inertia_of(inertia, f"{where}, inertia", self._faults),
        )
        if length is not None:
            rod = uniform_rod(stated.mass, self._number(length, f"{where}, length", 0.0, positive=True))
            stated = rod_instead(rod, stated, where, self._faults)
        made = solid_instead(solid, stated, where, self._faults)
        problem = possible_inertia(made.inertia)
        if problem:
            self._faults.add(f"{where}, inertia", problem, "Check units and the point about which it is given.")
        drawn = shapes_of(shapes, False, where, self._faults) or made.shapes
        self._bodies.append(Body(text, made.mass, made.centre, made.inertia, drawn))
        return SpatialBody(self, text)

    # Joints

    def revolute(
        self, name: str, a: object, b: object, *, axis: Triple = (0, 0, 1), coordinate: str | None = None
    ) -> JointName:
        """Add a hinge about an axis of a; its coordinate is the angle of b relative to a, right-handed.

        `a` and `b` are places, `body.at(...)`, whose points coincide; `axis` is a direction of any length in the axes
        of `a`; `coordinate` names the angle, which otherwise has the name of the joint.
        """
        return self._along(name, "revolute", a, b, axis, coordinate)

    def prismatic(
        self, name: str, a: object, b: object, *, axis: Triple = (1, 0, 0), coordinate: str | None = None
    ) -> JointName:
        """Add a slide along an axis of a without turning; its coordinate is the distance of b from a.

        `axis` is a direction of any length in the axes of the place `a`; `coordinate` names the distance.
        """
        return self._along(name, "prismatic", a, b, axis, coordinate)

    def cylindrical(
        self, name: str, a: object, b: object, *, axis: Triple = (0, 0, 1), coordinate: str | None = None
    ) -> JointName:
        """Add a joint that slides along and turns about an axis of a; coordinates NAME_distance and NAME_angle.

        `axis` is a direction of any length in the axes of the place `a`; `coordinate` replaces NAME.
        """
        return self._along(name, "cylindrical", a, b, axis, coordinate)

    def screw(
        self,
        name: str,
        a: object,
        b: object,
        *,
        pitch: ExpressionLike,
        axis: Triple = (0, 0, 1),
        coordinate: str | None = None,
    ) -> JointName:
        """Add a screw about an axis of a, which advances by the pitch per turn; its coordinate is the angle."""
        read = self._expression(pitch, f"joint {name!r}, pitch")
        if read == 0:
            self._faults.add(
                f"joint {name!r}, pitch", "the pitch is zero", "A screw without pitch is a revolute joint."
            )
        return self._along(name, "screw", a, b, axis, coordinate, pitch=read)

    def universal(
        self, name: str, a: object, b: object, *, axes: Sequence[Triple], coordinate: str | None = None
    ) -> JointName:
        """Add a universal joint: one axis is fixed in a, the other in b; coordinates NAME_angle1 and NAME_angle2.

        `axes` are a direction in the axes of the place `a` and one in those of `b`, usually perpendicular to each
        other in the zero position; b is turned about the first by angle1, then about the second by angle2.
        """
        where = f"joint {name!r}, axes"
        if len(axes) != 2:
            self._faults.add(where, f"two axes were expected, not {len(axes)}")
            axes = ((1, 0, 0), (0, 1, 0))
        first, second = self._axis(axes[0], where), self._axis(axes[1], where)
        cosine = sum(x * y for x, y in zip(first, second, strict=True))
        if cosine.is_number and abs(float(cosine)) > 1 - ORTHONORMAL:
            self._faults.add(where, "both axes are parallel", "Give two different directions.")
        return self._add_joint(name, "universal", a, b, coordinate, axis=first, second_axis=second)

    def spherical(
        self, name: str, a: object, b: object, *, angles: str | None = None, coordinate: str | None = None
    ) -> JointName:
        """Add a ball joint: NAME_e0 ... NAME_e3 (Euler parameters), with angles="xyz" NAME_angle1 ... NAME_angle3."""
        if angles not in (None, "xyz"):
            self._faults.add(
                f"joint {name!r}, angles", f"{angles!r} is not possible", 'Give angles="xyz", or leave it out.'
            )
        return self._add_joint(name, "spherical", a, b, coordinate, angles="xyz" if angles else "")

    def planar(
        self, name: str, a: object, b: object, *, axis: Triple = (0, 0, 1), coordinate: str | None = None
    ) -> JointName:
        """Add a joint that keeps b in the plane through a across an axis; coordinates NAME_x, NAME_y, NAME_angle."""
        return self._along(name, "planar", a, b, axis, coordinate)

    def weld(self, name: str, a: object, b: object) -> JointName:
        """Add a rigid connection of both places."""
        return self._add_joint(name, "weld", a, b, None)

    def free(self, name: str, a: object, b: object, *, coordinate: str | None = None) -> JointName:
        """Add the coordinates NAME_x ... NAME_z, NAME_e0 ... NAME_e3 of a body that moves freely."""
        return self._add_joint(name, "free", a, b, coordinate)

    def torque(self, name: str, body: object, value: Triple) -> None:
        """Add a torque on a body, in the ground's axes; numbers or expressions of anything."""
        place = self._place(body, f"element {name!r}")
        x, y, z = self._vector(value, f"element {name!r}, value", effort=True)
        self._add_element(name, "torque", places=(place,), numbers={"x": x, "y": y, "z": z})

    # Reading

    def _along(
        self, name: str, kind: str, a: object, b: object, axis: Triple, coordinate: str | None, **given: Any
    ) -> JointName:
        return self._add_joint(name, kind, a, b, coordinate, axis=self._axis(axis, f"joint {name!r}, axis"), **given)

    def _rotation(self, rotation: object, where: str) -> tuple[Expression, ...]:
        """Return the entries of a rotation matrix, () for None or the unit matrix."""
        return rotation_of(rotation, where, self._faults, moving=True)
