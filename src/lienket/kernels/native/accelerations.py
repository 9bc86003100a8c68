"""Accelerations and multipliers at a state, by the fastest method that is accurate there.

The model comes as two addresses: `motion`, generated code that solves the equations with fixed pivots and reports
whether they were large enough and whether digits may be lost, and `terms`, which computes A, h, G, g0. Methods in
order: `motion`, the Schur complement, elimination.

`accelerations_many` loops over many states without the interpreter; each thread needs its own workspace.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..memory.workspace import accelerations_at, slots, work_size
from .linear_algebra.loops import all_finite
from .non_ideal import call_non_ideal
from .robust_solve import ELIMINATION, REDUNDANT, call_robust
from .robust_solve import SOLVE as ELIMINATE
from .runtime.address import call, doubles, integers, table, vector, word
from .runtime.jit import entry, kernel
from .schur_solve import JUDGE, SOLVE, call_schur_for

GENERATED, SCHUR = 0, 1
DOUBTFUL = 2  # result of `motion` where its pivots are large but digits may be lost

# Elimination gives accelerations that are exactly zero where constraints leave no freedom; the other methods leave
# the rounding of the balanced forces, with which sticking bodies would creep in long steps.
# [velocity] largest |v| of a state at rest; such a state is solved by elimination if it has s >= n rows
REST_VELOCITY = 1e-20


@kernel
def accelerations_into(
    motion: Any,
    terms: Any,
    t: Any,
    q: Any,
    v: Any,
    parameters: Any,
    inputs: Any,
    a: Any,
    multipliers: Any,
    work: Any,
    iwork: Any,
) -> Any:
    """Fill a (n), multipliers (s) and drives (p) at t, q (n), v (n), and return the status.

    0 generated code, 1 Schur complement, 2 elimination, 3 elimination with redundant rows skipped; -1 rows contradict
    each other, -2 a massless direction is free, -3 A is not positive semidefinite, -4 a term is not finite,
    -5 friction leaves no motion or several, -6 drives do not reach the accelerations of programs. Drives follow the
    multipliers in `multipliers`. A state has the status 0 too if `motion` was in doubt about digits alone and
    elimination skips no rows.
    """
    n, p = a.size, iwork[slots.DRIVES]
    s = multipliers.size - p
    rank = iwork[slots.RANK] if iwork[slots.RANK] > 0 else s
    immobile = rank >= n and _is_at_rest(v)
    result = SCHUR
    if motion != 0 and not immobile:
        result = call(motion, t, q, v, parameters, inputs, work)
        if result == 0:
            for i in range(n):
                a[i] = work[i]
            for i in range(s):
                multipliers[i] = work[n + i]
            if all_finite(a) and all_finite(multipliers):
                return GENERATED
    if result == DOUBTFUL:
        for i in range(n + s):
            work[accelerations_at(n, s) + i] = work[i]
    call(terms, t, q, v, parameters, inputs, work)
    iwork[slots.INERTIAS] = 0
    if iwork[slots.LOADS] == 0:
        status = solve_terms(a, multipliers, not immobile, JUDGE if result == DOUBTFUL else SOLVE, work, iwork)
        if immobile:
            _hold_at_rest(status, a, s, work, iwork)
        return GENERATED if result == DOUBTFUL and 0 <= status <= ELIMINATION else status
    end = work_size(n, s)
    call(iwork[slots.LOADS], t, q, v, parameters, inputs, vector(work, end, work.size - end))
    status = call_non_ideal(n, s, 1 if immobile or iwork[slots.RANK] > 0 else 0, work, iwork)
    read_solution(status, a, vector(multipliers, 0, s), work)
    if immobile:
        _hold_at_rest(status, a, s, work, iwork)
    for i in range(p):
        multipliers[s + i] = work[end + i] if status >= 0 else np.nan
    return GENERATED if result == DOUBTFUL and 0 <= status <= ELIMINATION else status


@kernel
def _hold_at_rest(status: Any, a: Any, s: Any, work: Any, iwork: Any) -> None:
    """Set the accelerations (n) to exactly zero where n independent rows G a = 0 leave no freedom.

    The rest of their rounding would do work under loads that have no potential, which no energy could balance.
    """
    n = a.size
    if status < 0 or iwork[slots.ACCEPTED] < n:
        return
    g0 = vector(work, n * n + n + s * n, s)
    for r in range(s):
        if g0[r] != 0.0:
            return
    for i in range(n):
        a[i] = 0.0


@kernel
def _is_at_rest(v: Any) -> Any:
    """Return whether all velocities are at most REST_VELOCITY."""
    most = 0.0
    for x in v:
        most = max(most, abs(x))
    return most <= REST_VELOCITY


@kernel
def solve_terms(a: Any, multipliers: Any, try_schur: Any, task: Any, work: Any, iwork: Any) -> Any:
    """Fill a (n) and multipliers (s) from A (n x n), h, G (s x n), g0 at the beginning of `work`; return the status.

    `task` is that of the Schur complement, see `solve_schur`.
    If iwork[INERTIAS] is 1, the sizes of the terms of the diagonal of A (n) follow them.
    """
    n, s = a.size, multipliers.size
    status = SCHUR
    if not try_schur or call_schur_for(task, n, s, work, iwork) == 0:
        status = call_robust(n, s, ELIMINATE, work, iwork)
    elif iwork[slots.RANK] > 0 and task != JUDGE:
        status = REDUNDANT
    read_solution(status, a, multipliers, work)
    return status


@kernel
def read_solution(status: Any, a: Any, multipliers: Any, work: Any) -> None:
    """Copy the solution from the workspace to a (n) and multipliers (s); NaN if the status is negative."""
    n, s = a.size, multipliers.size
    solution = vector(work, accelerations_at(n, s), n + s)
    for i in range(n):
        a[i] = solution[i] if status >= 0 else np.nan
    for i in range(s):
        multipliers[i] = solution[n + i] if status >= 0 else np.nan


@entry
def accelerations(words: Any) -> Any:
    """Call `accelerations_into` from Python: motion, terms, [t], q, v, parameters, inputs, a, ..., iwork."""
    t, q, v, parameters, inputs = (
        doubles(words, 2)[0],
        doubles(words, 4),
        doubles(words, 6),
        doubles(words, 8),
        doubles(words, 10),
    )
    a, multipliers, work, iwork = doubles(words, 12), doubles(words, 14), doubles(words, 16), integers(words, 18)
    return accelerations_into(word(words, 0), word(words, 1), t, q, v, parameters, inputs, a, multipliers, work, iwork)


@entry
def solve(words: Any) -> Any:
    """Call `solve_terms` from Python: a, multipliers, try_schur, work, iwork."""
    a, multipliers, try_schur = doubles(words, 0), doubles(words, 2), word(words, 4) != 0
    return solve_terms(a, multipliers, try_schur, SOLVE, doubles(words, 5), integers(words, 7))


@entry
def accelerations_many(words: Any) -> Any:
    """Fill a (N x n), multipliers (N x s) and status (N) at t (N), q, v (N x n); return the number of failed states.

    Words: motion, terms, t, q, v, parameters, inputs, a, multipliers, status, work, iwork. `parameters` and `inputs`
    have N rows, or one row for all states.
    """
    motion, terms, t, q, v = word(words, 0), word(words, 1), doubles(words, 2), table(words, 4), table(words, 7)
    parameters, inputs, a, multipliers = table(words, 10), table(words, 13), table(words, 16), table(words, 19)
    status, work, iwork = integers(words, 22), doubles(words, 24), integers(words, 26)
    failed = 0
    for k in range(t.size):
        parameter_row = k if parameters.shape[0] > 1 else 0
        input_row = k if inputs.shape[0] > 1 else 0
        status[k] = accelerations_into(
            motion,
            terms,
            t[k],
            q[k],
            v[k],
            parameters[parameter_row],
            inputs[input_row],
            a[k],
            multipliers[k],
            work,
            iwork,
        )
        if status[k] < 0:
            failed += 1
    return failed
