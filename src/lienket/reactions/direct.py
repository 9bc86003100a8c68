"""Method 2: B r = [-(G A^-1 h + g0); 0] with B = [G A^-1; D^T] (paper 000, eq. 2.10 and 2.11; theory 6)."""

from __future__ import annotations

from ..elimination.step import ZERO, Vector, transposed
from .setting import Setting


def direct(setting: Setting) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries, without multipliers."""
    k = setting.chain.freedom
    B = [*transposed(setting.mobility, len(setting.G)), *transposed(setting.D, k)]
    return setting.solve_vector(B, [*setting.demand, *[ZERO] * k])
