"""Accelerations and multipliers at a state, by the shortest way that can be trusted there.

The model comes as two addresses: `motion`, generated code that solves the equations with fixed pivots and says if it
could, and `terms`, which gives A, h, G, g0. Then Schur's complement, then elimination.

Accelerations of many states, one after another, without the interpreter; each thread brings its own workspace.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..memory.workspace import accelerations_at, slots, work_size
from .linear_algebra.loops import all_finite
from .non_ideal import call_non_ideal
from .robust_solve import SOLVE, call_robust
from .runtime.address import call, doubles, integers, table, vector, word
from .runtime.jit import entry, kernel
from .schur_solve import call_schur

GENERATED, SCHUR = 0, 1

AT_REST = 1e-20
"""Where constraints may take all freedom and no velocity is larger, elimination is used: it gives accelerations that
vanish, not rounding of the forces in balance, with which what sticks would creep in long steps."""


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
    places: Any,
) -> Any:
    """Fills a (n), multipliers (s) and drives (p) at t, q (n), v (n); how they were found, or why not.

    0 generated code, 1 Schur's complement, 2 elimination, 3 elimination with redundant rows skipped; -1 rows contradict
    each other, -2 something massless is free, -3 A is not positive semidefinite, -4 something is not finite,
    -5 friction allows no or no single motion, -6 drives do not reach what programs ask. Drives stand after the
    multipliers. For use in other kernels.
    """
    n, p = a.size, places[slots.DRIVES]
    s = multipliers.size - p
    held = s >= n and _rests(v)
    if motion != 0 and not held:
        if call(motion, t, q, v, parameters, inputs, work) == 0:
            for i in range(n):
                a[i] = work[i]
            for i in range(s):
                multipliers[i] = work[n + i]
            if all_finite(a) and all_finite(multipliers):
                return GENERATED
    call(terms, t, q, v, parameters, inputs, work)
    places[slots.INERTIAS] = 0
    if places[slots.LOADS] == 0:
        return solve_here(a, multipliers, not held, work, places)
    end = work_size(n, s)
    call(places[slots.LOADS], t, q, v, parameters, inputs, vector(work, end, work.size - end))
    status = call_non_ideal(n, s, 1 if held else 0, work, places)
    answer(status, a, vector(multipliers, 0, s), work)
    for i in range(p):
        multipliers[s + i] = work[end + i] if status >= 0 else np.nan
    return status


@kernel
def _rests(v: Any) -> Any:
    """Whether nothing moves."""
    most = 0.0
    for x in v:
        most = max(most, abs(x))
    return most <= AT_REST


@kernel
def solve_here(a: Any, multipliers: Any, try_schur: Any, work: Any, places: Any) -> Any:
    """The same from A (n x n), h, G (s x n), g0 at the beginning of `work`. For use in other kernels.

    If places[INERTIAS] is 1, the sizes of the terms of the diagonal of A (n) follow them.
    """
    n, s = a.size, multipliers.size
    status = SCHUR
    if not try_schur or call_schur(n, s, work, places) == 0:
        status = call_robust(n, s, SOLVE, work, places)
    answer(status, a, multipliers, work)
    return status


@kernel
def answer(status: Any, a: Any, multipliers: Any, work: Any) -> None:
    """What was found, from the workspace; not a number where there is nothing."""
    n, s = a.size, multipliers.size
    found = vector(work, accelerations_at(n, s), n + s)
    for i in range(n):
        a[i] = found[i] if status >= 0 else np.nan
    for i in range(s):
        multipliers[i] = found[n + i] if status >= 0 else np.nan


@entry
def accelerations(words: Any) -> Any:
    """The door to `accelerations_into` for Python: motion, terms, [t], q, v, parameters, inputs, a, ..., places."""
    t, q, v, parameters, inputs = (
        doubles(words, 2)[0],
        doubles(words, 4),
        doubles(words, 6),
        doubles(words, 8),
        doubles(words, 10),
    )
    a, multipliers, work, places = doubles(words, 12), doubles(words, 14), doubles(words, 16), integers(words, 18)
    return accelerations_into(word(words, 0), word(words, 1), t, q, v, parameters, inputs, a, multipliers, work, places)


@entry
def solve(words: Any) -> Any:
    """The door to `solve_here` for Python: a, multipliers, try_schur, work, places."""
    return solve_here(doubles(words, 0), doubles(words, 2), word(words, 4) != 0, doubles(words, 5), integers(words, 7))


@entry
def accelerations_many(words: Any) -> Any:
    """Fills a (N x n), multipliers (N x s) and status (N) at t (N), q and v (N x n); how many states have none.

    motion, terms, t, q, v, parameters, inputs, a, multipliers, status, work, places. `parameters` and `inputs` have N
    rows, or one that holds for every state.
    """
    motion, terms, t, q, v = word(words, 0), word(words, 1), doubles(words, 2), table(words, 4), table(words, 7)
    parameters, inputs, a, multipliers = table(words, 10), table(words, 13), table(words, 16), table(words, 19)
    status, work, places = integers(words, 22), doubles(words, 24), integers(words, 26)
    failed = 0
    for k in range(t.size):
        here = k if parameters.shape[0] > 1 else 0
        given = k if inputs.shape[0] > 1 else 0
        status[k] = accelerations_into(
            motion, terms, t[k], q[k], v[k], parameters[here], inputs[given], a[k], multipliers[k], work, places
        )
        if status[k] < 0:
            failed += 1
    return failed
