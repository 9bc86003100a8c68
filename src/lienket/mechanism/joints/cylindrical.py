"""Cylindrical joint: J = Tr(n x) Rot(n, a)."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar
from .axis_of import across, axis_of
from .kind import Kind, Relative, Row, Shift, Turn, angle_about, held, parallel


class Cylindrical(Kind):
    """The second body slides along the axis and turns about it."""

    name = "cylindrical"
    spatial_suffixes = ("_distance", "_angle")

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacement along the axis."""
        return (Shift(axis_of(joint, algebra), 0),)

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn about the axis."""
        return (Turn(axis_of(joint, algebra), 1),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return the rows across the axis and of parallel axes."""
        axis = axis_of(joint, algebra)
        return held(place, across(axis, planar)) + parallel(place, axis)

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return distance and angle."""
        axis = axis_of(joint, algebra)
        return [place.along(axis), angle_about(place, axis, algebra, planar)]
