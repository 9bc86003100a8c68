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

from ..memory.blocks import length
from ..memory.non_ideal import bounded_size, closing_blocks, loads_blocks
from ..memory.workspace import accelerations_at, places_size, slots, work_size
from .bounded_drives import drive
from .linear_algebra.loops import all_finite
from .robust_solve import NOT_FINITE, SOLVE, call_robust
from .runtime.address import address_of, call_words, vector
from .runtime.blocks import views
from .runtime.jit import callback, kernel
from .runtime.views import terms_of
from .schur_solve import call_schur

for _plain in (bounded_size, loads_blocks, closing_blocks):
    kernel(_plain)  # which kernels call as well

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
    given, own = loads_blocks(n, F, p, k, m), closing_blocks(n, s, F, p, k, m)
    work, places = carray(start, end + length(given) + length(own)), carray(indices, places_size(n, s))
    if not all_finite(vector(work, end, length(given))):
        return NOT_FINITE
    loads, closing = views(work, end, given), views(work, end + length(given), own)
    solutions, pushes, u = closing.solutions, closing.pushes, closing.u
    status = _responses(n, s, what == 0, loads, closing, work, places)
    if status < 0:
        return status
    if F > 0 and not _pushes(loads, solutions, n, pushes):
        return PARADOX
    if p > 0 and not _drives(n, loads, closing):
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
    if k > p and not _agreed(n, s, loads.kept, found, work):
        return OUT_OF_REACH
    for row in range(k):
        found[n + int(loads.kept[row])] = 0.0  # to rounding
    for d in range(p):
        work[end + d] = u[d]
    return status if all_finite(found) else NOT_FINITE


@kernel
def call_non_ideal(n: Any, s: Any, what: Any, work: Any, places: Any) -> Any:
    """The same from another kernel, by the address in `places`; drives are then at work_size(n, s)."""
    return call_words(places[slots.CLOSING], (n, s, what, address_of(work, 0), address_of(places, 0)))


@kernel
def _responses(n: Any, s: Any, short: Any, loads: Any, closing: Any, work: Any, places: Any) -> Any:
    """Fills the ideal solution and what each load does alone; the status of the first."""
    terms, solutions, kept, contacts = terms_of(work, n, s), closing.solutions, closing.right_sides, loads.rows.size
    h, g0 = terms.h, terms.g0
    for i in range(n):
        kept[i] = h[i]
    for i in range(s):
        kept[n + i] = g0[i]
    first = SCHUR
    for j in range(solutions.shape[0]):
        if j > 0:
            for i in range(n):
                h[i] = loads.directions[j - 1, i] if j <= contacts else loads.drives[j - 1 - contacts, i]
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
def _pushes(loads: Any, solutions: Any, n: Any, pushes: Any) -> Any:
    """Solves for the pushes, as affine functions of the drives; whether there is a single solution near the ideal one.

    pushes (F x (F + 1 + p)): the matrix, then the push without drives, then that of each drive.
    """
    F, columns = pushes.shape
    for j in range(F):
        row, share = n + int(loads.rows[j]), loads.shares[j]
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
    left, whole, terms = 0.0, 0.0, terms_of(work, n, s)
    for i in range(n):
        force, size = 0.0, abs(terms.h[i])
        for j in range(n):
            size += abs(terms.A[i, j] * found[j])
        for row in range(kept.size):
            r = int(kept[row])
            force += terms.G[r, i] * found[n + r]
        scale = 1.0 / np.sqrt(terms.A[i, i]) if terms.A[i, i] > 0 else 1.0
        left, whole = max(left, abs(force) * scale), max(whole, size * scale)
    return left <= AGAINST * whole


@kernel
def _drives(n: Any, loads: Any, closing: Any) -> Any:
    """Solves for the drives u (p); whether they reach what is asked."""
    F, p, k, solutions, pushes = loads.rows.size, loads.weights.size, loads.kept.size, closing.solutions, closing.pushes
    M, b = closing.M, closing.b
    for row in range(b.size):
        for column in range(1 + p):
            load = 0 if column == 0 else F + column
            total = _asked(n, loads, row, solutions, load)
            for j in range(F):
                total += pushes[j, F + column] * _asked(n, loads, row, solutions, 1 + j)
            if column > 0:
                M[row, column - 1] = total
            else:
                b[row] = -total - (loads.p0[row - k] if row >= k else 0.0)
        size = 0.0
        for column in range(p):
            size = max(size, abs(M[row, column]))
        if not size > 0:
            return False
        for column in range(p):
            M[row, column] /= size
        b[row] /= size
    return drive(M, b, loads.weights, loads.least, loads.most, closing.u, closing.bounded)


@kernel
def _asked(n: Any, loads: Any, row: Any, solutions: Any, load: Any) -> Any:
    """What a load does to one of the quantities that drives have to set right: a multiplier, or an acceleration."""
    k = loads.kept.size
    if row < k:
        return solutions[load, n + int(loads.kept[row])]
    total = 0.0
    for i in range(n):
        total += loads.P[row - k, i] * solutions[load, i]
    return total
