"""Record of changes made by kernels, signs and structures, in the columns of `events.switch_log`."""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, row_columns, states


@kernel
def may_record(run: Any) -> Any:
    """Return whether there is room for a change, and for a row if there is one at every step."""
    room = run.times.size > 0 or run.counts[counts.ROWS_FILLED] < run.rows.shape[0]
    return room and run.counts[counts.CHANGES_FILLED] < run.changes.shape[0]


@kernel
def record_change(run: Any, k: Any, before: Any, struck: Any) -> None:
    """Record the change to the current state by event k, from the state `before` (m), and write a row after it.

    `struck`: the change had the energy lost and the impulses in run.struck; otherwise they are zero.
    """
    run.counts[counts.STRUCTURE_NUMBER] += 1
    now, m, row = run.y[states.NOW], run.y.shape[1], run.changes[run.counts[counts.CHANGES_FILLED]]
    row[0], row[1], row[2] = run.control[control.T], k, run.counts[counts.STRUCTURE]
    for i in range(m):
        row[3 + i], row[3 + m + i] = before[i], now[i]
    first = 3 + 2 * m
    for i in range(run.struck.size):
        row[first + i] = run.struck[i] if struck else 0.0
    first += run.struck.size
    for i in range(run.parameters.size):
        row[first + i] = run.parameters[i]
    run.counts[counts.CHANGES_FILLED] += 1
    if run.times.size == 0:
        row = run.rows[run.counts[counts.ROWS_FILLED]]
        row[row_columns.T], row[row_columns.STEP] = run.control[control.T], 0.0
        row[row_columns.STRUCTURE] = run.counts[counts.STRUCTURE_NUMBER]
        for i in range(m):
            row[row_columns.STATE + i] = now[i]
        run.counts[counts.ROWS_FILLED] += 1
