"""Rows of programs that follow from other rows: the other rows carry the load, and no drive acts for them.

    kept programs      rows of G: the constraints come first, then the programs in their order
    followed programs  rows beside G: the rows of G come first, then these in their order

A row that adds nothing to those before it is left out, as at a state (`reactions.non_ideal`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elimination.chain import RANK_TOLERANCE
from ..memory.workspace import least_pivot_at, slots
from .linear_algebra.loops import row_dot
from .robust_solve import CHAIN_ONLY, call_robust
from .runtime.jit import kernel
from .runtime.views import by_coordinate, square, terms_of

IMPLIED = -1e300  # number of a row of a kept program, or right side of one that is followed, which is left out
# [1] least pivot without a row, relative to that with it, above which the row is implied where the rank is held
IMPLIED_PIVOT_SHARE = 1e-3


@kernel
def leave_kept_programs(n: Any, s: Any, loads: Any, saved: Any, work: Any, iwork: Any) -> None:
    """Set rows of kept programs without which the rank is the same to zero, and their numbers to IMPLIED.

    From the last row to the first: what remains are the first independent ones. `saved` (n + s) is scratch.
    """
    terms, held = terms_of(work, n, s), iwork[slots.RANK] > 0
    call_robust(n, s, CHAIN_ONLY, work, iwork)
    rank, least = iwork[slots.ACCEPTED], work[least_pivot_at(n, s)]
    for back in range(loads.kept.size):
        row = loads.kept.size - 1 - back
        r = int(loads.kept[row])
        for i in range(n):
            saved[i] = terms.G[r, i]
            terms.G[r, i] = 0.0
        saved[n] = terms.g0[r]
        terms.g0[r] = 0.0
        call_robust(n, s, CHAIN_ONLY, work, iwork)
        steady = not held or work[least_pivot_at(n, s)] > IMPLIED_PIVOT_SHARE * least
        if iwork[slots.ACCEPTED] == rank and steady:
            loads.kept[row] = IMPLIED
            continue
        for i in range(n):
            terms.G[r, i] = saved[i]
        terms.g0[r] = saved[n]


@kernel
def leave_followed_programs(n: Any, s: Any, loads: Any, products: Any, work: Any, iwork: Any) -> Any:
    """Set the right sides of followed programs that others imply to IMPLIED; return whether there are any.

    A row is implied if its part on the free motions D is a combination of those of the rows before it: by Cholesky
    factors of the products P D D^T P^T, written to `products` (m x m).
    """
    call_robust(n, s, CHAIN_ONLY, work, iwork)
    m, D, scale = loads.p0.size, square(work, iwork, slots.D), by_coordinate(work, iwork, slots.SCALE)
    turned, found = by_coordinate(work, iwork, slots.TURNED), False
    for i in range(m):
        for j in range(i + 1):
            products[i, j] = 0.0
    for d in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        for i in range(n):
            turned[i] = D[d, i] * scale[i]
        for i in range(m):
            for j in range(i + 1):
                products[i, j] += row_dot(loads.P, i, turned) * row_dot(loads.P, j, turned)
    for i in range(m):
        whole, stated = products[i, i], 0.0
        for j in range(n):
            stated += (loads.P[i, j] * scale[j]) ** 2
        for j in range(i + 1):
            if j < i and loads.p0[j] == IMPLIED:
                products[i, j] = 0.0
                continue
            for k in range(j):
                products[i, j] -= products[i, k] * products[j, k]
            if j < i:
                products[i, j] /= products[j, j]
        if not (products[i, i] > RANK_TOLERANCE * whole > RANK_TOLERANCE**3 * stated):
            loads.p0[i], found = IMPLIED, True
            products[i, i] = 1.0
        else:
            products[i, i] = np.sqrt(products[i, i])
    return found
