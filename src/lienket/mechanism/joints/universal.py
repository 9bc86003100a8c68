"""Universal joint: J = Rot(n1, a1) Rot(n2, a2), n1 fixed in the first and n2 in the second place's axes."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import ZERO, Algebra, Scalar, Vector, cross, dot, scaled
from .axis_of import axis_of, second_axis_of
from .kind import Kind, Relative, Row, Turn, together


class Universal(Kind):
    """Both points coincide; the angle between the two axes stays as it is. They need not be perpendicular."""

    name = "universal"
    spatial_suffixes = ("_angle1", "_angle2")

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turns about both axes."""
        return (Turn(axis_of(joint, algebra), 0), Turn(second_axis_of(joint, algebra), 1))

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return p_b - p_a = 0 and n1.R n2 - n1.n2 = 0, whose torque is (B n2) x (A n1)."""
        first, second = axis_of(joint, algebra), second_axis_of(joint, algebra)
        a, b = place.A @ first, place.B @ second
        return [*together(place, planar), Row(dot(a, b) - dot(first, second), ZERO, cross(b, a))]

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return a1 = ang(n1; n2, R n2), a2 = ang(n2; R^T n1, n1), ang(n; a, b) = atan2(n.(a x b), a.b - n.a n.b)."""
        n1, n2 = axis_of(joint, algebra), second_axis_of(joint, algebra)
        A1, A2, B1, B2 = place.A @ n1, place.A @ n2, place.B @ n1, place.B @ n2
        return [_angle(A1, A2, B2, algebra), _angle(B2, A1, B1, algebra)]

    def efforts(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[tuple[Vector, Vector]]:
        """Return torques (N2 x s)/s.s and (s x N1)/s.s with s = N1 x N2, which work on one angle alone."""
        n1, n2 = place.A @ axis_of(joint, algebra), place.B @ second_axis_of(joint, algebra)
        s = cross(n1, n2)
        factor = 1 / dot(s, s)
        return [(ZERO, scaled(factor, cross(n2, s))), (ZERO, scaled(factor, cross(s, n1)))]


def _angle(n: Vector, a: Vector, b: Vector, algebra: Algebra) -> Scalar:
    """Return the angle from a to b about n."""
    return algebra.atan2(dot(n, cross(a, b)), dot(a, b) - dot(n, a) * dot(n, b))
