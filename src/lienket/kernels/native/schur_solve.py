"""Accelerations by Schur's complement, where everything is well inside (theory 6, method 1).

    A = L L^T,  Y = L^-1 G^T,  S = Y^T Y,  S lambda = -(Y^T L^-1 h + g0),  a = L^-T (L^-1 h + Y lambda)

It is the shortest way, and it says itself whether it may be trusted: A and S, scaled to unit diagonal, must be far from
singular. Where they are not, elimination takes over.
"""

from __future__ import annotations

from typing import Any

from numba.np.numpy_support import carray

from ..memory.workspace import LARGE, accelerations_at, places_size, slots, terms_size, work_size
from .linear_algebra.cholesky import factor, growth
from .linear_algebra.lapack import factor_large, products_large, rows_large
from .linear_algebra.loops import add_row, all_finite, rows_dot, solve_lower, solve_lower_transposed
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.jit import callback, kernel

TRUSTED = 1e5
"""The most that A^-1 and S^-1 may make of a number, with unit diagonals: the answer loses as many digits."""


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))")
def solve_schur(n: Any, s: Any, what: Any, start: Any, indices: Any) -> Any:
    """From A, h, G, g0 at the beginning of the workspace to [a (n) | multipliers (s)] at `accelerations_at`.

    1 if they may be trusted, else 0. Like `robust` it is one piece, called by its address; `what` is not used.
    """
    work, places = carray(start, work_size(n, s)), carray(indices, places_size(n, s))
    A, h = matrix(work, 0, n, n), vector(work, n * n, n)
    G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
    a = vector(work, accelerations_at(n, s), n)
    multipliers = vector(work, accelerations_at(n, s) + n, s)
    return 1 if schur(A, h, G, g0, a, multipliers, work, terms_size(n, s), places) else 0


@kernel
def call_schur(n: Any, s: Any, work: Any, places: Any) -> Any:
    """The same from another kernel, by the address in `places`."""
    return call_words(places[slots.SHORT], (n, s, 0, address_of(work, 0), address_of(places, 0)))


@kernel
def schur(A: Any, h: Any, G: Any, g0: Any, a: Any, multipliers: Any, work: Any, begin: Any, places: Any) -> Any:
    """Fills a (n) and multipliers (s); whether they may be trusted. Works in work[begin:]."""
    n, s = h.size, g0.size
    M = matrix(work, begin, n + s + 1, n)
    S = matrix(work, begin + M.size, s, s)
    _copy(A, G, h, M)
    if n > LARGE:
        L, below = matrix(work, begin, n, n), matrix(work, begin + n * n, s + 1, n)
        constants = vector(work, begin + M.size + S.size, 2)
        if not factor_large(L, 1 / TRUSTED, places):
            return False
        rows_large(L, below, constants, places)
        if s > 0:
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
    work[work.size - 1] = growth(S, s, multipliers)
    if work[work.size - 1] > TRUSTED:
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
