"""How accelerations are usually solved for in a run: the status of `accelerations_into` at its start, or beside it.

A status worse than usual tells that a position is singular. A run may start at such a position; therefore the states
shortly before and after a start that does not have the best status are asked as well.
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import least_pivot_at, slots, work_size
from ....kernels.native.accelerations import SCHUR
from ....kernels.native.robust_solve import ELIMINATION, REDUNDANT
from ....kernels.native.runtime.jit import kernel
from ... import row_selection
from ...memory import control, counts, states
from .projecting import project
from .rates import NEARLY_DEPENDENT, rates
from .run_view import state

WORST_STATUS = NEARLY_DEPENDENT  # largest status of `rates`
LEAST_PIVOT_LIMIT = row_selection.LEAST_PIVOT_LIMIT
PIVOT_FALL = row_selection.PIVOT_FALL
SCHUR_GROWTH_LEAST = 1e3  # [1] least bound on the growth of numbers in Schur's complement
SCHUR_GROWTH_FACTOR = 30  # [1] bound on this growth, relative to its value at the start
NEIGHBOUR_DISTANCE = 0.05  # [1] displacement of the states beside the start, relative to the largest coordinate


@kernel
def store_usual_status(run: Any, t: Any, has_rates: Any) -> None:
    """Store counts[STATUS_USUAL], control[GROWTH] and control[LEAST_PIVOT]; the rates now are the last ones computed.

    With redundant rows, whose limit of the pivots Python has set, only nearly dependent rows are unusual.
    """
    if run.places[slots.RANK] > 0:
        run.counts[counts.STATUS_USUAL] = REDUNDANT
        return
    run.control[control.GROWTH], run.control[control.LEAST_PIVOT] = 1e300, 0.0
    _store(run, run.counts[counts.STATUS_WORST] if has_rates else WORST_STATUS)
    time, worst = neighbour_time(run), run.counts[counts.STATUS_WORST]
    if run.s == 0 or run.counts[counts.STATUS_USUAL] == 0 or time == 0:
        return
    n, now, node = run.n, state(run, states.NOW), state(run, states.NODE)
    for side in range(2):
        step = time if side == 0 else -time
        for i in range(node.size):
            node[i] = now[i] + (step * now[n + i] if i < n else 0.0)
        run.counts[counts.STATUS_WORST] = 0
        if project(run, t + step, node) and rates(run, t + step, node, state(run, states.NODE_RATE)):
            _store(run, run.counts[counts.STATUS_WORST])
    run.counts[counts.STATUS_WORST] = worst


@kernel
def _store(run: Any, status: Any) -> None:
    """Store a status if it is better than the one stored, and bounds for Schur's complement and for elimination."""
    stored = run.counts[counts.STATUS_USUAL]
    if status == SCHUR and (stored < 0 or stored >= SCHUR):
        growth = max(SCHUR_GROWTH_LEAST, SCHUR_GROWTH_FACTOR * run.work[work_size(run.n, run.s) - 1])
        run.control[control.GROWTH] = min(run.control[control.GROWTH], growth)
    if ELIMINATION <= status < WORST_STATUS:
        limit = min(LEAST_PIVOT_LIMIT, run.work[least_pivot_at(run.n, run.s)] / PIVOT_FALL)
        run.control[control.LEAST_PIVOT] = max(run.control[control.LEAST_PIVOT], limit)
    if stored < 0 or status < stored:
        run.counts[counts.STATUS_USUAL] = status


@kernel
def neighbour_time(run: Any) -> Any:
    """Return the time in which the state now moves by NEIGHBOUR_DISTANCE, at most to the end; 0 if it is at rest."""
    n, now, size, speed = run.n, state(run, states.NOW), 0.0, 0.0
    for i in range(n):
        size, speed = max(size, abs(now[i])), max(speed, abs(now[n + i]))
    left = run.control[control.END] - run.control[control.T]
    return min(NEIGHBOUR_DISTANCE * size / speed, left) if speed > 0 else 0.0
