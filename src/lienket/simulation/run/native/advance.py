"""The outline of every integrator: try a step, settle it or try another, write rows, stop when there is reason to.

What is the method's own is asked of it, see `method`. With control[FIXED] > 0 steps are not chosen here: each is as
long as that, and a rejected one ends the run.

Both states, now and tried, and their rates are in the run until the step is over. counts[FRESH] is 1 in the first
attempt after a start or a change from outside: then nothing may be taken over from steps before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.layout import work_size
from ....kernels.native.runtime.jit import entry, kernel
from ... import memory as at
from ...events.native.conditions import measure_now
from ...events.native.location import after_event, begin_events, first_event
from ...events.native.sign_flips import flip_sign
from ...stepping.native.accept_state import energy, rejection_reason
from ...stepping.native.method import attempt, call_method
from ...stepping.native.rates import near_singular, rates
from ...stepping.native.rows import write_times
from ...stepping.native.run_view import state, weighted
from ...stepping.native.singular_step import bridge_or_stop

REDUNDANT = 3  # the worst status that accelerations can have
FIRST_TROUBLES = 3  # rejections of a step after which no such attempt is made
MISSES = 4  # rounds of attempts at one position
SHORTEST = 1e-13  # a step, as a share of the whole run, that is too short
SHRINK = (1.0, 0.0, 0.25, 0.5, 0.5, 0.8, 0.5)
"""What is left of a step after each reason to reject it; INACCURATE has its own."""
CLOSE = 1 + 1e-9
"""A fixed step that ends so near to the end, as a share of the step, ends there."""


@entry
def advance(run: Any) -> Any:
    """Goes on with a run; why it stopped."""
    control, counts = run.control, run.counts
    fresh = counts[at.FRESH] == 1
    while fresh or control[at.T] < control[at.END]:
        if fresh:
            initialize(run)
            counts[at.EVENT] = begin_events(run) if counts[at.WATCHED] == 1 else -1
            if counts[at.EVENT] >= 0:
                return at.HAPPENED
            fresh = False
            continue
        if counts[at.LEFT] <= 0:
            return at.PAUSED
        if run.times.size == 0 and counts[at.FILLED] >= run.rows.shape[0]:
            return at.FULL
        t, h = control[at.T], step_length(control)
        counts[at.LEFT] -= 1
        counts[at.WORST], counts[at.BRIDGING] = 0, 0
        error = attempt(run, t, h)
        if not error <= 1 and near_singular(counts) and may_step_over(run):
            if run.model[at.OVER] == 0:
                return at.WANTS_OVER
            h, error = bridge_or_stop(run, t, h)
        reason = rejection_reason(run, t, h, error)
        if reason != 0:
            if not shorten(run, t, h, error, reason):
                return at.STUCK
            continue
        whole, counts[at.EVENT] = h, -1
        if counts[at.WATCHED] == 1:
            h, counts[at.EVENT] = first_event(run, t, h)
            if counts[at.EVENT] == at.UNRESOLVED:
                control[at.FACTOR] = max(0.1, control[at.USUAL_STEP] / h)
                if not shorten(run, t, h, error, at.INACCURATE):
                    return at.STUCK
                continue
        if run.times.size > 0:
            write_times(run, t, h, end_of_step(control, t, h))
        accept_step(run, t, h)
        if counts[at.EVENT] >= 0:
            control[at.H], fresh = max(control[at.H], whole), flip_sign(run)
            after_event(run)
            if not fresh:
                measure_now(run)
                return at.HAPPENED
            counts[at.FRESH] = 1
            continue
        if counts[at.WATCH] == 1 and call_method(run, at.LOOK, t, h) == 1:
            return at.STIFF_NOW
    return at.DONE


@kernel
def may_step_over(run: Any) -> Any:
    """Not too often, and only where constraints are: a spike of light masses alone must not be passed over."""
    counts = run.counts
    fair = counts[at.TROUBLE] < FIRST_TROUBLES and counts[at.MISSED] < MISSES
    return fair and run.model[at.ROWS] > 0 and run.control[at.FIXED] <= 0


@kernel
def initialize(run: Any) -> None:
    """The rates, the energy and how accelerations are usually found, at a start; and a first step."""
    t, now = run.control[at.T], state(run, at.NOW)
    run.counts[at.WORST] = 0
    found = rates(run, t, now, state(run, at.RATE))
    if run.counts[at.USUAL] < 0:
        run.counts[at.USUAL] = run.counts[at.WORST] if found else REDUNDANT
        if run.counts[at.WORST] == 1:
            run.control[at.GROWTH] = max(
                1e3, 30 * run.work[work_size(run.model[at.COORDINATES], run.model[at.ROWS]) - 1]
            )
    run.control[at.ENERGY] = energy(run, t, now)[0]
    if run.control[at.H] <= 0:
        run.control[at.H] = first_step(run, t, run.counts[at.ORDER]) if found else 1e-6 * (run.control[at.END] - t)
    call_method(run, at.START_OUT, t, run.control[at.H])


@kernel
def first_step(run: Any, t: Any, order: Any) -> Any:
    """A first step from the first and second derivative (Hairer, Norsett and Wanner I, II.4)."""
    y, f, x, g = state(run, at.NOW), state(run, at.RATE), state(run, at.TRIED), state(run, at.RATE_TRIED)
    size, slope = weighted(run, y, y, y), weighted(run, f, y, y)
    h = 0.01 * size / slope if size > 1e-5 and slope > 1e-5 else 1e-6
    h = min(h, run.control[at.END] - t, run.control[at.LARGEST])
    for i in range(y.size):
        x[i] = y[i] + h * f[i]
    if not rates(run, t + h, x, g):
        return 1e-3 * h
    for i in range(y.size):
        g[i] -= f[i]
    steepest = max(slope, weighted(run, g, y, y) / h)
    proposed = max(1e-6, 1e-3 * h) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / (order + 1))
    return min(100 * h, proposed)


@kernel
def end_of_step(control: Any, t: Any, h: Any) -> Any:
    """Where a step ends; the last one exactly at the end."""
    return control[at.END] if h * CLOSE >= control[at.END] - t else t + (h + control[at.LATE])


@kernel
def step_length(control: Any) -> Any:
    """The next step, not beyond the end, and no tiny one left before it."""
    left, fixed = control[at.END] - control[at.T], control[at.FIXED]
    if fixed > 0:
        return fixed if fixed <= left * CLOSE else left
    h = min(control[at.H], control[at.LARGEST])
    if h >= left:
        return left
    return 0.5 * left if h > 0.6 * left else h


@kernel
def shorten(run: Any, t: Any, h: Any, error: Any, reason: Any) -> Any:
    """Prepares another attempt; whether its step is long enough to be one."""
    counts, control = run.counts, run.control
    counts[at.REJECTED] += 1
    counts[at.TROUBLE] += 1
    counts[at.REASON] = reason
    if control[at.FIXED] > 0:
        return False
    control[at.H] = h * (control[at.FACTOR] if reason == at.INACCURATE else SHRINK[reason])
    least = 16 * np.spacing(max(abs(t), abs(control[at.END])))
    return control[at.H] > max(least, SHORTEST * (control[at.END] - control[at.BEGIN]))


@kernel
def accept_step(run: Any, t: Any, h: Any) -> None:
    """The tried state becomes the state now, and perhaps a row."""
    counts, control, m = run.counts, run.control, run.y.shape[1]
    factor = control[at.FACTOR]
    if counts[at.TROUBLE] > 0 and counts[at.REASON] != at.RANK_LOST:
        factor = min(factor, 1.0)
    if control[at.RATIO] > 0.01:
        factor = min(factor, 0.9 * control[at.RATIO] ** -0.125)
    if near_singular(counts) or counts[at.BRIDGING] == 1:
        if counts[at.PASSAGES] < run.log.shape[0]:
            entry = run.log[counts[at.PASSAGES]]
            entry[0], entry[1], entry[2] = t, t + h, counts[at.BRIDGING]
        counts[at.PASSAGES] += 1
    else:
        control[at.USUAL_STEP], counts[at.MISSED] = h, 0
        counts[at.USUAL] = min(counts[at.USUAL], counts[at.WORST])
    control[at.MOST_MOVED] = max(control[at.MOST_MOVED], control[at.MOVED])
    control[at.MOST_RATIO] = max(control[at.MOST_RATIO], control[at.RATIO])
    counts[at.BRIDGES] += counts[at.BRIDGING]
    counts[at.FRESH] = counts[at.BRIDGING]
    counts[at.TROUBLE] = 0
    counts[at.STEPS] += 1
    control[at.ENERGY] = control[at.REACH]
    control[at.T] = end_of_step(control, t, h)
    if control[at.FIXED] > 0:
        control[at.LATE] += h - (control[at.T] - t)
    end = control[at.T] >= control[at.END]
    if not end or control[at.H] <= h:
        control[at.H] = h * factor
    y = run.y
    for i in range(m):
        y[at.NOW, i] = y[at.TRIED, i]
        y[at.RATE, i] = y[at.RATE_TRIED, i]
    counts[at.SINCE] += 1
    if run.times.size == 0 and (counts[at.SINCE] >= counts[at.EVERY] or end or counts[at.EVENT] >= 0):
        counts[at.SINCE] = 0
        row = run.rows[counts[at.FILLED]]
        row[0], row[1], row[2] = control[at.T], h, counts[at.PART]
        for i in range(m):
            row[at.HEAD + i] = y[at.NOW, i]
        counts[at.FILLED] += 1
