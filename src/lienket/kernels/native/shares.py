"""Multipliers (theory 6), those of least norm if rows are redundant.

The plain version is kernels/reactions/shares.py.

With G_all = K^T G, G the accepted rows, lambda solves K lambda = mu.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..memory.workspace import slots
from .elimination.pivoted_rows import RANK_TOLERANCE
from .linear_algebra.least_norm import least_norm
from .linear_algebra.loops import add_row, row_dot, rows_dot, solve_lower_transposed
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of


@kernel
def multipliers(out: Any, work: Any, iwork: Any) -> None:
    """Fill the multipliers lambda of all rows (s), with r = A a - h = G^T lambda; overwrites mu and K."""
    count, accepted, mu = iwork[slots.ACCEPTED], accepted_of(iwork), by_row(work, iwork, slots.MU)
    E, r = rows_of(work, iwork, slots.E), by_coordinate(work, iwork, slots.TURNED)
    _reaction(r, work, iwork)
    for i in range(count):
        mu[i] = row_dot(E, i, r)
    solve_lower_transposed(small(work, iwork, slots.L), mu, count)
    if count < out.size:
        _least_norm_multipliers(out, work, iwork)
        return
    for i in range(count):
        out[accepted[i]] = mu[i]


@kernel
def _reaction(r: Any, work: Any, iwork: Any) -> None:
    """Fill r = A a - h (n), scaled; its component along free motions is rounding and is removed: r - A D^T (D r)."""
    n, A, D = r.size, square(work, iwork, slots.A), square(work, iwork, slots.D)
    a, h = by_coordinate(work, iwork, slots.ACCELERATION), by_coordinate(work, iwork, slots.H)
    free_part = by_coordinate(work, iwork, slots.BETA)
    for i in range(n):
        r[i] = row_dot(A, i, a) - h[i]
        free_part[i] = 0.0
    for j in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        add_row(free_part, row_dot(D, j, r), D, j, n)
    for i in range(n):
        r[i] -= row_dot(A, i, free_part)


@kernel
def coefficients(r: Any, x: Any, work: Any, iwork: Any) -> None:
    """Fill x (first ACCEPTED entries) with x G = J for the skipped row r, J; negligible entries become exactly 0."""
    count, n = iwork[slots.ACCEPTED], iwork[slots.N]
    E, G = rows_of(work, iwork, slots.E), rows_of(work, iwork, slots.G)
    for i in range(count):
        x[i] = rows_dot(E, i, G, r, n)
    solve_lower_transposed(small(work, iwork, slots.L), x, count)
    largest, largest_stated, limit = 0.0, 0.0, 10 * RANK_TOLERANCE
    for i in range(count):
        largest = max(largest, abs(x[i]) * _row_length(i, work, iwork))
        largest_stated = max(largest_stated, abs(x[i]) * _stated_length(i, work, iwork))
    for i in range(count):
        if abs(x[i]) * _row_length(i, work, iwork) > limit * largest:
            continue
        if not abs(x[i]) * _stated_length(i, work, iwork) > limit * largest_stated:
            x[i] = 0.0


@kernel
def _row_length(i: Any, work: Any, iwork: Any) -> Any:
    """Return the length of accepted row i in the free basis: on massive directions plus on massless ones."""
    n, massive, row = iwork[slots.N], iwork[slots.MASSIVE], accepted_of(iwork)[i]
    G, free = rows_of(work, iwork, slots.G), square(work, iwork, slots.FREE)
    heavy, light = 0.0, 0.0
    for j in range(n):
        part = rows_dot(free, j, G, row, n)
        if j < massive:
            heavy += part * part
        else:
            light += part * part
    return np.sqrt(heavy) + np.sqrt(light)


@kernel
def _stated_length(i: Any, work: Any, iwork: Any) -> Any:
    """Return the length of accepted row i in the coordinates as stated."""
    row, G = accepted_of(iwork)[i], rows_of(work, iwork, slots.G)
    total, scale = 0.0, by_coordinate(work, iwork, slots.SCALE)
    for k in range(scale.size):
        total += (G[row, k] / scale[k]) ** 2
    return np.sqrt(total)


@kernel
def _least_norm_multipliers(out: Any, work: Any, iwork: Any) -> None:
    """Fill the multipliers of least norm of all rows: K lambda = mu."""
    count, K, verdict = iwork[slots.ACCEPTED], small(work, iwork, slots.K), verdicts_of(iwork)
    accepted = accepted_of(iwork)
    for r in range(out.size):
        if verdict[r]:
            coefficients(r, out, work, iwork)
        for i in range(count):
            if verdict[r]:
                K[i, r] = out[i]
            else:
                K[i, r] = 1.0 if accepted[i] == r else 0.0
    least_norm(K, count, by_row(work, iwork, slots.MU), out)
