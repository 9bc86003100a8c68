"""Corrections of velocities in an iteration: solution of A x = h + G^T y, G x + g0 = 0, and its relative size."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.memory.workspace import accelerations_at, slots
from .....kernels.native.linear_algebra.loops import all_finite
from .....kernels.native.robust_solve import CHAIN_ONLY, SOLVE, call_robust
from .....kernels.native.runtime.address import matrix, vector
from .....kernels.native.runtime.jit import kernel
from .....kernels.native.schur_solve import CORRECT, call_schur_for
from ....memory import counts

# [1] fraction of q that counts as motion, for steps so short that the rounding of q exceeds h w
POSITION_FRACTION = 1e-6


@kernel
def solve_correction(run: Any, x: Any, weights: Any) -> Any:
    """Fill x (n) with the solution of the system in `work` and add the multipliers; return whether it exists.

    Dependent rows are skipped, since their residuals may contradict the other rows until the iteration has converged.
    """
    n, s, work, places = x.size, weights.size, run.work, run.places
    places[slots.INERTIAS] = 0
    solution = vector(work, accelerations_at(n, s), n + s)
    if places[slots.RANK] > 0 or call_schur_for(CORRECT, n, s, work, places) == 0:
        status = call_robust(n, s, CHAIN_ONLY, work, places)
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
