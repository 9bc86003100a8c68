"""Location of events: roots of the conditions g(q, q', q'', lambda, t) within a step, and the step to the first root.

Conditions are evaluated at several sample points of an accepted step by its dense output; right after an event also
very close to the start of the step, since the event may be reversed at once. The first change to a sign that its event
waits for is located between two samples to 1e-13 of the step. Then the step is repeated with this length, which is
corrected until the condition vanishes at its end: the event is as accurate as the method, not only as its dense output.
A multistep method cannot repeat a step; there the dense output is used, and the method restarts.
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
from .clear_step import all_resolved, fill_rates, is_clear, keep_clear_step, keep_rates
from .conditions import FIRST_SAMPLE, SAMPLE_POINTS, between, condition, measure, measure_tried
from .dips import first_change, first_dip
from .instant import due_at_end, instant, mark_due
from .quiet import is_quiet, keep_bending, keep_conditions, limit_growth, needs_samples, pass_by_time
from .resolution import false_alarm, suspicious_sample, unresolved
from .sides import scan

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
    run.control[control.SINCE_EVENT] = since
    if since > 0:
        run.control[control.H] = min(run.control[control.H], STEP_AFTER_EVENTS * since)
    if run.counts[counts.MULTISTEP] == 1:
        run.counts[counts.RESTART] = 1


@kernel
def locate_root(run: Any, t: Any, h: Any, k: Any, low: Any, high: Any) -> Any:
    """Return the fraction of the step at which condition k is zero, between two fractions.

    Inverse quadratic interpolation where it is monotone over the three points, otherwise bisection (Chandrupatla, Adv.
    Eng. Software 28, 1997): `a` is the newest point, `b` the end of the bracket on the other side, `c` the point before
    them. What is zero or no number counts as before the root, so that a condition may leave zero there.
    """
    b, fb = low, condition(run, t, h, low, k) if low > 0 else run.events[k, events.START]
    a, fa = high, condition(run, t, h, high, k)
    c, fc, sign, part = b, fb, np.sign(fa), fa / (fa - fb)
    if fb * sign > 0:
        return low
    for _ in range(ROOT_LIMIT):
        width = abs(b - a)
        if width <= ROOT_TOLERANCE:
            break
        least = 0.5 * ROOT_TOLERANCE / width
        x = a + (min(max(part, least), 1.0 - least) if 0 <= part <= 1 else 0.5) * (b - a)
        g = condition(run, t, h, x, k)
        if (g * sign > 0) == (fa * sign > 0):
            c, fc = a, fa
        else:
            b, fb, c, fc = a, fa, b, fb
        a, fa = x, g
        place, value, part = (a - b) / (c - b), (fa - fb) / (fc - fb), 0.5
        if value * value < place and (1.0 - value) * (1.0 - value) < 1.0 - place:
            part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
    return a if abs(fa) < abs(fb) or not abs(fb) >= 0 else b


@kernel
def _repeatable(run: Any) -> Any:
    """Return whether the step can be repeated."""
    return run.counts[counts.BRIDGING] == 0 and run.counts[counts.MULTISTEP] == 0


@kernel
def _repeat(run: Any, t: Any, h: Any) -> None:
    """Make the whole step again after attempts with other lengths, with its end and its dense output."""
    rejection_reason(run, t, h, attempt(run, t, h))
    call_method(run, requests.DENSE, t, h)


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
        _repeat(run, t, h)
    write_within(run, t, h, t + x * h)
    y, tried = between(run, t, h, x), state(run, states.TRIED)
    if run.counts[counts.BRIDGING] == 0:
        read_work(run, t, h, x)
    for i in range(y.size):
        tried[i] = y[i]
    call_accept_state(run, t, x * h)
    return x * h


@kernel
def earliest_root(run: Any, t: Any, h: Any, first: Any) -> Any:
    """Return the first event of a sampled step or -1, the fraction of the step, the index of the sample after it.

    The last number returned is 1 if the condition has changed its sign at that sample, 0 if it dips between two.
    """
    event, earliest, after, at_sample = -1, 2.0, len(SAMPLE_POINTS), 0
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.OF_TIME] == 0:
            j = scan(run, k, first, len(SAMPLE_POINTS))[0]
            if 0 <= j < after:
                after = j
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.OF_TIME] == 0:
            dip, low, high = first_dip(run, t, h, k, first, min(after + 1, len(SAMPLE_POINTS)))
            j = after if dip < 0 else dip
            if dip < 0 and (after == len(SAMPLE_POINTS) or scan(run, k, first, after + 1)[0] < 0):
                continue
            if dip < 0:
                low, high = SAMPLE_POINTS[j - 1] if j > first else 0.0, SAMPLE_POINTS[j]
                low, high = first_change(run, t, h, k, low, high)
            x = locate_root(run, t, h, k, low, high)
            if x < earliest:
                event, earliest, after, at_sample = k, x, j, 1 if dip < 0 else 0
    return event, earliest, after, at_sample


@kernel
def first_event(run: Any, t: Any, h: Any, end: Any) -> Any:
    """Return the length of the step up to its first event, and the event; the whole length and -1 without one.

    `end` is the time at which the whole step ends.
    """
    first = FIRST_SAMPLE if run.counts[counts.JUST_HAPPENED] == 0 else 0
    if not needs_samples(run):
        pass_by_time(run, t, h, end)
        run.counts[counts.JUST_HAPPENED] = 0
        return h, -1
    measure_tried(run, end, len(SAMPLE_POINTS) - 1)  # while its multipliers are in memory
    known = run.counts[counts.BRIDGING] == 0 and all_resolved(run)
    if known:
        fill_rates(run, h, end)
        if first == FIRST_SAMPLE and end < run.control[control.END] and is_clear(run, h):
            limit_growth(run, h, keep_clear_step(run))
            keep_rates(run, True)
            return h, -1
    if run.counts[counts.BRIDGING] == 0:
        call_method(run, requests.DENSE, t, h)
    for j in range(first, len(SAMPLE_POINTS) - 1):
        measure(run, t + SAMPLE_POINTS[j] * h, between(run, t, h, SAMPLE_POINTS[j]), j, False)
    if run.counts[counts.BRIDGING] == 0 and unresolved(run, h):
        return h, UNRESOLVED
    quiet = first == FIRST_SAMPLE and is_quiet(run, h)
    event, x, after, at_sample = (-1, 2.0, len(SAMPLE_POINTS), 0) if quiet else earliest_root(run, t, h, first)
    if end >= run.control[control.END] and (event < 0 or (1.0 - x) * h <= instant(t, h)):
        last = due_at_end(run, h, first)
        if last >= 0:
            return h, last
    if event < 0:
        keep_conditions(run, h, first, quiet)
        keep_rates(run, known)
        run.counts[counts.JUST_HAPPENED] = 0
        return h, -1
    suspicious = suspicious_sample(run, t, h, event, first, after, x < SUSPICIOUS_ROOT) if at_sample == 1 else -1
    if suspicious >= 0 and _repeatable(run):
        shorter = SAMPLE_POINTS[suspicious] * h
        if false_alarm(run, t, shorter, event, suspicious):
            return shorter, -1
        _repeat(run, t, h)
    mark_due(run, t, h, x, event, first, after, at_sample == 1)
    bending = keep_bending(run, h, False)
    length = step_to_event(run, t, h, x, event)
    if length < 0:  # a step over a singular position, or one that cannot be repeated or shortened
        length = _end_by_dense_output(run, t, h, x)
    limit_growth(run, length, bending)
    return length, event
