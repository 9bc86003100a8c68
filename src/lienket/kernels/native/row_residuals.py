"""Whether accelerations satisfy their constraints: G a + g0 is rounding of its terms or of the whole motion.

    |G a + g0|  <=  TERM_ROUNDING (sum |G_i a_i| + |g0|)  +  MOTION_ROUNDING sqrt(sum G_i^2/A_ii  sum A_ii a_i^2)

The second term is the rounding of the motion as a whole in the metric of A; it accepts a row whose terms are all small,
as that of a guide across the motion. Where all accelerations are rounding of the free ones, A^-1 h, forces balance and
there is nothing to compare with. A solution that fails has lost digits in its right sides, although its pivots are
large: the acceleration of a light body under a large force that a heavy one holds.

Accelerations that are not to be refined any more must satisfy more (`cannot_be_better`): with the sum s_i of the sizes
of the accelerations that the load and each constraint give coordinate i,

    |G a + g0|  <=  TERM_ROUNDING (sum |G_i a_i| + |g0|)  +  LOAD_ROUNDING min |G_i| s_i.

A row finds the error of one coordinate by the others. It cannot where all of them are as uncertain, as in a mechanism
that hardly moves under its loads, and it can where a heavy body knows how a light one moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.residual_limits import LOAD_ROUNDING, MOTION_ROUNDING, REST_ROUNDING, TERM_ROUNDING
from .runtime.jit import kernel


@kernel
def satisfies_rows(A: Any, h: Any, G: Any, g0: Any, a: Any) -> Any:
    """Return whether a (n) satisfies every row G a + g0 = 0 (s)."""
    n, motion, free = a.size, 0.0, 0.0
    for i in range(n):
        motion += A[i, i] * a[i] * a[i]
        if A[i, i] > 0:
            free += h[i] * h[i] / A[i, i]
    if motion <= REST_ROUNDING * REST_ROUNDING * free:
        return True
    for k in range(g0.size):
        residual, terms, size = g0[k], abs(g0[k]), 0.0
        for i in range(n):
            term = G[k, i] * a[i]
            residual += term
            terms += abs(term)
            if A[i, i] > 0:
                size += G[k, i] * G[k, i] / A[i, i]
        if not abs(residual) <= TERM_ROUNDING * terms + MOTION_ROUNDING * np.sqrt(size * motion):
            return False
    return True


@kernel
def cannot_be_better(A: Any, h: Any, G: Any, g0: Any, a: Any, multipliers: Any, loaded: Any, sizes: Any) -> Any:
    """Return whether no row (s) finds an avoidable error of a (n), the solution with these multipliers (s).

    With `loaded`, rows without a multiplier are passed over: redundant rows that are left out ask for other
    accelerations beside the constraints. `sizes` (n) is scratch.
    """
    n, s = a.size, g0.size
    for i in range(n):
        if not A[i, i] > 0:
            return False
        sizes[i] = abs(h[i])
    for k in range(s):
        for i in range(n):
            sizes[i] += abs(G[k, i] * multipliers[k])
    for i in range(n):
        sizes[i] /= A[i, i]
    for k in range(s):
        if loaded and multipliers[k] == 0.0:
            continue
        residual, terms, least = g0[k], abs(g0[k]), np.inf
        for i in range(n):
            term = G[k, i] * a[i]
            residual += term
            terms += abs(term)
            if G[k, i] != 0.0:
                least = min(least, abs(G[k, i]) * sizes[i])
        if not abs(residual) <= TERM_ROUNDING * terms + LOAD_ROUNDING * least:
            return False
    return True
