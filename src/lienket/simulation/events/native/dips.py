"""Dips: conditions that pass through zero and come back between two samples of a step.

Let D be the steepest descent towards zero and U the steepest ascent between samples of the step, or between the last
two of the previous step. A condition with these rates, g(a) and g(b) > 0 at both ends of an interval of length d, is
nowhere less than the intersection of two lines,

    (U g(a) + D g(b) - U D d)/(U + D).

Where this bound is positive, and where the condition only ascends or only descends, nothing is computed. Otherwise the
interval is halved until the bound holds in each part, or until a parabola through three points predicts the value at
its own vertex: then the minimum is known. Beyond the last sample the rate is unknown; it counts as the steepest of all.

A part that is still undecided after DIP_LEVELS halvings is counted in events.UNSEEN, which the audit reports.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import events
from .conditions import SAMPLE_POINTS, condition
from .sides import CLEAR_SIGN, CONDITION_ROUNDING

DIP_LEVELS = 12  # [halvings] of the interval between two samples
DIP_EVALUATIONS = 200  # [evaluations] of a condition between two samples, for a condition with many minima
VERTEX_ERROR = 0.1  # [1] error of the parabola at its vertex, relative to the condition, up to which it is resolved


@kernel
def steepest(run: Any, k: Any, h: Any, first: Any) -> Any:
    """Return the largest rise and the largest fall of condition k between samples, per step."""
    x, g = 0.0, run.events[k, events.START]
    slope = run.events[k, events.SLOPE] * h
    rise, fall = max(slope, 0.0), max(-slope, 0.0)
    for j in range(first, len(SAMPLE_POINTS)):
        y, value = SAMPLE_POINTS[j], run.events[k, events.SAMPLES + j]
        slope = (value - g) / (y - x)
        rise, fall = max(rise, slope), max(fall, -slope)
        x, g = y, value
    return rise, fall


@kernel
def bound(a: Any, b: Any, size: Any, descent: Any, ascent: Any) -> Any:
    """Return the smallest value between two points `size` apart with the values a and b > 0, for these rates."""
    if descent <= 0 or ascent <= 0:
        return min(a, b)
    return min(a, b, (ascent * a + descent * b - ascent * descent * size) / (ascent + descent))


@kernel
def vertex(a: Any, middle: Any, b: Any) -> Any:
    """Return place and value of the vertex of the parabola through (-1, a), (0, middle), (1, b); NaN if it has none."""
    slope, bend = 0.5 * (b - a), 0.5 * (a + b) - middle
    if not bend > 0 or abs(slope) >= 2 * bend:
        return np.nan, np.nan
    return -0.5 * slope / bend, middle - 0.25 * slope * slope / bend


@kernel
def dip_between(run: Any, t: Any, h: Any, k: Any, ends: Any, values: Any, rates: Any) -> Any:
    """Return a place between two samples at which condition k is beyond zero; -1 if there is none.

    `ends` are the fractions of the step, `values` the condition there, `rates` the steepest descent and ascent.
    """
    side, (descent, ascent), size = np.sign(values[0]), rates, ends[1] - ends[0]
    low, a, level, number = ends[0], abs(values[0]), 0, 0
    for _ in range(DIP_EVALUATIONS):
        high = ends[0] + (number + 1) * size
        b = side * condition(run, t, h, high, k) if high < ends[1] else abs(values[1])
        if b < 0:
            return high
        if not bound(a, b, size, descent, ascent) > 0:
            middle = side * condition(run, t, h, low + 0.5 * size, k)
            if middle < 0:
                return low + 0.5 * size
            place, least = vertex(a, middle, b)
            value = middle
            if place == place:
                value = side * condition(run, t, h, low + 0.5 * size * (1 + place), k)
                if value < 0:
                    return low + 0.5 * size * (1 + place)
            allowed = VERTEX_ERROR * value + CONDITION_ROUNDING * run.events[k, events.LARGEST]
            resolved = abs(value - least) <= allowed or not middle >= 0  # not a number: ignored
            if not resolved and level < DIP_LEVELS:
                size, level, number = 0.5 * size, level + 1, 2 * number
                continue
            run.events[k, events.UNSEEN] += 0.0 if resolved else 1.0
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
    rise, fall = steepest(run, k, h, first)
    known = run.events[k, events.SIDE] != 0
    clear = max(CLEAR_SIGN * run.events[k, events.LARGEST], run.events[k, events.ROUNDING])
    x, a = 0.0, run.events[k, events.START]
    for j in range(first, end):
        y, b = SAMPLE_POINTS[j], run.events[k, events.SAMPLES + j]
        known = known or abs(a) > clear
        if known and a * b > 0:
            descent, ascent = (fall, rise) if a > 0 else (rise, fall)
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
