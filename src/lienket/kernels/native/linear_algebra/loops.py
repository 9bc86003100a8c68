"""Basic loops: products and sums of rows, triangular systems. Matrices are stored by rows.

Loops start at 0 and run along rows, so that LLVM can vectorize them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel, product_kernel


@product_kernel
def row_dot(X: Any, i: Any, y: Any) -> Any:
    """Return the product of row i of X with the vector y."""
    total = 0.0
    for k in range(y.size):
        total += X[i, k] * y[k]
    return total


@product_kernel
def rows_dot(X: Any, i: Any, Y: Any, j: Any, count: Any) -> Any:
    """Return the product of the first `count` entries of row i of X and row j of Y."""
    total = 0.0
    for k in range(count):
        total += X[i, k] * Y[j, k]
    return total


@product_kernel
def sizes_dot(X: Any, i: Any, y: Any) -> Any:
    """Return the sum over k of |X_ik| |y_k|."""
    total = 0.0
    for k in range(y.size):
        total += abs(X[i, k]) * abs(y[k])
    return total


@kernel
def add_row(x: Any, factor: Any, Y: Any, j: Any, count: Any) -> None:
    """Add factor * row j of Y to x, over the first `count` entries."""
    for k in range(count):
        x[k] += factor * Y[j, k]


@product_kernel
def add_combination(x: Any, factors: Any, Y: Any, count: Any) -> None:
    """Add sum_j factors_j (row j of Y) to x, over `count` rows and entries; four rows at once, to read x less often."""
    j = 0
    while j + 3 < count:
        a, b, c, d = factors[j], factors[j + 1], factors[j + 2], factors[j + 3]
        for k in range(count):
            x[k] += a * Y[j, k] + b * Y[j + 1, k] + c * Y[j + 2, k] + d * Y[j + 3, k]
        j += 4
    if j + 1 < count:
        a, b = factors[j], factors[j + 1]
        for k in range(count):
            x[k] += a * Y[j, k] + b * Y[j + 1, k]
        j += 2
    if j < count:
        add_row(x, factors[j], Y, j, count)


@kernel
def add_to_row(X: Any, i: Any, factor: Any, y: Any) -> None:
    """Add factor * y to row i of X."""
    for k in range(y.size):
        X[i, k] += factor * y[k]


@kernel
def add_rows(X: Any, i: Any, factor: Any, Y: Any, j: Any, count: Any) -> None:
    """Add factor * row j of Y to row i of X, over the first `count` entries."""
    for k in range(count):
        X[i, k] += factor * Y[j, k]


@kernel
def all_finite(x: Any) -> Any:
    """Return whether no entry is infinite or NaN."""
    total = 0.0
    for k in range(x.size):
        total += x[k] * 0.0
    return total == 0.0


@product_kernel
def solve_lower(L: Any, x: Any, count: Any) -> None:
    """Replace x by L^-1 x, for the leading `count` rows and columns of a lower triangle L."""
    for i in range(count):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total / L[i, i]


@kernel
def solve_lower_transposed(L: Any, x: Any, count: Any) -> None:
    """Replace x by L^-T x, for the leading `count` rows and columns of a lower triangle L; runs along its rows."""
    for back in range(count):
        i = count - 1 - back
        x[i] /= L[i, i]
        add_row(x, -x[i], L, i, i)


@kernel
def invert_lower(L: Any, inverse: Any, count: Any) -> None:
    """Fill the inverse of the leading `count` rows and columns of a lower triangle; 0 above its diagonal."""
    for i in range(count):
        for k in range(count):
            inverse[i, k] = 0.0
        for j in range(i):
            factor = L[i, j]
            for k in range(j + 1):
                inverse[i, k] -= factor * inverse[j, k]
        for k in range(i):
            inverse[i, k] /= L[i, i]
        inverse[i, i] = 1.0 / L[i, i]


@kernel
def squares(x: Any, first: Any, last: Any) -> Any:
    """Return the sum of the squares of the entries first, ..., last - 1."""
    total = 0.0
    for k in range(first, last):
        total += x[k] * x[k]
    return total


@kernel
def norm(x: Any, first: Any, last: Any) -> Any:
    """Return the Euclidean norm of the entries first, ..., last - 1."""
    return np.sqrt(squares(x, first, last))
