"""Multipliers on arrays (theory 6), those of least norm where rows are redundant.

The plain version is kernels/reactions/shares.py.

With G_all = K^T G, G the accepted rows, lambda solves K lambda = mu.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..memory.workspace import slots
from .elimination import RANK_TOLERANCE
from .linear_algebra.least_norm import least_norm
from .linear_algebra.loops import add_row, row_dot, rows_dot, solve_lower_transposed
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of


@kernel
def multipliers(out: Any, work: Any, places: Any) -> None:
    """Lambda of every row (s), with r = A a - h = G^T lambda; uses up mu and K."""
    count, accepted, mu = places[slots.ACCEPTED], accepted_of(places), by_row(work, places, slots.MU)
    E, r = rows_of(work, places, slots.E), by_coordinate(work, places, slots.TURNED)
    _reaction(r, work, places)
    for i in range(count):
        mu[i] = row_dot(E, i, r)
    solve_lower_transposed(small(work, places, slots.L), mu, count)
    if count < out.size:
        _shared(out, work, places)
        return
    for i in range(count):
        out[accepted[i]] = mu[i]


@kernel
def _reaction(r: Any, work: Any, places: Any) -> None:
    """R = A a - h (n), scaled. What it has along free motions is rounding and is taken out: r - A D^T (D r)."""
    n, A, D = r.size, square(work, places, slots.A), square(work, places, slots.D)
    a, h = by_coordinate(work, places, slots.ACCELERATION), by_coordinate(work, places, slots.H)
    along = by_coordinate(work, places, slots.BETA)
    for i in range(n):
        r[i] = row_dot(A, i, a) - h[i]
        along[i] = 0.0
    for j in range(places[slots.FIRST], places[slots.MASSIVE]):
        add_row(along, row_dot(D, j, r), D, j, n)
    for i in range(n):
        r[i] -= row_dot(A, i, along)


@kernel
def coefficients(r: Any, x: Any, work: Any, places: Any) -> None:
    """X (its first ACCEPTED entries) with x G = J for a skipped row J; what carries nothing of J is exactly 0."""
    count, n = places[slots.ACCEPTED], places[slots.N]
    E, G = rows_of(work, places, slots.E), rows_of(work, places, slots.G)
    for i in range(count):
        x[i] = rows_dot(E, i, G, r, n)
    solve_lower_transposed(small(work, places, slots.L), x, count)
    most = 0.0
    for i in range(count):
        most = max(most, abs(x[i]) * _length(i, work, places))
    for i in range(count):
        if not abs(x[i]) * _length(i, work, places) > 10 * RANK_TOLERANCE * most:
            x[i] = 0.0


@kernel
def _length(i: Any, work: Any, places: Any) -> Any:
    """The length of accepted row i in the free basis, with mass and without."""
    n, massive, row = places[slots.N], places[slots.MASSIVE], accepted_of(places)[i]
    G, free = rows_of(work, places, slots.G), square(work, places, slots.FREE)
    heavy, light = 0.0, 0.0
    for j in range(n):
        part = rows_dot(free, j, G, row, n)
        if j < massive:
            heavy += part * part
        else:
            light += part * part
    return np.sqrt(heavy) + np.sqrt(light)


@kernel
def _shared(out: Any, work: Any, places: Any) -> None:
    """The multipliers of least norm, over all rows."""
    count, K, verdict = places[slots.ACCEPTED], small(work, places, slots.K), verdicts_of(places)
    accepted = accepted_of(places)
    for r in range(out.size):
        if verdict[r]:
            coefficients(r, out, work, places)
        for i in range(count):
            if verdict[r]:
                K[i, r] = out[i]
            else:
                K[i, r] = 1.0 if accepted[i] == r else 0.0
    least_norm(K, count, by_row(work, places, slots.MU), out)
