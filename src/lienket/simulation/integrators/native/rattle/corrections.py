"""Corrections of velocities in an iteration: solution of A x = h + G^T y, G x + g0 = 0, and its relative size."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.memory.workspace import accelerations_at, slots
from .....kernels.native.linear_algebra.loops import all_finite
from .....kernels.native.robust_solve import ACCELERATIONS, SOLVE, call_robust
from .....kernels.native.runtime.address import matrix, vector
from .....kernels.native.runtime.jit import kernel
from .....kernels.native.schur_solve import CORRECT, call_schur_for
from ....memory import LEFT_OUT, counts

# [1] fraction of q that counts as motion, for steps so short that the rounding of q exceeds h w
POSITION_FRACTION = 1e-6
TERMS_ROUNDING = 1e-14  # [1] residual of a constraint relative to its terms that counts as rounding


@kernel
def solve_correction(run: Any, x: Any, weights: Any) -> Any:
    """Fill x (n) with the solution of the system in `work` and add the multipliers; return whether it exists.

    Dependent rows are skipped, since their residuals may contradict the other rows until the iteration has converged.
    """
    n, s, work, places = x.size, weights.size, run.work, run.places
    places[slots.INERTIAS] = 0
    solution = vector(work, accelerations_at(n, s), n + s)
    if places[slots.RANK] > 0 or call_schur_for(CORRECT, n, s, work, places) == 0:
        status = call_robust(n, s, ACCELERATIONS, work, places)
        G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
        for r in range(s if status >= 0 else 0):
            g0[r] = 0.0
            for i in range(n):
                g0[r] -= G[r, i] * solution[i]
        if status >= 0:
            status = call_robust(n, s, SOLVE, work, places)
        if status < 0:
            run.counts[counts.STATUS_WORST] = status
            return False
    for i in range(n):
        x[i] = solution[i]
    for r in range(s):
        weights[r] += solution[n + r]
    return all_finite(solution)


@kernel
def relative_size(run: Any, h: Any, x: Any, w: Any, slope: Any, q: Any) -> Any:
    """Return the size of x (n) relative to w (n) and its change in the step, in the norm of A from `work`.

    Massless coordinates are compared one by one. The fraction POSITION_FRACTION of q/h is added to w, so that changes
    caused by the rounding of q count as zero.
    """
    n, A, little = x.size, matrix(run.work, 0, x.size, x.size), POSITION_FRACTION / h
    change, whole, massless = 0.0, 0.0, 0.0
    for i in range(n):
        for j in range(n):
            change += x[i] * A[i, j] * x[j]
            square = w[i] * w[j] + h * h * slope[i] * slope[j] + little * little * q[i] * q[j]
            whole += A[i, j] * square
        if not A[i, i] > 0 and x[i] != 0:
            massless = max(massless, abs(x[i]) / (abs(w[i]) + abs(little * q[i]) + 1e-300))
    return max(massless, np.sqrt(max(change, 0.0) / whole) if whole > 0 else np.sqrt(max(change, 0.0)))


@kernel
def is_rounding_of_terms(run: Any, h: Any, x: Any) -> Any:
    """Return whether a velocity x (n) moves positions in a step no further than rounding of the rows' terms does.

    A row whose residual is rounded by e moves the positions by e/|G|, in the metric of A; massless coordinates are
    compared one by one. A, G and the sizes of the terms stand in `work`, as SURFACE has left them.
    """
    n, s = run.n, run.s
    A, G = matrix(run.work, 0, n, n), matrix(run.work, n * n, s, n)
    sizes = vector(run.work, n * n + s * n + 2 * s, 2 * s)
    change, reach = 0.0, 0.0
    for i in range(n):
        for j in range(n):
            change += x[i] * A[i, j] * x[j]
    for r in range(s):
        level = run.level[r] % LEFT_OUT
        error, square = TERMS_ROUNDING * (sizes[r] if level == 0 else h * sizes[s + r]), 0.0
        for i in range(n):
            square += G[r, i] * G[r, i] / A[i, i] if A[i, i] > 0 else 0.0
        reach = max(reach, error / np.sqrt(square) if square > 0 else 0.0)
    rounding = h * np.sqrt(max(change, 0.0)) <= reach
    for i in range(n):
        if not A[i, i] > 0:
            rounding &= h * abs(x[i]) <= _massless_reach(run, h, G, sizes, i)
    return rounding


@kernel
def _massless_reach(run: Any, h: Any, G: Any, sizes: Any, i: Any) -> Any:
    """Return how far rounding of the rows' terms moves the massless coordinate i in a step h."""
    reach = 0.0
    for r in range(run.s):
        size = sizes[r] if run.level[r] % LEFT_OUT == 0 else h * sizes[run.s + r]
        if G[r, i] != 0:
            reach = max(reach, TERMS_ROUNDING * size / abs(G[r, i]))
    return reach
