"""Gauss elimination with column pivoting, P M = L U; real matrices, and complex ones as two real ones.

L and U overwrite M, the diagonal of U as its reciprocal. `pivots` (n) holds the row exchanged with each row.

Where a matrix of a few rows is used many times, its inverse (Gauss and Jordan) is faster than the two triangles.
"""

from __future__ import annotations

from typing import Any

from ..runtime.jit import product_kernel


@product_kernel
def factor(M: Any, pivots: Any) -> Any:
    """Factor M (n x n) in place; return whether no pivot is zero."""
    n = pivots.size
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(M[i, k]) > abs(M[best, k]):
                best = i
        pivots[k] = best
        if not abs(M[best, k]) > 0:
            return False
        if best != k:
            for j in range(n):
                M[k, j], M[best, j] = M[best, j], M[k, j]
        M[k, k] = 1.0 / M[k, k]
        for i in range(k + 1, n):
            factor_of_row = M[i, k] * M[k, k]
            M[i, k] = factor_of_row
            for j in range(k + 1, n):
                M[i, j] -= factor_of_row * M[k, j]
    return True


@product_kernel
def solve(M: Any, pivots: Any, x: Any) -> None:
    """Replace x (n) by M^-1 x, M as factored by `factor`."""
    n = pivots.size
    for k in range(n):
        best = int(pivots[k])
        x[k], x[best] = x[best], x[k]
    for i in range(n):
        total = x[i]
        for j in range(i):
            total -= M[i, j] * x[j]
        x[i] = total
    for back in range(n):
        i = n - 1 - back
        total = x[i]
        for j in range(i + 1, n):
            total -= M[i, j] * x[j]
        x[i] = total * M[i, i]


@product_kernel
def invert(M: Any, pivots: Any) -> Any:
    """Replace M (n x n) by its inverse; return whether no pivot is zero."""
    n = pivots.size
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(M[i, k]) > abs(M[best, k]):
                best = i
        pivots[k] = best
        if not abs(M[best, k]) > 0:
            return False
        if best != k:
            for j in range(n):
                M[k, j], M[best, j] = M[best, j], M[k, j]
        reciprocal = 1.0 / M[k, k]
        M[k, k] = 1.0
        for j in range(n):
            M[k, j] *= reciprocal
        for i in range(n):
            if i != k:
                factor_of_row = M[i, k]
                M[i, k] = 0.0
                for j in range(n):
                    M[i, j] -= factor_of_row * M[k, j]
    for back in range(n):
        k = n - 1 - back
        best = int(pivots[k])
        if best != k:
            for i in range(n):
                M[i, k], M[i, best] = M[i, best], M[i, k]
    return True


@product_kernel
def factor_complex(R: Any, J: Any, pivots: Any) -> Any:
    """Factor R + i J (n x n) in place; return whether no pivot is zero."""
    n = pivots.size
    for k in range(n):
        best, largest = k, abs(R[k, k]) + abs(J[k, k])
        for i in range(k + 1, n):
            size = abs(R[i, k]) + abs(J[i, k])
            if size > largest:
                best, largest = i, size
        pivots[k] = best
        if not largest > 0:
            return False
        if best != k:
            for j in range(n):
                R[k, j], R[best, j] = R[best, j], R[k, j]
                J[k, j], J[best, j] = J[best, j], J[k, j]
        scale = 1.0 / (R[k, k] * R[k, k] + J[k, k] * J[k, k])
        R[k, k], J[k, k] = R[k, k] * scale, -J[k, k] * scale
        for i in range(k + 1, n):
            real = R[i, k] * R[k, k] - J[i, k] * J[k, k]
            imaginary = R[i, k] * J[k, k] + J[i, k] * R[k, k]
            R[i, k], J[i, k] = real, imaginary
            for j in range(k + 1, n):
                R[i, j] -= real * R[k, j] - imaginary * J[k, j]
                J[i, j] -= real * J[k, j] + imaginary * R[k, j]
    return True


@product_kernel
def solve_complex(R: Any, J: Any, pivots: Any, x: Any, y: Any) -> None:
    """Replace x + i y (n) by (R + i J)^-1 (x + i y), R and J as factored by `factor_complex`."""
    n = pivots.size
    for k in range(n):
        best = int(pivots[k])
        x[k], x[best] = x[best], x[k]
        y[k], y[best] = y[best], y[k]
    for i in range(n):
        real, imaginary = x[i], y[i]
        for j in range(i):
            real -= R[i, j] * x[j] - J[i, j] * y[j]
            imaginary -= R[i, j] * y[j] + J[i, j] * x[j]
        x[i], y[i] = real, imaginary
    for back in range(n):
        i = n - 1 - back
        real, imaginary = x[i], y[i]
        for j in range(i + 1, n):
            real -= R[i, j] * x[j] - J[i, j] * y[j]
            imaginary -= R[i, j] * y[j] + J[i, j] * x[j]
        x[i] = real * R[i, i] - imaginary * J[i, i]
        y[i] = real * J[i, i] + imaginary * R[i, i]
