"""Vectors and matrices of scalars of any kind: expressions of the engine, nodes of a graph, numbers or arrays.

All formulas of this room are written once, with +, -, * and the functions of an Algebra. A vector is a tuple of three
scalars, a matrix a tuple of three rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ...language.expression import Expression


class Scalar(Protocol):
    """Anything that can be added and multiplied, with other scalars and with numbers."""

    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __rtruediv__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...


Vector = tuple[Scalar, Scalar, Scalar]
Matrix = tuple[Vector, Vector, Vector]

ZERO: Vector = (0, 0, 0)
IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


class Algebra(Protocol):
    """Functions of scalars, and the scalars of a system: its coordinates, their rates, and constants."""

    @property
    def q(self) -> Sequence[Scalar]:
        """Coordinates."""

    @property
    def v(self) -> Sequence[Scalar]:
        """Velocities."""

    def number(self, expression: Expression) -> Scalar:
        """Return an expression of parameters, coordinates and time."""

    def rate(self, x: Scalar) -> Scalar:
        """Return the derivative by time, with coordinates held constant."""

    def total_rate(self, x: Scalar) -> Scalar:
        """Return the derivative by time of a function of positions and time."""

    def row_of_largest(self, sizes: Sequence[Scalar], rows: Sequence[Sequence[Scalar]]) -> Sequence[Scalar]:
        """Return the row whose size is the largest."""

    def sin(self, x: Scalar) -> Scalar:
        """Return the sine."""

    def cos(self, x: Scalar) -> Scalar:
        """Return the cosine."""

    def sqrt(self, x: Scalar) -> Scalar:
        """Return the square root."""

    def atan2(self, y: Scalar, x: Scalar) -> Scalar:
        """Return the angle of the point (x, y)."""


def add(*vectors: Vector) -> Vector:
    """Return the sum of vectors."""
    return _vector(sum((x[k] for x in vectors[1:]), start=vectors[0][k]) for k in range(3))


def subtract(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return _vector(x - y for x, y in zip(a, b, strict=True))


def scaled(c: Scalar, a: Vector) -> Vector:
    """Return c a."""
    return _vector(c * x for x in a)


def negative(a: Vector) -> Vector:
    """Return -a."""
    return _vector(-x for x in a)


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Return a . b."""
    first, *others = (x * y for x, y in zip(a, b, strict=True))
    return sum(others, start=first)


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def applied(M: Matrix, a: Vector) -> Vector:
    """Return M a."""
    return _vector(dot(row, a) for row in M)


def transposed(M: Matrix) -> Matrix:
    """Return M^T."""
    first, second, third = zip(*M, strict=True)
    return (first, second, third)


def multiplied(M: Matrix, N: Matrix) -> Matrix:
    """Return M N."""
    columns = transposed(N)
    first, second, third = (_vector(dot(row, column) for column in columns) for row in M)
    return (first, second, third)


def column(M: Matrix, k: int) -> Vector:
    """Return column k of M."""
    return (M[0][k], M[1][k], M[2][k])


def is_zero(a: Vector) -> bool:
    """Return whether all entries are the number 0."""
    return all(type(x) is int and x == 0 for x in a)


def _vector(entries: Any) -> Vector:
    x, y, z = entries
    return (x, y, z)
