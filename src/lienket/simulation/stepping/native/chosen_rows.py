"""Rows that act in a run of a system with redundant rows, see `simulation.row_selection`.

The rows left out must hold at every accepted state. Where rows that act become nearly dependent, or one of them so
short that its gradient is about to vanish, another choice of rows that Python has made before takes over; Python is
asked for a further one only if none of them fits. Where it has found none, since the rows are good and only their
compiled function is not, it is asked again when the least pivot has fallen.
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import least_pivot_at, slots
from ....kernels.native.robust_solve import REDUNDANT
from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel
from ...memory import CHOICE_HEAD, LEFT_OUT, addresses, control, counts, states
from .known_times import model_time
from .run_view import state

WATCHED_LIMIT = 10.0  # [tolerances] residual of a row that is watched only
SHORT_ROW = 0.125  # [1] length of a row that acts, relative to its largest, below which other rows are preferred
LONG_ROW = 0.25  # [1] length of a row, relative to its largest, from which on it may act instead
SHORT, NO_BETTER = 1, 2  # values of the slot WEAK
ASKED_AGAIN = 0.5  # [1] least pivot, relative to that of the last request, below which rows are requested again


@kernel
def watched_rows_hold(run: Any, t: Any, y: Any) -> Any:
    """Return whether the rows left out hold at a state, within what the tolerances allow; fill the lengths of all rows.

    A residual is compared with the tolerances of the coordinates times G, and with their largest ratio times the terms
    of the row, since its gradient may vanish, and since velocity residuals change with the positions.
    """
    n, s, rtol, ratio = run.n, run.s, run.control[control.RTOL], run.control[control.RTOL]
    for i in range(2 * n):
        ratio = max(ratio, rtol + run.atol[i] / max(abs(y[i]), 1.0))
    out = vector(run.work, 0, 4 * s + s * n)
    q, v = vector(y, 0, n), vector(y, n, n)
    call(run.addresses[addresses.WATCHED], model_time(run, t), q, v, run.parameters, run.inputs, out)
    for k in range(2 * s):
        r, level = k % s, k // s
        if run.level[r] >= LEFT_OUT:
            allowed = ratio * out[2 * s + k]
            for i in range(n):
                allowed += abs(out[4 * s + r * n + i]) * run.atol[level * n + i]
            if not abs(out[k]) <= WATCHED_LIMIT * allowed:
                return False
    _measure_rows(run, vector(out, 4 * s, s * n))
    return True


@kernel
def _measure_rows(run: Any, G: Any) -> None:
    """Fill the lengths of the rows, and set WEAK to SHORT if one that acts is short."""
    n, s, short = run.n, run.s, False
    for r in range(s):
        length = 0.0
        for i in range(n):
            length += abs(G[r * n + i])
        run.lengths[s + r] = length
        run.lengths[r] = max(run.lengths[r], length)
        short |= run.level[r] < LEFT_OUT and length < SHORT_ROW * run.lengths[r]
    if not short:
        run.places[slots.WEAK] = 0
    elif run.places[slots.WEAK] == 0:
        run.places[slots.WEAK] = SHORT


@kernel
def other_rows_needed(run: Any, t: Any) -> Any:
    """Return whether other rows are to be requested from Python at the current state.

    The rows that act are weak there, no other known choice can take over, and none was requested at a similar pivot.
    """
    if run.places[slots.RANK] == 0 or run.addresses[addresses.MOTION] == 0:
        return False
    refused = run.counts[counts.STATUS_WORST] >= REDUNDANT  # by the compiled function of the rows that act
    if not refused:
        run.control[control.ASKED_PIVOT] = 0.0
    singular = refused and run.counts[counts.STATUS_USUAL] >= REDUNDANT
    if not singular and run.places[slots.WEAK] != SHORT:
        return False
    if _change_rows(run, t):
        return False
    if run.places[slots.WEAK] == SHORT:
        return True
    least, asked = run.work[least_pivot_at(run.n, run.s)], run.control[control.ASKED_PIVOT]
    if least > ASKED_AGAIN * asked > 0:
        return False
    run.control[control.ASKED_PIVOT] = least
    return True


@kernel
def _change_rows(run: Any, t: Any) -> Any:
    """Let another known choice of rows act that is good at the current state; return whether there is one."""
    n, s, now, time = run.n, run.s, state(run, states.NOW), model_time(run, t)
    for c in range(run.places[slots.CHOICES]):
        choice = vector(run.choices, c * (CHOICE_HEAD + s), CHOICE_HEAD + s)
        if choice[0] == run.addresses[addresses.MOTION] or choice[0] == 0 or not _long(run, choice):
            continue
        if call(choice[0], time, vector(now, 0, n), vector(now, n, n), run.parameters, run.inputs, run.work) == 0:
            run.addresses[addresses.MOTION] = choice[0]
            run.addresses[addresses.POSITION_CORRECTION] = choice[1]
            run.addresses[addresses.VELOCITY_CORRECTION] = choice[2]
            for r in range(s):
                run.level[r] = choice[CHOICE_HEAD + r]
            run.places[slots.WEAK], run.control[control.ASKED_PIVOT] = 0, 0.0
            return True
    return False


@kernel
def _long(run: Any, choice: Any) -> Any:
    """Return whether no row of a choice is short at the state measured last."""
    s = run.s
    for r in range(s):
        if choice[CHOICE_HEAD + r] < LEFT_OUT and run.lengths[s + r] < LONG_ROW * run.lengths[r]:
            return False
    return True
