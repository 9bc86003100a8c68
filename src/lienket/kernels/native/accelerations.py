"""Accelerations and multipliers at a state, by the shortest way that can be trusted there.

The model comes as two addresses: `motion`, generated code that solves the equations with fixed pivots and says if it
could, and `terms`, which gives A, h, G, g0. Then Schur's complement, then elimination.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import layout as at
from .address import call, vector
from .jit import entry, kernel
from .layout import accelerations_at
from .loops import all_finite
from .robust import SOLVE, call_robust
from .schur import call_short

GENERATED, SCHUR = 0, 1


@kernel
def accelerations_here(
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
    """Fills a (n) and multipliers (s) at t, q (n), v (n); how they were found, or why not. For use in other kernels.

    0 generated code, 1 Schur's complement, 2 elimination, 3 elimination with redundant rows skipped; -1 rows contradict
    each other, -2 something massless is free, -3 A is not positive semidefinite, -4 something is not finite.
    """
    n, s = a.size, multipliers.size
    if motion != 0:
        if call(motion, t, q, v, parameters, inputs, work) == 0:
            for i in range(n):
                a[i] = work[i]
            for i in range(s):
                multipliers[i] = work[n + i]
            if all_finite(a) and all_finite(multipliers):
                return GENERATED
    call(terms, t, q, v, parameters, inputs, work)
    places[at.INERTIAS] = 0
    return solve_here(a, multipliers, True, work, places)


@kernel
def solve_here(a: Any, multipliers: Any, try_schur: Any, work: Any, places: Any) -> Any:
    """The same from A (n x n), h, G (s x n), g0 at the beginning of `work`. For use in other kernels.

    If places[INERTIAS] is 1, the sizes of the terms of the diagonal of A (n) follow them.
    """
    n, s = a.size, multipliers.size
    status = SCHUR
    if not try_schur or call_short(n, s, work, places) == 0:
        status = call_robust(n, s, SOLVE, work, places)
    found = vector(work, accelerations_at(n, s), n + s)
    for i in range(n):
        a[i] = found[i] if status >= 0 else np.nan
    for i in range(s):
        multipliers[i] = found[n + i] if status >= 0 else np.nan
    return status


@entry("int64(int64, int64, float64, f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], i8[::1])")
def accelerations(
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
    """The door to `accelerations_here` for Python."""
    return accelerations_here(motion, terms, t, q, v, parameters, inputs, a, multipliers, work, places)


@entry("int64(f8[::1], f8[::1], boolean, f8[::1], i8[::1])")
def solve(a: Any, multipliers: Any, try_schur: Any, work: Any, places: Any) -> Any:
    """The door to `solve_here` for Python."""
    return solve_here(a, multipliers, try_schur, work, places)
