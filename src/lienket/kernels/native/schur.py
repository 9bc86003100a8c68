"""Accelerations by Schur's complement, where everything is well inside (theory 6, method 1).

    A = L L^T,  Y = L^-1 G^T,  S = Y^T Y,  S lambda = -(Y^T L^-1 h + g0),  a = L^-T (L^-1 h + Y lambda)

It is the shortest way, and it says itself whether it may be trusted: A and S, scaled to unit diagonal, must be far from
singular. Where they are not, elimination takes over.
"""

from __future__ import annotations

from typing import Any

from .address import matrix, vector
from .cholesky import factor, growth
from .jit import kernel
from .lapack import factor_large, products_large, rows_large
from .layout import LARGE
from .loops import add_row, all_finite, rows_dot, solve_lower, solve_lower_transposed

TRUSTED = 1e5
"""The most that A^-1 and S^-1 may make of a number, with unit diagonals: the answer loses as many digits."""


@kernel
def schur(A: Any, h: Any, G: Any, g0: Any, a: Any, multipliers: Any, work: Any, at: Any, places: Any) -> Any:
    """Fills a (n) and multipliers (s); whether they may be trusted. Works in work[at:]."""
    n, s = h.size, g0.size
    M = matrix(work, at, n + s + 1, n)
    S = matrix(work, at + M.size, s, s)
    _copy(A, G, h, M)
    if n > LARGE:
        L, below = matrix(work, at, n, n), matrix(work, at + n * n, s + 1, n)
        constants = vector(work, at + M.size + S.size, 2)
        if not factor_large(L, 1 / TRUSTED, places):
            return False
        rows_large(L, below, constants, places)
        products_large(below, S, constants, places)
    else:
        if not factor(M, n, 1 / TRUSTED):
            return False
        for i in range(s):
            for j in range(i + 1):
                S[i, j] = rows_dot(M, n + i, M, n + j, n)
    if growth(M, n, a) > TRUSTED:
        return False
    if not (factor_large(S, 1 / TRUSTED, places) if min(n, s) > LARGE else factor(S, s, 1 / TRUSTED)):
        return False
    if growth(S, s, multipliers) > TRUSTED:
        return False
    for i in range(s):
        multipliers[i] = -(rows_dot(M, n + i, M, n + s, n) + g0[i])
    solve_lower(S, multipliers, s)
    solve_lower_transposed(S, multipliers, s)
    for k in range(n):
        a[k] = M[n + s, k]
    for i in range(s):
        add_row(a, multipliers[i], M, n + i, n)
    solve_lower_transposed(M, a, n)
    return all_finite(a) and all_finite(multipliers)


@kernel
def _copy(A: Any, G: Any, h: Any, M: Any) -> None:
    """M = [A; G; h^T]."""
    n, s = h.size, G.shape[0]
    for i in range(n):
        for k in range(n):
            M[i, k] = A[i, k]
    for i in range(s):
        for k in range(n):
            M[n + i, k] = G[i, k]
    for k in range(n):
        M[n + s, k] = h[k]
