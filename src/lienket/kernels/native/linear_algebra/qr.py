"""Small systems by Householder reflections: least squares, and the shortest solution of underdetermined systems.

M (r x c, r >= c) = Q R. R is stored above the diagonal, the Householder vectors v, |v|^2 = 2, in the columns from the
diagonal on, the diagonal of R in a separate vector.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel

QR_RANK_TOLERANCE = 1e-11  # [1] diagonal entry of R, relative to the largest, below which columns count as dependent


@kernel
def reflect(M: Any, diagonal: Any) -> Any:
    """Factor M (r x c, r >= c) in place; return whether its columns are independent."""
    rows, columns = M.shape
    largest, smallest = 0.0, np.inf
    for k in range(columns):
        total = 0.0
        for i in range(k, rows):
            total += M[i, k] * M[i, k]
        size = np.sqrt(total)
        diagonal[k] = -size if M[k, k] >= 0 else size
        largest, smallest = max(largest, size), min(smallest, size)
        if not size > 0:
            return False
        M[k, k] -= diagonal[k]
        scale = 1.0 / np.sqrt(-M[k, k] * diagonal[k])  # |v|^2 = -2 diagonal v_k before
        for i in range(k, rows):
            M[i, k] *= scale
        for j in range(k + 1, columns):
            product = 0.0
            for i in range(k, rows):
                product += M[i, k] * M[i, j]
            for i in range(k, rows):
                M[i, j] -= product * M[i, k]
    return smallest > QR_RANK_TOLERANCE * largest


@kernel
def least_squares(M: Any, diagonal: Any, b: Any, x: Any) -> None:
    """Fill the x (c) with the least |M x - b|; b (r) is overwritten. M and diagonal as left by `reflect`."""
    rows, columns = M.shape
    for k in range(columns):
        _reflect_vector(M, k, b, rows)
    for back in range(columns):
        k = columns - 1 - back
        total = b[k]
        for j in range(k + 1, columns):
            total -= M[k, j] * x[j]
        x[k] = total / diagonal[k]


@kernel
def shortest(M: Any, diagonal: Any, b: Any, x: Any) -> None:
    """Fill the shortest x (r) with M^T x = b (c). M and diagonal as left by `reflect`."""
    rows, columns = M.shape
    for i in range(rows):
        x[i] = 0.0
    for k in range(columns):
        total = b[k]
        for j in range(k):
            total -= M[j, k] * x[j]
        x[k] = total / diagonal[k]
    for back in range(columns):
        _reflect_vector(M, columns - 1 - back, x, rows)


@kernel
def _reflect_vector(M: Any, k: Any, b: Any, rows: Any) -> None:
    """Apply reflection k to b."""
    product = 0.0
    for i in range(k, rows):
        product += M[i, k] * b[i]
    for i in range(k, rows):
        b[i] -= product * M[i, k]
