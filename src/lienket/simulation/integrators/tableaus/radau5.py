"""Tableau of Radau IIA with three stages, computed from its definition (Hairer and Wanner II, IV.5 and IV.8).

The nodes c are the zeros of d^2/dx^2 (x^2 (x - 1)^3). A collocation method integrates the polynomial p through the
rates at the nodes: (A p)_i = integral of p from 0 to c_i. An eigenvector A^-1 p = mu p corresponds to a polynomial P
with P' = p, P(0) = 0 and P' - mu P = M, M(x) = (x - c1)(x - c2)(x - c3), hence

    p(c_i) = M'(c_i)/mu + M''(c_i)/mu^2 + M'''/mu^3     up to sign and length,      mu^3 - 9 mu^2 + 36 mu - 60 = 0.

The columns of T are the real eigenvector and both parts of the complex one, scaled to 1 at c3 = 1, and

    T^-1 A^-1 T = [[GAMMA, 0, 0], [0, ALPHA, BETA], [0, -BETA, ALPHA]].
"""

from __future__ import annotations

Row = tuple[float, float, float]

_R = 6.0**0.5
C1, C2, C3 = (4 - _R) / 10, (4 + _R) / 10, 1.0

A: tuple[Row, Row, Row] = (
    ((88 - 7 * _R) / 360, (296 - 169 * _R) / 1800, (-2 + 3 * _R) / 225),
    ((296 + 169 * _R) / 1800, (88 + 7 * _R) / 360, (-2 - 3 * _R) / 225),
    ((16 - _R) / 36, (16 + _R) / 36, 1 / 9),
)

GAMMA = 3 + 3.0 ** (2 / 3) - 3.0 ** (1 / 3)
ALPHA = 3 + (3.0 ** (1 / 3) - 3.0 ** (2 / 3)) / 2
BETA = (3.0 ** (5 / 6) + 3.0 ** (7 / 6)) / 2

# Embedded method of order 3: h/GAMMA f(y0) + sum e_i z_i / GAMMA, before it is filtered (eq. IV.8.19).
ERROR: Row = ((-13 - 7 * _R) / 3, (-13 + 7 * _R) / 3, -1 / 3)


def _eigenvector(mu: complex) -> tuple[complex, complex, complex]:
    """Return the values p(c_i) of the eigenvector of A^-1 for the eigenvalue mu, 1 at c3."""
    total, pairs = C1 + C2 + C3, C1 * C2 + C1 * C3 + C2 * C3
    x, y, z = ((3 * c * c - 2 * total * c + pairs) / mu + (6 * c - 2 * total) / mu**2 + 6 / mu**3 for c in (C1, C2, C3))
    return x / z, y / z, 1 + 0j


def _inverse(M: tuple[Row, Row, Row]) -> tuple[Row, Row, Row]:
    """Return the inverse of M (3 x 3) by its cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = M
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (
        ((e * i - f * h) / determinant, (c * h - b * i) / determinant, (b * f - c * e) / determinant),
        ((f * g - d * i) / determinant, (a * i - c * g) / determinant, (c * d - a * f) / determinant),
        ((d * h - e * g) / determinant, (b * g - a * h) / determinant, (a * e - b * d) / determinant),
    )


_real, _pair = _eigenvector(GAMMA), _eigenvector(complex(ALPHA, BETA))
T: tuple[Row, Row, Row] = (
    (_real[0].real, _pair[0].real, _pair[0].imag),
    (_real[1].real, _pair[1].real, _pair[1].imag),
    (1.0, 1.0, 0.0),
)
T_INVERSE = _inverse(T)
A_INVERSE = _inverse(A)


def _basis_coefficients(c: float, d: float, e: float) -> Row:
    """Return the coefficients of x, x^2, x^3 in the polynomial that is 1 at c and 0 at 0, d and e."""
    scale = c * (c - d) * (c - e)
    return d * e / scale, -(d + e) / scale, 1 / scale


# Collocation: y(t + x h) - y(t) = sum over stages i, powers k of z_i POWERS[i][k] x^(k + 1).
POWERS = (_basis_coefficients(C1, C2, C3), _basis_coefficients(C2, C1, C3), _basis_coefficients(C3, C1, C2))
