"""Elimination from the terms to accelerations and multipliers, as a kernel that others call by its address.

It is compiled once, not into each of them, which keeps the kernels of the integrators small.
"""

from __future__ import annotations

from typing import Any

from numba.np.numpy_support import carray

from ..memory.workspace import accelerations_at, iwork_size, lay_out, slots, terms_size, work_size
from .elimination.pivoted_rows import eliminate, eliminate_in_order
from .elimination.refinement import refine
from .linear_algebra.loops import all_finite
from .metric import free_motion, scale_terms
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.jit import callback, kernel
from .runtime.views import by_coordinate
from .shares import multipliers
from .verdicts import judge_skipped

ELIMINATION, REDUNDANT = 2, 3
CONTRADICTORY, UNDETERMINED, NEGATIVE, NOT_FINITE = -1, -2, -3, -4
SOLVE, ACCELERATIONS, MULTIPLIERS, CHAIN = 0, 1, 2, 3  # tasks of `solve_robust`


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))")
def solve_robust(n: Any, s: Any, task: Any, work_pointer: Any, iwork_pointer: Any) -> Any:
    """Solve A, h, G, g0 at the beginning of the workspace; write [a (n) | multipliers (s)] at `accelerations_at`.

    The chain stays in the workspace. Tasks:

        SOLVE            all of it
        ACCELERATIONS    the accelerations without the multipliers
        MULTIPLIERS      those of the accelerations that are given at `accelerations_at`; rows in the order of statement
                         if they are independent
        CHAIN            the chain and its status

    Returns a status as `accelerations_into`. Skipped rows are compared with the others only if iwork[RANK] is 0: beside
    the constraint surface, where the stages of an integrator lie, rows that are redundant on it contradict each other.
    """
    work, iwork = carray(work_pointer, work_size(n, s)), carray(iwork_pointer, iwork_size(n, s))
    if not all_finite(vector(work, 0, n * n + n + s * n + s)):
        return NOT_FINITE
    lay_out(iwork, n, s, terms_size(n, s))
    A, h = matrix(work, 0, n, n), vector(work, n * n, n)
    G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
    inertias = vector(work, n * n + n + s * n + s, n if iwork[slots.INERTIAS] else 0)
    if not scale_terms(A, h, G, g0, inertias, work, iwork) or not free_motion(work, iwork):
        return NEGATIVE
    if not (task == MULTIPLIERS and iwork[slots.RANK] == 0 and eliminate_in_order(work, iwork)):
        if iwork[slots.ACCEPTED] > 0:
            free_motion(work, iwork)
        eliminate(work, iwork)
    status = REDUNDANT if iwork[slots.ACCEPTED] < s else ELIMINATION
    if task == CHAIN:
        return status
    a, scale = vector(work, accelerations_at(n, s), n), by_coordinate(work, iwork, slots.SCALE)
    scaled_a = by_coordinate(work, iwork, slots.ACCELERATION)
    if task == MULTIPLIERS:
        for i in range(n):
            scaled_a[i] = a[i] / scale[i]
    else:
        refine(work, iwork)
        for i in range(n):
            a[i] = scaled_a[i] * scale[i]
    if task == ACCELERATIONS:
        return status if all_finite(a) else NOT_FINITE
    if status == REDUNDANT and iwork[slots.RANK] == 0 and judge_skipped(work, iwork):
        return CONTRADICTORY
    if iwork[slots.FIRST_MASSLESS] < n:
        return UNDETERMINED
    multipliers(vector(work, accelerations_at(n, s) + n, s), work, iwork)
    return status if all_finite(vector(work, accelerations_at(n, s), n + s)) else NOT_FINITE


@kernel
def call_robust(n: Any, s: Any, task: Any, work: Any, iwork: Any) -> Any:
    """Call `solve_robust` by the address in `iwork`."""
    return call_words(iwork[slots.ELIMINATION], (n, s, task, address_of(work, 0), address_of(iwork, 0)))
