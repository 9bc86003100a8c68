"""Rows at times within a step, by its dense output; the one at its end is the tried state."""

from __future__ import annotations

from typing import Any

from ...kernels.native.jit import kernel
from . import memory as at
from .bridge import bridge_interpolate
from .method import ask
from .run import state
from .settle import project_node
from .work import read_work


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
                ask(run, at.DENSE, t, h)
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
