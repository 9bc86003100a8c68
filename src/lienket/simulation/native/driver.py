"""The outline of every integrator: try a step, settle it or try another, write rows, stop when there is reason to.

A method brings three functions:

    attempt(run, t, h)            fills the tried state at t + h; its error (1 is just good enough), or less than 0 if
                                  there is none; control[FACTOR] proposes the next step
    dense(run, t, h)              prepares interpolation in the accepted step from t to t + h
    interpolate(run, h, x, out)   the state at t + x h

and, if it wants them otherwise, its own `begin(run, order)` and `settle(run, t, h)`.

With control[FIXED] > 0 steps are not chosen here: each is as long as that, and a rejected one ends the run.

Both states, now and tried, and their rates are in the run until the step is over. counts[FRESH] is 1 in the first
attempt after a start or a change from outside: then nothing may be taken over from steps before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.native.jit import entry, kernel
from . import memory as at
from .bridge import FAILED, bridge, bridge_interpolate
from .events import after_event, begin_events, events_with
from .project import project
from .rates import rates
from .run import state, weighted
from .settle import energy, settle

REDUNDANT = 3  # the worst status that accelerations can have
BRIDGES = 16  # attempts at a step over a singular position
FIRST_TROUBLES = 3  # rejections of a step after which no such attempt is made
MISSES = 4  # rounds of attempts at one position
SHORTEST = 1e-13  # a step, as a share of the whole run, that is too short
SHRINK = (1.0, 0.0, 0.25, 0.5, 0.5, 0.8, 0.5)
"""What is left of a step after each reason to reject it; INACCURATE has its own."""
CLOSE = 1 + 1e-9
"""A fixed step that ends so near to the end, as a share of the step, ends there."""


def advance_with(
    attempt: Any, dense: Any, interpolate: Any, order: int, own_begin: Any = None, own_settle: Any = None,
    watch: Any = None,
) -> Any:  # fmt: skip
    """The entry `advance(words)` of a method whose error is of that order; see `memory`."""
    first, judged, stiff = own_begin or begin, judged_with(own_settle or settle), watch or _never

    write_times = times_with(dense, interpolate)
    happened = events_with(attempt, judged, dense, interpolate)

    @entry
    def advance(run: Any) -> Any:
        control, counts = run.control, run.counts
        if counts[at.FRESH] == 1:
            first(run, order)
            if counts[at.WATCHED] == 1:
                counts[at.EVENT] = begin_events(run)
                if counts[at.EVENT] >= 0:
                    return at.HAPPENED
        while control[at.T] < control[at.END]:
            if counts[at.LEFT] <= 0:
                return at.PAUSED
            if run.times.size == 0 and counts[at.FILLED] >= run.rows.shape[0]:
                return at.FULL
            t, h = control[at.T], step_length(control)
            counts[at.LEFT] -= 1
            counts[at.WORST], counts[at.BRIDGING] = 0, 0
            error = attempt(run, t, h)
            fair = counts[at.TROUBLE] < FIRST_TROUBLES and counts[at.MISSED] < MISSES and control[at.FIXED] <= 0
            if not error <= 1 and near_singular(counts) and fair:
                h, error = over(run, t, h, error)
            reason = judged(run, t, h, error)
            if reason != 0:
                if not shorter(run, t, h, error, reason):
                    return at.STUCK
                continue
            whole, counts[at.EVENT] = h, -1
            if counts[at.WATCHED] == 1:
                h, counts[at.EVENT] = happened(run, t, h)
            if run.times.size > 0:
                write_times(run, t, h)
            accept(run, t, h)
            if counts[at.EVENT] >= 0:
                control[at.H] = max(control[at.H], whole)
                after_event(run)
                return at.HAPPENED
            if counts[at.WATCH] == 1 and stiff(run, h):
                return at.STIFF_NOW
        return at.DONE

    return advance


@kernel
def _never(run: Any, h: Any) -> Any:
    """What is implicit need not look for stiffness."""
    return False


def times_with(dense: Any, interpolate: Any) -> Any:
    """The function write_times(run, t, h) of a method."""

    @kernel
    def write_times(run: Any, t: Any, h: Any) -> None:
        """Rows at the times in the step from t to t + h, by dense output."""
        counts, times, prepared, end = run.counts, run.times, False, arrival(run.control, t, h)
        while counts[at.NEXT] < times.size and times[counts[at.NEXT]] <= end:
            time, row = times[counts[at.NEXT]], run.rows[counts[at.FILLED]]
            row[0], row[1], row[2], out = time, time - t, counts[at.PART], row[at.HEAD :]
            if time == end:
                tried = state(run, at.TRIED)
                for i in range(tried.size):
                    out[i] = tried[i]
            elif counts[at.BRIDGING] == 1:
                bridge_interpolate(run, h, (time - t) / h, out)
                project(run, time, out)
            else:
                if not prepared:
                    dense(run, t, h)
                    prepared = True
                interpolate(run, h, (time - t) / h, out)
                project(run, time, out)
            counts[at.NEXT] += 1
            counts[at.FILLED] += 1

    return write_times


@kernel
def begin(run: Any, order: Any) -> None:
    """The rates, the energy and how accelerations are usually found, at a start; and a first step."""
    t, now = run.control[at.T], state(run, at.NOW)
    run.counts[at.WORST] = 0
    found = rates(run, t, now, state(run, at.RATE))
    if run.counts[at.USUAL] < 0:
        run.counts[at.USUAL] = run.counts[at.WORST] if found else REDUNDANT
        if run.counts[at.WORST] == 1:
            run.control[at.GROWTH] = max(1e3, 30 * run.work[run.work.size - 1])
    run.control[at.ENERGY] = energy(run, t, now)[0]
    if run.control[at.H] <= 0:
        run.control[at.H] = first_step(run, t, order) if found else 1e-6 * (run.control[at.END] - t)


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
def arrival(control: Any, t: Any, h: Any) -> Any:
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
def near_singular(counts: Any) -> Any:
    """Whether accelerations were hard to find in this step that usually are not."""
    return counts[at.WORST] < 0 or counts[at.WORST] > counts[at.USUAL]


@kernel
def over(run: Any, t: Any, h: Any, error: Any) -> Any:
    """A step over the singular position near the step that was tried: its length and error; or that step, if none is.

    It is made longer as long as it ends too near, and shorter if it is not accurate.
    """
    counts, worst, length = run.counts, run.counts[at.WORST], max(h, run.control[at.USUAL_STEP])
    for _ in range(BRIDGES):
        length = min(length, run.control[at.END] - t)
        found = bridge(run, t, length)
        if 0 <= found <= 1:
            counts[at.WORST] = 0
            rates(run, t + length, state(run, at.TRIED), state(run, at.RATE_TRIED))
            if not near_singular(counts) or t + length >= run.control[at.END]:
                counts[at.BRIDGING] = 1
                return length, found
        if found <= 1 and t + length >= run.control[at.END]:
            break
        length *= 0.8 if found > 1 else 1.25
    counts[at.MISSED] += 1
    counts[at.WORST] = worst
    return h, FAILED


def judged_with(settle: Any) -> Any:
    """The judgement on a step by its error, then by what `settle` finds."""

    @kernel
    def judged(run: Any, t: Any, h: Any, error: Any) -> Any:
        """0 if the step may be accepted, else the reason why not."""
        if not error >= 0:
            return failed(run.counts)
        return at.INACCURATE if error > 1 else settle(run, t, h)

    return judged


@kernel
def failed(counts: Any) -> Any:
    """The reason why an attempt gave nothing."""
    if counts[at.WORST] < 0:
        return at.NO_ACCELERATION
    return at.RANK_LOST if near_singular(counts) else at.NOT_CONVERGED


@kernel
def shorter(run: Any, t: Any, h: Any, error: Any, reason: Any) -> Any:
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
def accept(run: Any, t: Any, h: Any) -> None:
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
    control[at.T] = arrival(control, t, h)
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
