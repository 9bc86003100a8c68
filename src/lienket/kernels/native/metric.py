"""Free system in scaled coordinates, and a basis in which A is the unit matrix.

The plain version is kernels/elimination/metric.py.

Directions are rows here: D A D^T = I for those with mass, A D^T = 0 for those without.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elimination import metric as plain
from ..memory.workspace import LAPACK_THRESHOLD, slots
from .linear_algebra.cholesky import factor, factor_pivoted
from .linear_algebra.lapack import factor_large
from .linear_algebra.loops import add_row, add_rows, invert_lower, row_dot, rows_dot
from .runtime.jit import kernel
from .runtime.views import by_coordinate, by_row, order_of, rows_of, square

INERTIA_ROUNDING = plain.INERTIA_ROUNDING
UNPIVOTED_LIMIT = plain.UNPIVOTED_LIMIT


@kernel
def scale_terms(A: Any, h: Any, G: Any, g0: Any, inertias: Any, work: Any, iwork: Any) -> Any:
    """Fill A, h, G, g0, scale of the workspace; return False if the diagonal of A has a negative entry.

    `inertias` (n, or empty) as in the plain version.
    """
    n, heavy, scale = h.size, order_of(iwork), by_coordinate(work, iwork, slots.SCALE)
    massless_count, has_rounding = 0, 0
    for i in range(n):
        rounding = INERTIA_ROUNDING * inertias[i] if inertias.size else 0.0
        if A[i, i] < -rounding:
            return False
        heavy[i] = A[i, i] > rounding
        scale[i] = 1.0 / np.sqrt(A[i, i]) if heavy[i] else 1.0
        massless_count += 1 - heavy[i]
        if not heavy[i] and A[i, i] != 0:
            has_rounding = 1
    if massless_count:
        _units(G, scale, heavy, by_coordinate(work, iwork, slots.BETA))
    scaled_A, scaled_h = square(work, iwork, slots.A), by_coordinate(work, iwork, slots.H)
    scaled_G, scaled_g0 = rows_of(work, iwork, slots.G), by_row(work, iwork, slots.G0)
    for i in range(n):
        for j in range(n):
            scaled_A[i, j] = A[i, j] * scale[j] * scale[i]
            if has_rounding and not (heavy[i] and heavy[j]):
                scaled_A[i, j] = 0.0
        scaled_h[i] = h[i] * scale[i]
    for r in range(g0.size):
        for j in range(n):
            scaled_G[r, j] = G[r, j] * scale[j]
        scaled_g0[r] = g0[r]
    return True


@kernel
def _units(G: Any, scale: Any, heavy: Any, ratio: Any) -> None:
    """Fill the scale of massless coordinates: a unit moves a constraint as much as a unit of massive coordinates."""
    for j in range(ratio.size):
        ratio[j] = 0.0
    for r in range(G.shape[0]):
        whole, massive = 0.0, 0.0
        for j in range(ratio.size):
            term = (G[r, j] * scale[j]) ** 2
            whole += term
            massive += term if heavy[j] else 0.0
        reach = np.sqrt(massive if massive > 0 else whole)
        for j in range(ratio.size):
            ratio[j] = max(ratio[j], abs(G[r, j]) / (reach if reach > 0 else 1.0))
    for j in range(ratio.size):
        if not heavy[j] and ratio[j] > 0:
            scale[j] = 1.0 / ratio[j]


@kernel
def free_motion(work: Any, iwork: Any) -> Any:
    """Fill D, FREE, reach, a and the counts without constraints; return False if A is not positive semidefinite."""
    massive = _directions(work, iwork)
    if massive < 0:
        return False
    iwork[slots.FIRST], iwork[slots.MASSIVE], iwork[slots.FIRST_MASSLESS], iwork[slots.ACCEPTED] = (
        0,
        massive,
        massive,
        0,
    )
    n, D, free = iwork[slots.N], square(work, iwork, slots.D), square(work, iwork, slots.FREE)
    a, h = by_coordinate(work, iwork, slots.ACCELERATION), by_coordinate(work, iwork, slots.H)
    reach, a_free = by_coordinate(work, iwork, slots.REACH), by_coordinate(work, iwork, slots.FREE_ACCELERATION)
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
def _directions(work: Any, iwork: Any) -> Any:
    """Fill D, massive directions first, and return their number; -1 if A is not positive semidefinite."""
    n, A, L = iwork[slots.N], square(work, iwork, slots.A), square(work, iwork, slots.L0)
    for i in range(n):
        for j in range(n):
            L[i, j] = A[i, j]
    safe = factor_large(L, UNPIVOTED_LIMIT, iwork) if n > LAPACK_THRESHOLD else factor(L, n, UNPIVOTED_LIMIT)
    if safe:
        invert_lower(L, square(work, iwork, slots.D), n)
        return n
    return _pivoted(work, iwork)


@kernel
def _pivoted(work: Any, iwork: Any) -> Any:
    """Fill D by Cholesky with pivoting and return the number of massive directions, -1 as in `_directions`.

    With A = P [L1; L2] [L1; L2]^T P^T: massive = P [L1^-T; 0], massless = P [-L1^-T L2^T; I], orthonormalized.
    """
    n, order, A, L = iwork[slots.N], order_of(iwork), square(work, iwork, slots.A), square(work, iwork, slots.L0)
    D, inverse = square(work, iwork, slots.D), square(work, iwork, slots.FREE)
    limit = INERTIA_ROUNDING * n
    massive = factor_pivoted(A, L, order, by_coordinate(work, iwork, slots.TURNED), limit)
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
    """Orthonormalize the rows of D from `first` on, by Gram-Schmidt applied twice."""
    n = D.shape[1]
    for i in range(first, n):
        for _ in range(2):
            for j in range(first, i):
                add_rows(D, i, -rows_dot(D, i, D, j, n), D, j, n)
            length = np.sqrt(rows_dot(D, i, D, i, n))
            for k in range(n):
                D[i, k] /= length
