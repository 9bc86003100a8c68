"""Stiffness: whether errors lie in a direction that the motion itself has left long ago.

An explicit method takes short steps because of a fast decaying part long after it has decayed, at any tolerance: where
stability does not limit the step, the error that the part makes of the slow motion does. Every few steps the error e of
a step is followed for a moment, and its rate of decay compared with the step (J e by a difference of rates):

    - h (e . J e) / (e . e) >= decayed     in the weights of the tolerances

A step of order 8 that is limited by the motion itself is proportional to rtol^(1/8), and so is `decayed`: otherwise
what decays as fast as the motion changes would look stiff at loose tolerances. A part that is still there looks the
same for some ten steps; one that looks so for HOLDS looks on end is gone. Then an implicit method has a trial
(`run.loop`): whether it is worth its price only its steps can tell.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, states
from ...stepping.native.rates import rates
from ...stepping.native.run_view import state

EVERY = 8  # steps from one look to the next
DECAYED, LEAST, MOST = 4.1, 0.4, 1.5
"""decayed = DECAYED rtol^(1/8), within limits: 1.3 for 1e-4, 0.41 for 1e-8."""
NUDGE = 1e-7  # of the state, how far it is moved along the error


@kernel
def looks_stiff(run: Any, h: Any, error: Any, moved: Any, changed: Any) -> Any:
    """Whether the last looks say so; `error` of the step to the state now (2 n), and room for two states (m)."""
    now, rate = state(run, states.NOW), state(run, states.RATE)
    rtol, largest = run.control[control.RTOL], 0.0
    for i in range(run.atol.size):
        largest = max(largest, abs(error[i]) / (abs(now[i]) + run.atol[i] / rtol))
    if not largest > 0:
        return False
    scale = NUDGE / largest
    for i in range(now.size):
        moved[i] = now[i] + (scale * error[i] if i < run.atol.size else 0.0)
    if not rates(run, run.control[control.T], moved, changed):
        return False
    along, length = 0.0, 0.0
    for i in range(run.atol.size):
        weight = run.atol[i] + rtol * abs(now[i])
        step = (moved[i] - now[i]) / weight
        along += step * (changed[i] - rate[i]) / weight
        length += step * step
    decayed = min(MOST, max(LEAST, DECAYED * rtol**0.125))
    run.counts[counts.STIFF_FOUND] = run.counts[counts.STIFF_FOUND] + 1 if -h * along >= decayed * length else 0
    return run.counts[counts.STIFF_FOUND] >= run.counts[counts.STIFF_NEEDED]
