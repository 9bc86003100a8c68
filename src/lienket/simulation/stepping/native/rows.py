"""Rows at times within a step, by its dense output; the one at its end is the tried state.

The work within a step: its rate, the power, integrated along the dense output of the motion.

Steps are as long as positions and velocities allow, and the work may bend more than they do. So it is not read from a
dense output of its own, but by Gauss' formula from the power on the way.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ... import memory as at
from .accept_state import project_node
from .bridge import bridge_interpolate
from .method import call_method, interpolate
from .rates import accelerate, power
from .run_view import state

PLACES = (0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332)
WEIGHTS = (0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095)
"""Gauss' formula of order 10 on 0 to 1."""


@kernel
def read_work(run: Any, t: Any, h: Any, x: Any) -> None:
    """The state NODE at the share x of a step that DENSE has prepared, with the work done until then."""
    n, counts = run.model[at.COORDINATES], run.counts
    node, rate = state(run, at.NODE), state(run, at.NODE_RATE)
    if run.model[at.POWER] == 0:
        interpolate(run, h, x)
        return
    total, known, worst = 0.0, True, counts[at.WORST]
    for k in range(len(PLACES)):
        interpolate(run, h, x * PLACES[k])
        if not accelerate(run, t + x * PLACES[k] * h, node, rate):
            known = False
            break
        for i in range(n):
            run.inputs[i] = rate[n + i]
        total += WEIGHTS[k] * power(run, t + x * PLACES[k] * h, node)
    counts[at.WORST] = worst
    interpolate(run, h, x)
    if known:
        node[2 * n] = run.y[at.NOW, 2 * n] + x * h * total


@kernel
def write_times(run: Any, t: Any, h: Any, end: Any) -> None:
    """Rows at the times up to the end of a step from t to t + h."""
    write_within(run, t, h, end)
    counts, times = run.counts, run.times
    if counts[at.NEXT] < times.size and times[counts[at.NEXT]] == end:
        _write(run, t, end, state(run, at.TRIED))


@kernel
def write_within(run: Any, t: Any, h: Any, end: Any) -> None:
    """Rows at the times before `end`, which is in the step from t to t + h."""
    counts, times, prepared = run.counts, run.times, False
    while counts[at.NEXT] < times.size and times[counts[at.NEXT]] < end:
        time, found = times[counts[at.NEXT]], state(run, at.NODE)
        if counts[at.BRIDGING] == 1:
            bridge_interpolate(run, h, (time - t) / h, found)
        else:
            if not prepared:
                call_method(run, at.DENSE, t, h)
                prepared = True
            read_work(run, t, h, (time - t) / h)
        project_node(run, time)
        _write(run, t, time, found)


@kernel
def _write(run: Any, t: Any, time: Any, found: Any) -> None:
    """One row."""
    counts = run.counts
    row = run.rows[counts[at.FILLED]]
    row[0], row[1], row[2] = time, time - t, counts[at.PART]
    for i in range(found.size):
        row[at.HEAD + i] = found[i]
    counts[at.NEXT] += 1
    counts[at.FILLED] += 1
