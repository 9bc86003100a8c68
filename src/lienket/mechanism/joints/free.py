"""Free joint: six coordinates in space, three in the plane; the displacement is in the first place's axes."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar
from .kind import Kind, Relative, Row, Shift, Turn
from .spherical import AXES, Spherical


class Free(Kind):
    """No constraint: it gives a body without joints its coordinates."""

    name = "free"
    planar_suffixes = ("_x", "_y", "_angle")
    spatial_suffixes = ("_x", "_y", "_z", "_e0", "_e1", "_e2", "_e3")
    euler = True

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacements along the first place's axes."""
        return tuple(Shift(AXES[k], k) for k in range(2 if planar else 3))

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn in the plane."""
        return (Turn(AXES[2], 2),) if planar else ()

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return no rows."""
        return []

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the displacement and the angle or Euler parameters."""
        turned = [place.angle] if planar else Spherical().measures(joint, place, algebra, planar)
        return [*(place.along(AXES[k]) for k in range(2 if planar else 3)), *turned]
