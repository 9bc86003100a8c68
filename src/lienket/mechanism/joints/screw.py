"""Screw joint: J = Tr(n q h/2pi) Rot(n, q), h the advance per turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.bodies import Joint
from ..scalars.algebra import ZERO, Algebra, Scalar, Vector, add, dot, scaled
from ..scalars.axes import perpendicular
from .axis_of import across, axis_of
from .kind import Kind, Relative, Row, Shift, Turn, held, parallel


class Screw(Kind):
    """The second body turns about the axis and advances along it by the pitch per turn."""

    name = "screw"
    spatial_suffixes = ("",)

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the advance h/2pi for each radian."""
        return (Shift(scaled(_per_radian(joint, algebra), axis_of(joint, algebra)), 0),)

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn about the axis."""
        return (Turn(axis_of(joint, algebra), 0),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return the rows of a cylindrical joint, and the one that couples advance and angle.

        With Euler parameters 2 r [(n.e) cos(x/2r) - e0 sin(x/2r)], r = h/2pi, x = n.d, and the wrench
        sigma (-A n; r A n), sigma = e0 cos + (n.e) sin = +-1; otherwise r [(w.R u) cos(x/r) - (u.R u) sin(x/r)].
        """
        axis, r = axis_of(joint, algebra), _per_radian(joint, algebra)
        n, x = place.A @ axis, place.along(axis)
        rows = held(place, across(axis, planar)) + parallel(place, axis)
        if place.parameters:
            e0, e = place.parameters[0], dot(axis, place.parameters[1:])
            c, s = algebra.cos(x / (2 * r)), algebra.sin(x / (2 * r))
            sigma: Any = e0 * c + e * s
            return [*rows, Row(2 * r * (e * c - e0 * s), scaled(-sigma, n), scaled(sigma * r, n))]
        u, w = perpendicular(axis)
        c, s = algebra.cos(x / r), algebra.sin(x / r)
        coupling = r * (place.cosine(w, u) * c - place.cosine(u, u) * s)
        return [*rows, Row(coupling, scaled(-1, n), scaled(r, n))]

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the angle a = x 2pi/h, with a term that is zero where the joint holds.

        With (w.R u) cos a - (u.R u) sin a the gradient is that of the turn alone, as the effort along a needs it.
        """
        axis = axis_of(joint, algebra)
        angle = place.along(axis) / _per_radian(joint, algebra)
        u, w = perpendicular(axis)
        turned = place.cosine(w, u) * algebra.cos(angle) - place.cosine(u, u) * algebra.sin(angle)
        return [angle + turned]

    def efforts(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[tuple[Vector, Vector]]:
        """Return the torque about the axis alone, though the motion has an advance too."""
        return [(ZERO, add(place.A @ axis_of(joint, algebra)))]


def _per_radian(joint: Joint, algebra: Algebra) -> Scalar:
    """Return h/2pi."""
    import sympy as sp

    assert joint.pitch is not None  # noqa: S101  # screws have one
    return algebra.number(joint.pitch / (2 * sp.pi))
