"""Accelerations where not everything is ideal: pushes of friction and drives, solved for on top of the ideal system.

    a = a_0 + sum c_j a_j,    lambda = lambda_0 + sum c_j lambda_j

with the ideal solution (a_0, lambda_0) and what each push or drive would do alone (a_j, lambda_j). Friction makes
c_j = share_j lambda, which is a small linear system; drives then have to make the multipliers of programs that are kept
vanish, and the accelerations of programs that are followed what they should be. See
`compiled/mechanics/non_ideal_loads.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import carray

from . import layout as at
from .bounded_drives import drive
from .layout import accelerations_at, closing_size, loads_size, places_size, work_size
from .linear_algebra.loops import all_finite
from .robust_solve import NOT_FINITE, SOLVE, call_robust
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.jit import callback, kernel
from .schur_solve import call_schur

SCHUR = 1
PARADOX, OUT_OF_REACH = -5, -6
LEAST = 1e-9
"""What must be left of 1 in the system of the pushes: beyond, no or no single motion exists (Painleve)."""

AGAINST = 1e-6
"""What programs that are more than their drives may ask for against each other, as a share of all forces."""


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))")
def solve_non_ideal(n: Any, s: Any, what: Any, start: Any, indices: Any) -> Any:
    """From A, h, G, g0 at the beginning of the workspace and the loads after its end to [a | multipliers | drives].

    The answer is at `accelerations_at`, the drives after the answer of `loads`: see `drives_at`. A status as of
    `accelerations`, or PARADOX, OUT_OF_REACH. With `what` 1 Schur's complement is not tried.
    """
    end = work_size(n, s)
    counts = vector(carray(start, end + 4), end, 4)
    F, p, k, m = int(counts[0]), int(counts[1]), int(counts[2]), int(counts[3])
    given = loads_size(n, F, p, k, m)
    work, places = carray(start, end + given + closing_size(n, s, F, p, k, m)), carray(indices, places_size(n, s))
    if not all_finite(vector(work, end, given)):
        return NOT_FINITE
    solutions = matrix(work, end + given, 1 + F + p, n + s)
    status = _responses(n, s, F, p, what == 0, vector(work, end, given), solutions, work, places)
    if status < 0:
        return status
    pushes = matrix(work, end + given + (n + s) * (2 + F + p), F, F + 1 + p)
    if F > 0 and not _pushes(vector(work, end + 4, 2 * F), solutions, n, pushes):
        return PARADOX
    rest = end + given + (n + s) * (2 + F + p) + F * (F + 1 + p)
    u = vector(work, rest, p)
    if p > 0:
        room = vector(work, rest + p, work.size - rest - p)
        if not _drives(n, s, vector(work, end, given), solutions, pushes, u, room):
            return OUT_OF_REACH
    found = vector(work, accelerations_at(n, s), n + s)
    for i in range(n + s):
        found[i] = solutions[0, i]
        for j in range(F):
            push = pushes[j, F]
            for d in range(p):
                push += pushes[j, F + 1 + d] * u[d]
            found[i] += push * solutions[1 + j, i]
        for d in range(p):
            found[i] += u[d] * solutions[1 + F + d, i]
    kept = vector(work, end + 4 + 2 * F + F * n + p * n + 3 * p, k)
    if k > p and not _agreed(n, s, kept, found, work):
        return OUT_OF_REACH
    for row in range(k):
        found[n + int(kept[row])] = 0.0  # to rounding
    for d in range(p):
        work[end + d] = u[d]
    return status if all_finite(found) else NOT_FINITE


@kernel
def call_non_ideal(n: Any, s: Any, what: Any, work: Any, places: Any) -> Any:
    """The same from another kernel, by the address in `places`; drives are then at work_size(n, s)."""
    return call_words(places[at.CLOSING], (n, s, what, address_of(work, 0), address_of(places, 0)))


@kernel
def _responses(n: Any, s: Any, F: Any, p: Any, short: Any, loads: Any, solutions: Any, work: Any, places: Any) -> Any:
    """Fills the ideal solution and what each load does alone; the status of the first."""
    h, g0 = vector(work, n * n, n), vector(work, n * n + n + s * n, s)
    kept = vector(work, work_size(n, s) + loads.size + (1 + F + p) * (n + s), n + s)
    for i in range(n):
        kept[i] = h[i]
    for i in range(s):
        kept[n + i] = g0[i]
    first = SCHUR
    for j in range(1 + F + p):
        if j > 0:
            at_column = 4 + 2 * F + (j - 1) * n  # directions, then drives
            for i in range(n):
                h[i] = loads[at_column + i]
            for i in range(s):
                g0[i] = 0.0
        status = SCHUR
        if not short or call_schur(n, s, work, places) == 0:
            status = call_robust(n, s, SOLVE, work, places)
        found = vector(work, accelerations_at(n, s), n + s)
        for i in range(n + s):
            solutions[j, i] = found[i]
        if j == 0 or status < 0:
            first = status
        if status < 0:
            break
    for i in range(n):
        h[i] = kept[i]
    for i in range(s):
        g0[i] = kept[n + i]
    return first


@kernel
def _pushes(contacts: Any, solutions: Any, n: Any, pushes: Any) -> Any:
    """Solves for the pushes, as affine functions of the drives; whether there is a single solution near the ideal one.

    pushes (F x (F + 1 + p)): the matrix, then the push without drives, then that of each drive.
    """
    F, columns = pushes.shape
    for j in range(F):
        row, share = n + int(contacts[j]), contacts[F + j]
        for k in range(columns):
            load = k + 1 if k < F else 0 if k == F else k
            pushes[j, k] = share * solutions[load, row]
            if k < F:
                pushes[j, k] = (1.0 if k == j else 0.0) - pushes[j, k]
    sign = 1.0
    for k in range(F):
        best = k
        for i in range(k + 1, F):
            if abs(pushes[i, k]) > abs(pushes[best, k]):
                best = i
        if best != k:
            sign = -sign
            for j in range(columns):
                pushes[k, j], pushes[best, j] = pushes[best, j], pushes[k, j]
        pivot = pushes[k, k]
        sign = sign if pivot > 0 else -sign
        if not abs(pivot) > LEAST:
            return False
        for i in range(F):
            if i != k:
                factor = pushes[i, k] / pivot
                for j in range(k, columns):
                    pushes[i, j] -= factor * pushes[k, j]
    for k in range(F):
        pivot = pushes[k, k]
        for j in range(F, columns):
            pushes[k, j] /= pivot
    return sign > 0


@kernel
def _agreed(n: Any, s: Any, kept: Any, found: Any, work: Any) -> Any:
    """Whether drives do all that programs ask which are more than they: no force is left in their rows."""
    left, whole = 0.0, 0.0
    for i in range(n):
        force, size = 0.0, abs(work[n * n + i])
        for j in range(n):
            size += abs(work[i * n + j] * found[j])
        for row in range(kept.size):
            r = int(kept[row])
            force += work[n * n + n + r * n + i] * found[n + r]
        scale = 1.0 / np.sqrt(work[i * n + i]) if work[i * n + i] > 0 else 1.0
        left, whole = max(left, abs(force) * scale), max(whole, size * scale)
    return left <= AGAINST * whole


@kernel
def _drives(n: Any, s: Any, loads: Any, solutions: Any, pushes: Any, u: Any, room: Any) -> Any:
    """Solves for the drives u (p); whether they reach what is asked."""
    F, p, k, m = int(loads[0]), int(loads[1]), int(loads[2]), int(loads[3])
    limits = 4 + 2 * F + F * n + p * n
    weights, least, most = vector(loads, limits, p), vector(loads, limits + p, p), vector(loads, limits + 2 * p, p)
    M, b = matrix(room, 0, k + m, p), vector(room, (k + m) * p, k + m)
    for row in range(k + m):
        for column in range(1 + p):
            load = 0 if column == 0 else F + column
            total = _asked(n, loads, limits + 3 * p, k, m, row, solutions, load)
            for j in range(F):
                total += pushes[j, F + column] * _asked(n, loads, limits + 3 * p, k, m, row, solutions, 1 + j)
            if column > 0:
                M[row, column - 1] = total
            else:
                b[row] = -total - (loads[limits + 3 * p + k + m * n + row - k] if row >= k else 0.0)
        size = 0.0
        for column in range(p):
            size = max(size, abs(M[row, column]))
        if not size > 0:
            return False
        for column in range(p):
            M[row, column] /= size
        b[row] /= size
    return drive(M, b, weights, least, most, u, vector(room, (k + m) * (p + 1), room.size - (k + m) * (p + 1)))


@kernel
def _asked(n: Any, loads: Any, begin: Any, k: Any, m: Any, row: Any, solutions: Any, load: Any) -> Any:
    """What a load does to one of the quantities that drives have to set right: a multiplier, or an acceleration."""
    if row < k:
        return solutions[load, n + int(loads[begin + row])]
    total = 0.0
    for i in range(n):
        total += loads[begin + k + (row - k) * n + i] * solutions[load, i]
    return total
