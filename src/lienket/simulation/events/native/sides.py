"""Sides of the conditions: the sign of each at the samples of a step, and the first change that its event waits for.

`side` is the last sign of a condition that was clearly not zero. It is 0 where that is unknown: at a start on a root,
or when the event has just happened. Then the first clear sign becomes the side and no event happens, unless the
opposite sign is expected (a contact that has just opened): then the event happens at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import events
from .conditions import SAMPLE_POINTS

CLEAR_SIGN = 1e-9  # [1] condition relative to its largest value in a run, above which its sign is certain
START_TIE = 4.0  # [1] ratio to the condition at the start of the step that a first clear sign must exceed
CONDITION_ROUNDING = 1e-14  # [1] condition relative to its largest value in a step that counts as rounding


@kernel
def waits_for(direction: Any, value: Any) -> Any:
    """Return whether an event waits for a change to the sign of the value."""
    return direction == 0 or direction * value > 0


@kernel
def clear_value(run: Any, k: Any) -> Any:
    """Return the value of condition k above which its sign is certain."""
    known = max(run.events[k, events.ROUNDING], run.events[k, events.SLIP_ROUNDING])
    return max(CLEAR_SIGN * run.events[k, events.LARGEST], known)


@kernel
def clear_start(run: Any, k: Any) -> Any:
    """Return whether condition k has a certain sign at the start of the step.

    It is measured against its largest value in the run: in a short step after an event all values are rounding. That of
    a gap is known; the largest gap may be that of a step far beyond the event, and would hide bounces.
    """
    floor = run.events[k, events.ROUNDING]
    return abs(run.events[k, events.START]) > (floor if floor > 0 else clear_value(run, k))


@kernel
def scan(run: Any, k: Any, first: Any, end: Any) -> Any:
    """Return the index of the sample after event k, from `first` and before `end`, or -1; and the side reached."""
    side, most, floor = run.events[k, events.SIDE], abs(run.events[k, events.START]), run.events[k, events.ROUNDING]
    if side == 0:
        for j in range(first, len(SAMPLE_POINTS)):
            g = run.events[k, events.SAMPLES + j]
            most = max(most, abs(g)) if g == g else most
        if clear_start(run, k):  # otherwise the next samples decide
            side = np.sign(run.events[k, events.START])
            if side * run.events[k, events.EXPECTED] < 0:
                return first, side
    floor = max(floor, run.events[k, events.SLIP_ROUNDING])
    least = max(START_TIE * abs(run.events[k, events.START]), CONDITION_ROUNDING * most, floor)
    for j in range(first, end):
        g = run.events[k, events.SAMPLES + j]
        if side == 0:
            if abs(g) > least:
                side = np.sign(g)
                if side * run.events[k, events.EXPECTED] < 0:
                    return j, side
        elif side * g < 0:
            if waits_for(run.events[k, events.DIRECTION], g):
                return j, side
            side = np.sign(g)
    return -1, side
