"""Weld: J = 1."""

from __future__ import annotations

from ...model.bodies import Joint
from ..scalars.algebra import Algebra
from .kind import Kind, Relative, Row, same_angle, together, unturned


class Weld(Kind):
    """Both places coincide."""

    name = "weld"
    planar_suffixes = ()
    spatial_suffixes = ()

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return p_b - p_a = 0 and the rows of equal axes."""
        return together(place, planar) + ([same_angle(place, algebra)] if planar else unturned(place))
