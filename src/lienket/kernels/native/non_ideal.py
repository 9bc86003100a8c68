"""Accelerations with friction forces (pushes) and drives, solved for by superposition on the ideal system.

    a = a_0 + sum c_j a_j,    lambda = lambda_0 + sum c_j lambda_j

with the ideal solution (a_0, lambda_0) and the response (a_j, lambda_j) to each unit push or drive alone. Friction,
c_j = share_j lambda, gives a small linear system. Drives then make the multipliers of kept programs vanish and give
followed programs their prescribed accelerations. Rows of programs that follow from other rows are left to these, as at
a state (`reactions.non_ideal`): the constraints come first, then kept programs in their order, then followed ones. See
`compiled/mechanics/non_ideal_loads.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.np.numpy_support import carray

from ..elimination.chain import RANK_TOLERANCE
from ..memory.blocks import length
from ..memory.non_ideal import bounded_size, loads_blocks, non_ideal_scratch_blocks
from ..memory.workspace import accelerations_at, iwork_size, least_pivot_at, slots, work_size
from .bounded_drives import solve_drives
from .linear_algebra.loops import all_finite, row_dot
from .robust_solve import CHAIN, NOT_FINITE, REDUNDANT, SOLVE, call_robust
from .runtime.address import address_of, call_words, matrix, vector
from .runtime.blocks import views
from .runtime.jit import callback, kernel
from .runtime.views import by_coordinate, square, terms_of
from .schur_solve import call_schur

for _plain in (bounded_size, loads_blocks, non_ideal_scratch_blocks):
    kernel(_plain)  # plain functions that kernels call too

SCHUR = 1
PARADOX, OUT_OF_REACH = -5, -6
IMPLIED = -1e300  # [1] number of a row of a kept program, or right side of one that is followed, which is left out
# [1] least pivot without a row, relative to that with it, above which the row is implied where the rank is held
IMPLIED_PIVOT_SHARE = 1e-3
# [1] smallest pivot of the friction system I - share response with a unique motion; below it Painleve's paradox
FRICTION_PIVOT_LIMIT = 1e-9
# [1] effect of drives on a followed program, relative to its terms, below which it is rounding
EFFECT_ROUNDING = 1e-10
# [1] force left in the rows of kept programs, relative to all forces, if there are more programs than drives
PROGRAM_FORCE_TOLERANCE = 1e-6


@callback("int64(int64, int64, int64, CPointer(f8), CPointer(i8))", vectors=False)
def solve_non_ideal(n: Any, s: Any, skip_schur: Any, work_pointer: Any, iwork_pointer: Any) -> Any:
    """Solve the system with A, h, G, g0 at the beginning of the workspace and the loads after its end.

    Writes [a (n) | multipliers (s)] at `accelerations_at` and the drives (p) at work_size(n, s). Returns a status as
    `accelerations_into`, or PARADOX, OUT_OF_REACH. If `skip_schur` is 1, the Schur complement is not tried.
    """
    end = work_size(n, s)
    counts = vector(carray(work_pointer, end + 4), end, 4)
    F, p, k, m = int(counts[0]), int(counts[1]), int(counts[2]), int(counts[3])
    load_shapes, scratch_shapes = loads_blocks(n, F, p, k, m), non_ideal_scratch_blocks(n, s, F, p, k, m)
    work, iwork = (
        carray(work_pointer, end + length(load_shapes) + length(scratch_shapes)),
        carray(iwork_pointer, iwork_size(n, s)),
    )
    if not all_finite(vector(work, end, length(load_shapes))):
        return NOT_FINITE
    loads, scratch = views(work, end, load_shapes), views(work, end + length(load_shapes), scratch_shapes)
    solutions, pushes, u = scratch.solutions, scratch.pushes, scratch.u
    status = _responses(n, s, skip_schur == 0, loads, scratch, work, iwork)
    if status == REDUNDANT and k > 0:
        _leave_kept_programs(n, s, loads, scratch.right_sides, work, iwork)
        status = _responses(n, s, False, loads, scratch, work, iwork)
    if status < 0:
        return status
    if F > 0 and not _solve_friction(loads, solutions, n, pushes):
        return PARADOX
    if p > 0 and not _solve_drives(n, loads, scratch):
        if m == 0 or not _leave_followed_programs(n, s, loads, scratch.followed, work, iwork):
            return OUT_OF_REACH
        if not _solve_drives(n, loads, scratch):
            return OUT_OF_REACH
    solution = vector(work, accelerations_at(n, s), n + s)
    for i in range(n + s):
        solution[i] = solutions[0, i]
        for j in range(F):
            push = pushes[j, F]
            for d in range(p):
                push += pushes[j, F + 1 + d] * u[d]
            solution[i] += push * solutions[1 + j, i]
        for d in range(p):
            solution[i] += u[d] * solutions[1 + F + d, i]
    if k > p and not _programs_agree(n, s, loads.kept, solution, work):
        return OUT_OF_REACH
    for row in range(k):
        if loads.kept[row] != IMPLIED:
            solution[n + int(loads.kept[row])] = 0.0  # it is 0 to rounding
    for d in range(p):
        work[end + d] = u[d]
    return status if all_finite(solution) else NOT_FINITE


@kernel
def call_non_ideal(n: Any, s: Any, skip_schur: Any, work: Any, iwork: Any) -> Any:
    """Call `solve_non_ideal` by the address in `iwork`."""
    return call_words(iwork[slots.NON_IDEAL], (n, s, skip_schur, address_of(work, 0), address_of(iwork, 0)))


@kernel
def _responses(n: Any, s: Any, try_schur: Any, loads: Any, scratch: Any, work: Any, iwork: Any) -> Any:
    """Fill the ideal solution and the response to each load alone; return the status of the first, or a failure."""
    terms, solutions, saved, contacts = terms_of(work, n, s), scratch.solutions, scratch.right_sides, loads.rows.size
    h, g0 = terms.h, terms.g0
    for i in range(n):
        saved[i] = h[i]
    for i in range(s):
        saved[n + i] = g0[i]
    first = SCHUR
    for j in range(solutions.shape[0]):
        if j > 0:
            for i in range(n):
                h[i] = loads.directions[j - 1, i] if j <= contacts else loads.drives[j - 1 - contacts, i]
            for i in range(s):
                g0[i] = 0.0
        status = SCHUR
        if not try_schur or call_schur(n, s, work, iwork) == 0:
            status = call_robust(n, s, SOLVE, work, iwork)
        solution = vector(work, accelerations_at(n, s), n + s)
        for i in range(n + s):
            solutions[j, i] = solution[i]
        if j == 0 or status < 0:
            first = status
        if status < 0:
            break
    for i in range(n):
        h[i] = saved[i]
    for i in range(s):
        g0[i] = saved[n + i]
    return first


@kernel
def _solve_friction(loads: Any, solutions: Any, n: Any, pushes: Any) -> Any:
    """Solve for the pushes as affine functions of the drives; return whether the motion exists and is unique.

    pushes (F x (F + 1 + p)): the matrix, then the push without drives, then that of each unit drive.
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
        if not abs(pivot) > FRICTION_PIVOT_LIMIT:
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
def _programs_agree(n: Any, s: Any, kept: Any, solution: Any, work: Any) -> Any:
    """Return whether fewer drives than kept programs satisfy all of these: no force is left in their rows."""
    left, whole, terms = 0.0, 0.0, terms_of(work, n, s)
    for i in range(n):
        force, size = 0.0, abs(terms.h[i])
        for j in range(n):
            size += abs(terms.A[i, j] * solution[j])
        for row in range(kept.size):
            r = int(kept[row])
            if kept[row] != IMPLIED:
                force += terms.G[r, i] * solution[n + r]
        scale = 1.0 / np.sqrt(terms.A[i, i]) if terms.A[i, i] > 0 else 1.0
        left, whole = max(left, abs(force) * scale), max(whole, size * scale)
    return left <= PROGRAM_FORCE_TOLERANCE * whole


@kernel
def _solve_drives(n: Any, loads: Any, scratch: Any) -> Any:
    """Solve for the drives u (p); return whether they reach all programs."""
    F, p, k, solutions, pushes = loads.rows.size, loads.weights.size, loads.kept.size, scratch.solutions, scratch.pushes
    M, b, count = scratch.M, scratch.b, 0
    for row in range(b.size):
        if (loads.kept[row] if row < k else loads.p0[row - k]) == IMPLIED:
            continue
        at = count
        count += 1
        for column in range(1 + p):
            load = 0 if column == 0 else F + column
            total = _program_response(n, loads, row, solutions, load)
            for j in range(F):
                total += pushes[j, F + column] * _program_response(n, loads, row, solutions, 1 + j)
            if column > 0:
                M[at, column - 1] = total
            else:
                b[at] = -total - (loads.p0[row - k] if row >= k else 0.0)
        size, terms = 0.0, 0.0
        for column in range(p):
            size = max(size, abs(M[at, column]))
            for i in range(n if row >= k else 0):
                terms = max(terms, abs(loads.P[row - k, i] * solutions[F + 1 + column, i]))
        if not size > EFFECT_ROUNDING * terms:
            return False
        for column in range(p):
            M[at, column] /= size
        b[at] /= size
    M, b = matrix(scratch.M, 0, count, p), vector(scratch.b, 0, count)
    return solve_drives(M, b, loads.weights, loads.least, loads.most, scratch.u, scratch.bounded)


@kernel
def _program_response(n: Any, loads: Any, row: Any, solutions: Any, load: Any) -> Any:
    """Return the response of a program row to a load: its multiplier if it is kept, its acceleration if followed."""
    k = loads.kept.size
    if row < k:
        return solutions[load, n + int(loads.kept[row])]
    total = 0.0
    for i in range(n):
        total += loads.P[row - k, i] * solutions[load, i]
    return total


@kernel
def _leave_kept_programs(n: Any, s: Any, loads: Any, saved: Any, work: Any, iwork: Any) -> None:
    """Set rows of kept programs without which the rank is the same to zero, and their numbers to IMPLIED.

    From the last row to the first: what remains are the first independent ones. `saved` (n + s) is scratch.
    """
    terms, held = terms_of(work, n, s), iwork[slots.RANK] > 0
    call_robust(n, s, CHAIN, work, iwork)
    rank, least = iwork[slots.ACCEPTED], work[least_pivot_at(n, s)]
    for back in range(loads.kept.size):
        row = loads.kept.size - 1 - back
        r = int(loads.kept[row])
        for i in range(n):
            saved[i] = terms.G[r, i]
            terms.G[r, i] = 0.0
        saved[n] = terms.g0[r]
        terms.g0[r] = 0.0
        call_robust(n, s, CHAIN, work, iwork)
        steady = not held or work[least_pivot_at(n, s)] > IMPLIED_PIVOT_SHARE * least
        if iwork[slots.ACCEPTED] == rank and steady:
            loads.kept[row] = IMPLIED
            continue
        for i in range(n):
            terms.G[r, i] = saved[i]
        terms.g0[r] = saved[n]


@kernel
def _leave_followed_programs(n: Any, s: Any, loads: Any, products: Any, work: Any, iwork: Any) -> Any:
    """Set the right sides of followed programs that others imply to IMPLIED; return whether there are any.

    A row is implied if its part on the free motions D is a combination of those of the rows before it: by Cholesky
    factors of the products P D D^T P^T, written to `products` (m x m).
    """
    call_robust(n, s, CHAIN, work, iwork)
    m, D, scale = loads.p0.size, square(work, iwork, slots.D), by_coordinate(work, iwork, slots.SCALE)
    turned, found = by_coordinate(work, iwork, slots.TURNED), False
    for i in range(m):
        for j in range(i + 1):
            products[i, j] = 0.0
    for d in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        for i in range(n):
            turned[i] = D[d, i] * scale[i]
        for i in range(m):
            for j in range(i + 1):
                products[i, j] += row_dot(loads.P, i, turned) * row_dot(loads.P, j, turned)
    for i in range(m):
        whole, stated = products[i, i], 0.0
        for j in range(n):
            stated += (loads.P[i, j] * scale[j]) ** 2
        for j in range(i + 1):
            if j < i and loads.p0[j] == IMPLIED:
                products[i, j] = 0.0
                continue
            for k in range(j):
                products[i, j] -= products[i, k] * products[j, k]
            if j < i:
                products[i, j] /= products[j, j]
        if not (products[i, i] > RANK_TOLERANCE * whole > RANK_TOLERANCE**3 * stated):
            loads.p0[i], found = IMPLIED, True
            products[i, i] = 1.0
        else:
            products[i, i] = np.sqrt(products[i, i])
    return found
