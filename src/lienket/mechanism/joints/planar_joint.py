"""Planar joint in space: J = Tr(u x + w y) Rot(n, a), n the normal of the plane."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Scalar, Vector, cross, dot, scaled, subtract
from ..scalars.axes import as_number
from .axis_of import axis_of
from .kind import Kind, Relative, Row, Shift, Turn, angle_about, held, parallel


class Planar(Kind):
    """The second point stays in the plane through the first; the second body turns about its normal."""

    name = "planar"
    spatial_suffixes = ("_x", "_y", "_angle")

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacements in the plane."""
        x, y = in_plane(axis_of(joint, algebra), algebra)
        return (Shift(x, 0), Shift(y, 1))

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turn about the normal."""
        return (Turn(axis_of(joint, algebra), 2),)

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return n.d = 0 and the rows of parallel normals."""
        axis = axis_of(joint, algebra)
        return held(place, [axis]) + parallel(place, axis)

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return both displacements and the angle."""
        axis = axis_of(joint, algebra)
        x, y = in_plane(axis, algebra)
        return [place.along(x), place.along(y), angle_about(place, axis, algebra, planar)]


def in_plane(axis: Vector, algebra: Algebra) -> tuple[Vector, Vector]:
    """Return the directions of the coordinates: the first place's x axis projected (its y if parallel), n x that."""
    try:
        parallel_to_x = abs(as_number(axis[0])) > 1 - 1e-9
    except (TypeError, ValueError, RuntimeError):  # a symbol
        parallel_to_x = False
    if axis in ((0, 0, 1), (0, 0, -1)):
        return (1, 0, 0), cross(axis, (1, 0, 0))
    x: Vector = (0, 1, 0) if parallel_to_x else (1, 0, 0)
    part = subtract(x, scaled(dot(x, axis), axis))
    u = scaled(1 / algebra.sqrt(dot(part, part)), part)
    return u, cross(axis, u)
