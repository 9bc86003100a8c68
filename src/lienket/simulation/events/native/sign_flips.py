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
from ...memory import EVENT_SAMPLES, addresses, control, counts, events, row_columns, states
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state
from .conditions import write_conditions

CLEARLY = 1.25  # times what friction does must push a contact that turns back at once
SHIFT = 1e-6  # of a step, over which a rate is taken as a difference


@kernel
def flip_sign(run: Any) -> Any:
    """Whether all that the event asks for, which has just happened, is done."""
    k = run.counts[counts.EVENT]
    which, now = int(run.events[k, events.FLIPPED]), run.y[states.NOW]
    stepwise, full = run.times.size == 0, run.counts[counts.FLIPS_FILLED] >= run.flips.shape[0]
    if which == 0 or full or (stepwise and run.counts[counts.ROWS_FILLED] >= run.rows.shape[0]):
        return False
    if run.control[control.T] - run.control[control.LAST_EVENT] < run.control[control.EVENTS_TOO_CLOSE]:
        return False
    place = abs(which) - 1
    if which < 0 and not _turns_back(run, k, place):
        return False
    run.parameters[place] = -run.parameters[place]
    run.counts[counts.STRUCTURE_NUMBER] += 1
    row = run.flips[run.counts[counts.FLIPS_FILLED]]
    row[0], row[1] = run.control[control.T], k
    for i in range(now.size):
        row[2 + i] = now[i]
    run.counts[counts.FLIPS_FILLED] += 1
    if stepwise:
        row = run.rows[run.counts[counts.ROWS_FILLED]]
        row[row_columns.T], row[row_columns.STEP] = run.control[control.T], 0.0
        row[row_columns.STRUCTURE] = run.counts[counts.STRUCTURE_NUMBER]
        for i in range(now.size):
            row[row_columns.STATE + i] = now[i]
        run.counts[counts.ROWS_FILLED] += 1
    return True


@kernel
def _turns_back(run: Any, k: Any, place: Any) -> Any:
    """Whether the contact whose slip has become zero slides on the other way, while no other sticks or lets go.

    Its direction is the parameter at the place. What is not clear here is decided by a search, `contacts.mode_change`.
    """
    if run.counts[counts.SLIDING] == 0 or run.addresses[addresses.MOTION] == 0:
        return False
    direction = run.parameters[place]
    old = _slip_rate(run, k, direction)
    run.parameters[place] = -direction
    new = _slip_rate(run, k, -direction)
    run.parameters[place] = direction
    middle, half = 0.5 * (old + new), 0.5 * abs(old - new)
    grip = max(1.0, run.values[int(run.events[k, events.GRIP])])
    return -direction * middle > CLEARLY * grip * half + 1e-12 * abs(middle)


@kernel
def _slip_rate(run: Any, k: Any, direction: Any) -> Any:
    """How the slip changes at the state now, the condition k times its direction; not a number if a contact lets go."""
    t, now = run.control[control.T], state(run, states.NOW)
    moved, rate, shift = state(run, states.NODE), state(run, states.NODE_RATE), SHIFT * run.control[control.H]
    if not accelerate(run, t, now, rate):
        return np.nan
    write_conditions(run, t, now, rate, EVENT_SAMPLES, True)
    here = run.events[k, events.PROBE]
    for j in range(run.events.shape[0]):
        contact = j != k and run.events[j, events.ARMED] == 1 and run.events[j, events.EXPECTED] == 1
        if contact and not run.events[j, events.PROBE] > 0:
            return np.nan
    for i in range(now.size):
        moved[i] = now[i] + shift * rate[i]
    write_conditions(run, t + shift, moved, rate, EVENT_SAMPLES, True)
    return direction * (run.events[k, events.PROBE] - here) / shift
