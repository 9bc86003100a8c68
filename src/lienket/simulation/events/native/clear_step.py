"""Steps that surely contain no event, by the conditions and their rates at both ends: no dense output is needed.

Forces and velocities of contacts vary no faster than the motion itself, whose steps resolve it. With the values
a, b > 0 and the rates a', b' of such a condition at the ends of a step of the length h, its mean rate (b - a)/h agrees
with (a' + b')/2 if the step resolves it. A condition with rates up to r is then nowhere less than (a + b - r h)/2. One
further evaluation of the accelerations gives the rates at the end of the step; dense output and samples need six.

Conditions of the user and gaps of contacts may vary within a step as they like: with one of these armed all steps are
sampled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, events, states
from ...stepping.native.run_view import state
from .conditions import SAMPLE_POINTS, measure
from .dips import FASTEST_MEMORY
from .quiet import BENDING_MEMORY

LAST = len(SAMPLE_POINTS) - 1
RATE_DISTANCE = 1e-3  # [1] time between the two values of a rate, relative to the step
RATES_AGREE = 0.05  # [1] difference of the mean rate and the mean of both rates, relative to the largest, if resolved
RATE_WITHIN = 2.0  # [1] ratio of the steepest rate within a step to the largest of these


@kernel
def all_resolved(run: Any) -> Any:
    """Return whether all armed conditions are forces or velocities of contacts."""
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1 and run.events[k, events.RESOLVED] == 0:
            return False
    return True


@kernel
def fill_rates(run: Any, h: Any, end: Any) -> None:
    """Fill the rates of the conditions at the end of a step, whose values there are the last samples."""
    tried, rate, node = state(run, states.TRIED), state(run, states.RATE_TRIED), state(run, states.NODE)
    before = RATE_DISTANCE * h
    for i in range(tried.size):
        node[i] = tried[i] - before * rate[i]
    measure(run, end - before, node, EVENT_SAMPLES, False)
    for k in range(run.events.shape[0]):
        difference = run.events[k, events.SAMPLES + LAST] - run.events[k, events.PROBE]
        run.events[k, events.RATE_TRIED] = difference / before


@kernel
def is_clear(run: Any, h: Any) -> Any:
    """Return whether no armed condition can pass zero in a step, by its values and rates at both ends."""
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] != 1:
            continue
        side, a, b = run.events[k, events.SIDE], run.events[k, events.START], run.events[k, events.SAMPLES + LAST]
        first, last, mean = run.events[k, events.RATE], run.events[k, events.RATE_TRIED], (b - a) / h
        most = max(abs(first), abs(last), abs(mean))
        # written so that a condition or a rate that is not a number is not clear
        if not (abs(mean - 0.5 * (first + last)) <= RATES_AGREE * most and side * a > 0 and side * b > 0):
            return False
        if not side * (a + b) > h * max(RATE_WITHIN * most, run.events[k, events.FASTEST]):
            return False
    return True


@kernel
def keep_rates(run: Any, known: Any) -> None:
    """Let the rates at the end of a step be those at the start of the next one; NaN unless they are known."""
    for k in range(run.events.shape[0]):
        run.events[k, events.RATE] = run.events[k, events.RATE_TRIED] if known else np.nan


@kernel
def keep_clear_step(run: Any) -> Any:
    """Store each armed condition at the end of a clear step, with its rate; return how much the conditions bend."""
    most = 0.0
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            rate, bending = run.events[k, events.RATE_TRIED], BENDING_MEMORY * run.events[k, events.BENDING]
            run.events[k, events.START], run.events[k, events.SLOPE] = run.events[k, events.SAMPLES + LAST], rate
            run.events[k, events.FASTEST] = max(abs(rate), FASTEST_MEMORY * run.events[k, events.FASTEST])
            run.events[k, events.BENDING] = bending
            most = max(most, bending)
    return most
