"""Dips: conditions that pass through zero and come back between two samples of a step.

Let D be the steepest descent towards zero and U the steepest ascent between samples of the step, or between the last
two of the previous step, both with a margin. A condition with these rates, g(a) and g(b) > 0 at both ends of an
interval of length d, is nowhere less than the intersection of two lines,

    (U g(a) + D g(b) - U D d)/(U + D).

Where this bound is positive, and where the condition only ascends or only descends, nothing is computed. Otherwise the
interval is halved until the bound holds in each part; in small parts for the rates found there. The vertex of the
parabola through three points is looked at first, where a smooth condition has its minimum. Beyond the last sample the
rate is unknown; it counts as the steepest of all.

A step may become so long that a condition oscillates between its samples. They are then no smooth sequence, or show
smaller rates than the steps before (events.FASTEST). There the steepest rate of all takes the place of D and U.

A part that is still undecided after DIP_LEVELS halvings, and no straight line, is counted in events.UNSEEN, which the
audit reports.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import events
from .conditions import FIRST_SAMPLE, SAMPLE_POINTS, condition
from .sides import clear_value

LONGEST_INTERVAL = 0.25  # [1] between two sample points, as a fraction of the step
DIP_LEVELS = 12  # [halvings] of the interval between two samples
DIP_EVALUATIONS = 200  # [evaluations] of a condition between two samples, for a condition with many minima
RATE_MARGIN = 2.0  # [1] ratio of the steepest rate within a step to the steepest between its samples
ROUGH = 0.02  # [1] fourth difference over the quarters of a step, relative to the range, above which rates are unknown
SLOWER = 1.5  # [1] ratio of the steepest rate of recent steps to that between samples from which it is expected again
FASTEST_MEMORY = 0.9  # [1] share of the steepest rate that is expected again in the next step
RESOLVED_LEVEL = 2  # [halvings] after which the rates of a part itself count
CHANGE_PARTS = 8  # [parts] of an interval in which the first of several changes of sign is searched
STRAIGHT = 0.02  # [1] second difference of three points relative to their range, up to which they lie on a line
LOCAL_MARGIN = 1.25  # [1] ratio of the steepest rate within such a part to the steepest between its three points


@kernel
def steepest(run: Any, k: Any, h: Any, first: Any) -> Any:
    """Return the largest rise and fall of condition k between samples, per step; its least distance from zero; a rate.

    Rise and fall have a margin. The rate holds for both directions: 0 where the samples are smooth and show the rates
    of recent steps, otherwise the steepest of all.
    """
    x, g, rise, fall = 0.0, run.events[k, events.START], 0.0, 0.0
    least = abs(g)
    for j in range(first, len(SAMPLE_POINTS)):
        y, value = SAMPLE_POINTS[j], run.events[k, events.SAMPLES + j]
        slope = (value - g) / (y - x)
        rise, fall = max(rise, slope), max(fall, -slope)
        least = min(least, abs(value))
        x, g = y, value
    fastest, seen, slope = run.events[k, events.FASTEST] * h, max(rise, fall), run.events[k, events.SLOPE] * h
    run.events[k, events.FASTEST] = max(seen, FASTEST_MEMORY * fastest) / h
    rise, fall = RATE_MARGIN * max(rise, slope), RATE_MARGIN * max(fall, -slope)
    if fastest > SLOWER * seen or _is_rough(run, k):
        return rise, fall, least, max(fastest, rise, fall)
    return rise, fall, least, 0.0


@kernel
def _is_rough(run: Any, k: Any) -> Any:
    """Return whether the fourth difference of condition k over the quarters of the step is large for its range."""
    g, last = run.events[k, events.START], events.SAMPLES + len(SAMPLE_POINTS) - 1
    a, b, c, d = run.events[k, last - 3], run.events[k, last - 2], run.events[k, last - 1], run.events[k, last]
    return abs(g - 4 * a + 6 * b - 4 * c + d) > ROUGH * (max(g, a, b, c, d) - min(g, a, b, c, d))


@kernel
def bound(a: Any, b: Any, size: Any, descent: Any, ascent: Any) -> Any:
    """Return the smallest value between two points `size` apart with the values a and b > 0, for these rates."""
    if descent <= 0 or ascent <= 0:
        return min(a, b)
    return min(a, b, (ascent * a + descent * b - ascent * descent * size) / (ascent + descent))


@kernel
def vertex(a: Any, middle: Any, b: Any) -> Any:
    """Return the place of the vertex of the parabola through (-1, a), (0, middle), (1, b); 0 if it is not between."""
    slope, bend = 0.5 * (b - a), 0.5 * (a + b) - middle
    return -0.5 * slope / bend if bend > 0 and abs(slope) < 2 * bend else 0.0


@kernel
def resolved(a: Any, middle: Any, b: Any, size: Any, descent: Any, ascent: Any) -> Any:
    """Return whether the bound holds for the steeper rate between three equidistant points, towards zero and back.

    Also where the value in the middle is not a number.
    """
    rate = 2 * LOCAL_MARGIN * max(abs(middle - a), abs(b - middle)) / size
    return middle != middle or bound(a, b, size, min(descent, rate), min(ascent, rate)) > 0


@kernel
def straight(a: Any, middle: Any, b: Any) -> Any:
    """Return whether three equidistant points lie on a straight line, as shortly before a zero that is passed."""
    return abs(a - 2 * middle + b) <= STRAIGHT * abs(b - a)


@kernel
def dip_between(run: Any, t: Any, h: Any, k: Any, ends: Any, values: Any, rates: Any) -> Any:
    """Return a place between two samples at which condition k is beyond zero; -1 if there is none.

    `ends` are the fractions of the step, `values` the condition there, `rates` the steepest descent and ascent.
    """
    side, (descent, ascent), size = np.sign(values[0]), rates, ends[1] - ends[0]
    low, a, level, number = ends[0], abs(values[0]), 0, 0
    clear = clear_value(run, k)
    for _ in range(DIP_EVALUATIONS):
        high = ends[0] + (number + 1) * size
        b = side * condition(run, t, h, high, k) if high < ends[1] else abs(values[1])
        if b < 0:
            return high
        if not bound(a, b, size, descent, ascent) > 0:
            middle = side * condition(run, t, h, low + 0.5 * size, k)
            place = low + 0.5 * size * (1 + vertex(a, middle, b))
            rate = 2 * max(abs(middle - a), abs(b - middle)) / size
            run.events[k, events.FASTEST] = max(run.events[k, events.FASTEST], rate / h)
            if middle < 0 or side * condition(run, t, h, place, k) < 0:
                return low + 0.5 * size if middle < 0 else place
            known = level >= RESOLVED_LEVEL and resolved(a, middle, b, size, descent, ascent)
            if not known and level < DIP_LEVELS:
                size, level, number = 0.5 * size, level + 1, 2 * number
                continue
            if not known and min(a, middle, b) > clear and not straight(a, middle, b):
                run.events[k, events.UNSEEN] += 1.0
        low, a, number = high, b, number + 1
        while level > 0 and number % 2 == 0:
            size, level, number = 2 * size, level - 1, number // 2
        if level == 0:
            return -1.0
    run.events[k, events.UNSEEN] += 1.0
    return -1.0


@kernel
def first_dip(run: Any, t: Any, h: Any, k: Any, first: Any, end: Any) -> Any:
    """Return the sample index, and the ends of an interval with the change of sign that event k waits for; or -1.

    Looks between the samples from `first` and before `end`, where the condition has one sign at two samples.
    """
    rise, fall, least, fastest = steepest(run, k, h, first)
    if least > 0.5 * LONGEST_INTERVAL * max(rise, fall, fastest):  # the bound of any two neighbours is positive
        return -1, 0.0, 0.0
    known = run.events[k, events.SIDE] != 0
    clear = clear_value(run, k)
    x, a = 0.0, run.events[k, events.START]
    for j in range(first, end):
        y, b = SAMPLE_POINTS[j], run.events[k, events.SAMPLES + j]
        known = known or abs(a) > clear
        if known and a * b > 0:
            descent, ascent = (fall, rise) if a > 0 else (rise, fall)
            if j >= FIRST_SAMPLE:
                descent, ascent = max(descent, fastest), max(ascent, fastest)
            if j == first and run.events[k, events.SLOPE] != run.events[k, events.SLOPE]:
                descent = max(descent, ascent)
            if j == len(SAMPLE_POINTS) - 1:
                ascent = max(descent, ascent)
            if not bound(abs(a), abs(b), y - x, descent, ascent) > 0:
                place = dip_between(run, t, h, k, (x, y), (a, b), (descent, ascent))
                if place >= 0:
                    returns = run.events[k, events.DIRECTION] * a > 0  # it waits for the change back
                    return j, (place if returns else x), (y if returns else place)
        x, a = y, b
    return -1, 0.0, 0.0


@kernel
def first_change(run: Any, t: Any, h: Any, k: Any, low: Any, high: Any) -> Any:
    """Return an interval with the first change of sign of condition k between two samples of different sign.

    Where the samples are smooth it is the whole interval; otherwise there may be three changes in it.
    """
    if not _is_rough(run, k):
        return low, high
    sign, size = np.sign(condition(run, t, h, high, k)), (high - low) / CHANGE_PARTS
    for i in range(1, CHANGE_PARTS):
        if sign * condition(run, t, h, low + i * size, k) > 0:
            return low + (i - 1) * size, low + i * size
    return low, high
