"""Compiled switch of a structure: constraints are added, velocities jump, and the energy balance is continued.

It handles the regular case: the emitted projection succeeds, the positions satisfy all constraints, and all rows are
linear in the velocities. Every other case is left to `events.impact` and `events.switching`, which also explain it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, states
from ...stepping.native.accept_state import energy
from ...stepping.native.known_times import model_time
from ...stepping.native.run_view import state
from ..impact_limits import (
    CORRECTION_ROUNDING,
    LINEARITY_TOLERANCE,
    POSITION_MISFIT_LIMIT,
    PROJECTION_LIMIT,
    VELOCITY_RESIDUAL_TOLERANCE,
)


@entry
def apply_impact(run: Any) -> Any:
    """Replace the current state by the one after the switch; return 0, or 1 if the state was left unchanged.

    control[ENERGY] is E before parameters were set and velocities assigned. `struck` receives the energy lost and the
    impulses of the rows (s).
    """
    n, s, t = run.n, run.s, model_time(run, run.control[control.T])
    now, before, struck = state(run, states.NOW), state(run, states.BEFORE), run.struck
    q, v = vector(now, 0, n), vector(now, n, n)
    for i in range(now.size):
        before[i] = now[i]
    for i in range(1 + s):
        struck[i] = 0.0
    stored = energy(run, t, now)[0]
    if not _project_velocities(run, t, q, v, vector(struck, 1, s)) or not _on_constraints(run, t, q, v):
        for i in range(now.size):
            now[i] = before[i]
        return 1
    work = 0.0
    for i in range(n):  # work of the impulses A dv; A is in `work`, as SURFACE has left it
        for j in range(n):
            work += 0.5 * (before[n + i] + v[i]) * run.work[i * n + j] * (v[j] - before[n + j])
    after = energy(run, t, now)[0]
    struck[0] = stored - after
    now[2 * n] += stored - run.control[control.ENERGY] + work
    return 0


@kernel
def _project_velocities(run: Any, t: Any, q: Any, v: Any, impulses: Any) -> Any:
    """Project the velocities onto the constraints, add up the impulses; return whether that succeeded."""
    n, address = q.size, run.addresses[addresses.VELOCITY_CORRECTION]
    if address <= 0:
        return address == 0
    for k in range(PROJECTION_LIMIT):
        if call(address, t, q, v, run.parameters, run.inputs, run.work) != 0:
            return False
        change, most = 0.0, 0.0
        for i in range(n):
            if not np.isfinite(run.work[i]):
                return False
            v[i] += run.work[i]
            change, most = max(change, abs(run.work[i])), max(most, abs(v[i]))
        if k > 0 and change > LINEARITY_TOLERANCE * most:
            return False
        for row in range(impulses.size):
            impulses[row] += run.work[n + row]
        if change <= CORRECTION_ROUNDING * most:
            return True
    return False


@kernel
def _on_constraints(run: Any, t: Any, q: Any, v: Any) -> Any:
    """Return whether positions and velocities satisfy all constraints; leave A in `work`."""
    n, s, rtol = q.size, run.s, run.control[control.RTOL]
    call(run.addresses[addresses.SURFACE], t, q, v, run.parameters, run.inputs, run.work)
    first, most = n * n, 1e-6
    for i in range(n):
        most = max(most, abs(v[i]))
    for k in range(s):
        reach, size = 1e-14, 1e-300
        for i in range(n):
            G = abs(run.work[first + k * n + i])
            reach += POSITION_MISFIT_LIMIT * G * (run.atol[i] + rtol * abs(q[i]))
            size += G
        position, velocity = run.work[first + s * n + k], run.work[first + s * n + s + k]
        if abs(position) > reach or abs(velocity) > VELOCITY_RESIDUAL_TOLERANCE * most * size:
            return False
    return True
