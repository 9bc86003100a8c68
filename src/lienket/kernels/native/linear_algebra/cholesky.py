"""Cholesky factor A = L L^T row by row, with further rows below A, and with pivoting.

Rows J below A become J L^-T: [A; G; h] becomes [L; G L^-T; (L^-1 h)^T].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel, product_kernel
from .loops import rows_dot


@kernel
def factor(M: Any, n: Any, limit: Any) -> Any:
    """Factor M (rows x n or more columns) in place, its first n rows are A; return whether all L_ii^2 > limit * A_ii.

    Four rows are reduced at a time: their products with a finished row are independent of each other.
    """
    rows = M.shape[0]
    i = 0
    while i < rows:
        count = min(4, rows - i)
        if i + count > n > i:
            count = n - i  # a group of rows lies in A or below it, not in both
        done = min(i, n)
        if count == 4:
            _reduce_four_rows(M, i, done)
        else:
            for r in range(count):
                _reduce_row(M, i + r, 0, done)
        if i < n:
            for r in range(count):
                _reduce_row(M, i + r, done, i + r)
                size = M[i + r, i + r]
                square = size - rows_dot(M, i + r, M, i + r, i + r)
                if not square > limit * size:  # also for NaN
                    return False
                M[i + r, i + r] = np.sqrt(square)
        i += count
    return True


@kernel
def _reduce_row(M: Any, i: Any, first: Any, last: Any) -> None:
    """Compute entries first, ..., last - 1 of row i of L from the rows above."""
    for j in range(first, last):
        M[i, j] = (M[i, j] - rows_dot(M, i, M, j, j)) / M[j, j]


@product_kernel
def _reduce_four_rows(M: Any, i: Any, last: Any) -> None:
    """Compute entries 0, ..., last - 1 of rows i, ..., i + 3 of L from the rows above."""
    for j in range(last):
        x0, x1, x2, x3 = 0.0, 0.0, 0.0, 0.0
        for k in range(j):
            y = M[j, k]
            x0 += M[i, k] * y
            x1 += M[i + 1, k] * y
            x2 += M[i + 2, k] * y
            x3 += M[i + 3, k] * y
        inverse = 1.0 / M[j, j]
        M[i, j] = (M[i, j] - x0) * inverse
        M[i + 1, j] = (M[i + 1, j] - x1) * inverse
        M[i + 2, j] = (M[i + 2, j] - x2) * inverse
        M[i + 3, j] = (M[i + 3, j] - x3) * inverse


@product_kernel
def growth(L: Any, n: Any, w: Any) -> Any:
    """Return the largest entry, squared, of L^-1 x for x = +-1 with the worst signs, A scaled to unit diagonal.

    An estimate of |A^-1| from slightly below; it is large also where no single pivot is small. `w` (n) is scratch.
    """
    largest = 1.0
    for i in range(n):
        total, size = 0.0, L[i, i] * L[i, i]
        for k in range(i):
            total += L[i, k] * w[k]
            size += L[i, k] * L[i, k]
        w[i] = -np.copysign((np.sqrt(size) + abs(total)) / L[i, i], total)
        largest = max(largest, w[i] * w[i])
    return largest


@kernel
def factor_pivoted(A: Any, L: Any, order: Any, remaining: Any, limit: Any) -> Any:
    """Fill L (n x rank) with A[order, order] = L L^T + rest, largest pivots first (LAPACK's dpstrf); return the rank.

    It stops if no remaining pivot exceeds the limit. `remaining` (n) is scratch: the remaining diagonal.
    """
    n = order.size
    for i in range(n):
        order[i] = i
        remaining[i] = A[i, i]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if remaining[i] > remaining[best]:
                best = i
        if not remaining[best] > limit:
            return k
        order[k], order[best] = order[best], order[k]
        remaining[k], remaining[best] = remaining[best], remaining[k]
        for j in range(k):
            L[k, j], L[best, j] = L[best, j], L[k, j]
        L[k, k] = np.sqrt(remaining[k])
        for i in range(k + 1, n):
            L[i, k] = (A[order[i], order[k]] - rows_dot(L, i, L, k, k)) / L[k, k]
            remaining[i] -= L[i, k] * L[i, k]
    return n
