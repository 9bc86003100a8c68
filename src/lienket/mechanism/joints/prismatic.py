"""Prismatic joint: J = Tr(n q)."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar
from .axis_of import across, axis_of
from .kind import Kind, Relative, Row, Shift, held, same_angle, unturned


class Prismatic(Kind):
    """The second point slides along the axis through the first; the bodies do not turn relative to each other."""

    name = "prismatic"
    planar_suffixes = ("",)
    spatial_suffixes = ("",)

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacement along the axis."""
        return (Shift(axis_of(joint, algebra), 0),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return the rows across the axis and those of equal axes."""
        rows = held(place, across(axis_of(joint, algebra), planar))
        return rows + ([same_angle(place, algebra)] if planar else unturned(place))

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the distance along the axis."""
        return [place.along(axis_of(joint, algebra))]
