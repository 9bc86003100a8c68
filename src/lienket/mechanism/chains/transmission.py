"""Planar transmission matrix, which maps points of one frame into another, and its three generators.

        | cos -sin  x |        Omega = d/d(angle) at rest,   X = d/dx,   Y = d/dy
    t = | sin  cos  y |
        |  0    0   1 |

A point with the coordinates (x, y) has the column (x, y, 1), a direction or a force (x, y, 0).
"""

from __future__ import annotations

import sympy as sp
from sympy import ImmutableMatrix as Matrix

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Expression

# Generator of rotations: d/d(phi) of t(phi) = t Omega (theory 11).
OMEGA: Matrix = Matrix([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
SHIFT_X: Matrix = Matrix([[0, 0, 1], [0, 0, 0], [0, 0, 0]])  # generator of displacements along x
SHIFT_Y: Matrix = Matrix([[0, 0, 0], [0, 0, 1], [0, 0, 0]])  # generator of displacements along y


@dataclass(frozen=True)
class Transmission:
    """A rotation by `angle`, then a displacement by (`x`, `y`): the matrix t of theory 11.

    It is stored as these three quantities, so that a product contains cos(phi1 + phi2) instead of the sums of products
    that result from multiplying matrices.
    """

    angle: Expression = sp.S.Zero
    x: Expression = sp.S.Zero
    y: Expression = sp.S.Zero

    @property
    def matrix(self) -> Matrix:
        """Matrix t, 3 x 3."""
        c, s = sp.cos(self.angle), sp.sin(self.angle)
        return Matrix([[c, -s, self.x], [s, c, self.y], [0, 0, 1]])

    @property
    def inverse(self) -> Transmission:
        """Inverse transmission t^-1."""
        c, s = sp.cos(self.angle), sp.sin(self.angle)
        return Transmission(-self.angle, -c * self.x - s * self.y, s * self.x - c * self.y)

    def __matmul__(self, other: Transmission) -> Transmission:
        """Return the product t1 t2: the frame of `other`, relative to the outer frame of this one."""
        c, s = sp.cos(self.angle), sp.sin(self.angle)
        x, y = self.x + c * other.x - s * other.y, self.y + s * other.x + c * other.y
        return Transmission(self.angle + other.angle, x, y)

    def transformed(self, generator: Matrix) -> Matrix:
        """Return a generator of the inner frame in the outer one, t Omega t^-1, 3 x 3.

        With Omega = omega OMEGA + u SHIFT_X + v SHIFT_Y it is omega about the origin (x, y) of the inner frame, and
        (u, v) turned: the product, written without its cancelling terms.
        """
        omega, u, v = generator[1, 0], generator[0, 2], generator[1, 2]
        c, s = sp.cos(self.angle), sp.sin(self.angle)
        return omega * OMEGA + (c * u - s * v + omega * self.y) * SHIFT_X + (s * u + c * v - omega * self.x) * SHIFT_Y


def point(x: Expression, y: Expression) -> Matrix:
    """Return the column (x, y, 1) of a point."""
    return Matrix([x, y, 1])


def direction(x: Expression, y: Expression) -> Matrix:
    """Return the column (x, y, 0) of a direction, a displacement or a force."""
    return Matrix([x, y, 0])
