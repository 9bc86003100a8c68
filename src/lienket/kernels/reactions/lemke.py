"""Linear complementarity problems by Lemke's method with lexicographic pivoting.

    w = M z + q,    w >= 0,  z >= 0,    w_i z_i = 0

Lemke, Bimatrix equilibrium points and mathematical programming, 1965; Cottle, Pang and Stone, The Linear
Complementarity Problem, 1992, ch. 4.4 and 4.9. The lexicographic rule excludes cycles: the method ends with a solution,
or on a ray, which for many classes of M states that there is none.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array, BoolArray, IntArray

LEMKE_PIVOT_ROUNDING = 1e-11  # [1] entry of the entering column, relative to the largest of M, that counts as zero
LEMKE_TIE = 1e-12  # [1] difference of ratios, relative to them, that counts as a tie
LEMKE_ITERATIONS_PER_ROW = 50  # [iterations] limit for each of the m rows; rounding could cause a cycle


def lemke(M: Array, q: Array, cover: Array) -> Array | None:
    """Return z (m) that solves the problem with M (m x m) and q (m); None where the method ends on a ray.

    `cover` (m) is the positive column of the artificial variable; another one leads along another path.
    """
    m = len(q)
    if np.all(q >= 0):
        return np.zeros(m)
    # columns: w (m), z (m), the artificial variable z0, the right side
    table = np.hstack([np.eye(m), -M, -cover[:, None], q[:, None]])
    little, artificial = LEMKE_PIVOT_ROUNDING * max(1.0, float(np.abs(M).max())), 2 * m
    basis: IntArray = np.arange(m, dtype=np.int64)
    row = _lexicographic(table, q < 0, cover)
    entering = artificial
    for _ in range(LEMKE_ITERATIONS_PER_ROW * m):
        leaving = int(basis[row])
        _pivot(table, row, entering)
        basis[row] = entering
        if leaving == artificial:
            z = np.zeros(2 * m + 1)
            z[basis] = table[:, -1]
            return np.maximum(z[m : 2 * m], 0.0)
        entering = leaving + m if leaving < m else leaving - m
        column = table[:, entering]
        possible = column > little
        if not possible.any():
            return None
        row = _leaving(table, basis, possible, column, artificial)
    return None


def _leaving(table: Array, basis: IntArray, possible: BoolArray, column: Array, artificial: int) -> int:
    """Return the row with the least ratio; the artificial variable leaves as soon as it may."""
    ratios = np.where(possible, np.maximum(table[:, -1], 0.0) / np.where(possible, column, 1.0), np.inf)
    least = float(ratios.min())
    tied = possible & (ratios <= least + LEMKE_TIE * (1.0 + abs(least)))
    last = np.flatnonzero(tied & (basis == artificial))
    return int(last[0]) if len(last) else _lexicographic(table, tied, column)


def _lexicographic(table: Array, rows: BoolArray, column: Array) -> int:
    """Return the row whose (right side, first m columns), divided by the column, comes first."""
    m, candidates = len(table), np.flatnonzero(rows)
    for k in (2 * m + 1, *range(m)):
        values = table[candidates, k] / column[candidates]
        least = values.min()
        candidates = candidates[values <= least + LEMKE_TIE * (1.0 + abs(least))]
        if len(candidates) == 1:
            break
    return int(candidates[0])


def _pivot(table: Array, row: int, column: int) -> None:
    """Make a column of the table a unit vector."""
    table[row] /= table[row, column]
    factors = table[:, column].copy()
    factors[row] = 0.0
    table -= np.outer(factors, table[row])
