"""Axes of frames: rotations as matrices, in the plane by their angle, so that turns about z add up their angles."""

from __future__ import annotations

from typing import Any

from ...foundation.frozen_dataclass import dataclass
from .algebra import (
    IDENTITY,
    Algebra,
    Matrix,
    Scalar,
    Vector,
    add,
    applied,
    column,
    cross,
    multiplied,
    scaled,
    transposed,
)


@dataclass(frozen=True, eq=False)
class Axes:
    """Rotation: its `matrix`, and its `angle` if it is a turn about z; None otherwise."""

    matrix: Matrix
    angle: Scalar | None = None

    def __matmul__(self, vector: Vector) -> Vector:
        """Return a vector of these axes in the outer ones."""
        return applied(self.matrix, vector)

    def times(self, other: Axes, algebra: Algebra) -> Axes:
        """Return the product of rotations, `other` in these axes."""
        if other is UNTURNED:
            return self
        if self is UNTURNED:
            return other
        if self.angle is not None and other.angle is not None:
            return about_z(self.angle + other.angle, algebra)
        return Axes(multiplied(self.matrix, other.matrix))

    def inverse(self, algebra: Algebra) -> Axes:
        """Return the inverse rotation."""
        if self is UNTURNED:
            return self
        if self.angle is not None:
            return about_z(-self.angle, algebra)
        return Axes(transposed(self.matrix))


UNTURNED = Axes(IDENTITY, 0)


def about_z(angle: Scalar, algebra: Algebra) -> Axes:
    """Return the turn about z by an angle."""
    if type(angle) is int and angle == 0:
        return UNTURNED
    c, s = algebra.cos(angle), algebra.sin(angle)
    return Axes(((c, -s, 0), (s, c, 0), (0, 0, 1)), angle)


def turn(axis: Vector, angle: Scalar, algebra: Algebra) -> Axes:
    """Return Rot(n, a) = cos a I + sin a n~ + (1 - cos a) n n^T for a unit axis n; a turn about z if n is +-z."""
    if axis == (0, 0, 1):
        return about_z(angle, algebra)
    if axis == (0, 0, -1):
        return about_z(-angle, algebra)
    c, s = algebra.cos(angle), algebra.sin(angle)
    across = _unit_axis(axis)
    if across is not None:
        k, sign = across
        i, j = (k + 1) % 3, (k + 2) % 3
        rows: list[list[Any]] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        rows[k][k], rows[i][i], rows[j][j] = 1, c, c
        rows[i][j], rows[j][i] = -sign * s, sign * s
        return Axes(_matrix(rows))
    x, y, z = axis
    skew = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    return Axes(
        _matrix(
            [
                [(c if i == j else 0) + s * skew[i][j] + (1 - c) * (axis[i] * axis[j]) for j in range(3)]
                for i in range(3)
            ]
        )
    )


def of_rotation(entries: tuple[Scalar, ...]) -> Axes:
    """Return the rotation with these entries, row by row."""
    return Axes(_matrix([list(entries[3 * k : 3 * k + 3]) for k in range(3)]))


def perpendicular(axis: Vector) -> tuple[Vector, Vector]:
    """Return (u, w) perpendicular to a unit axis n, u x w = n, without a branch near it: z gives x, y.

    s = 1 if n_z >= 0 else -1, a = -1/(s + n_z), b = n_x n_y a, u = (1 + s n_x^2 a, s b, -s n_x), w = (b, s + n_y^2 a,
    -n_y). An axis with symbols takes s = 1. Source: T. Duff et al., Building an orthonormal basis, revisited, JCGT 6
    (2017).
    """
    for n, u, w in _SIMPLE_PAIRS:
        if axis == n:
            return u, w
    x, y, z = axis
    try:
        s = 1 if as_number(z) >= 0 else -1
    except (TypeError, ValueError, RuntimeError):  # a symbol
        s = 1
    a = -1 / (s + z)
    b = x * y * a
    return (1 + s * x * x * a, s * b, -s * x), (b, s + y * y * a, -y)


_SIMPLE_PAIRS: tuple[tuple[Vector, Vector, Vector], ...] = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
)


# Euler parameters p = (e0, e), scalar first (mechanisms 3.1)


def of_euler_parameters(p: tuple[Scalar, ...]) -> Axes:
    """Return R = (2 e0^2 - 1) I + 2 (e e^T + e0 e~) for p . p = 1, written without the first factor's difference.

    The diagonal is e0^2 + e_i^2 - e_j^2 - e_k^2.
    """
    e0, x, y, z = p
    return Axes(
        (
            (e0 * e0 + x * x - y * y - z * z, 2 * (x * y - e0 * z), 2 * (x * z + e0 * y)),
            (2 * (x * y + e0 * z), e0 * e0 - x * x + y * y - z * z, 2 * (y * z - e0 * x)),
            (2 * (x * z - e0 * y), 2 * (y * z + e0 * x), e0 * e0 - x * x - y * y + z * z),
        )
    )


def rate_columns(p: tuple[Scalar, ...]) -> tuple[Vector, Vector, Vector, Vector]:
    """Return the columns of 2 G(p), G = [-e, e0 I + e~]: om = 2 G p' in the outer axes."""
    e0, x, y, z = p
    return (
        (-2 * x, -2 * y, -2 * z),
        (2 * e0, 2 * z, -2 * y),
        (-2 * z, 2 * e0, 2 * x),
        (2 * y, -2 * x, 2 * e0),
    )


def quaternion_product(p: tuple[Scalar, ...], q: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """Return p (x) q = (p0 q0 - p.q, p0 q + q0 p + p x q), with R(p (x) q) = R(p) R(q)."""
    a, b = (p[1], p[2], p[3]), (q[1], q[2], q[3])
    vector = add(scaled(p[0], b), scaled(q[0], a), cross(a, b))
    return (p[0] * q[0] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2], *vector)


def conjugate(p: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """Return the Euler parameters of the inverse rotation."""
    return (p[0], -p[1], -p[2], -p[3])


def angle_vector(M: Matrix) -> Vector:
    """Return vee(M) = (M32 - M23, M13 - M31, M21 - M12)/2."""
    return (M[2][1] - M[1][2]) / 2, (M[0][2] - M[2][0]) / 2, (M[1][0] - M[0][1]) / 2


def as_number(x: Any) -> float:
    """Return a scalar as a number; TypeError, ValueError or RuntimeError if it is none."""
    return float(x)


def _unit_axis(axis: Vector) -> tuple[int, int] | None:
    """Return (k, sign) of an axis along +-x_k, or None."""
    for k in range(3):
        others = [axis[i] for i in range(3) if i != k]
        sign = axis[k]
        if all(type(x) is int and x == 0 for x in others) and isinstance(sign, int):
            return k, sign
    return None


def _matrix(rows: list[list[Any]]) -> Matrix:
    first, second, third = (tuple(row) for row in rows)
    return (first, second, third)


def first_column(axes: Axes) -> Vector:
    """Return the first axis in the outer axes."""
    return column(axes.matrix, 0)
