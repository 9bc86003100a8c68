"""Events: when a condition g(q, q', q'', lambda, t) passes through zero, found within a step and stepped to.

Conditions are looked at in several places of an accepted step, by its dense output; right after an event also very
near to its beginning, since what has just happened may be undone at once. The first change of sign that its event waits
for is located between two places to 1e-13 of the step. Then the step is made once more, just so long, and its length
corrected until the condition vanishes at its end: so the instant is as accurate as the method, not as its dense output.
A method that remembers steps before cannot make one again; there dense output has to do, and it begins anew.

`side` is the sign a condition had when it was last clearly not zero. It is 0 where that is not known: at a start on the
very place of an event, or when the event has just happened. Then the first clear sign becomes the side, and nothing
happens; unless another one is expected, as of a contact that has just been opened, and is passed through at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, UNRESOLVED, control, counts, events, requests, states
from ...stepping.native.accept_state import accepted_state, rejection_reason
from ...stepping.native.method import attempt, call_method
from ...stepping.native.rates import rates
from ...stepping.native.rows import read_work, write_within
from ...stepping.native.run_view import state
from .conditions import FIRST_PLACE, PLACES, between, condition, measure, measure_now, measure_tried
from .resolution import double_crossing, false_alarm, unresolved

CLEAR = 1e-9  # of the largest number in a step, or in a run, what is clearly not zero
COLLAPSED = 1e-3 * PLACES[0]  # so near to the beginning of a step an event is made sure of
CLOSE = 1e-13  # of the step, to which an instant is located
ROUNDS = 100  # of the search for it
CORRECTIONS = 3
NUDGE = 1e-8  # of the step, so far a state may be moved along its rates: what that leaves out is this squared
FARTHEST = 1000.0  # times the time between two events, how long the step after them may be


@kernel
def after_event(run: Any) -> None:
    """The event that has happened loses its side; where events come ever sooner, steps must not pass over the next.

    What follows begins anew, or measures now.
    """
    run.events[run.counts[counts.EVENT], events.SIDE] = 0
    since, run.control[control.LAST_EVENT] = (
        run.control[control.T] - run.control[control.LAST_EVENT],
        run.control[control.T],
    )
    if since > 0:
        run.control[control.H] = min(run.control[control.H], FARTHEST * since)
    if run.counts[counts.MULTISTEP] == 1:
        run.counts[counts.RESTART] = 1


@kernel
def waits_for(direction: Any, value: Any) -> Any:
    """Whether an event waits for a change to the sign of the value."""
    return direction == 0 or direction * value > 0


@kernel
def begin_events(run: Any) -> Any:
    """Measures at the state now; the first event that has happened by what was just done to it, or -1."""
    measure_now(run)
    for k in range(run.events.shape[0]):
        g = run.events[k, events.START]
        if run.events[k, events.ARMED] == 1 and run.events[k, events.SIDE] * g < 0:
            if waits_for(run.events[k, events.DIRECTION], g):
                run.events[k, events.SIDE] = 0
                return k
            run.events[k, events.SIDE] = np.sign(g)
    return -1


@kernel
def _changes(run: Any, k: Any, first: Any, commit: Any) -> Any:
    """The first place at which an event happens, or -1; if it is to be committed, its side at the end of the step."""
    side, most, floor = run.events[k, events.SIDE], abs(run.events[k, events.START]), run.events[k, events.ROUNDING]
    for j in range(first, len(PLACES)):
        g = run.events[k, events.SAMPLES + j]
        most = max(most, abs(g)) if g == g else most
    if side == 0 and abs(run.events[k, events.START]) > max(CLEAR * most, floor):
        if run.events[k, events.START] * run.events[k, events.EXPECTED] >= 0:
            side = np.sign(run.events[k, events.START])
        elif (
            abs(run.events[k, events.START]) > CLEAR * run.events[k, events.LARGEST]
        ):  # otherwise rounding, and what follows will tell
            return first
    least = max(4 * abs(run.events[k, events.START]), 1e-14 * most, floor)
    for j in range(first, len(PLACES)):
        g = run.events[k, events.SAMPLES + j]
        if side == 0:
            if abs(g) > least:
                side = np.sign(g)
                if side * run.events[k, events.EXPECTED] < 0:
                    return j
        elif side * g < 0:
            if waits_for(run.events[k, events.DIRECTION], g):
                return j
            side = np.sign(g)
    if commit:
        run.events[k, events.SIDE], run.events[k, events.START] = side, run.events[k, events.SAMPLES + len(PLACES) - 1]
    return -1


@kernel
def locate_root(run: Any, t: Any, h: Any, k: Any, low: Any, high: Any) -> Any:
    """The share of the step at which a condition changes its sign, between two shares: Illinois and halving."""
    below = condition(run, t, h, low, k) if low > 0 else run.events[k, events.START]
    above = condition(run, t, h, high, k)
    sign, last, x = np.sign(above), 0, high
    if below * sign > 0:
        return low
    for i in range(ROUNDS):
        before = x
        x = 0.5 * (low + high)
        if i % 3 != 2 and above != below:
            secant = high - above * (high - low) / (above - below)
            x = secant if low < secant < high else x
        g = condition(run, t, h, x, k)
        if g * sign > 0:
            high, above, below, last = x, g, 0.5 * below if last > 0 else below, 1
        else:
            low, below, above, last = x, g, 0.5 * above if last < 0 else above, -1
        if high - low <= CLOSE or (abs(x - before) <= CLOSE and i % 3 != 0):
            break
    return x


@kernel
def _repeatable(run: Any) -> Any:
    """Whether the step can be made again."""
    return run.counts[counts.BRIDGING] == 0 and run.counts[counts.MULTISTEP] == 0


@kernel
def step_to_event(run: Any, t: Any, h: Any, x: Any, k: Any) -> Any:
    """The step to the share x made again and corrected; how long it is. TRIED is its end."""
    small = 1e-4
    a, b = max(x - small, 0.0), min(x + small, 1.0)
    slope = (condition(run, t, h, b, k) - condition(run, t, h, a, k)) / (b - a)
    length = x * h
    for i in range(CORRECTIONS if _repeatable(run) else 0):
        error = attempt(run, t, length)
        if not 0 <= error <= 1 or rejection_reason(run, t, length, error) != 0:
            break
        measure_tried(run, t + length, EVENT_SAMPLES)
        change = -run.events[k, events.PROBE] / slope if slope != 0 else 0.0
        if not abs(change) < small or abs(change) <= CLOSE or i == CORRECTIONS - 1:
            return length
        if abs(change) <= NUDGE and 0 <= length + change * h <= h:
            return length + change * h if shift_state(run, t + length, change * h) else -1.0
        length = min(max(length + change * h, 0.0), h)
    return -1.0


@kernel
def shift_state(run: Any, t: Any, h: Any) -> Any:
    """The tried state at t moved by so little that its rates lead to t + h without an error; whether it has rates."""
    tried, rate = state(run, states.TRIED), state(run, states.RATE_TRIED)
    for i in range(tried.size):
        tried[i] += h * rate[i]
    run.control[control.ENERGY_TRIED] += h * rate[tried.size - 1]  # the energy follows the work
    return rates(run, t + h, tried, rate)


@kernel
def _read(run: Any, t: Any, h: Any, x: Any) -> Any:
    """The end of the step at the share x by dense output; if the step was made shorter meanwhile, once more.

    Rows at times before are written first: dense output goes with the whole step.
    """
    if _repeatable(run):
        attempt(run, t, h)
        call_method(run, requests.DENSE, t, h)
    write_within(run, t, h, t + x * h)
    y, tried = between(run, t, h, x), state(run, states.TRIED)
    if run.counts[counts.BRIDGING] == 0:
        read_work(run, t, h, x)
    for i in range(y.size):
        tried[i] = y[i]
    accepted_state(run, t, x * h)
    return x * h


@kernel
def first_event(run: Any, t: Any, h: Any) -> Any:
    """The step's length, up to the first event in it, and that event; -1 and the whole length if there is none."""
    first = FIRST_PLACE if run.counts[counts.JUST_HAPPENED] == 0 else 0
    measure_tried(run, t + h, len(PLACES) - 1)  # before its multipliers are gone
    if run.counts[counts.BRIDGING] == 0:
        call_method(run, requests.DENSE, t, h)
    for j in range(first, len(PLACES) - 1):
        measure(run, t + PLACES[j] * h, between(run, t, h, PLACES[j]), j)
    if run.counts[counts.BRIDGING] == 0 and unresolved(run, h):
        return h, UNRESOLVED
    found, soonest, earliest = -1, len(PLACES), 2.0
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            j = _changes(run, k, first, False)
            if 0 <= j <= soonest:
                soonest = j
    if soonest == len(PLACES):
        found, low, high = double_crossing(run, t, h, first)
        if found < 0:
            for k in range(run.events.shape[0]):
                if run.events[k, events.ARMED] == 1:
                    _changes(run, k, first, True)
            run.counts[counts.JUST_HAPPENED] = 0
            return h, -1
        earliest = locate_root(run, t, h, found, low, high)
    else:
        for k in range(run.events.shape[0]):
            if run.events[k, events.ARMED] == 1 and _changes(run, k, first, False) == soonest:
                x = locate_root(run, t, h, k, PLACES[soonest - 1] if soonest > first else 0.0, PLACES[soonest])
                if x < earliest:
                    earliest, found = x, k
        if earliest < COLLAPSED and _repeatable(run) and false_alarm(run, t, PLACES[soonest] * h):
            return PLACES[soonest] * h, -1
    length = step_to_event(run, t, h, earliest, found)
    if length < 0:  # a step over a singular position, or one that cannot be made again or shorter: its dense output
        length = _read(run, t, h, earliest)
    return length, found
