"""Rows at times within a step, by its dense output; the one at its end is the tried state.

The work within a step: its rate, the power, integrated along the dense output of the motion.

Steps are as long as positions and velocities allow, and the work may bend more than they do. So it is not read from a
dense output of its own, but by Gauss' formula from the power on the way.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import addresses, control, counts, requests, row_columns, states
from .accept_state import project_node
from .bridge import bridge_interpolate
from .method import call_method, interpolate
from .rates import accelerate, near_singular, power
from .run_view import state

PLACES = (0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332)
WEIGHTS = (0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095)
"""Gauss' formula of order 10 on 0 to 1."""


@kernel
def read_work(run: Any, t: Any, h: Any, x: Any) -> None:
    """The state NODE at the share x of a step that DENSE has prepared, with the work done until then."""
    n = run.n
    node, rate = state(run, states.NODE), state(run, states.NODE_RATE)
    if run.addresses[addresses.POWER] == 0:
        interpolate(run, h, x)
        return
    total, known, worst = 0.0, True, run.counts[counts.STATUS_WORST]
    for k in range(len(PLACES)):
        interpolate(run, h, x * PLACES[k])
        if not accelerate(run, t + x * PLACES[k] * h, node, rate):
            known = False
            break
        for i in range(n):
            run.inputs[i] = rate[n + i]
        total += WEIGHTS[k] * power(run, t + x * PLACES[k] * h, node)
    run.counts[counts.STATUS_WORST] = worst
    interpolate(run, h, x)
    if known:
        node[2 * n] = run.y[states.NOW, 2 * n] + x * h * total


@kernel
def write_times(run: Any, t: Any, h: Any, end: Any) -> None:
    """Rows at the times up to the end of a step from t to t + h."""
    write_within(run, t, h, end)
    times = run.times
    if run.counts[counts.NEXT_TIME] < times.size and times[run.counts[counts.NEXT_TIME]] == end:
        _write(run, t, end, state(run, states.TRIED))


@kernel
def write_within(run: Any, t: Any, h: Any, end: Any) -> None:
    """Rows at the times before `end`, which is in the step from t to t + h."""
    times, prepared = run.times, False
    while run.counts[counts.NEXT_TIME] < times.size and times[run.counts[counts.NEXT_TIME]] < end:
        time, found = times[run.counts[counts.NEXT_TIME]], state(run, states.NODE)
        if run.counts[counts.BRIDGING] == 1:
            bridge_interpolate(run, h, (time - t) / h, found)
        else:
            if not prepared:
                call_method(run, requests.DENSE, t, h)
                prepared = True
            read_work(run, t, h, (time - t) / h)
        project_node(run, time)
        _write(run, t, time, found)


@kernel
def rows_hold(run: Any, t: Any, h: Any, end: Any) -> Any:
    """Return whether the dense output of a step agrees with the constraints at all its rows before the end.

    Near a singular position it need not: its own stages may lie there, where accelerations are mostly rounding.
    """
    place, times = run.counts[counts.NEXT_TIME], run.times
    if not near_singular(run) or run.control[control.FIXED_STEP] > 0:
        return True
    if place < times.size and times[place] < end:
        call_method(run, requests.DENSE, t, h)
    while place < times.size and times[place] < end:
        interpolate(run, h, (times[place] - t) / h)
        if project_node(run, times[place]) == 0:
            return False
        place += 1
    return True


@kernel
def _write(run: Any, t: Any, time: Any, found: Any) -> None:
    """One row."""
    row = run.rows[run.counts[counts.ROWS_FILLED]]
    row[row_columns.T], row[row_columns.STEP] = time, time - t
    row[row_columns.STRUCTURE] = run.counts[counts.STRUCTURE_NUMBER]
    for i in range(found.size):
        row[row_columns.STATE + i] = found[i]
    run.counts[counts.NEXT_TIME] += 1
    run.counts[counts.ROWS_FILLED] += 1
