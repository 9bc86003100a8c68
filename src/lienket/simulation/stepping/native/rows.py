"""Output rows at times within a step, from its dense output; the row at its end is the tried state.

The work within a step is the integral of the power along the dense output of the motion, by Gauss' formula. The step
size is chosen for positions and velocities, and the work may vary faster than they do, so that a dense output of the
work itself would be less accurate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import addresses, control, counts, requests, row_columns, states
from .accept_state import project_node
from .bridging.bridge_polynomial import bridge_interpolate
from .clock import fraction_of
from .method import call_method, interpolate
from .rates import accelerate, near_singular, power
from .run_view import state

# Gauss' formula of order 10 on [0, 1]
GAUSS_NODES = np.array((0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332))
GAUSS_WEIGHTS = np.array(
    (0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095)
)


@kernel
def read_work(run: Any, t: Any, h: Any, x: Any) -> None:
    """Fill the state NODE at the fraction x of a step prepared by DENSE, with the work done until then."""
    n = run.n
    node, rate = state(run, states.NODE), state(run, states.NODE_RATE)
    if run.addresses[addresses.POWER] == 0:
        interpolate(run, h, x)
        return
    total, complete, worst = 0.0, True, run.counts[counts.STATUS_WORST]
    for k in range(len(GAUSS_NODES)):
        interpolate(run, h, x * GAUSS_NODES[k])
        if not accelerate(run, t + x * GAUSS_NODES[k] * h, node, rate):
            complete = False
            break
        for i in range(n):
            run.inputs[i] = rate[n + i]
        total += GAUSS_WEIGHTS[k] * power(run, t + x * GAUSS_NODES[k] * h, node)
    run.counts[counts.STATUS_WORST] = worst
    interpolate(run, h, x)
    if complete:
        node[2 * n] = run.y[states.NOW, 2 * n] + x * h * total


@kernel
def write_times(run: Any, t: Any, h: Any, end: Any) -> None:
    """Write rows at the times up to the end of the step from t to t + h."""
    write_within(run, t, h, end)
    times = run.times
    if run.counts[counts.NEXT_TIME] < times.size and times[run.counts[counts.NEXT_TIME]] == end:
        _write(run, t, end, state(run, states.TRIED))


@kernel
def write_within(run: Any, t: Any, h: Any, end: Any) -> None:
    """Write rows at the times before `end`, a time in the step from t to t + h."""
    times, prepared = run.times, False
    while run.counts[counts.NEXT_TIME] < times.size and times[run.counts[counts.NEXT_TIME]] < end:
        time, node = times[run.counts[counts.NEXT_TIME]], state(run, states.NODE)
        if run.counts[counts.BRIDGING] == 1:
            bridge_interpolate(run, h, fraction_of(run, time, t, h), node)
        else:
            if not prepared:
                call_method(run, requests.DENSE, t, h)
                prepared = True
            read_work(run, t, h, fraction_of(run, time, t, h))
        project_node(run, time)
        _write(run, t, time, node)


@kernel
def rows_hold(run: Any, t: Any, h: Any, end: Any) -> Any:
    """Return whether the dense output of a step agrees with the constraints at all its rows before `end`.

    Near a singular position it may deviate, because rounding can dominate the accelerations of its stages.
    """
    row, times = run.counts[counts.NEXT_TIME], run.times
    if not near_singular(run) or run.control[control.FIXED_STEP] > 0:
        return True
    if row < times.size and times[row] < end:
        call_method(run, requests.DENSE, t, h)
    while row < times.size and times[row] < end:
        interpolate(run, h, fraction_of(run, times[row], t, h))
        if project_node(run, times[row]) == 0:
            return False
        row += 1
    return True


@kernel
def _write(run: Any, t: Any, time: Any, y: Any) -> None:
    """Write the state y (m) as the next row, with its distance from the start t of the step."""
    row = run.rows[run.counts[counts.ROWS_FILLED]]
    row[row_columns.T], row[row_columns.STEP] = time, time - t
    row[row_columns.STRUCTURE] = run.counts[counts.STRUCTURE_NUMBER]
    for i in range(y.size):
        row[row_columns.STATE + i] = y[i]
    run.counts[counts.NEXT_TIME] += 1
    run.counts[counts.ROWS_FILLED] += 1
