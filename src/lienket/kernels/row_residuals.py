"""Whether accelerations satisfy their constraints, the plain version of `native.row_residuals` for many states."""

from __future__ import annotations

import numpy as np

from ..compiled.model import CompiledModel, contiguous
from ..compiled.residual_limits import MOTION_ROUNDING, REST_ROUNDING, TERM_ROUNDING
from ..foundation.arrays import Array


def satisfies_rows(A: Array, h: Array, G: Array, g0: Array, a: Array) -> bool:
    """Return whether a (N x n) satisfies every row G a + g0 = 0 (N x s) up to rounding; see `native.row_residuals`."""
    terms = G * a[:, None, :]
    inertia = np.einsum("tii->ti", A)
    inverse = np.divide(1.0, inertia, out=np.zeros_like(inertia), where=inertia > 0)
    motion, free = np.einsum("ti,ti->t", inertia, a * a), np.einsum("ti,ti->t", inverse, h * h)
    whole = np.sqrt(motion[:, None] * np.einsum("tki,ti->tk", G * G, inverse))
    allowed = TERM_ROUNDING * (np.abs(terms).sum(axis=2) + np.abs(g0)) + MOTION_ROUNDING * whole
    holds = np.all(np.abs(terms.sum(axis=2) + g0) <= allowed, axis=1)
    return bool(np.all(holds | (motion <= REST_ROUNDING**2 * free)))


def motion_holds(model: CompiledModel, t: float, q: Array, v: Array, parameters: Array) -> bool:
    """Return whether emitted accelerations satisfy their constraints at a state; True where they are not used."""
    motion = model.motion if model.s else None
    if motion is None:
        return True
    state = (t, contiguous(q), contiguous(v), contiguous(parameters), np.zeros(model.inputs))
    status, out = motion(*state)
    a = out[: model.n]
    if status != 0 or not np.isfinite(out).all():
        return True  # the kernels solve there
    terms = model.function("terms")
    A, h, G, g0 = terms.parts(terms(*state)[1])
    residual, sizes = np.abs(G @ a + g0), np.abs(G) @ np.abs(a) + np.abs(g0)
    if (residual <= TERM_ROUNDING * sizes).all():
        return True
    return satisfies_rows(A[None], h[None], G[None], g0[None], a[None])
