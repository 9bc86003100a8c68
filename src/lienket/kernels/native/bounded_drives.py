"""Drives u (p) that satisfy the equations of programs, M u = b, as far as their bounds allow.

    at least as many equations as drives     least squares
    more drives than equations               the solution with the least sum w u^2

If a bound is violated: the least |M u - b|^2 + penalty^2 sum w u^2 within the bounds, by the active-set method. Drives
at their bounds are fixed, the others solved for, and a drive that its bound keeps from a smaller sum is freed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .linear_algebra.qr import least_squares, reflect, shortest
from .runtime.address import matrix, vector
from .runtime.jit import kernel

# [1] square root of the weight of sum w u^2 beside |M u - b|^2 if bounds are active, relative to the largest |M|
DRIVE_PENALTY = 1e-7
ACTIVE_SET_ITERATIONS = 100  # [iterations] limit of the active-set method
BOUND_ROUNDING = 1e-12  # [1] excess over a bound, relative to the bounds, that counts as rounding


@kernel
def solve_drives(M: Any, b: Any, weights: Any, least: Any, most: Any, u: Any, scratch: Any) -> Any:
    """Fill u (p) from M (m x p) and b (m); return whether M has full rank, so that drives without bounds reach b.

    `scratch` has `bounded_size(m, p)` numbers.
    """
    p = u.size
    reached = _solve_unbounded(M, b, weights, u, scratch)
    inside = True
    for j in range(p):
        size = BOUND_ROUNDING * (abs(least[j]) + abs(most[j])) if most[j] < 1e299 and least[j] > -1e299 else 0.0
        inside = inside and least[j] - size <= u[j] <= most[j] + size
    if not inside:
        _solve_in_bounds(M, b, weights, least, most, u, scratch)
    return reached


@kernel
def _solve_unbounded(M: Any, b: Any, weights: Any, u: Any, scratch: Any) -> Any:
    """Fill the drives without bounds; return whether M has full rank."""
    m, p = M.shape
    diagonal, right, scaled = vector(scratch, 0, p + m), vector(scratch, p + m, m + p), p + m + m + p
    if m >= p:
        N = matrix(scratch, scaled, m, p)
        for i in range(m):
            right[i] = b[i]
            for j in range(p):
                N[i, j] = M[i, j] / np.sqrt(weights[j])
        if not reflect(N, diagonal):
            return False
        least_squares(N, diagonal, vector(right, 0, m), u)
    else:
        T = matrix(scratch, scaled, p, m)
        for i in range(m):
            for j in range(p):
                T[j, i] = M[i, j] / np.sqrt(weights[j])
        if not reflect(T, diagonal):
            return False
        shortest(T, diagonal, b, u)
    for j in range(p):
        u[j] /= np.sqrt(weights[j])
    return True


@kernel
def _solve_in_bounds(M: Any, b: Any, weights: Any, least: Any, most: Any, u: Any, scratch: Any) -> None:
    """Fill the drives within their bounds, starting from the unbounded ones clipped to them.

    active (p): -1 a drive at its lower bound, 1 at its upper bound, 0 between them.
    """
    m, p = M.shape
    active, trial = vector(scratch, scratch.size - 2 * p, p), vector(scratch, scratch.size - p, p)
    largest = 0.0
    for i in range(m):
        for j in range(p):
            largest = max(largest, abs(M[i, j]) / np.sqrt(weights[j]))
    for j in range(p):
        active[j] = 0.0
        if np.isnan(u[j]):
            u[j] = 0.0
        if u[j] <= least[j]:
            u[j], active[j] = least[j], -1.0
        elif u[j] >= most[j]:
            u[j], active[j] = most[j], 1.0
    for _ in range(ACTIVE_SET_ITERATIONS):
        if not _solve_free_drives(M, b, weights, active, u, trial, DRIVE_PENALTY * largest, scratch):
            return
        fraction, first = 1.0, -1
        for j in range(p):
            if active[j] == 0:
                step, bound = trial[j] - u[j], most[j] if trial[j] > u[j] else least[j]
                if (trial[j] > most[j] or trial[j] < least[j]) and (bound - u[j]) / step < fraction:
                    fraction, first = (bound - u[j]) / step, j
        for j in range(p):
            if active[j] == 0:
                u[j] += fraction * (trial[j] - u[j])
        if first >= 0:
            active[first] = 1.0 if trial[first] > u[first] else -1.0
            u[first] = most[first] if active[first] > 0 else least[first]
        elif not _free_a_bound(M, b, weights, active, u, DRIVE_PENALTY * largest, scratch):
            return


@kernel
def _solve_free_drives(
    M: Any, b: Any, weights: Any, active: Any, u: Any, trial: Any, penalty: Any, scratch: Any
) -> Any:
    """Fill `trial` with the optimal drives that are not at bounds; return whether their system is regular."""
    m, p = M.shape
    free = 0
    for j in range(p):
        free += 1 if active[j] == 0 else 0
    if free == 0:
        return True
    diagonal, right = vector(scratch, 0, p), vector(scratch, p, m + free)
    x, N = vector(scratch, p + m + p, free), matrix(scratch, p + m + p + p, m + free, free)
    for i in range(m):
        right[i] = b[i]
        for j in range(p):
            right[i] -= M[i, j] * u[j] if active[j] != 0 else 0.0
    k = 0
    for j in range(p):
        if active[j] == 0:
            for i in range(m):
                N[i, k] = M[i, j] / np.sqrt(weights[j])
            for i in range(free):
                N[m + i, k] = penalty if i == k else 0.0
            right[m + k] = 0.0
            k += 1
    if not reflect(N, diagonal):
        return False
    least_squares(N, diagonal, right, x)
    k = 0
    for j in range(p):
        if active[j] == 0:
            trial[j] = x[k] / np.sqrt(weights[j])
            k += 1
    return True


@kernel
def _free_a_bound(M: Any, b: Any, weights: Any, active: Any, u: Any, penalty: Any, scratch: Any) -> Any:
    """Free the drive at a bound whose release reduces the sum fastest; return whether there is one."""
    m, p = M.shape
    residual = vector(scratch, 0, m)
    _residual_at_optimum(M, b, weights, active, u, penalty, residual, scratch)
    largest_gain, index = 0.0, -1
    for j in range(p):
        if active[j] != 0:
            slope_of_penalty = penalty * penalty * weights[j] * u[j]
            slope, size = slope_of_penalty, abs(slope_of_penalty)
            for i in range(m):
                slope += M[i, j] * residual[i]
                size += abs(M[i, j] * residual[i])
            gain = active[j] * slope  # at the upper bound a positive slope: a smaller drive reduces the sum
            if gain > max(largest_gain, 1e-9 * size):
                largest_gain, index = gain, j
    if index >= 0:
        active[index] = 0.0
    return index >= 0


@kernel
def _residual_at_optimum(
    M: Any, b: Any, weights: Any, active: Any, u: Any, penalty: Any, residual: Any, scratch: Any
) -> None:
    """Fill residual (m) = M u - b, corrected to satisfy the optimality conditions of the free drives exactly.

    M_j residual = -penalty^2 w_j u_j for each free drive j: the rounding of M u - b is as large as these slopes.
    """
    m, p = M.shape
    free = 0
    for j in range(p):
        free += 1 if active[j] == 0 else 0
    for i in range(m):
        residual[i] = -b[i]
        for j in range(p):
            residual[i] += M[i, j] * u[j]
    most = max(m, free)
    change, y, diagonal = vector(scratch, m, m), vector(scratch, 2 * m, free), vector(scratch, 2 * m + free, most)
    N = matrix(scratch, 2 * m + free + most, most, min(m, free))
    k = 0
    for j in range(p):
        if active[j] == 0:
            root = np.sqrt(weights[j])
            y[k] = -penalty * penalty * root * u[j]
            for i in range(m):
                y[k] -= M[i, j] / root * residual[i]
                if m >= free:
                    N[i, k] = M[i, j] / root
                else:
                    N[k, i] = M[i, j] / root
            k += 1
    if free == 0 or not reflect(N, diagonal):
        return
    if m >= free:
        shortest(N, diagonal, y, change)
    else:
        least_squares(N, diagonal, y, change)
    for i in range(m):
        residual[i] += change[i]
