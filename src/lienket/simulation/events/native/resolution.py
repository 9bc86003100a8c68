"""What conditions do between the places in which they are looked at, as far as these tell.

A condition that comes near zero in between and goes back again is looked at there once more, where a parabola through
three places has its vertex. A system at rest takes ever longer steps; where a condition changes too much over a step
for its places, a step may not be longer than the one before. And what dense output shows right at the beginning of a
step may be its error, not the motion's: radau5 knows its stages, not the rates there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control, events
from ...stepping.native.accept_state import rejection_reason
from ...stepping.native.method import attempt
from .conditions import PLACES, condition, measure_tried

NEAR = 0.3  # of the smallest of three numbers, below which the vertex is looked at
RESOLVED = 0.1  # of the range of a condition, what a fourth difference over the quarters of a step may be
GROWS = 1.01  # times the step before, a longer one


@kernel
def double_crossing(run: Any, t: Any, h: Any, first: Any) -> Any:
    """An event whose condition changes its sign and back between two places: (event, low, high), or -1.

    Between low and high it changes to the sign that the event waits for, the first time if it waits for any.
    """
    for k in range(run.events.shape[0]):
        side = run.events[k, events.SIDE]
        if run.events[k, events.ARMED] != 1 or side == 0:
            continue
        for j in range(first, len(PLACES) - 1):
            x, y, z = PLACES[j - 1] if j > first else 0.0, PLACES[j], PLACES[j + 1]
            before = run.events[k, events.SAMPLES + j - 1] if j > first else run.events[k, events.START]
            a, b, c = (
                side * before,
                side * run.events[k, events.SAMPLES + j],
                side * run.events[k, events.SAMPLES + j + 1],
            )
            least = min(a, b, c)
            if not least > 0:
                continue
            left, right = (a - b) / (y - x), (c - b) / (z - y)
            bend = (left + right) / (z - x)
            slope = right - bend * (z - y)
            if not bend > 0 or b - 0.25 * slope * slope / bend > NEAR * least:
                continue
            vertex = y - 0.5 * slope / bend
            if x < vertex < z and side * condition(run, t, h, vertex, k) < 0:
                if run.events[k, events.DIRECTION] * side > 0:
                    return k, vertex, (y if y > vertex else z)
                return k, (y if y < vertex else x), vertex
    return -1, 0.0, 0.0


@kernel
def unresolved(run: Any, h: Any) -> Any:
    """Whether a condition within reach of zero is too crooked for the places of a step that is longer than the last."""
    last = len(PLACES) - 1
    if run.control[control.FIXED_STEP] > 0 or not h > GROWS * run.control[control.USUAL_STEP] > 0:
        return False
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] != 1:
            continue
        g = run.events[k, events.START]
        low, high, sum4 = g, g, g
        for j in range(4):
            g = run.events[k, events.SAMPLES + last - 3 + j]
            low, high = min(low, g), max(high, g)
            sum4 += (-4.0, 6.0, -4.0, 1.0)[j] * g
        reach = high - low
        if abs(sum4) > RESOLVED * reach and min(abs(low), abs(high)) < reach:
            return True
    return False


@kernel
def false_alarm(run: Any, t: Any, h: Any) -> Any:
    """Whether a step as short as h, made again, ends with all conditions as they should be; then it is to be taken."""
    last = len(PLACES) - 1
    error = attempt(run, t, h)
    if not 0 <= error <= 1 or rejection_reason(run, t, h, error) != 0:
        return False
    measure_tried(run, t + h, last)
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            side, g = run.events[k, events.SIDE], run.events[k, events.SAMPLES + last]
            if (side if side != 0 else run.events[k, events.EXPECTED]) * g < 0:
                return False
    for k in range(run.events.shape[0]):
        g = run.events[k, events.SAMPLES + last]
        if run.events[k, events.ARMED] == 1:
            if run.events[k, events.SIDE] == 0 and run.events[k, events.EXPECTED] * g > 0:
                run.events[k, events.SIDE] = np.sign(g)
            run.events[k, events.START] = g
    return True
