"""Events that turn the sign of a number and nothing else; the run goes on at once, and Python reads of it later.

Where a normal force passes through zero, all forces are continuous and nothing has to be decided. Where a contact stops
and turns back at once, as a slider does at its dead points, its slip changes at the same sign with friction one way and
the other way: no friction between can hold it. All other cases, events one upon the other, and those for which there is
no room left, go to `switching`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ... import memory as at
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state
from .conditions import write_conditions

CLEARLY = 1.25  # times what friction does must push a contact that turns back at once
SHIFT = 1e-6  # of a step, over which a rate is taken as a difference


@kernel
def flip_sign(run: Any) -> Any:
    """Whether all that the event asks for, which has just happened, is done."""
    control, counts, k = run.control, run.counts, run.counts[at.EVENT]
    which, now = int(run.events[k, at.FLIPS]), run.y[at.NOW]
    stepwise, full = run.times.size == 0, counts[at.FLIPPED] >= run.flips.shape[0]
    if which == 0 or full or (stepwise and counts[at.FILLED] >= run.rows.shape[0]):
        return False
    if control[at.T] - control[at.LAST_EVENT] < control[at.SOON]:
        return False
    place = abs(which) - 1
    if which < 0 and not _turns_back(run, k, place):
        return False
    run.parameters[place] = -run.parameters[place]
    counts[at.PART] += 1
    row = run.flips[counts[at.FLIPPED]]
    row[0], row[1] = control[at.T], k
    for i in range(now.size):
        row[2 + i] = now[i]
    counts[at.FLIPPED] += 1
    if stepwise:
        row = run.rows[counts[at.FILLED]]
        row[0], row[1], row[2] = control[at.T], 0.0, counts[at.PART]
        for i in range(now.size):
            row[at.HEAD + i] = now[i]
        counts[at.FILLED] += 1
    return True


@kernel
def _turns_back(run: Any, k: Any, place: Any) -> Any:
    """Whether the contact whose slip has become zero slides on the other way, while no other sticks or lets go.

    Its direction is the parameter at the place. What is not clear here is decided by a search, `contacts.mode_change`.
    """
    if run.counts[at.SLIDING] == 0 or run.model[at.MOTION] == 0:
        return False
    direction = run.parameters[place]
    old = _slip_rate(run, k, direction)
    run.parameters[place] = -direction
    new = _slip_rate(run, k, -direction)
    run.parameters[place] = direction
    middle, half = 0.5 * (old + new), 0.5 * abs(old - new)
    grip = max(1.0, run.values[int(run.events[k, at.GRIP])])
    return -direction * middle > CLEARLY * grip * half + 1e-12 * abs(middle)


@kernel
def _slip_rate(run: Any, k: Any, direction: Any) -> Any:
    """How the slip changes at the state now, the condition k times its direction; not a number if a contact lets go."""
    events, t, now = run.events, run.control[at.T], state(run, at.NOW)
    moved, rate, shift = state(run, at.NODE), state(run, at.NODE_RATE), SHIFT * run.control[at.H]
    if not accelerate(run, t, now, rate):
        return np.nan
    write_conditions(run, t, now, rate, at.SPARE, True)
    here = events[k, at.PLACED + at.SPARE]
    for j in range(events.shape[0]):
        contact = j != k and events[j, at.ARMED] == 1 and events[j, at.EXPECTED] == 1
        if contact and not events[j, at.PLACED + at.SPARE] > 0:
            return np.nan
    for i in range(now.size):
        moved[i] = now[i] + shift * rate[i]
    write_conditions(run, t + shift, moved, rate, at.SPARE, True)
    return direction * (events[k, at.PLACED + at.SPARE] - here) / shift
