"""Resolution of the conditions by the sample points of a step.

A system at rest takes ever longer steps; where a condition varies too much over a step for the
sample points, the step may not be longer than the previous one. A change of sign right at the start of a step may be
the error of the dense output instead of the motion: radau5 interpolates its stages, not the rates at the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, control, events, states
from ...stepping.native.accept_state import rejection_reason
from ...stepping.native.method import attempt
from ...stepping.native.run_view import state
from .conditions import FIRST_SAMPLE, SAMPLE_POINTS, measure, measure_tried
from .sides import clear_start

FOURTH_DIFFERENCE = np.array((-4.0, 6.0, -4.0, 1.0))  # weights of the samples after the first
FOURTH_DIFFERENCE_LIMIT = 0.1  # [1] fourth difference over the quarters of a step, relative to the condition's range
CONFIRMED = 0.5  # [1] change by the rates at the start, relative to that in the step, from which they confirm it
LONGER_STEP_FACTOR = 1.01  # [1] ratio to the previous step above which a step counts as longer


@kernel
def unresolved(run: Any, h: Any) -> Any:
    """Return whether the samples do not resolve a condition near zero in a step longer than the previous one."""
    last = len(SAMPLE_POINTS) - 1
    if run.control[control.FIXED_STEP] > 0 or not h > LONGER_STEP_FACTOR * run.control[control.USUAL_STEP] > 0:
        return False
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] != 1 or run.events[k, events.OF_TIME] == 1:
            continue
        g = run.events[k, events.START]
        low, high, sum4 = g, g, g
        for j in range(4):
            g = run.events[k, events.SAMPLES + last - 3 + j]
            low, high = min(low, g), max(high, g)
            sum4 += FOURTH_DIFFERENCE[j] * g
        span = high - low
        varies = max(FOURTH_DIFFERENCE_LIMIT * span, run.events[k, events.ROUNDING])  # more than rounding of a gap
        if abs(sum4) > varies and min(abs(low), abs(high)) < span:
            return True
    return False


@kernel
def suspicious_sample(run: Any, t: Any, h: Any, k: Any, first: Any, after: Any, at_start: Any) -> Any:
    """Return the sample up to which a step is repeated, since event k before the sample `after` may be an error; or -1.

    It may be one if it happens `at_start`; if a contact that has just opened closes close to the start; and if the
    condition was zero at the start and shows two signs in the step: the first may be the error of the dense output,
    unless the rates at the start confirm it.
    """
    unknown, expected = run.events[k, events.SIDE] == 0, run.events[k, events.EXPECTED] != 0
    if at_start or (unknown and expected and after < FIRST_SAMPLE):
        return last_alarm(run, k, after)
    if unknown and not expected and after > first and not clear_start(run, k):
        farthest = _farthest_before(run, k, first, after)
        return -1 if _leaves_zero(run, t, h, k, farthest) else farthest
    return -1


@kernel
def _farthest_before(run: Any, k: Any, first: Any, after: Any) -> Any:
    """Return the sample from `first` and before `after` at which condition k is farthest on the other side of zero."""
    farthest = after - 1
    for j in range(first, after):
        g = run.events[k, events.SAMPLES + j]
        if g * run.events[k, events.SAMPLES + after] < 0 and abs(g) > abs(run.events[k, events.SAMPLES + farthest]):
            farthest = j
    return farthest


@kernel
def _leaves_zero(run: Any, t: Any, h: Any, k: Any, sample: Any) -> Any:
    """Return whether condition k changes from the start to a sample as the rates at the start say."""
    now, rate, node = state(run, states.NOW), state(run, states.RATE), state(run, states.NODE)
    for i in range(now.size):
        node[i] = now[i] + SAMPLE_POINTS[sample] * h * rate[i]
    measure(run, t + SAMPLE_POINTS[sample] * h, node, EVENT_SAMPLES, False)
    start = run.events[k, events.START]
    change, by_rates = run.events[k, events.SAMPLES + sample] - start, run.events[k, events.PROBE] - start
    return change * by_rates > 0 and abs(by_rates) > CONFIRMED * abs(change)


@kernel
def last_alarm(run: Any, k: Any, first: Any) -> Any:
    """Return the last of the samples from `first` on, close to the start, at which condition k has the same sign.

    A contact that begins to slide moves as the square of the time: at the first samples its slip is below the error of
    the dense output, and a step that ends there would show rounding. If the sign does not change back it is true.
    """
    last, sign = first, run.events[k, events.SAMPLES + first]
    for j in range(first + 1, len(SAMPLE_POINTS)):
        if run.events[k, events.SAMPLES + j] * sign <= 0:
            return last
        last = j
    return first


@kernel
def false_alarm(run: Any, t: Any, h: Any, event: Any, sample: Any) -> Any:
    """Repeat the step with the length h; return whether no condition changes its sign: then the step is accepted.

    A condition without side that has the sign of its `sample` there is one that passes zero later in the step.
    """
    last = len(SAMPLE_POINTS) - 1
    error = attempt(run, t, h)
    if not 0 <= error <= 1 or rejection_reason(run, t, h, error) != 0:
        return False
    measure_tried(run, t + h, last)
    confirmed = run.events[event, events.SAMPLES + last] * run.events[event, events.SAMPLES + sample] > 0
    if run.events[event, events.SIDE] == 0 and run.events[event, events.EXPECTED] == 0 and confirmed:
        return False
    for k in range(run.events.shape[0]):
        if run.events[k, events.ARMED] == 1:
            side, g = run.events[k, events.SIDE], run.events[k, events.SAMPLES + last]
            rounding = 0.0 if side != 0 else run.events[k, events.SLIP_ROUNDING]
            if (side if side != 0 else run.events[k, events.EXPECTED]) * g < -rounding:
                return False
    for k in range(run.events.shape[0]):
        g = run.events[k, events.SAMPLES + last]
        if run.events[k, events.ARMED] == 1:
            clear = run.events[k, events.EXPECTED] * g > run.events[k, events.SLIP_ROUNDING]
            if run.events[k, events.SIDE] == 0 and clear:
                run.events[k, events.SIDE] = np.sign(g)
            run.events[k, events.START] = g
    return True
