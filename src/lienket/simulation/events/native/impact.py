"""The switch of a structure in numbers: constraints come in, velocities jump, and the energy is accounted for.

It is the plain `impact` for the case that all is as it should be: the emitted function trusts itself, positions fit,
and all rows are linear in velocities.
Everything else is left to that one, which also finds words for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, states
from ...stepping.native.accept_state import energy
from ...stepping.native.run_view import state
from ..impact_limits import ENOUGH, IMPACTS, LEFT_OVER, LINEAR, OFF


@entry
def apply_impact(run: Any) -> Any:
    """0 if the state now is the one after the switch, 1 if it is as it was.

    control[ENERGY] is E before parameters were set and velocities given. `struck` becomes: the energy lost, the
    impulses of the rows (s).
    """
    n, s, t = run.n, run.s, run.control[control.T]
    now, given, struck = state(run, states.NOW), state(run, states.BEFORE), run.struck
    q, v = vector(now, 0, n), vector(now, n, n)
    for i in range(now.size):
        given[i] = now[i]
    for i in range(1 + s):
        struck[i] = 0.0
    stored = energy(run, t, now)[0]
    if not _pushed(run, t, q, v, vector(struck, 1, s)) or not _fits(run, t, q, v):
        for i in range(now.size):
            now[i] = given[i]
        return 1
    work = 0.0
    for i in range(n):  # of the impulses A dv, as of SURFACE in `work`
        for j in range(n):
            work += 0.5 * (given[n + i] + v[i]) * run.work[i * n + j] * (v[j] - given[n + j])
    after = energy(run, t, now)[0]
    struck[0] = stored - after
    now[2 * n] += stored - run.control[control.ENERGY] + work
    return 0


@kernel
def _pushed(run: Any, t: Any, q: Any, v: Any, impulses: Any) -> Any:
    """Velocities brought onto the constraints, the impulses that does; whether all went well."""
    n, address = q.size, run.addresses[addresses.VELOCITY_CORRECTION]
    if address <= 0:
        return address == 0
    for turn in range(IMPACTS):
        if call(address, t, q, v, run.parameters, run.inputs, run.work) != 0:
            return False
        change, most = 0.0, 0.0
        for i in range(n):
            if not np.isfinite(run.work[i]):
                return False
            v[i] += run.work[i]
            change, most = max(change, abs(run.work[i])), max(most, abs(v[i]))
        if turn > 0 and change > LINEAR * most:
            return False
        for k in range(impulses.size):
            impulses[k] += run.work[n + k]
        if change <= ENOUGH * most:
            return True
    return False


@kernel
def _fits(run: Any, t: Any, q: Any, v: Any) -> Any:
    """Whether positions and velocities are on all constraints; leaves A in `work`."""
    n, s, rtol = q.size, run.s, run.control[control.RTOL]
    call(run.addresses[addresses.SURFACE], t, q, v, run.parameters, run.inputs, run.work)
    first, most = n * n, 1e-6
    for i in range(n):
        most = max(most, abs(v[i]))
    for k in range(s):
        reach, size = 1e-14, 1e-300
        for i in range(n):
            G = abs(run.work[first + k * n + i])
            reach += OFF * G * (run.atol[i] + rtol * abs(q[i]))
            size += G
        position, velocity = run.work[first + s * n + k], run.work[first + s * n + s + k]
        if abs(position) > reach or abs(velocity) > LEFT_OVER * most * size:
            return False
    return True
