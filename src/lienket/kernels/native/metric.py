"""The free system on arrays: scaled coordinates and a basis in which A is the unit matrix.

The plain version is kernels/elimination/metric.py.

Directions are rows here: D A D^T = I for those with mass, A D^T = 0 for those without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elimination import metric as plain
from ..memory.workspace import LARGE, slots
from .linear_algebra.cholesky import factor, factor_pivoted
from .linear_algebra.lapack import factor_large
from .linear_algebra.loops import add_row, add_rows, invert_lower, row_dot, rows_dot
from .runtime.jit import kernel
from .runtime.views import by_coordinate, by_row, order_of, rows_of, square

MASSLESS, SAFE = plain.MASSLESS, plain.SAFE


@kernel
def scaled(A: Any, h: Any, G: Any, g0: Any, inertias: Any, work: Any, places: Any) -> Any:
    """Fills A, h, G, g0, scale of the workspace from the user's; `inertias` (n, or empty) as in the plain version.

    False if the diagonal of A has a negative entry.
    """
    n, heavy, scale = h.size, order_of(places), by_coordinate(work, places, slots.SCALE)
    light, mask = 0, 0
    for i in range(n):
        rounding = MASSLESS * inertias[i] if inertias.size else 0.0
        if A[i, i] < -rounding:
            return False
        heavy[i] = A[i, i] > rounding
        scale[i] = 1.0 / np.sqrt(A[i, i]) if heavy[i] else 1.0
        light += 1 - heavy[i]
        if not heavy[i] and A[i, i] != 0:
            mask = 1
    if light:
        _units(G, scale, heavy, by_coordinate(work, places, slots.BETA))
    own_A, own_h = square(work, places, slots.A), by_coordinate(work, places, slots.H)
    own_G, own_g0 = rows_of(work, places, slots.G), by_row(work, places, slots.G0)
    for i in range(n):
        for j in range(n):
            own_A[i, j] = A[i, j] * scale[j] * scale[i]
            if mask and not (heavy[i] and heavy[j]):
                own_A[i, j] = 0.0
        own_h[i] = h[i] * scale[i]
    for r in range(g0.size):
        for j in range(n):
            own_G[r, j] = G[r, j] * scale[j]
        own_g0[r] = g0[r]
    return True


@kernel
def _units(G: Any, scale: Any, heavy: Any, share: Any) -> None:
    """Massless coordinates: the change that moves a constraint as much as a unit of the massive ones does."""
    for j in range(share.size):
        share[j] = 0.0
    for r in range(G.shape[0]):
        whole, massive = 0.0, 0.0
        for j in range(share.size):
            term = (G[r, j] * scale[j]) ** 2
            whole += term
            massive += term if heavy[j] else 0.0
        reach = np.sqrt(massive if massive > 0 else whole)
        for j in range(share.size):
            share[j] = max(share[j], abs(G[r, j]) / (reach if reach > 0 else 1.0))
    for j in range(share.size):
        if not heavy[j] and share[j] > 0:
            scale[j] = 1.0 / share[j]


@kernel
def free_motion(work: Any, places: Any) -> Any:
    """Fills D, FREE, reach, a and the counts: the chain before any constraint. False if A is negative somewhere."""
    massive = _directions(work, places)
    if massive < 0:
        return False
    places[slots.FIRST], places[slots.MASSIVE], places[slots.FIRST_MASSLESS], places[slots.ACCEPTED] = (
        0,
        massive,
        massive,
        0,
    )
    n, D, free = places[slots.N], square(work, places, slots.D), square(work, places, slots.FREE)
    a, h = by_coordinate(work, places, slots.ACCELERATION), by_coordinate(work, places, slots.H)
    reach, a_free = by_coordinate(work, places, slots.REACH), by_coordinate(work, places, slots.FREE_ACCELERATION)
    for k in range(n):
        reach[k], a[k] = 0.0, 0.0
    for j in range(massive):
        add_row(a, row_dot(D, j, h), D, j, n)
        for k in range(n):
            reach[k] += D[j, k] * D[j, k]
    for k in range(n):
        reach[k], a_free[k] = np.sqrt(reach[k]), a[k]
    for j in range(n):
        for k in range(n):
            free[j, k] = D[j, k]
    return True


@kernel
def _directions(work: Any, places: Any) -> Any:
    """How many directions have mass, first in D; -1 if A is negative along some direction."""
    n, A, L = places[slots.N], square(work, places, slots.A), square(work, places, slots.L0)
    for i in range(n):
        for j in range(n):
            L[i, j] = A[i, j]
    safe = factor_large(L, SAFE, places) if n > LARGE else factor(L, n, SAFE)
    if safe:
        invert_lower(L, square(work, places, slots.D), n)
        return n
    return _pivoted(work, places)


@kernel
def _pivoted(work: Any, places: Any) -> Any:
    """A = P [L1; L2] [L1; L2]^T P^T: massive = P [L1^-T; 0], massless = P [-L1^-T L2^T; I] made orthonormal."""
    n, order, A, L = places[slots.N], order_of(places), square(work, places, slots.A), square(work, places, slots.L0)
    D, inverse = square(work, places, slots.D), square(work, places, slots.FREE)
    limit = MASSLESS * n
    massive = factor_pivoted(A, L, order, by_coordinate(work, places, slots.TURNED), limit)
    for i in range(massive, n):
        for j in range(massive, i + 1):
            if abs(A[order[i], order[j]] - rows_dot(L, i, L, j, massive)) > 1e3 * limit:
                return -1
    invert_lower(L, inverse, massive)
    for j in range(n):
        for k in range(n):
            D[j, k] = 0.0
        for k in range(min(j + 1, massive) if j < massive else 0):
            D[j, order[k]] = inverse[j, k]
    for i in range(massive, n):
        for j in range(massive):
            add_rows(D, i, -L[i, j], D, j, n)  # -L1^-T L2^T: row j of D is column j of L1^-T
        D[i, order[i]] = 1.0
    _orthonormal(D, massive)
    return massive


@kernel
def _orthonormal(D: Any, first: Any) -> None:
    """The rows of D from `first` on, made orthonormal by Gram and Schmidt, twice."""
    n = D.shape[1]
    for i in range(first, n):
        for _ in range(2):
            for j in range(first, i):
                add_rows(D, i, -rows_dot(D, i, D, j, n), D, j, n)
            length = np.sqrt(rows_dot(D, i, D, i, n))
            for k in range(n):
                D[i, k] /= length
