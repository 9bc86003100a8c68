"""Conditions of contacts that share a load: the largest margin that any distribution of their forces leaves.

    rows^T z = 0,    b + B z >= m,    m -> largest

Self-stresses z of the active rows (with the friction of sliding contacts) change no acceleration. b are the conditions
"slips", "slips back", "lifts off", "turns" with the multipliers of the solver, B their change by each self-stress. All
of them are replaced by m: the contacts keep their modes as long as some distribution of forces obeys all laws. The
plain version of the linear programme is kernels/reactions/force_margin.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.memory.blocks import length
from ....kernels.memory.non_ideal import loads_blocks
from ....kernels.memory.workspace import slots, work_size
from ....kernels.native import non_ideal  # noqa: F401  (it makes `loads_blocks` known to kernels)
from ....kernels.native.runtime.address import call, call_entry, vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import entry, kernel
from ....kernels.native.runtime.views import terms_of
from ....kernels.reactions import force_margin as plain
from ...memory import addresses, control, events
from ...stepping.native import run_view  # noqa: F401  (it defines the attributes of `run`)
from ...stepping.native.known_times import model_time
from .margin_scratch import margin_scratch

kernel(margin_scratch)  # a plain function, which kernels call as well

STRESS_RANK_TOLERANCE = 1e-9  # [1] pivot, rows scaled to 1, below which the remaining rows depend on those before
NO_EFFECT = 1e-9  # [1] change of a condition by self-stresses, relative to the largest change, that counts as none
PIVOT_ROUNDING, SIMPLEX_ITERATIONS = plain.PIVOT_ROUNDING, plain.SIMPLEX_ITERATIONS


@kernel
def share_conditions(run: Any, t: Any, y: Any) -> None:
    """Replace the conditions of shared contacts in `values` by their margin, at t, y (m); see `widen_conditions`."""
    shapes = margin_scratch(run.n, run.s, run.events.shape[0], run.values.size)
    stored = views(run.work, run.work.size - length(shapes), shapes).state
    for i in range(stored.size):
        stored[i] = y[i]
    run.control[control.REQUEST_T] = t
    call_entry(run.addresses[addresses.FORCE_MARGIN], run)


@entry
def widen_conditions(run: Any) -> Any:
    """Replace the conditions of contacts that share a load; return the number of self-stresses.

    The state is in the scratch memory, its time is control[REQUEST_T]; `inputs` and `values` belong to it.
    """
    n, s = run.n, run.s
    shapes = margin_scratch(n, s, run.events.shape[0], run.values.size)
    scratch = views(run.work, run.work.size - length(shapes), shapes)
    _fill_rows(run, scratch)
    count = s - _eliminate(scratch.rows, scratch.stresses)
    conditions = _fill_dictionary(run, scratch, count) if count > 0 else 0
    if conditions == 0:
        return 0
    margin = _largest_margin(scratch, conditions, count)
    for i in range(conditions):
        run.values[int(scratch.conditions[i])] = margin
    return count


@kernel
def _fill_rows(run: Any, scratch: Any) -> None:
    """Fill the rows G, with the friction of sliding contacts, and the identity; both scaled to rows of length 1.

    Rows of programs that are kept are left out: drives, not their multipliers, act on the system.
    """
    n, s, q, v = run.n, run.s, vector(scratch.state, 0, run.n), vector(scratch.state, run.n, run.n)
    rows, stresses, work, end = scratch.rows, scratch.stresses, run.work, work_size(run.n, run.s)
    t, loads_address = run.control[control.REQUEST_T], run.places[slots.LOADS]
    call(run.addresses[addresses.TERMS], model_time(run, t), q, v, run.parameters, run.inputs, work)
    terms = terms_of(work, n, s)
    for r in range(s):
        for i in range(n):
            rows[r, i] = terms.G[r, i]
    if loads_address != 0:
        call(loads_address, model_time(run, t), q, v, run.parameters, run.inputs, vector(work, end, work.size - end))
        F, p, k, m = int(work[end]), int(work[end + 1]), int(work[end + 2]), int(work[end + 3])
        loads = views(work, end, loads_blocks(n, F, p, k, m))
        for j in range(F):
            for i in range(n):
                rows[int(loads.rows[j]), i] += loads.shares[j] * loads.directions[j, i]
        for j in range(k):
            for i in range(n):
                rows[int(loads.kept[j]), i] = 0.0
    for r in range(s):
        size = 0.0
        for i in range(n):
            rows[r, i] *= 1.0 / np.sqrt(terms.A[i, i]) if terms.A[i, i] > 0 else 1.0
            size += rows[r, i] * rows[r, i]
        scale = 1.0 / np.sqrt(size) if size > 0 else 0.0
        for i in range(n):
            rows[r, i] *= scale
        for j in range(s):
            stresses[r, j] = scale if j == r else 0.0


@kernel
def _eliminate(rows: Any, stresses: Any) -> Any:
    """Eliminate with the largest remaining entry as pivot; return the rank. Later rows of `stresses` are z^T."""
    s, n = rows.shape
    for rank in range(min(s, n)):
        row, column = rank, 0
        for r in range(rank, s):
            for i in range(n):
                if abs(rows[r, i]) > abs(rows[row, column]):
                    row, column = r, i
        if not abs(rows[row, column]) > STRESS_RANK_TOLERANCE:
            return rank
        for i in range(n):
            rows[rank, i], rows[row, i] = rows[row, i], rows[rank, i]
        for j in range(s):
            stresses[rank, j], stresses[row, j] = stresses[row, j], stresses[rank, j]
        for r in range(rank + 1, s):
            factor = rows[r, column] / rows[rank, column]
            for i in range(n):
                rows[r, i] -= factor * rows[rank, i]
            for j in range(s):
                stresses[r, j] -= factor * stresses[rank, j]
            rows[r, column] = 0.0
    return min(s, n)


@kernel
def _fill_dictionary(run: Any, scratch: Any, count: Any) -> Any:
    """Fill the dictionary from the armed contact conditions that self-stresses change; return their number.

    Columns: the condition, its changes by each self-stress, -1 for the margin; the last row is the cap of the margin.
    """
    n, s, state, table = run.n, run.s, scratch.state, scratch.dictionary
    first, size, effect, cap, conditions = s - count, 0.0, 0.0, 0.0, 0
    for r in range(s):
        scratch.multipliers[r] = run.inputs[n + r]
        size = max(size, abs(run.inputs[n + r]))
    for j in range(count):
        largest = 0.0
        for r in range(s):
            largest = max(largest, abs(scratch.stresses[first + j, r]))
        factor = (size if size > 0 else 1.0) / largest if largest > 0 else 0.0
        for r in range(s):
            run.inputs[n + r] = scratch.multipliers[r] + factor * scratch.stresses[first + j, r]
        arguments = (vector(state, 0, n), vector(state, n, n), run.parameters, run.inputs, scratch.values)
        call(run.addresses[addresses.CONDITIONS], run.control[control.REQUEST_T], *arguments)
        for k in range(run.events.shape[0]):
            table[k, 1 + j] = scratch.values[k] - run.values[k]
            effect = max(effect, abs(table[k, 1 + j]))
    for r in range(s):
        run.inputs[n + r] = scratch.multipliers[r]
    for k in range(run.events.shape[0]):
        changed = 0.0
        for j in range(count):
            changed = max(changed, abs(table[k, 1 + j]))
        if run.events[k, events.ARMED] == 1 and run.events[k, events.EXPECTED] == 1 and changed > NO_EFFECT * effect:
            for j in range(count):
                table[conditions, 1 + j] = table[k, 1 + j]
            table[conditions, 0], table[conditions, 1 + count] = run.values[k], -1.0
            cap = max(cap, abs(run.values[k]))
            scratch.conditions[conditions] = k
            conditions += 1
    for j in range(count):
        table[conditions, 1 + j] = 0.0
    table[conditions, 0], table[conditions, 1 + count] = cap, -1.0
    return conditions


@kernel
def _largest_margin(scratch: Any, conditions: Any, count: Any) -> Any:
    """Return the largest margin by the simplex method; see the plain version for the indices of variables."""
    table, basic, nonbasic, largest = scratch.dictionary, scratch.basic, scratch.nonbasic, 1.0
    rows, columns, margin = conditions + 1, count + 1, 0
    for i in range(rows):
        basic[i] = i
        margin = i if table[i, 0] < table[margin, 0] else margin
        for j in range(count):
            largest = max(largest, abs(table[i, 1 + j]))
    for j in range(columns):
        nonbasic[j] = -1.0 if j == count else -2.0 - j
    little = PIVOT_ROUNDING * largest
    _pivot(scratch, rows, columns, margin, count)
    for _ in range(SIMPLEX_ITERATIONS):
        column, direction = _entering(scratch, columns, margin, little)
        if column < 0:
            break
        row = _leaving(scratch, rows, column, direction, little)
        if row < 0:
            break
        _pivot(scratch, rows, columns, row, column)
    return table[margin, 0]


@kernel
def _entering(scratch: Any, columns: Any, margin: Any, little: Any) -> Any:
    """Return the column that increases the margin and the sign of its change; -1 at the optimum."""
    best = -1
    for j in range(columns):
        slope, variable = scratch.dictionary[margin, 1 + j], scratch.nonbasic[j]
        if variable < 0 and abs(slope) > little:
            return j, np.sign(slope)
        if variable >= 0 and slope > little and (best < 0 or variable < scratch.nonbasic[best]):
            best = j
    return best, 1.0


@kernel
def _leaving(scratch: Any, rows: Any, column: Any, direction: Any, little: Any) -> Any:
    """Return the row whose slack becomes zero first, the smallest index of several; -1 if there is none."""
    best, least, basic = -1, np.inf, scratch.basic
    for i in range(rows):
        slope = direction * scratch.dictionary[i, 1 + column]
        if basic[i] >= 0 and slope < -little:
            ratio = max(scratch.dictionary[i, 0], 0.0) / -slope
            if ratio < least or (ratio == least and basic[i] < basic[best]):
                best, least = i, ratio
    return best


@kernel
def _pivot(scratch: Any, rows: Any, columns: Any, row: Any, column: Any) -> None:
    """Exchange a basic and a nonbasic variable."""
    table, basic, nonbasic = scratch.dictionary, scratch.basic, scratch.nonbasic
    pivot = table[row, 1 + column]
    for j in range(columns + 1):
        table[row, j] = 1.0 / pivot if j == 1 + column else -table[row, j] / pivot
    for i in range(rows):
        if i != row:
            factor = table[i, 1 + column]
            table[i, 1 + column] = 0.0
            for j in range(columns + 1):
                table[i, j] += factor * table[row, j]
    basic[row], nonbasic[column] = nonbasic[column], basic[row]
