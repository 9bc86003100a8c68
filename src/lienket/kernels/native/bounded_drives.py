"""Drives: the u (p) that do what programs ask, M u = b, as well as they can within bounds.

    as many equations as drives, or more     least squares
    more drives                              of all that do it the one with the least sum w u^2

Where that breaks a bound, the least |M u - b|^2 within the bounds, and of those the least sum w u^2 nearly: drives at
their bounds are held there, the others solved for, and one whose bound pulls the wrong way is let go (active sets).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .linear_algebra.qr import least_squares, reflect, shortest
from .runtime.address import matrix, vector
from .runtime.jit import kernel

SLIGHTLY = 1e-7
"""How much the squares of drives count beside what is asked, where bounds hold."""
ROUNDS = 100
BEYOND = 1e-12  # of a bound, what rounding may take


@kernel
def drive(M: Any, b: Any, weights: Any, least: Any, most: Any, u: Any, room: Any) -> Any:
    """Fills u (p) from M (m x p) and b (m); whether the drives reach everything that is asked, bounds left aside.

    `room` has `bounded_size(m, p)` numbers.
    """
    p = u.size
    reached = _free(M, b, weights, u, room)
    inside = True
    for j in range(p):
        size = BEYOND * (abs(least[j]) + abs(most[j])) if most[j] < 1e299 and least[j] > -1e299 else 0.0
        inside = inside and least[j] - size <= u[j] <= most[j] + size
    if not inside:
        _within(M, b, weights, least, most, u, room)
    return reached


@kernel
def _free(M: Any, b: Any, weights: Any, u: Any, room: Any) -> Any:
    """The drives without bounds; whether their columns, or the rows of M, are independent."""
    m, p = M.shape
    diagonal, right, scaled = vector(room, 0, p + m), vector(room, p + m, m + p), p + m + m + p
    if m >= p:
        N = matrix(room, scaled, m, p)
        for i in range(m):
            right[i] = b[i]
            for j in range(p):
                N[i, j] = M[i, j] / np.sqrt(weights[j])
        if not reflect(N, diagonal):
            return False
        least_squares(N, diagonal, vector(right, 0, m), u)
    else:
        T = matrix(room, scaled, p, m)
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
def _within(M: Any, b: Any, weights: Any, least: Any, most: Any, u: Any, room: Any) -> None:
    """The drives within their bounds, beginning with the free ones cut off."""
    m, p = M.shape
    held, tried = vector(room, room.size - 2 * p, p), vector(room, room.size - p, p)
    largest = 0.0
    for i in range(m):
        for j in range(p):
            largest = max(largest, abs(M[i, j]) / np.sqrt(weights[j]))
    for j in range(p):
        held[j] = 0.0
        if np.isnan(u[j]):
            u[j] = 0.0
        if u[j] <= least[j]:
            u[j], held[j] = least[j], -1.0
        elif u[j] >= most[j]:
            u[j], held[j] = most[j], 1.0
    for _ in range(ROUNDS):
        if not _others(M, b, weights, held, u, tried, SLIGHTLY * largest, room):
            return
        share, first = 1.0, -1
        for j in range(p):
            if held[j] == 0:
                step, bound = tried[j] - u[j], most[j] if tried[j] > u[j] else least[j]
                if (tried[j] > most[j] or tried[j] < least[j]) and (bound - u[j]) / step < share:
                    share, first = (bound - u[j]) / step, j
        for j in range(p):
            if held[j] == 0:
                u[j] += share * (tried[j] - u[j])
        if first >= 0:
            held[first] = 1.0 if tried[first] > u[first] else -1.0
            u[first] = most[first] if held[first] > 0 else least[first]
        elif not _free_a_bound(M, b, weights, held, u, SLIGHTLY * largest, room):
            return


@kernel
def _others(M: Any, b: Any, weights: Any, held: Any, u: Any, tried: Any, slightly: Any, room: Any) -> Any:
    """The best drives that are not held, into `tried`; whether there are any."""
    m, p = M.shape
    free = 0
    for j in range(p):
        free += 1 if held[j] == 0 else 0
    if free == 0:
        return True
    diagonal, right = vector(room, 0, p), vector(room, p, m + free)
    x, N = vector(room, p + m + p, free), matrix(room, p + m + p + p, m + free, free)
    for i in range(m):
        right[i] = b[i]
        for j in range(p):
            right[i] -= M[i, j] * u[j] if held[j] != 0 else 0.0
    k = 0
    for j in range(p):
        if held[j] == 0:
            for i in range(m):
                N[i, k] = M[i, j] / np.sqrt(weights[j])
            for i in range(free):
                N[m + i, k] = slightly if i == k else 0.0
            right[m + k] = 0.0
            k += 1
    if not reflect(N, diagonal):
        return False
    least_squares(N, diagonal, right, x)
    k = 0
    for j in range(p):
        if held[j] == 0:
            tried[j] = x[k] / np.sqrt(weights[j])
            k += 1
    return True


@kernel
def _free_a_bound(M: Any, b: Any, weights: Any, held: Any, u: Any, slightly: Any, room: Any) -> Any:
    """Lets go the drive that its bound keeps most from doing better; whether there is one."""
    m, p = M.shape
    left = vector(room, 0, m)
    _missed(M, b, weights, held, u, slightly, left, room)
    worst, which = 0.0, -1
    for j in range(p):
        if held[j] != 0:
            own = slightly * slightly * weights[j] * u[j]
            slope, size = own, abs(own)
            for i in range(m):
                slope += M[i, j] * left[i]
                size += abs(M[i, j] * left[i])
            better = held[j] * slope  # at the upper bound, a growing error keeps it from moving down
            if better > max(worst, 1e-9 * size):
                worst, which = better, j
    if which >= 0:
        held[which] = 0.0
    return which >= 0


@kernel
def _missed(M: Any, b: Any, weights: Any, held: Any, u: Any, slightly: Any, left: Any, room: Any) -> None:
    """Fills left (m) = M u - b, with what drives that are free could change of it as it must be at the best of them.

    Rounding is as large there as the slopes of the squares: it is replaced, M_j left = -slightly^2 w_j u_j.
    """
    m, p = M.shape
    free = 0
    for j in range(p):
        free += 1 if held[j] == 0 else 0
    for i in range(m):
        left[i] = -b[i]
        for j in range(p):
            left[i] += M[i, j] * u[j]
    most = max(m, free)
    change, y, diagonal = vector(room, m, m), vector(room, 2 * m, free), vector(room, 2 * m + free, most)
    N = matrix(room, 2 * m + free + most, most, min(m, free))
    k = 0
    for j in range(p):
        if held[j] == 0:
            root = np.sqrt(weights[j])
            y[k] = -slightly * slightly * root * u[j]
            for i in range(m):
                y[k] -= M[i, j] / root * left[i]
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
        left[i] += change[i]
