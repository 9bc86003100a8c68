"""Slot of the plane: J = t(angle, n distance); a pin slides along a line and turns."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar
from .axis_of import across, axis_of
from .kind import Kind, Relative, Row, Shift, Turn, held


class Slot(Kind):
    """The second point, the pin, stays on the line through the first along the axis; the force acts at the pin."""

    name = "slot"
    planar_suffixes = ("_distance", "_angle")

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacement along the line."""
        return (Shift(axis_of(joint, algebra), 0),)

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn of the pin."""
        return (Turn((0, 0, 1), 1),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return the row across the line."""
        return held(place, across(axis_of(joint, algebra), planar))

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the distance along the line and the angle."""
        return [place.along(axis_of(joint, algebra)), place.angle]
