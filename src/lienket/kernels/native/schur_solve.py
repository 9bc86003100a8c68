"""Accelerations by the Schur complement, for well-conditioned states (theory 6, method 1).

    A = L L^T,  Y = L^-1 G^T,  S = Y^T Y,  S lambda = -(Y^T L^-1 h + g0),  a = L^-T (L^-1 h + Y lambda)

It is the fastest method and estimates its own accuracy: A and S, scaled to unit diagonal, must be far from singular.
Where G a + g0 does not vanish, digits were lost in L^-1 h + Y lambda; one step of refinement, with -(G a + g0) on the
right, restores them. Otherwise the caller uses elimination.

A solution of emitted code whose digits are in doubt is judged first: it stays where it cannot be better. The next
states of a run then are accepted without being judged, since forces that balance go on doing so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import carray

from ..memory.workspace import (
    LAPACK_THRESHOLD,
    accelerations_at,
    acting_rows_at,
    iwork_size,
    least_pivot_at,
    slots,
    terms_size,
    work_size,
)
from .linear_algebra.cholesky import factor, growth
from .linear_algebra.lapack import factor_large, gram_large, solve_rows_large
from .linear_algebra.loops import add_row, all_finite, row_dot, rows_dot, solve_lower, solve_lower_transposed
from .row_residuals import cannot_be_better, satisfies_rows
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.jit import callback, kernel

SOLVE, JUDGE, CORRECT = 0, 1, 2  # tasks of `solve_schur`
ACCEPTED_DOUBTS = 15  # [states] of a run with digits in doubt that are accepted after one that was judged
# [1] largest growth of A^-1 and S^-1, scaled to unit diagonal, up to which the Schur complement is accurate enough
INVERSE_GROWTH_LIMIT = 1e5
# [1] largest growth of S^-1 of the rows that act; beyond it their least pivot may be below those of other rows
ACTING_GROWTH_LIMIT = 1e3


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))")
def solve_schur(n: Any, s: Any, task: Any, work_pointer: Any, iwork_pointer: Any) -> Any:
    """Solve A, h, G, g0 at the beginning of the workspace; write [a (n) | multipliers (s)] at `accelerations_at`.

    Returns 1 if they are accurate, else 0. The task is SOLVE, or JUDGE if a solution is there that may stay, or CORRECT
    for corrections in an iteration, which computes their residuals anew. With redundant rows those that act are solved
    with, since beside the surface all of them look independent; the others have multipliers of 0.
    """
    work, iwork = carray(work_pointer, work_size(n, s)), carray(iwork_pointer, iwork_size(n, s))
    A, h = matrix(work, 0, n, n), vector(work, n * n, n)
    G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
    a = vector(work, accelerations_at(n, s), n)
    multipliers = vector(work, accelerations_at(n, s) + n, s)
    if task == JUDGE:
        if cannot_be_better(A, h, G, g0, a, multipliers, iwork[slots.RANK] > 0, vector(work, terms_size(n, s), n)):
            iwork[slots.DOUBTS] = ACCEPTED_DOUBTS
            return 1
    if iwork[slots.RANK] > 0:
        return 1 if _schur_of_acting_rows(A, h, G, g0, a, multipliers, work, iwork) else 0
    return 1 if schur(A, h, G, g0, a, multipliers, task != CORRECT, work, terms_size(n, s), iwork) else 0


@kernel
def _schur_of_acting_rows(
    A: Any, h: Any, G: Any, g0: Any, a: Any, multipliers: Any, work: Any, iwork: Any
) -> Any:  # fmt: skip
    """Fill a (n) and multipliers (s) with the rows that act; return whether they are accurate and far from dependent.

    Nearly dependent ones are left to the elimination, which looks for better rows. The least pivot is estimated.
    """
    n, s, rank = h.size, g0.size, iwork[slots.RANK]
    acting = vector(iwork, acting_rows_at(n, s), s)
    begin = terms_size(n, s) + (n + rank + 1) * n + rank * rank + 2 + n + rank  # after the scratch of `schur`
    rows, constants = matrix(work, begin, rank, n), vector(work, begin + rank * n, rank)
    loads, count = vector(work, begin + rank * n + rank, rank), 0
    for r in range(s):
        if acting[r] != 0:
            if count == rank:
                return False
            for i in range(n):
                rows[count, i] = G[r, i]
            constants[count] = g0[r]
            count += 1
    if count < rank or not schur(A, h, rows, constants, a, loads, True, work, terms_size(n, s), iwork):
        return False
    if work[work.size - 1] > ACTING_GROWTH_LIMIT:
        return False
    work[least_pivot_at(n, s)], k = 1 / np.sqrt(work[work.size - 1]), 0
    for r in range(s):
        multipliers[r] = 0.0
        if acting[r] != 0:
            multipliers[r] = loads[k]
            k += 1
    return True


@kernel
def call_schur(n: Any, s: Any, work: Any, iwork: Any) -> Any:
    """Call `solve_schur` by the address in `iwork`."""
    return call_schur_for(SOLVE, n, s, work, iwork)


@kernel
def call_schur_for(task: Any, n: Any, s: Any, work: Any, iwork: Any) -> Any:
    """Call `solve_schur` by the address in `iwork` for a task."""
    return call_words(iwork[slots.SCHUR_COMPLEMENT], (n, s, task, address_of(work, 0), address_of(iwork, 0)))


@kernel
def schur(
    A: Any, h: Any, G: Any, g0: Any, a: Any, multipliers: Any, judged: Any, work: Any, begin: Any, iwork: Any
) -> Any:
    """Fill a (n) and multipliers (s), with work[begin:] as scratch; return whether they are accurate.

    G a + g0 is looked at if the solution is to be `judged`.
    """
    n, s = h.size, g0.size
    M = matrix(work, begin, n + s + 1, n)
    S = matrix(work, begin + M.size, s, s)
    _copy(A, G, h, M)
    if n > LAPACK_THRESHOLD:
        L, below = matrix(work, begin, n, n), matrix(work, begin + n * n, s + 1, n)
        constants = vector(work, begin + M.size + S.size, 2)
        if not factor_large(L, 1 / INVERSE_GROWTH_LIMIT, iwork):
            return False
        solve_rows_large(L, below, constants, iwork)
        if s > 0:
            gram_large(below, S, constants, iwork)
    else:
        if not factor(M, n, 1 / INVERSE_GROWTH_LIMIT):
            return False
        for i in range(s):
            for j in range(i + 1):
                S[i, j] = rows_dot(M, n + i, M, n + j, n)
    if growth(M, n, a) > INVERSE_GROWTH_LIMIT:
        return False
    if not (
        factor_large(S, 1 / INVERSE_GROWTH_LIMIT, iwork)
        if min(n, s) > LAPACK_THRESHOLD
        else factor(S, s, 1 / INVERSE_GROWTH_LIMIT)
    ):
        return False
    work[work.size - 1] = growth(S, s, multipliers)
    if work[work.size - 1] > INVERSE_GROWTH_LIMIT:
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
    after = begin + M.size + S.size + 2  # the scratch of elimination is longer
    if judged and not cannot_be_better(A, h, G, g0, a, multipliers, False, vector(work, after, n)):
        _refine(G, g0, a, multipliers, M, S, vector(work, after, n), vector(work, after + n, s))
        if not satisfies_rows(A, h, G, g0, a):
            return False
    return all_finite(a) and all_finite(multipliers)


@kernel
def _refine(G: Any, g0: Any, a: Any, multipliers: Any, M: Any, S: Any, da: Any, mu: Any) -> None:
    """Add the solution of S mu = -(G a + g0), da = L^-T Y mu to a (n) and the multipliers (s); da, mu are scratch."""
    n, s = a.size, g0.size
    for i in range(s):
        mu[i] = -(row_dot(G, i, a) + g0[i])
    solve_lower(S, mu, s)
    solve_lower_transposed(S, mu, s)
    for k in range(n):
        da[k] = 0.0
    for i in range(s):
        add_row(da, mu[i], M, n + i, n)
        multipliers[i] += mu[i]
    solve_lower_transposed(M, da, n)
    for k in range(n):
        a[k] += da[k]


@kernel
def _copy(A: Any, G: Any, h: Any, M: Any) -> None:
    """Fill M = [A; G; h^T]."""
    n, s = h.size, G.shape[0]
    for i in range(n):
        for k in range(n):
            M[i, k] = A[i, k]
    for i in range(s):
        for k in range(n):
            M[n + i, k] = G[i, k]
    for k in range(n):
        M[n + s, k] = h[k]
