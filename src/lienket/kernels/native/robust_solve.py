"""Elimination from beginning to end, as one piece that other kernels call by its address.

So it is compiled once and not into each of them, and what they do most of the time stays small.
"""

from __future__ import annotations

from typing import Any

from numba.np.numpy_support import carray

from ..memory.workspace import accelerations_at, lay_out, places_size, slots, terms_size, work_size
from .elimination import eliminate, refine
from .linear_algebra.loops import all_finite
from .metric import free_motion, scaled
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.jit import callback, kernel
from .runtime.views import by_coordinate
from .shares import multipliers
from .verdicts import judge

ELIMINATION, REDUNDANT = 2, 3
CONTRADICTORY, UNDETERMINED, NEGATIVE, NOT_FINITE = -1, -2, -3, -4
SOLVE, CHAIN_ONLY = 0, 1
"""What is wanted: accelerations and multipliers with every check, or the chain and the a it leads to."""


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))")
def solve_robust(n: Any, s: Any, what: Any, start: Any, indices: Any) -> Any:
    """From A, h, G, g0 at the beginning of the workspace to [a (n) | multipliers (s)] at `accelerations_at`.

    `what` is SOLVE or CHAIN_ONLY, which leaves the multipliers out. The chain stays in the workspace. A status as
    of `accelerations`.
    """
    work, places = carray(start, work_size(n, s)), carray(indices, places_size(n, s))
    if not all_finite(vector(work, 0, n * n + n + s * n + s)):
        return NOT_FINITE
    lay_out(places, n, s, terms_size(n, s))
    A, h = matrix(work, 0, n, n), vector(work, n * n, n)
    G, g0 = matrix(work, n * n + n, s, n), vector(work, n * n + n + s * n, s)
    inertias = vector(work, n * n + n + s * n + s, n if places[slots.INERTIAS] else 0)
    if not scaled(A, h, G, g0, inertias, work, places) or not free_motion(work, places):
        return NEGATIVE
    eliminate(work, places)
    refine(work, places)
    a, scale = vector(work, accelerations_at(n, s), n), by_coordinate(work, places, slots.SCALE)
    own = by_coordinate(work, places, slots.ACCELERATION)
    for i in range(n):
        a[i] = own[i] * scale[i]
    status = REDUNDANT if places[slots.ACCEPTED] < s else ELIMINATION
    if what == CHAIN_ONLY:
        return status if all_finite(a) else NOT_FINITE
    if status == REDUNDANT and judge(work, places):
        return CONTRADICTORY
    if places[slots.FIRST_MASSLESS] < n:
        return UNDETERMINED
    multipliers(vector(work, accelerations_at(n, s) + n, s), work, places)
    return status if all_finite(vector(work, accelerations_at(n, s), n + s)) else NOT_FINITE


@kernel
def call_robust(n: Any, s: Any, what: Any, work: Any, places: Any) -> Any:
    """The same from another kernel, by the address in `places`."""
    return call_words(places[slots.ELIMINATION], (n, s, what, address_of(work, 0), address_of(places, 0)))
