"""Method 1: r = G^T lambda with S lambda = -(G A^-1 h + g0), S = G A^-1 G^T (theory 6).

Where A is singular: [A -G^T; G 0] [q''; lambda] = [h; -g0].
"""

from __future__ import annotations

from ..elimination.step import ZERO, Vector, dot, transposed
from .setting import Setting, negative


def by_multipliers(setting: Setting) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    multipliers = _from_schur(setting) if setting.regular else _from_saddle(setting)
    return [dot(column, multipliers) for column in transposed(setting.G, len(setting.h))]


def _from_schur(setting: Setting) -> Vector:
    return setting.solve_vector(setting.S, setting.demand)


def _from_saddle(setting: Setting) -> Vector:
    n, s = len(setting.h), len(setting.G)
    upper = [[*row, *negative([J[i] for J in setting.G])] for i, row in enumerate(setting.A)]
    lower = [[*J, *[ZERO] * s] for J in setting.G]
    return setting.solve_vector([*upper, *lower], [*setting.h, *negative(setting.g0)])[n:]
