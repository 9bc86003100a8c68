"""Loops closed from a guess by short steps, so that the assembly stays on the branch of its guess (mechanisms 6.4).

Each step is the least one in the metric of A with G dq = -g, at most half a radian or half the length of the mechanism,
halved while the residuals grow. Where it gets stuck the guess stays as it is, and the usual start searches further.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...model.input.stated_start import StatedStart
from ..numeric_system import NumericSystem

LONGEST_STEP = 0.5  # [rad or length of the mechanism] largest change of a coordinate in a step
STEPS = 200  # [steps] limit
HALVINGS = 30  # [halvings] limit of a step
CLOSED = 1e-9  # [1] residual, relative to the length of the mechanism, at which the usual start takes over
STUCK = 1e-4  # [1] decrease of the residuals in a step, below which a guess is left a little
NUDGE = 0.05  # [rad or length of the mechanism] change of a guess at which the steps are stuck, as at a flat position
NUDGES = 4  # [nudges] limit

LookedAt = Callable[[Array], tuple[Array, Array, Array]]
"""Function of positions that returns A, G and the residuals of the loops."""


def closed_nearby(system: NumericSystem, stated: StatedStart, t: float, parameters: Array) -> Array | None:
    """Return positions near the stated ones at which the loops are nearly closed; None if no steps lead there."""
    model, free = system.model(system.of_a_start), ~stated.fixed_q
    level = model.levels == 0
    if not level.any() or not free.any():
        return stated.q
    surface, zero, inputs = model.function("surface"), np.zeros(len(stated.q)), np.zeros(model.inputs)

    def looked_at(q: Array) -> tuple[Array, Array, Array]:
        A, G, position, *_ = surface.parts(surface(t, q, zero, parameters, inputs)[1])
        return A, G[level], position[level]

    q, rng, nudges = stated.q.copy(), np.random.default_rng(0), 0
    with np.errstate(all="ignore"):
        for _ in range(STEPS):
            A, G, g = looked_at(q)
            size = float(np.linalg.norm(g))
            if not np.isfinite(size):
                return None
            if size <= CLOSED:
                return q
            moved, left = _step(looked_at, q, A, G, g, free)
            if left > (1 - STUCK) * size:
                nudges += 1
                if nudges > NUDGES:
                    return None
                moved = q + np.where(free, NUDGE * rng.uniform(-1, 1, len(q)), 0.0)
            q = moved
    return None


def _step(looked_at: LookedAt, q: Array, A: Array, G: Array, g: Array, free: BoolArray) -> tuple[Array, float]:
    """Return positions after a damped step, and the residual there."""
    inertia = np.diag(A)
    known = np.where(inertia > 0, inertia, inertia.max(initial=0.0) or 1.0)
    scale = np.where(free, 1 / np.sqrt(known), 0.0)
    dq = scale * np.linalg.lstsq(G * scale, -g, rcond=1e-10)[0]
    dq *= min(1.0, LONGEST_STEP / max(np.abs(dq).max(), 1e-300))
    best, least = q, float(np.linalg.norm(g))
    for _ in range(HALVINGS):
        size = float(np.linalg.norm(looked_at(q + dq)[2]))
        if size < least:
            return q + dq, size
        dq = dq / 2
    return best, least
