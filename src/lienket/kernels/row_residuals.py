"""Whether accelerations satisfy their constraints, the plain version of `native.row_residuals`."""

from __future__ import annotations

import numpy as np

from ..compiled.residual_limits import LOAD_ROUNDING, MOTION_ROUNDING, REST_ROUNDING, TERM_ROUNDING
from ..foundation.arrays import Array


def satisfies_rows(A: Array, h: Array, G: Array, g0: Array, a: Array) -> bool:
    """Return whether a (n) satisfies every row G a + g0 = 0 (s) up to rounding; see `native.row_residuals`."""
    inertia = np.diag(A)
    inverse = np.divide(1.0, inertia, out=np.zeros_like(inertia), where=inertia > 0)
    motion, free = inertia @ (a * a), inverse @ (h * h)
    if motion <= REST_ROUNDING**2 * free:
        return True
    allowed = TERM_ROUNDING * _terms(G, g0, a) + MOTION_ROUNDING * np.sqrt(motion * ((G * G) @ inverse))
    return bool(np.all(np.abs(G @ a + g0) <= allowed))


def cannot_be_better(
    A: Array, h: Array, G: Array, g0: Array, a: Array, multipliers: Array, loaded: bool = False
) -> bool:
    """Return whether no row (s) finds an avoidable error of a (n); see `native.row_residuals`."""
    inertia = np.diag(A)
    if not np.all(inertia > 0):
        return False
    sizes = (np.abs(h) + np.abs(G * multipliers[:, None]).sum(axis=0)) / inertia
    least = np.where(G != 0, np.abs(G) * sizes, np.inf).min(axis=1, initial=np.inf)
    good = np.abs(G @ a + g0) <= TERM_ROUNDING * _terms(G, g0, a) + LOAD_ROUNDING * least
    return bool(np.all(good | (loaded & (multipliers == 0))))


def _terms(G: Array, g0: Array, a: Array) -> Array:
    """Return the sums of the sizes of the terms of each row (s)."""
    return np.abs(G) @ np.abs(a) + np.abs(g0)
