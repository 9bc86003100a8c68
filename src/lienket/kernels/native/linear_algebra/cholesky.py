"""Cholesky's factor A = L L^T row by row, with rows of other matrices taken along, and with pivoting.

Below A there may be more rows J; they become J L^-T. So [A; G; h] turns into [L; G L^-T; (L^-1 h)^T].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel, product_kernel
from .loops import rows_dot


@kernel
def factor(M: Any, n: Any, limit: Any) -> Any:
    """M (rows x n or more columns) in place, its first n rows being A; whether every pivot L_ii^2 > limit * A_ii.

    Four rows are taken at a time: their products with a finished row do not wait for each other.
    """
    rows = M.shape[0]
    i = 0
    while i < rows:
        together = min(4, rows - i)
        if i + together > n > i:
            together = n - i  # a group is above or below, not both
        done = min(i, n)
        if together == 4:
            _four(M, i, done)
        else:
            for r in range(together):
                _one(M, i + r, 0, done)
        if i < n:
            for r in range(together):
                _one(M, i + r, done, i + r)
                size = M[i + r, i + r]
                square = size - rows_dot(M, i + r, M, i + r, i + r)
                if not square > limit * size:  # NaN as well
                    return False
                M[i + r, i + r] = np.sqrt(square)
        i += together
    return True


@kernel
def _one(M: Any, i: Any, first: Any, last: Any) -> None:
    """Entries first, ..., last - 1 of row i of L, from the rows above."""
    for j in range(first, last):
        M[i, j] = (M[i, j] - rows_dot(M, i, M, j, j)) / M[j, j]


@product_kernel
def _four(M: Any, i: Any, last: Any) -> None:
    """The same for rows i, ..., i + 3 at once, from their beginning."""
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
    """How much L^-1, with rows of A scaled to unit diagonal, makes of a vector of ones with the worst signs, squared.

    A little below |A^-1|: where pivots are all fair, their product need not be. `w` (n) is scratch.
    """
    most = 1.0
    for i in range(n):
        total, size = 0.0, L[i, i] * L[i, i]
        for k in range(i):
            total += L[i, k] * w[k]
            size += L[i, k] * L[i, k]
        w[i] = -np.copysign((np.sqrt(size) + abs(total)) / L[i, i], total)
        most = max(most, w[i] * w[i])
    return most


@kernel
def factor_pivoted(A: Any, L: Any, order: Any, left: Any, limit: Any) -> Any:
    """The rank and L (n x rank) with A[order, order] = L L^T + rest, the largest pivot first (LAPACK's dpstrf).

    It stops where no pivot is left above the limit. `left` (n) is scratch: what is left of the diagonal.
    """
    n = order.size
    for i in range(n):
        order[i] = i
        left[i] = A[i, i]
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if left[i] > left[best]:
                best = i
        if not left[best] > limit:
            return k
        order[k], order[best] = order[best], order[k]
        left[k], left[best] = left[best], left[k]
        for j in range(k):
            L[k, j], L[best, j] = L[best, j], L[k, j]
        L[k, k] = np.sqrt(left[k])
        for i in range(k + 1, n):
            L[i, k] = (A[order[i], order[k]] - rows_dot(L, i, L, k, k)) / L[k, k]
            left[i] -= L[i, k] * L[i, k]
    return n
