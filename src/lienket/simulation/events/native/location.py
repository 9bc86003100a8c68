"""Location of events: roots of the conditions g(q, q', q'', lambda, t) within a step, and the step to the first root.

Conditions are evaluated at several sample points of an accepted step by its dense output; right after an event also
very close to the start of the step, since the event may be reversed at once. The first change to a sign that its event
waits for is located between two samples to 1e-13 of the step. Then the step is repeated with this length, which is
corrected until the condition vanishes at its end: the event is as accurate as the method, not only as its dense output.
A multistep method cannot repeat a step; there the dense output is used, and the method restarts.

`side` is the last sign of a condition that was clearly not zero. It is 0 where that is unknown: at a start on a root,
or when the event has just happened. Then the first clear sign becomes the side and no event happens, unless the
opposite sign is expected (a contact that has just opened): then the event happens at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, UNRESOLVED, control, counts, events, requests, states
from ...stepping.native.accept_state import call_accept_state, rejection_reason
from ...stepping.native.method import attempt, call_method
from ...stepping.native.rates import rates
from ...stepping.native.rows import read_work, write_within
from ...stepping.native.run_view import state
from .conditions import FIRST_SAMPLE, SAMPLE_POINTS, between, condition, measure, measure_now, measure_tried
from .resolution import double_crossing, false_alarm, unresolved

CLEAR_SIGN = 1e-9  # [1] condition relative to its largest value in a run, above which its sign is certain
START_TIE = 4.0  # [1] ratio to the condition at the start of the step that a first clear sign must exceed
CONDITION_ROUNDING = 1e-14  # [1] condition relative to its largest value in a step that counts as rounding
SUSPICIOUS_ROOT = 1e-3 * SAMPLE_POINTS[0]  # [1] root, as a fraction of the step, below which the step is repeated
ROOT_TOLERANCE = 1e-13  # [1] accuracy of a root, relative to the step
ROOT_LIMIT = 100  # [iterations] of the search for a root
CORRECTION_LIMIT = 3  # [iterations] of the length of the repeated step
SLOPE_DISTANCE = 1e-4  # [1] distance for slopes and largest correction of the length, relative to the step
SHIFT_LIMIT = 1e-8  # [1] largest shift of a state along its rates, relative to the step; its square is the error
STEP_AFTER_EVENTS = 1000.0  # [1] longest step after an event, relative to the time between the last two events


@kernel
def after_event(run: Any) -> None:
    """Set the side of the event that has happened to 0, limit the next step, and restart a multistep method.

    The limit keeps steps from passing over the next event where the intervals between events shrink.
    """
    run.events[run.counts[counts.EVENT], events.SIDE] = 0
    since, run.control[control.LAST_EVENT] = (
        run.control[control.T] - run.control[control.LAST_EVENT],
        run.control[control.T],
    )
    if since > 0:
        run.control[control.H] = min(run.control[control.H], STEP_AFTER_EVENTS * since)
    if run.counts[counts.MULTISTEP] == 1:
        run.counts[counts.RESTART] = 1


@kernel
def waits_for(direction: Any, value: Any) -> Any:
    """Return whether an event waits for a change to the sign of the value."""
    return direction == 0 or direction * value > 0


@kernel
def begin_events(run: Any) -> Any:
    """Evaluate the conditions at the current state; return the first event caused by the last switch, or -1."""
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
    """Return the index of the first sample after event k, or -1; with `commit` set its side at the end of the step."""
    side, most, floor = run.events[k, events.SIDE], abs(run.events[k, events.START]), run.events[k, events.ROUNDING]
    # Against its largest value in the run: in a short step after an event all values are rounding. That of a gap is
    # known; the largest gap may be that of a step far beyond the event, and would hide bounces.
    clear = floor if floor > 0 else CLEAR_SIGN * run.events[k, events.LARGEST]
    for j in range(first, len(SAMPLE_POINTS)):
        g = run.events[k, events.SAMPLES + j]
        most = max(most, abs(g)) if g == g else most
    if side == 0 and abs(run.events[k, events.START]) > clear:  # otherwise the next samples decide
        if run.events[k, events.START] * run.events[k, events.EXPECTED] < 0:
            return first
        side = np.sign(run.events[k, events.START])
    least = max(START_TIE * abs(run.events[k, events.START]), CONDITION_ROUNDING * most, floor)
    for j in range(first, len(SAMPLE_POINTS)):
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
        run.events[k, events.SIDE], run.events[k, events.START] = (
            side,
            run.events[k, events.SAMPLES + len(SAMPLE_POINTS) - 1],
        )
    return -1


@kernel
def locate_root(run: Any, t: Any, h: Any, k: Any, low: Any, high: Any) -> Any:
    """Return the fraction of the step at which condition k is zero, between two fractions: Illinois and bisection."""
    below = condition(run, t, h, low, k) if low > 0 else run.events[k, events.START]
    above = condition(run, t, h, high, k)
    sign, last, x = np.sign(above), 0, high
    if below * sign > 0:
        return low
    for i in range(ROOT_LIMIT):
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
        if high - low <= ROOT_TOLERANCE or (abs(x - before) <= ROOT_TOLERANCE and i % 3 != 0):
            break
    return x


@kernel
def _repeatable(run: Any) -> Any:
    """Return whether the step can be repeated."""
    return run.counts[counts.BRIDGING] == 0 and run.counts[counts.MULTISTEP] == 0


@kernel
def step_to_event(run: Any, t: Any, h: Any, x: Any, k: Any) -> Any:
    """Repeat the step up to the fraction x and correct its length; return the length, or -1 if that fails.

    The end of the step is in TRIED.
    """
    a, b = max(x - SLOPE_DISTANCE, 0.0), min(x + SLOPE_DISTANCE, 1.0)
    slope = (condition(run, t, h, b, k) - condition(run, t, h, a, k)) / (b - a)
    length = x * h
    for i in range(CORRECTION_LIMIT if _repeatable(run) else 0):
        error = attempt(run, t, length)
        if not 0 <= error <= 1 or rejection_reason(run, t, length, error) != 0:
            break
        measure_tried(run, t + length, EVENT_SAMPLES)
        change = -run.events[k, events.PROBE] / slope if slope != 0 else 0.0
        if not abs(change) < SLOPE_DISTANCE or abs(change) <= ROOT_TOLERANCE or i == CORRECTION_LIMIT - 1:
            return length
        if abs(change) <= SHIFT_LIMIT and 0 <= length + change * h <= h:
            return length + change * h if shift_state(run, t + length, change * h) else -1.0
        length = min(max(length + change * h, 0.0), h)
    return -1.0


@kernel
def shift_state(run: Any, t: Any, h: Any) -> Any:
    """Move the tried state from t to t + h along its rates, for a tiny h; return whether it has rates there."""
    tried, rate = state(run, states.TRIED), state(run, states.RATE_TRIED)
    for i in range(tried.size):
        tried[i] += h * rate[i]
    run.control[control.ENERGY_TRIED] += h * rate[tried.size - 1]  # E changes by the work
    return rates(run, t + h, tried, rate)


@kernel
def _end_by_dense_output(run: Any, t: Any, h: Any, x: Any) -> Any:
    """End the step at the fraction x by dense output, after the whole step was repeated if possible; return x h.

    Rows at earlier times are written first, since the dense output belongs to the whole step.
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
    call_accept_state(run, t, x * h)
    return x * h


@kernel
def first_event(run: Any, t: Any, h: Any) -> Any:
    """Return the length of the step up to its first event, and the event; the whole length and -1 without one."""
    first = FIRST_SAMPLE if run.counts[counts.JUST_HAPPENED] == 0 else 0
    measure_tried(run, t + h, len(SAMPLE_POINTS) - 1)  # while its multipliers are in memory
    if run.counts[counts.BRIDGING] == 0:
        call_method(run, requests.DENSE, t, h)
    for j in range(first, len(SAMPLE_POINTS) - 1):
        measure(run, t + SAMPLE_POINTS[j] * h, between(run, t, h, SAMPLE_POINTS[j]), j)
    if run.counts[counts.BRIDGING] == 0 and unresolved(run, h):
        return h, UNRESOLVED
    event, soonest, earliest = -1, len(SAMPLE_POINTS), 2.0
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            j = _changes(run, k, first, False)
            if 0 <= j <= soonest:
                soonest = j
    if soonest == len(SAMPLE_POINTS):
        event, low, high = double_crossing(run, t, h, first)
        if event < 0:
            for k in range(run.events.shape[0]):
                if run.events[k, events.ARMED] == 1:
                    _changes(run, k, first, True)
            run.counts[counts.JUST_HAPPENED] = 0
            return h, -1
        earliest = locate_root(run, t, h, event, low, high)
    else:
        for k in range(run.events.shape[0]):
            if run.events[k, events.ARMED] == 1 and _changes(run, k, first, False) == soonest:
                x = locate_root(
                    run, t, h, k, SAMPLE_POINTS[soonest - 1] if soonest > first else 0.0, SAMPLE_POINTS[soonest]
                )
                if x < earliest:
                    earliest, event = x, k
        if earliest < SUSPICIOUS_ROOT and _repeatable(run) and false_alarm(run, t, SAMPLE_POINTS[soonest] * h):
            return SAMPLE_POINTS[soonest] * h, -1
    length = step_to_event(run, t, h, earliest, event)
    if length < 0:  # a step over a singular position, or one that cannot be repeated or shortened
        length = _end_by_dense_output(run, t, h, earliest)
    return length, event
