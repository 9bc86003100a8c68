"""MechanismState: places, velocities and masses of a mechanism in scalars of one algebra, computed at first use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..language.expression import Expression
from ..model.bodies import Description, Joint, Place
from .dynamics import BodyMass, body_masses, euler_factors
from .frames import Position, place_on, position_of
from .joints import Relative, kind_of
from .motion import Rates, accelerations, point_velocity, velocities
from .reframed import reframed
from .scalars.algebra import Algebra, Scalar, Vector, add, subtract
from .scalars.axes import Axes, conjugate, quaternion_product


class MechanismState:
    """A mechanism in a state given by the coordinates of an algebra.

    Its description has the frame of each body at its inward joint; `frames` has the stated ones.
    """

    def __init__(self, description: Description, algebra: Algebra) -> None:
        self.frames = reframed(description)
        self.description, self.tree = self.frames.description, self.frames.tree
        self.algebra, self.planar = algebra, description.planar

    @cached_property
    def position(self) -> Position:
        """Frames of the bodies, places of the links."""
        return position_of(self.tree, self.algebra, self.planar)

    @cached_property
    def rates(self) -> dict[str, Rates]:
        """Angular velocities of the bodies and velocities of their origins."""
        return velocities(self.tree, self.position, self.algebra)

    def accelerations(self, a: Sequence[Scalar] | None) -> dict[str, Rates]:
        """Return the accelerations of the bodies with q'' = a, or 0."""
        return accelerations(self.tree, self.position, self.rates, self.algebra, a)

    @cached_property
    def masses(self) -> dict[str, BodyMass]:
        """Masses of the bodies."""
        return body_masses(self.description, self.position, self.algebra)

    @cached_property
    def factors(self) -> list[Scalar]:
        """Factor c of each link with Euler parameters, else 0."""
        return euler_factors(self.description, self.tree, self.algebra)

    # Places

    def number(self, expression: Expression) -> Scalar:
        """Return an expression as a scalar."""
        return self.algebra.number(expression)

    def lever(self, place: Place) -> Vector:
        """Return the vector from the origin of a body to a place on it, in the axes of the ground."""
        return place_on(self.position.frames[place.body], place, self.algebra)[1]

    def place(self, place: Place) -> Vector:
        """Return a place in the axes of the ground."""
        return add(self.position.frames[place.body].origin, self.lever(place))

    def axes(self, place: Place) -> Axes:
        """Return the axes of a place."""
        return place_on(self.position.frames[place.body], place, self.algebra)[0]

    def axes_of(self, body: str) -> Axes:
        """Return the axes of a body."""
        return self.position.frames[body].axes

    def velocity(self, place: Place) -> Vector:
        """Return the velocity of a place."""
        return point_velocity(self.position.frames[place.body], self.rates[place.body], place, self.algebra)

    # Joints

    def relative(self, joint: Joint) -> Relative:
        """Return the second place of a joint seen from the first, in the axes of the ground."""
        first, second = joint.first, joint.second
        between = subtract(self.place(second), self.place(first))
        return Relative(self.axes(first), self.axes(second), between, self._parameters(joint))

    def measures(self, joint: Joint) -> list[Scalar]:
        """Return the coordinates of a joint, of the tree or cut."""
        for link in self.tree.links:
            if link.joint.name == joint.name and not self.description.absolute:
                return [self.algebra.q[k] for k in link.at]
        measures = kind_of(joint).measures(joint, self.relative(joint), self.algebra, self.planar)
        known = self.tree.coordinates.index
        return [
            self.algebra.q[known(name)] if name in self.tree.angles else measure
            for name, measure in zip(joint.coordinates, measures, strict=True)
        ]

    def coordinate(self, name: str) -> Scalar:
        """Return a coordinate of a joint by its name."""
        joint, index = coordinate_of(self.description, name)
        return self.measures(joint)[index]

    def coordinate_rate(self, name: str) -> Scalar:
        """Return the rate of a coordinate of a joint by its name."""
        if name in self.tree.coordinates:
            return self.algebra.v[self.tree.coordinates.index(name)]
        return self.algebra.total_rate(self.coordinate(name))

    def _parameters(self, joint: Joint) -> tuple[Scalar, ...]:
        """Return the Euler parameters conj(p_A) (x) p_B in absolute coordinates, () elsewhere."""
        if self.planar or not self.description.absolute:
            return ()
        turned = []
        for place in (joint.first, joint.second):
            own = constant_parameters(place)
            if own is None:
                return ()
            body = self._body_parameters(place.body)
            turned.append(own if body is None else body if own == (1, 0, 0, 0) else quaternion_product(body, own))
        return quaternion_product(conjugate(turned[0]), turned[1])

    def _body_parameters(self, body: str) -> tuple[Scalar, ...] | None:
        """Return the Euler parameters of a body in absolute coordinates, None for the ground."""
        link = self.tree.link_of.get(body)
        return None if link is None else tuple(self.algebra.q[k] for k in link.at[-4:])


def coordinate_of(description: Description, name: str) -> tuple[Joint, int]:
    """Return the joint that has a coordinate, and its index there."""
    for joint in description.joints:
        if name in joint.coordinates:
            return joint, joint.coordinates.index(name)
    raise KeyError(name)


def constant_parameters(place: Place) -> tuple[Scalar, ...] | None:
    """Return the Euler parameters of the axes of a place, None if they are not numbers."""
    if not place.rotation:
        return (1, 0, 0, 0) if place.angle == 0 else None
    if not all(e.is_number for e in place.rotation):
        return None
    R = [[float(place.rotation[3 * i + j]) for j in range(3)] for i in range(3)]
    trace = R[0][0] + R[1][1] + R[2][2]
    sizes = [trace, R[0][0], R[1][1], R[2][2]]
    largest = sizes.index(max(sizes))
    if largest == 0:
        root = (1 + trace) ** 0.5
        p = [root / 2, *((R[j][i] - R[i][j]) / (2 * root) for i, j in ((1, 2), (2, 0), (0, 1)))]
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        root = (1 + R[i][i] - R[j][j] - R[k][k]) ** 0.5
        p = [0.0, 0.0, 0.0, 0.0]
        p[0], p[1 + i] = (R[k][j] - R[j][k]) / (2 * root), root / 2
        p[1 + j], p[1 + k] = (R[j][i] + R[i][j]) / (2 * root), (R[k][i] + R[i][k]) / (2 * root)
    return tuple(p)
