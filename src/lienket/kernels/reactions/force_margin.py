"""Largest margin of inequalities of forces that are not unique: a small linear programme.

    largest m with b + B z >= m in every row, and m <= cap

z are the self-stresses of redundant contacts: forces that balance each other and change no acceleration. The simplex
method in the form of a dictionary (Chvatal, Linear Programming, 1983, ch. 2 and 3); the smallest index enters and
leaves (Bland 1977), so that it ends. The variables z and m have no sign; once basic they stay so. The compiled version
is simulation/contacts/native/force_margin.py.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array

PIVOT_ROUNDING = 1e-12  # [1] entry of the dictionary, relative to the largest of B, that counts as zero
SIMPLEX_ITERATIONS = 500  # [iterations] limit of the simplex method; the margin reached is valid at each of them


def largest_margin(b: Array, B: Array, cap: float) -> tuple[float, Array]:
    """Return the largest margin m, at most `cap`, and z (d) that attains it; b (k), B (k x d).

    Columns of the dictionary: the value, then the nonbasic variables. Rows: the slacks b + B z - m and cap - m. Index
    of a variable: slacks 0, 1, ...; m and z are -1 and below, they have no sign.
    """
    k, d = B.shape
    rows = np.zeros((k + 1, d + 2))
    rows[:k, 0], rows[:k, 1 : d + 1], rows[:k, d + 1] = b, B, -1.0
    rows[k, 0], rows[k, d + 1] = cap, -1.0
    basic, nonbasic = list(range(k + 1)), [-2 - j for j in range(d)] + [-1]
    little = PIVOT_ROUNDING * max(1.0, float(np.max(np.abs(B), initial=0.0)))
    margin_row = int(np.argmin(rows[:, 0]))
    _pivot(rows, basic, nonbasic, margin_row, d)
    for _ in range(SIMPLEX_ITERATIONS):
        column, direction = _entering(rows[margin_row, 1:], nonbasic, little)
        if column < 0:
            break
        row = _leaving(rows, basic, column, direction, little)
        if row < 0:  # by rounding: the cap bounds the margin
            break
        _pivot(rows, basic, nonbasic, row, column)
    z = np.zeros(d)
    for row, variable in enumerate(basic):
        if variable <= -2:
            z[-2 - variable] = rows[row, 0]
    return float(min(cap, np.min(b + B @ z, initial=np.inf))), z


def _entering(slopes: Array, nonbasic: list[int], little: float) -> tuple[int, int]:
    """Return the column that increases the margin and the sign of its change; -1 at the optimum."""
    best, direction = -1, 0
    for column, variable in enumerate(nonbasic):
        if variable < 0 and abs(slopes[column]) > little:
            return column, 1 if slopes[column] > 0 else -1
        if variable >= 0 and slopes[column] > little and (best < 0 or variable < nonbasic[best]):
            best, direction = column, 1
    return best, direction


def _leaving(rows: Array, basic: list[int], column: int, direction: int, little: float) -> int:
    """Return the row whose slack becomes zero first as a variable changes, the smallest index of several; -1: none."""
    best, least = -1, np.inf
    for row, variable in enumerate(basic):
        slope = direction * rows[row, 1 + column]
        if variable >= 0 and slope < -little:
            ratio = max(rows[row, 0], 0.0) / -slope
            if ratio < least or (ratio == least and variable < basic[best]):
                best, least = row, ratio
    return best


def _pivot(rows: Array, basic: list[int], nonbasic: list[int], row: int, column: int) -> None:
    """Exchange a basic and a nonbasic variable."""
    pivot = rows[row, 1 + column]
    solved = -rows[row] / pivot
    solved[1 + column] = 1.0 / pivot
    factors = rows[:, 1 + column].copy()
    rows[:, 1 + column] = 0.0
    rows += np.outer(factors, solved)
    rows[row] = solved
    basic[row], nonbasic[column] = nonbasic[column], basic[row]
