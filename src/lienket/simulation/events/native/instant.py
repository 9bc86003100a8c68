"""Events at one instant: they happen in the order in which they are stated, each once.

When the motion has reached an event, all others whose conditions pass through zero within the accuracy of its time are
due as well (events.DUE). The first one stated happens. After its action every condition is looked at again: one that is
due happens unless the action has moved its condition back to the side from which it came; one whose condition the
action has carried through zero happens too. Contacts are different: the action at one contact decides about all that
are closed, so another contact is due only if its condition still goes on through zero afterwards.

At the end of a run an event happens if the condition is zero there within rounding of the time and the error of the
method, although the motion beyond, which would show the change of sign, is not computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, control, events, states
from ...stepping.native.corners import EPSILON
from ...stepping.native.run_view import state, weighted
from .conditions import SAMPLE_POINTS, between, measure, measure_now
from .sides import CLEAR_SIGN, scan, waits_for

INSTANT = 1e-12  # [1] time between two roots, relative to the step, within which they count as one instant
CLOCK_SPACINGS = 8.0  # [spacings of the time] the same in units of the resolution of the clock
STILL_ZERO = 4.0  # [1] ratio to the condition at the event up to which an action has left it at zero
END_ERROR = 10.0  # [tolerances] change of the state by which an event may lie beyond the end of the run
END_SHARE = 1e-4  # [1] time by which it may lie beyond, relative to the step


@kernel
def instant(t: Any, h: Any) -> Any:
    """Return the time within which events near t count as one instant, for a step of the length h."""
    return INSTANT * h + CLOCK_SPACINGS * EPSILON * abs(t)


@kernel
def mark_due(run: Any, t: Any, h: Any, x: Any, event: Any, first: Any, after: Any, at_sample: Any) -> None:
    """Mark all events that happen at t + x h together with `event`, in a step prepared by DENSE.

    Their sides are those at the samples from `first` and before the index `after`, the first sample after the event.
    """
    later, alone = x + instant(t, h) / h, True
    for k in range(run.events.shape[0]):
        run.events[k, events.DUE] = 0.0
        if run.events[k, events.ARMED] == 1:
            run.events[k, events.SIDE] = scan(run, k, first, after)[1]
            g, clear = run.events[k, events.SAMPLES + after], CLEAR_SIGN * run.events[k, events.LARGEST]
            alone = alone and (k == event or run.events[k, events.SIDE] * g > clear)
    run.events[event, events.DUE] = 1.0
    if alone and at_sample:  # usually: no other condition has changed its sign
        return
    measure(run, t + later * h, between(run, t, h, later), EVENT_SAMPLES, True)
    for k in range(run.events.shape[0]):
        side, g = run.events[k, events.SIDE], run.events[k, events.PROBE]
        if run.events[k, events.ARMED] == 1 and side * g < 0 and waits_for(run.events[k, events.DIRECTION], g):
            run.events[k, events.DUE] = 1.0


@kernel
def first_due(run: Any) -> Any:
    """Return the first event stated that is due at the current state, which an event has ended; -1 for none.

    If there are several, events.DUE receives the value of each condition up to which it counts as zero in what follows.
    """
    event, due = -1, 0
    for k in range(run.events.shape[0]):
        if run.events[k, events.DUE] > 0:
            event, due = k, due + 1
    if due == 1:
        run.events[event, events.DUE] = 0.0
        return event
    measure_now(run)
    event = -1
    for k in range(run.events.shape[0]):
        g, side = run.events[k, events.START], run.events[k, events.SIDE]
        passed = side * g < 0 and waits_for(run.events[k, events.DIRECTION], g)
        if run.events[k, events.ARMED] == 1 and (run.events[k, events.DUE] > 0 or passed):
            run.events[k, events.DUE] = max(STILL_ZERO * abs(g), CLEAR_SIGN * run.events[k, events.LARGEST], 1e-300)
            event = k if event < 0 else event
    return event


@kernel
def next_due(run: Any) -> Any:
    """Look at all conditions again after a start or an action; return the first event that happens now, or -1."""
    measure_now(run)
    for k in range(run.events.shape[0]):
        g, side, due = run.events[k, events.START], run.events[k, events.SIDE], run.events[k, events.DUE]
        run.events[k, events.DUE] = 0.0
        if run.events[k, events.ARMED] != 1 or side == 0:
            continue
        passed = side * g < 0
        if passed and not waits_for(run.events[k, events.DIRECTION], g):
            run.events[k, events.SIDE] = np.sign(g)
        elif (passed or (due > 0 and side * g <= due)) and (run.events[k, events.EXPECTED] == 0 or _goes_on(run, k)):
            run.events[k, events.SIDE] = 0
            return k
    return -1


@kernel
def _goes_on(run: Any, k: Any) -> Any:
    """Return whether the condition of event k is beyond zero an instant after the current state."""
    t, y, rate, node = (
        run.control[control.T],
        state(run, states.NOW),
        state(run, states.RATE),
        state(run, states.NODE),
    )
    shift = instant(t, run.control[control.H])
    for i in range(y.size):
        node[i] = y[i] + shift * rate[i]
    measure(run, t + shift, node, EVENT_SAMPLES, True)
    beyond = run.events[k, events.SIDE] * run.events[k, events.PROBE] < 0
    measure_now(run)  # actions read the values at the current state
    return beyond


@kernel
def due_at_end(run: Any, h: Any, first: Any) -> Any:
    """Return the first event that happens at the end of the run, the end of the step of length h, or -1; mark all."""
    last, end = len(SAMPLE_POINTS) - 1, run.control[control.END]
    tried, rate, node = state(run, states.TRIED), state(run, states.RATE_TRIED), state(run, states.NODE)
    moved = weighted(run, rate, tried, tried)
    shift = min(END_ERROR / moved, END_SHARE * max(h, run.control[control.H])) if moved > 0 else 0.0
    for i in range(tried.size):
        node[i] = tried[i] + shift * rate[i]
    rounding = CLOCK_SPACINGS * EPSILON * max(abs(end), abs(run.control[control.BEGIN]))
    measure(run, end + rounding, node, EVENT_SAMPLES, True)
    event = -1
    for k in range(run.events.shape[0]):
        run.events[k, events.DUE] = 0.0
        side = scan(run, k, first, last)[1]
        if run.events[k, events.ARMED] != 1 or side == 0 or not waits_for(run.events[k, events.DIRECTION], -side):
            continue
        g, before = run.events[k, events.SAMPLES + last], run.events[k, events.SAMPLES + last - 1]
        shifted = run.events[k, events.PROBE]
        approaches = side * (g - before) < 0 or side * (shifted - g) < 0
        if approaches and side * g <= abs(shifted - g):
            run.events[k, events.SIDE], run.events[k, events.DUE] = side, 1.0
            event = k if event < 0 else event
    return event
