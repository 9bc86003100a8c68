"""Steps in which no event can happen, and how long the next step may be for its samples to show the conditions.

Most steps are quiet: no armed condition changes its sign at the quarters of the step, and each stays farther from zero
than it can move between two of them. One pass over the samples decides that. Conditions of time alone are not sampled
at all, since their roots are known times, at which steps end (`stepping.native.known_times`).

The samples of a step may be so far apart that a condition oscillates between them and looks smooth: waves of four
periods in a step show nothing at its quarters. The fourth difference of a smooth condition grows with the fourth power
of the step, so that of one step tells how long the next may be until the samples no longer resolve the condition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control, events, states
from ...stepping.native.known_times import model_time
from ...stepping.native.run_view import state
from .conditions import SAMPLE_POINTS, measure_tried, write_conditions
from .dips import FASTEST_MEMORY, LONGEST_INTERVAL, RATE_MARGIN
from .sides import CONDITION_ROUNDING, START_TIE, clear_value, scan

MIDDLE, LAST = 7, len(SAMPLE_POINTS) - 1  # samples at the middle and at the end of a step
RESOLVED_SPAN = 0.1  # [1] fourth difference over the quarters of a step, relative to the condition's range, expected
RESOLVED_VALUE = 0.4  # [1] the same relative to its distance from zero; the larger limit counts
BENDING_MEMORY = 2.0**-4  # [1] decrease of the expected bending in a step, which lets steps double
DIFFERENCE_ROUNDING = 1e-14  # [1] fourth difference, relative to the condition, that counts as rounding
LARGEST_BENDING = 1e200  # [1/s^4] of a step of 1e-50
LEAST_GROWTH = 1.2  # [1] growth of a step below which it keeps its length


@kernel
def needs_samples(run: Any) -> Any:
    """Return whether an armed condition depends on more than time."""
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.OF_TIME] == 0:
            return True
    return False


@kernel
def pass_by_time(run: Any, t: Any, h: Any, end: Any) -> None:
    """Store the sides of conditions of time alone at the end of a step; none changes its sign within the step."""
    unknown = False
    for k in range(run.events.shape[0]):
        unknown = unknown or (run.events[k, events.ARMED] == 1 and run.events[k, events.SIDE] == 0)
    measure_tried(run, end, LAST)
    if unknown:  # at both ends of the step the conditions may be zero
        tried, rate = state(run, states.TRIED), state(run, states.RATE_TRIED)
        write_conditions(run, model_time(run, t + 0.5 * h), tried, rate, MIDDLE, True)
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            start, g = run.events[k, events.START], run.events[k, events.SAMPLES + LAST]
            if run.events[k, events.SIDE] == 0:
                clear, middle = clear_value(run, k), run.events[k, events.SAMPLES + MIDDLE]
                run.events[k, events.SIDE] = _first_side(start, middle, g, clear)
            run.events[k, events.START], run.events[k, events.SLOPE] = g, (g - start) / h


@kernel
def _first_side(start: Any, middle: Any, end: Any, clear: Any) -> Any:
    """Return the sign that a condition shows first in a step, 0 if none is clear: at a root, or a moment before it.

    At the start it is clear above `clear`, later if the condition has grown since.
    """
    if abs(start) > clear:
        return np.sign(start)
    least = max(START_TIE * abs(start), CONDITION_ROUNDING * max(abs(middle), abs(end)))
    if abs(middle) > least:
        return np.sign(middle)
    return np.sign(end) if abs(end) > least else 0.0


@kernel
def is_quiet(run: Any, h: Any) -> Any:
    """Return whether no armed condition can pass zero in a step that does not begin at an event."""
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.OF_TIME] == 0:
            side = run.events[k, events.SIDE]
            last = events.SAMPLES + LAST
            g, a, b = run.events[k, events.START], run.events[k, last - 3], run.events[k, last - 2]
            c, d = run.events[k, last - 1], run.events[k, last]
            most = max(abs(a - g), abs(b - a), abs(c - b), abs(d - c)) / LONGEST_INTERVAL
            rate = RATE_MARGIN * max(most, abs(run.events[k, events.SLOPE]) * h)
            rate = max(rate, run.events[k, events.FASTEST] * h)
            least = 0.5 * LONGEST_INTERVAL * rate
            # written so that a condition that is not a number is not quiet
            if not (side * g > least and side * a > least and side * b > least):
                return False
            if not (side * c > least and side * d > least):
                return False
    return True


@kernel
def keep_conditions(run: Any, h: Any, first: Any, quiet: Any) -> None:
    """Store each condition at the end of a step without events, its side and rate, and limit the next step.

    The samples begin at the index `first`; in a `quiet` step the sides do not change.
    """
    bending = keep_bending(run, h, quiet)
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            if not quiet or run.events[k, events.OF_TIME] == 1:
                run.events[k, events.SIDE] = scan(run, k, first, LAST + 1)[1]
            g, before = run.events[k, events.SAMPLES + LAST], run.events[k, events.SAMPLES + LAST - 1]
            run.events[k, events.SLOPE] = (g - before) / ((1.0 - SAMPLE_POINTS[LAST - 1]) * h)
            run.events[k, events.START] = g
    limit_growth(run, h, bending)


@kernel
def limit_growth(run: Any, h: Any, bending: Any) -> None:
    """Limit the step after one of the length h to what is expected to be resolved, but not to less than h."""
    factor = run.control[control.STEP_FACTOR]
    squared = factor * h * factor * h
    if bending * squared * squared > 1:
        longer = bending**-0.25 / h
        run.control[control.STEP_FACTOR] = min(factor, longer if longer > LEAST_GROWTH else 1.0)


@kernel
def keep_bending(run: Any, h: Any, quiet: Any) -> Any:
    """Store how much each armed condition bends in a step; return the largest, see `_bending_of`."""
    most = 0.0
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.OF_TIME] == 0:
            most = max(most, _bending_of(run, k, h, quiet))
    return most


@kernel
def _bending_of(run: Any, k: Any, h: Any, quiet: Any) -> Any:
    """Return L^-4 of the longest step L whose samples are expected to resolve condition k, and store it.

    In a `quiet` step the steepest rate of the condition is stored as well.
    """
    last = events.SAMPLES + LAST
    g, a, b = run.events[k, events.START], run.events[k, last - 3], run.events[k, last - 2]
    c, d = run.events[k, last - 1], run.events[k, last]
    if quiet:
        seen = max(abs(a - g), abs(b - a), abs(c - b), abs(d - c)) / (LONGEST_INTERVAL * h)
        run.events[k, events.FASTEST] = max(seen, FASTEST_MEMORY * run.events[k, events.FASTEST])
    bending = run.events[k, events.BENDING] * BENDING_MEMORY
    least, largest = min(abs(g), abs(a), abs(b), abs(c), abs(d)), max(abs(g), abs(a), abs(b), abs(c), abs(d))
    if largest > clear_value(run, k):
        span = max(g, a, b, c, d) - min(g, a, b, c, d)
        limit = max(RESOLVED_SPAN * span, RESOLVED_VALUE * least)
        fourth = abs(g - 4 * a + 6 * b - 4 * c + d) - DIFFERENCE_ROUNDING * largest
        if fourth > 0:  # not if a sample is not a number
            bending = max(bending, min(fourth / (limit * h * h * h * h), LARGEST_BENDING))
    run.events[k, events.BENDING] = bending
    return bending
