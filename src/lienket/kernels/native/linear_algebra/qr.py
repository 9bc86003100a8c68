"""Small systems by Householder's reflections: least squares, and the shortest solution where there are many.

M (r x c, r >= c) = Q R. R stays above the diagonal, the reflections in the columns from the diagonal on, |v|^2 = 2, the
diagonal of R in a vector of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel

RANK = 1e-11
"""The smallest diagonal entry that counts, beside the largest."""


@kernel
def reflect(M: Any, diagonal: Any) -> Any:
    """Factors M (r x c) in its place, r >= c; whether its columns are independent."""
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
            turned = 0.0
            for i in range(k, rows):
                turned += M[i, k] * M[i, j]
            for i in range(k, rows):
                M[i, j] -= turned * M[i, k]
    return smallest > RANK * largest


@kernel
def least_squares(M: Any, diagonal: Any, b: Any, x: Any) -> None:
    """The x (c) with the least |M x - b|; b (r) is used up. M and diagonal as `reflect` left them."""
    rows, columns = M.shape
    for k in range(columns):
        _turn(M, k, b, rows)
    for back in range(columns):
        k = columns - 1 - back
        total = b[k]
        for j in range(k + 1, columns):
            total -= M[k, j] * x[j]
        x[k] = total / diagonal[k]


@kernel
def shortest(M: Any, diagonal: Any, b: Any, x: Any) -> None:
    """The shortest x (r) with M^T x = b (c). M and diagonal as `reflect` left them."""
    rows, columns = M.shape
    for i in range(rows):
        x[i] = 0.0
    for k in range(columns):
        total = b[k]
        for j in range(k):
            total -= M[j, k] * x[j]
        x[k] = total / diagonal[k]
    for back in range(columns):
        _turn(M, columns - 1 - back, x, rows)


@kernel
def _turn(M: Any, k: Any, b: Any, rows: Any) -> None:
    """One reflection of b."""
    turned = 0.0
    for i in range(k, rows):
        turned += M[i, k] * b[i]
    for i in range(k, rows):
        b[i] -= turned * M[i, k]
