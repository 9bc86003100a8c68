"""Corrections of velocities in an iteration: the solution of A x = h + G^T y, G x + g0 = 0, and how large it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.memory.workspace import accelerations_at, slots
from .....kernels.native.linear_algebra.loops import all_finite
from .....kernels.native.robust_solve import CHAIN_ONLY, SOLVE, call_robust
from .....kernels.native.runtime.address import matrix, vector
from .....kernels.native.runtime.jit import kernel
from .....kernels.native.schur_solve import call_schur
from ....memory import counts

FLOOR = 1e-6
"""The share of q that counts in a step so short that rounding of q is more than the step's own."""


@kernel
def correction(run: Any, x: Any, weights: Any) -> Any:
    """Fills x (n) with the solution of what stands in `work`, and adds the multipliers; whether there is one.

    Rows that depend on others may be off by more than these allow, as long as the iteration goes on: they are skipped.
    """
    n, s, work, places = x.size, weights.size, run.work, run.places
    places[slots.INERTIAS] = 0
    found = vector(work, accelerations_at(n, s), n + s)
    if call_schur(n, s, work, places) == 0:
        status = call_robust(n, s, CHAIN_ONLY, work, places)
        G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
        for r in range(s if status >= 0 else 0):
            g0[r] = 0.0
            for i in range(n):
                g0[r] -= G[r, i] * found[i]
        if status >= 0:
            status = call_robust(n, s, SOLVE, work, places)
        if status < 0:
            run.counts[counts.STATUS_WORST] = status
            return False
    for i in range(n):
        x[i] = found[i]
    for r in range(s):
        weights[r] += found[n + r]
    return all_finite(found)


@kernel
def size_beside(run: Any, h: Any, x: Any, w: Any, slope: Any, q: Any) -> Any:
    """How large x (n) is beside w (n) and its change in the step, by the kinetic energy with A in `work`.

    Massless ones are compared one by one. A little of q/h takes part: what rounding of q makes of them is nothing.
    """
    n, A, share, whole, massless, little = x.size, matrix(run.work, 0, x.size, x.size), 0.0, 0.0, 0.0, FLOOR / h
    for i in range(n):
        for j in range(n):
            share += x[i] * A[i, j] * x[j]
            own = w[i] * w[j] + h * h * slope[i] * slope[j] + little * little * q[i] * q[j]
            whole += A[i, j] * own
        if not A[i, i] > 0 and x[i] != 0:
            massless = max(massless, abs(x[i]) / (abs(w[i]) + abs(little * q[i]) + 1e-300))
    return max(massless, np.sqrt(max(share, 0.0) / whole) if whole > 0 else np.sqrt(max(share, 0.0)))
