"""Projection of a state onto its constraints: compiled corrections where there are some, else the general projection.

Positions are corrected first, then velocities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.projection import PROJECTION_STEPS, project_state
from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel
from ...memory import addresses, control
from .known_times import model_time

# [1] relative correction after which the next Newton correction is below rounding (quadratic convergence)
CORRECTION_CONVERGED = 1e-8
CORRECTION_ITERATIONS = 6  # [iterations] limit for the compiled corrections of positions or velocities
CORRECTION_NOISE = 0.01  # [tolerances] correction ignored if rounding in the constraints keeps it from shrinking


@kernel
def project(run: Any, t: Any, y: Any) -> Any:
    """Project y onto its constraints, positions first, then velocities; return whether that succeeded."""
    n, t = run.n, model_time(run, t)
    q, v = vector(y, 0, n), vector(y, n, n)
    for what in range(2):
        address = run.addresses[addresses.POSITION_CORRECTION + what]
        if address == 0:
            continue
        x = q if what == 0 else v
        if address < 0 or not _apply_corrections(run, address, t, q, v, x, vector(run.atol, what * n, n)):
            all_free = (vector(run.places, 0, 0), PROJECTION_STEPS, vector(run.work, 0, 0))
            memory = (run.parameters, run.inputs, *all_free, run.work, run.places)
            if project_state(what, run.addresses[addresses.SURFACE], run.level, t, q, v, *memory) < 0:
                if not _nearly_satisfied(run, t, q, v, what):
                    return False
    return True


@kernel
def _nearly_satisfied(run: Any, t: Any, q: Any, v: Any, what: Any) -> Any:
    """Return whether positions (0) or velocities (1) need less than CORRECTION_NOISE: a state at rest is all rounding.

    Where nothing moves, rounding is as large as the numbers themselves, and no projection makes it smaller.
    """
    n, s, x = run.n, run.s, q if what == 0 else v
    call(run.addresses[addresses.SURFACE], t, q, v, run.parameters, run.inputs, run.work)
    for k in range(s):
        if run.level[k] > what:
            continue
        reach = 0.0
        for i in range(n):
            tolerance = run.atol[what * n + i] + run.control[control.RTOL] * abs(x[i])
            reach += CORRECTION_NOISE * abs(run.work[n * n + k * n + i]) * tolerance
        if not abs(run.work[n * n + s * n + what * s + k]) <= reach:
            return False
    return True


@kernel
def _apply_corrections(run: Any, address: Any, t: Any, q: Any, v: Any, x: Any, atol: Any) -> Any:
    """Apply Newton corrections of the compiled function at `address` to x; return whether they converged."""
    n, work = x.size, run.work
    for _ in range(CORRECTION_ITERATIONS):
        if call(address, t, q, v, run.parameters, run.inputs, work) != 0:
            return False
        largest, repeat = 0.0, False
        for i in range(n):
            if not np.isfinite(work[i]):
                return False
            largest = max(largest, abs(x[i]))
        for i in range(n):
            repeat |= abs(work[i]) > CORRECTION_CONVERGED * abs(x[i]) + 1e-15 * largest
            x[i] += work[i]
        if not repeat:
            return True
    noise = True
    for i in range(n):
        noise &= abs(work[i]) <= CORRECTION_NOISE * (atol[i] + run.control[control.RTOL] * abs(x[i]))
    return noise
