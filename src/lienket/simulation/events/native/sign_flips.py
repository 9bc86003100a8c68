"""Events that only change the sign of a parameter; the run continues at once and records them for Python.

Where a normal force passes through zero, all forces are continuous and no mode has to be determined. Where a contact
stops and slides back at once, as a slider does at its dead points, its slip has a rate of equal sign with friction in
either direction: no friction force between them can hold it. All other cases, events that follow each other closely,
and events beyond the capacity of `changes` are handled by `events.switching`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, addresses, control, counts, events, states
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state
from .change_record import may_record, record_change
from .conditions import write_conditions

REVERSAL_MARGIN = 1.25  # [1] ratio of driving to friction acceleration above which a contact surely slides back
SLIP_DIFFERENCE_STEP = 1e-6  # [1] forward difference for the rate of the slip, relative to the step


@kernel
def flip_sign(run: Any) -> Any:
    """Apply the event that has just happened if it only changes a sign; return whether it was applied."""
    k = run.counts[counts.EVENT]
    which = int(run.events[k, events.FLIPPED])
    if which == 0 or not may_record(run):
        return False
    if run.control[control.T] - run.control[control.LAST_EVENT] < run.control[control.EVENTS_TOO_CLOSE]:
        return False
    index = abs(which) - 1
    if which < 0 and not _slides_back(run, k, index):
        return False
    run.parameters[index] = -run.parameters[index]
    record_change(run, k, run.y[states.NOW], False)
    return True


@kernel
def _slides_back(run: Any, k: Any, index: Any) -> Any:
    """Return whether a contact whose slip has become zero slides back, while no other sticks or opens.

    Its direction is the parameter at `index`. Cases that are not clear are decided by `contacts.mode_change`.
    """
    if run.counts[counts.SLIDING] == 0 or run.addresses[addresses.MOTION] == 0:
        return False
    direction = run.parameters[index]
    old = _slip_rate(run, k, direction)
    run.parameters[index] = -direction
    new = _slip_rate(run, k, -direction)
    run.parameters[index] = direction
    middle, half = 0.5 * (old + new), 0.5 * abs(old - new)
    grip = max(1.0, run.values[int(run.events[k, events.GRIP])])
    return -direction * middle > REVERSAL_MARGIN * grip * half + 1e-12 * abs(middle)


@kernel
def _slip_rate(run: Any, k: Any, direction: Any) -> Any:
    """Return the rate of the slip (condition k times direction) at the current state; NaN if a contact opens."""
    t, now = run.control[control.T], state(run, states.NOW)
    moved, rate, shift = (
        state(run, states.NODE),
        state(run, states.NODE_RATE),
        SLIP_DIFFERENCE_STEP * run.control[control.H],
    )
    if not accelerate(run, t, now, rate):
        return np.nan
    write_conditions(run, t, now, rate, EVENT_SAMPLES, True)
    before = run.events[k, events.PROBE]
    for j in range(run.events.shape[0]):
        contact = j != k and run.events[j, events.ARMED] == 1 and run.events[j, events.EXPECTED] == 1
        if contact and not run.events[j, events.PROBE] > 0:
            return np.nan
    for i in range(now.size):
        moved[i] = now[i] + shift * rate[i]
    write_conditions(run, t + shift, moved, rate, EVENT_SAMPLES, True)
    return direction * (run.events[k, events.PROBE] - before) / shift
