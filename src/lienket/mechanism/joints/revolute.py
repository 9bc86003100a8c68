"""Revolute joint: J = Rot(n, q)."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar
from .axis_of import axis_of
from .kind import Kind, Relative, Row, Turn, angle_about, parallel, together


class Revolute(Kind):
    """Both points coincide; the second body turns about the axis."""

    name = "revolute"
    planar_suffixes = ("",)
    spatial_suffixes = ("",)

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn about the axis."""
        return (Turn(axis_of(joint, algebra), 0),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return p_b - p_a = 0, in space with the two rows of parallel axes."""
        return together(place, planar) + ([] if planar else parallel(place, axis_of(joint, algebra)))

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the angle."""
        return [angle_about(place, axis_of(joint, algebra), algebra, planar)]


def _axis(joint: Joint, algebra: Algebra) -> tuple[Scalar, Scalar, Scalar]:
    x, y, z = map(algebra.number, joint.axis)
    return (x, y, z)
