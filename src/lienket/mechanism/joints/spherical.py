"""Spherical joint: J = R(p) by Euler parameters, or Rot(x, a1) Rot(y, a2) Rot(z, a3)."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.bodies import Joint
from ..scalars.algebra import ZERO, Algebra, Scalar, Vector, cross, dot, scaled
from ..scalars.axes import turn
from .kind import Kind, Relative, Row, Turn, together

AXES: tuple[Vector, Vector, Vector] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class Spherical(Kind):
    """Both points coincide; its coordinates are Euler parameters."""

    name = "spherical"
    spatial_suffixes: tuple[str, ...] | None = ("_e0", "_e1", "_e2", "_e3")
    euler = True

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return p_b - p_a = 0."""
        return together(place, planar)

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the Euler parameters; where they follow from the matrix, by the largest of them."""
        if place.parameters:
            return list(place.parameters)
        R = [[place.cosine(a, b) for b in AXES] for a in AXES]
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
        products = (  # 4 p_k p, each row a multiple of p
            (1 + xx + yy + zz, zy - yz, xz - zx, yx - xy),
            (zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx),
            (xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy),
            (yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz),
        )
        row = algebra.row_of_largest([products[k][k] for k in range(4)], products)
        length = algebra.sqrt(dot(row, row))
        return [x / length for x in row]

    def efforts(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[tuple[Vector, Vector]]:
        """Return nothing: no effort acts along Euler parameters."""
        return []


class SphericalAngles(Spherical):
    """Spherical joint whose coordinates are the angles about x, y and z, fixed in the second body one after another."""

    spatial_suffixes = ("_angle1", "_angle2", "_angle3")
    euler = False

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the three turns."""
        return tuple(Turn(axis, k) for k, axis in enumerate(AXES))

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return atan2(-R23, R33), asin R13, atan2(-R12, R11)."""
        R = [[place.cosine(a, b) for b in AXES] for a in AXES]
        across = algebra.sqrt(R[0][0] * R[0][0] + R[0][1] * R[0][1])
        return [
            algebra.atan2(-R[1][2], R[2][2]),
            algebra.atan2(R[0][2], across),
            algebra.atan2(-R[0][1], R[0][0]),
        ]

    def efforts(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[tuple[Vector, Vector]]:
        """Return the torques that work on one angle alone, the rows of the inverse of the three axes."""
        a1, a2, _ = self.measures(joint, place, algebra, planar)
        y = turn(AXES[0], a1, algebra) @ AXES[1]
        z = turn(AXES[0], a1, algebra).times(turn(AXES[1], a2, algebra), algebra) @ AXES[2]
        x, y, z = place.A @ AXES[0], place.A @ y, place.A @ z
        factor = 1 / dot(x, cross(y, z))
        return [(ZERO, scaled(factor, cross(*pair))) for pair in ((y, z), (z, x), (x, y))]
