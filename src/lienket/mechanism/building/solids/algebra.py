"""Vectors and inertia entries of solids as tuples of expressions, short enough to stay readable with symbols."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ....language.expression import Expression
from ....model.bodies.description import Vector

Inertia = tuple[Expression, Expression, Expression, Expression, Expression, Expression]
ZERO: Expression = sp.S.Zero
ORIGIN: Vector = (ZERO, ZERO, ZERO)
NO_INERTIA: Inertia = (ZERO,) * 6
ENTRY = ((0, 3, 4), (3, 1, 5), (4, 5, 2))  # position of the matrix entry i, j among xx yy zz xy xz yz
UNIT_ROTATION = tuple(map(sp.Integer, (1, 0, 0, 0, 1, 0, 0, 0, 1)))


def add(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def scaled(factor: Expression, a: Vector) -> Vector:
    """Return a vector times a factor."""
    return (factor * a[0], factor * a[1], factor * a[2])


def turned(R: Sequence[Expression], a: Vector) -> Vector:
    """Return R a; () stands for the unit matrix."""
    if not R:
        return a
    x, y, z = (sum((R[3 * i + k] * a[k] for k in range(3)), ZERO) for i in range(3))
    return (x, y, z)


def product(R: Sequence[Expression], S: Sequence[Expression]) -> tuple[Expression, ...]:
    """Return the entries of R S; () stands for the unit matrix."""
    if not R or not S:
        return tuple(R or S)
    return tuple(sum((R[3 * i + k] * S[3 * k + j] for k in range(3)), ZERO) for i in range(3) for j in range(3))


def turned_inertia(R: Sequence[Expression], J: Inertia) -> Inertia:
    """Return xx yy zz xy xz yz of R J R^T."""
    if not R:
        return J
    full = [J[ENTRY[i][j]] for i in range(3) for j in range(3)]
    transposed = [R[3 * j + i] for i in range(3) for j in range(3)]
    M = product(product(R, full), transposed)
    return (M[0], M[4], M[8], M[1], M[2], M[5])


def offset_inertia(d: Vector) -> Inertia:
    """Return xx yy zz xy xz yz of |d|^2 I - d d^T: the inertia of a unit mass at d about the origin."""
    x, y, z = d
    return (y**2 + z**2, x**2 + z**2, x**2 + y**2, -x * y, -x * z, -y * z)
