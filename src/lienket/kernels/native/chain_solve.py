"""Linear systems and their transposes, solved by the chain that elimination leaves in the workspace.

    A X - G^T Y = -B_upper,   G X = -B_lower            X = x - D^T D (B_upper + A x),   x = -E^T L^-1 B_lower
    Z^T B with  A Z1 + G^T Z2 = W,   G Z1 = 0           Z1 = D^T D W,                    Z2 = L^-T E (W - A Z1)

E, L are the directions and the triangle of the accepted rows, D the remaining directions. W^T X = -Z^T B, to rounding.
The chain uses scaled coordinates. Redundant rows and massless coordinates need no special treatment.
"""

from __future__ import annotations

from typing import Any

from ..memory.workspace import slots
from .runtime.jit import product_kernel
from .runtime.views import accepted_of, by_coordinate, rows_of, small, square


@product_kernel
def solve_chain(B: Any, X: Any, scratch: Any, work: Any, iwork: Any) -> None:
    """Fill X (n x K) from B ((n + s) x K), which is overwritten. `scratch` has at least K numbers."""
    n, count, accepted, columns = iwork[slots.N], iwork[slots.ACCEPTED], accepted_of(iwork), X.shape[1]
    E, L, D = rows_of(work, iwork, slots.E), small(work, iwork, slots.L), square(work, iwork, slots.D)
    A, scale = square(work, iwork, slots.A), by_coordinate(work, iwork, slots.SCALE)
    for i in range(n):
        for j in range(columns):
            X[i, j] = 0.0
    for k in range(count):
        row = n + accepted[k]
        for i in range(k):
            for j in range(columns):
                B[row, j] -= L[k, i] * B[n + accepted[i], j]
        for j in range(columns):
            B[row, j] /= L[k, k]
        for i in range(n):
            for j in range(columns):
                X[i, j] -= E[k, i] * B[row, j]
    for i in range(n):
        for j in range(columns):
            B[i, j] *= scale[i]
        for k in range(n):
            for j in range(columns):
                B[i, j] += A[i, k] * X[k, j]
    for d in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        for j in range(columns):
            scratch[j] = 0.0
        for i in range(n):
            for j in range(columns):
                scratch[j] += D[d, i] * B[i, j]
        for i in range(n):
            for j in range(columns):
                X[i, j] -= D[d, i] * scratch[j]
    for i in range(n):
        for j in range(columns):
            X[i, j] *= scale[i]


@product_kernel
def solve_transposed(W: Any, Z: Any, scratch: Any, work: Any, iwork: Any) -> None:
    """Fill Z ((n + s) x K) from W (n x K), which is overwritten; 0 in rows that are not accepted."""
    n, count, accepted, columns = iwork[slots.N], iwork[slots.ACCEPTED], accepted_of(iwork), W.shape[1]
    E, L, D = rows_of(work, iwork, slots.E), small(work, iwork, slots.L), square(work, iwork, slots.D)
    A, scale = square(work, iwork, slots.A), by_coordinate(work, iwork, slots.SCALE)
    for i in range(Z.shape[0]):
        for j in range(columns):
            Z[i, j] = 0.0
    for i in range(n):
        for j in range(columns):
            W[i, j] *= scale[i]
    for d in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        for j in range(columns):
            scratch[j] = 0.0
        for i in range(n):
            for j in range(columns):
                scratch[j] += D[d, i] * W[i, j]
        for i in range(n):
            for j in range(columns):
                Z[i, j] += D[d, i] * scratch[j]
    for i in range(n):
        for k in range(n):
            for j in range(columns):
                W[i, j] -= A[i, k] * Z[k, j]
    for k in range(count):
        for i in range(n):
            for j in range(columns):
                Z[n + accepted[k], j] += E[k, i] * W[i, j]
    for back in range(count):
        k = count - 1 - back
        for i in range(k + 1, count):
            for j in range(columns):
                Z[n + accepted[k], j] -= L[i, k] * Z[n + accepted[i], j]
        for j in range(columns):
            Z[n + accepted[k], j] /= L[k, k]
    for i in range(n):
        for j in range(columns):
            Z[i, j] *= scale[i]
