"""Frozen description of a mechanism; numbers may be expressions of parameters anywhere.

Planar mechanisms use the same types: z is zero, the inertia is about z, axes are turned by one angle about z.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from ...foundation.cached_hash import CachedHash, cached_hash
from ...foundation.frozen_dataclass import dataclass, replace
from ...language.expression import Expression

Vector = tuple[Expression, Expression, Expression]
Rewrite = Callable[[Expression], Expression]
GROUND = "ground"  # name of the body that does not move


@dataclass(frozen=True)
class Place:
    """A point with axes on a body: `position` in the body's axes, `rotation` (9 entries, row by row) of its axes.

    In the plane the axes are turned by `angle` about z, and `rotation` is empty; in space `angle` is 0. An empty
    rotation with angle 0 has the body's axes. Both may depend on time.
    """

    body: str
    position: Vector
    angle: Expression
    rotation: tuple[Expression, ...] = ()

    def expressions(self) -> list[Expression]:
        """Return every expression of the place."""
        return [*self.position, self.angle, *self.rotation]

    def mapped(self, rewrite: Rewrite) -> Place:
        """Return a copy in which `rewrite` has been applied to every expression."""
        x, y, z = map(rewrite, self.position)
        return replace(self, position=(x, y, z), angle=rewrite(self.angle), rotation=tuple(map(rewrite, self.rotation)))


@dataclass(frozen=True)
class Shape:
    """What is drawn of a body: a `kind`, `points` in the body's axes, `sizes` and, of box and circle, a `rotation`.

    line      points joined one after the other
    polygon   points joined to a closed outline, in space in a plane
    circle    its centre; radius; in space in the plane of the first two axes of `rotation`
    sphere    its centre; radius
    cylinder  both ends of its axis; radius
    capsule   the centres of both half spheres; radius
    box       its centre; lengths along the three axes of `rotation`

    `rotation` has 9 entries, row by row; its columns are axes in those of the body, and () is the body's axes.
    """

    kind: str
    points: tuple[Vector, ...]
    sizes: tuple[Expression, ...] = ()
    rotation: tuple[Expression, ...] = ()

    @property
    def is_turned(self) -> bool:
        """Whether `rotation` has a meaning for this kind of shape."""
        return self.kind in ("box", "circle")

    def expressions(self) -> list[Expression]:
        """Return every expression of the shape."""
        return [*(e for point in self.points for e in point), *self.sizes, *self.rotation]

    def mapped(self, rewrite: Rewrite) -> Shape:
        """Return a copy in which `rewrite` has been applied to every expression."""
        points = tuple((rewrite(x), rewrite(y), rewrite(z)) for x, y, z in self.points)
        return Shape(self.kind, points, tuple(map(rewrite, self.sizes)), tuple(map(rewrite, self.rotation)))


@dataclass(frozen=True)
class Body:
    """Mass, mass centre in the body's axes, and inertia J_xx, J_yy, J_zz, J_xy, J_xz, J_yz about the centre.

    Products of inertia are entries of the matrix: J_xy = -int x y dm.
    """

    name: str
    mass: Expression
    centre: Vector
    inertia: tuple[Expression, Expression, Expression, Expression, Expression, Expression]
    shapes: tuple[Shape, ...] = ()

    def expressions(self) -> list[Expression]:
        """Return every expression of the body."""
        return [self.mass, *self.centre, *self.inertia, *(e for shape in self.shapes for e in shape.expressions())]

    def mapped(self, rewrite: Rewrite) -> Body:
        """Return a copy in which `rewrite` has been applied to every expression."""
        x, y, z = map(rewrite, self.centre)
        xx, yy, zz, xy, xz, yz = map(rewrite, self.inertia)
        shapes = tuple(shape.mapped(rewrite) for shape in self.shapes)
        return replace(self, mass=rewrite(self.mass), centre=(x, y, z), inertia=(xx, yy, zz, xy, xz, yz), shapes=shapes)


@dataclass(frozen=True)
class Joint:
    """Joint of a `kind` between the places `first` and `second`; `coordinates` are the names of its coordinates.

    `axis` is in the first place's axes, `second_axis` (universal joints only) in the second's; both have length 1.
    `pitch` is the advance of a screw per turn, `angles` the sequence of a spherical joint, empty for Euler parameters.
    """

    name: str
    kind: str
    first: Place
    second: Place
    coordinates: tuple[str, ...]
    axis: Vector
    second_axis: Vector | None = None
    pitch: Expression | None = None
    angles: str = ""

    def expressions(self) -> list[Expression]:
        """Return every expression of the joint."""
        axes = [*self.axis, *(self.second_axis or ())]
        pitch = [] if self.pitch is None else [self.pitch]
        return [*self.first.expressions(), *self.second.expressions(), *axes, *pitch]

    def mapped(self, rewrite: Rewrite) -> Joint:
        """Return a copy in which `rewrite` has been applied to every expression."""
        x, y, z = map(rewrite, self.axis)
        second = None if self.second_axis is None else tuple(map(rewrite, self.second_axis))
        return replace(
            self,
            first=self.first.mapped(rewrite),
            second=self.second.mapped(rewrite),
            axis=(x, y, z),
            second_axis=second,
            pitch=None if self.pitch is None else rewrite(self.pitch),
        )


@dataclass(frozen=True)
class Element:
    """Element of a `kind`: it acts on `places`, or on the coordinates of `joints` (names), with `numbers` by name."""

    name: str
    kind: str
    places: tuple[Place, ...] = ()
    joints: tuple[str, ...] = ()
    numbers: tuple[tuple[str, Expression], ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        """Return a number or an option by name."""
        return dict((*self.numbers, *self.options))[name]

    def has(self, name: str) -> bool:
        """Return whether a number is given."""
        return any(name == known for known, _ in self.numbers)

    def expressions(self) -> list[Expression]:
        """Return every expression of the element."""
        return [*(e for place in self.places for e in place.expressions()), *(e for _, e in self.numbers)]

    def mapped(self, rewrite: Rewrite) -> Element:
        """Return a copy in which `rewrite` has been applied to every expression."""
        places = tuple(place.mapped(rewrite) for place in self.places)
        return replace(self, places=places, numbers=tuple((name, rewrite(e)) for name, e in self.numbers))


@dataclass(frozen=True)
class Description(CachedHash):
    """Mechanism of bodies and joints: what the builder has collected.

    `gravity` is the acceleration of falling bodies in the ground's axes. With `absolute` coordinates every body has its
    own and every joint is cut. `cut` are the names of the joints that are constraints, in the order of statement; the
    others are the joints of the tree, whose coordinates are those of the system.
    """

    planar: bool
    gravity: Vector
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    elements: tuple[Element, ...]
    absolute: bool
    cut: tuple[str, ...]

    __hash__ = cached_hash

    @cached_property
    def body(self) -> dict[str, Body]:
        """Bodies by name, without the ground."""
        return {body.name: body for body in self.bodies}

    @cached_property
    def joint(self) -> dict[str, Joint]:
        """Joints by name."""
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def element(self) -> dict[str, Element]:
        """Elements by name."""
        return {element.name: element for element in self.elements}

    def _parts(self) -> Iterator[Body | Joint | Element]:
        yield from self.bodies
        yield from self.joints
        yield from self.elements

    def expressions(self) -> list[Expression]:
        """Return every expression of the description."""
        return [*self.gravity, *(e for part in self._parts() for e in part.expressions())]

    def mapped(self, rewrite: Rewrite) -> Description:
        """Return a copy in which `rewrite` has been applied to every expression."""
        x, y, z = map(rewrite, self.gravity)
        return replace(
            self,
            gravity=(x, y, z),
            bodies=tuple(body.mapped(rewrite) for body in self.bodies),
            joints=tuple(joint.mapped(rewrite) for joint in self.joints),
            elements=tuple(element.mapped(rewrite) for element in self.elements),
        )
