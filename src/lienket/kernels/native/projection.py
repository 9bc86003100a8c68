"""Projection of positions and velocities onto their constraints; compiled version of kernels/projection.py.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton steps, each the shortest in the metric of A. With h = 0 and g0 = the residual, the accelerations of the chain are
the step; dependent rows are skipped. If coordinates are held, A and G are restricted to the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import projection as plain
from ..elimination import residual_scales as plain_scales
from ..memory.workspace import accelerations_at, projection_at, slots, terms_size
from .linear_algebra.loops import all_finite
from .robust_solve import ACCELERATIONS, call_robust
from .runtime.address import call, doubles, integers, matrix, vector, word
from .runtime.jit import entry, kernel
from .schur_solve import CORRECT, call_schur_for

PROJECTION_TOLERANCE = plain.PROJECTION_TOLERANCE
PROJECTION_ROUNDING = plain.PROJECTION_ROUNDING
PROJECTION_STEPS = plain.PROJECTION_STEPS
UNDERFLOW = plain.UNDERFLOW
PROJECTION_HALVINGS = plain.PROJECTION_HALVINGS
POSITION_MOTION_SHARE = plain_scales.POSITION_MOTION_SHARE
TERMS_SHARE = plain_scales.TERMS_SHARE
POSITIONS, VELOCITIES = 0, 1
CONTRADICTORY, NOT_CONVERGING = plain.CONTRADICTORY, plain.NOT_CONVERGING


@kernel
def project_state(
    target: Any,
    surface: Any,
    level: Any,
    t: Any,
    q: Any,
    v: Any,
    parameters: Any,
    inputs: Any,
    held: Any,
    steps: Any,
    first: Any,
    work: Any,
    iwork: Any,
) -> Any:
    """Project q (target = POSITIONS) or v (target = VELOCITIES), n; return the number of steps, or a negative code.

    The function at `surface` writes A (n x n), G (s x n), position (s), velocity (s) and the sizes of their terms (s
    each). `level` (s) of each row: 0 it has both residuals, 1 that of the velocity, 2 none. `held` is 1 for coordinates
    that may not move (n), or empty; at most `steps` steps are taken, and the point after the first is written to
    `first` (n), unless it is empty. Codes: -1 rows contradict each other, -3 A is not positive semidefinite, -4 a term
    is not finite, -5 no convergence.
    """
    n, s = q.size, level.size
    x = q if target == POSITIONS else v
    scratch = vector(work, projection_at(n, s), 2 * n + s)
    iwork[slots.INERTIAS] = 0
    free = free_count(n, held)
    rows = _evaluate(target, surface, level, t, q, v, parameters, inputs, held, free, work)
    for step in range(steps):
        misfit = _fill_sizes(x, level, target, scratch, rows, free, work)
        if misfit <= PROJECTION_TOLERANCE:
            return step
        if free == 0:
            return _verdict(step, misfit, 0.0)
        status = _solve_step(free, rows, work, iwork)
        if status < 0:
            return status
        bound = _misfit(scratch, rows, n, free, work, iwork)
        if bound <= PROJECTION_TOLERANCE:
            return _verdict(step, misfit, bound)
        _store_step(x, held, scratch, rows, free, work)
        before = _misfit(scratch, rows, n, free, work, iwork)
        fraction, falls = 1.0, False
        for _ in range(PROJECTION_HALVINGS if bound > PROJECTION_ROUNDING else 1):
            for i in range(n):
                x[i] = scratch[i] + fraction * scratch[n + i]
            _evaluate(target, surface, level, t, q, v, parameters, inputs, held, free, work)
            falls = _misfit(scratch, rows, n, free, work, iwork) <= (1.0 - 1e-4 * fraction) * before
            if falls:
                break
            fraction *= 0.5
        if not falls:
            for i in range(n):
                x[i] = scratch[i]
            return _verdict(step, misfit, bound)
        if step == 0:
            for i in range(first.size):
                first[i] = x[i]
    return NOT_CONVERGING


@kernel
def free_count(n: Any, held: Any) -> Any:
    """Return the number of coordinates that may move."""
    free = n
    for i in range(held.size):
        free -= held[i] != 0
    return free


@kernel
def _store_step(x: Any, held: Any, scratch: Any, rows: Any, free: Any, work: Any) -> None:
    """Store x and the step (n each); add to the size of each row the terms that grow from zero along the step."""
    n, k = x.size, 0
    G, sizes = matrix(work, free * free + free, rows, free), vector(scratch, 2 * n, rows)
    move = vector(work, accelerations_at(free, rows), free)
    for i in range(n):
        scratch[i], scratch[n + i] = x[i], 0.0
        if held.size == 0 or held[i] == 0:
            scratch[n + i] = move[k]
            k += 1
    for r in range(rows):
        for i in range(free):
            sizes[r] += abs(G[r, i] * move[i])


@kernel
def _solve_step(n: Any, rows: Any, work: Any, iwork: Any) -> Any:
    """Compute the next step, by the Schur complement where it is accurate, else by the chain; return the status."""
    if call_schur_for(CORRECT, n, rows, work, iwork) == 0:
        return call_robust(n, rows, ACCELERATIONS, work, iwork)
    verdict = vector(iwork, slots.INDICES + n + rows, rows)
    for r in range(rows):
        verdict[r] = 0
    return 0


@kernel
def _verdict(step: Any, misfit: Any, bound: Any) -> Any:
    """Return the result if no step reduces the residuals of the accepted rows (`bound`): the steps or a code."""
    if misfit <= PROJECTION_ROUNDING:
        return step  # the rest is rounding
    if bound <= PROJECTION_ROUNDING:
        return CONTRADICTORY  # residuals remain in skipped rows only, and no motion changes these alone
    return NOT_CONVERGING


@kernel
def _evaluate(
    target: Any,
    surface: Any,
    level: Any,
    t: Any,
    q: Any,
    v: Any,
    parameters: Any,
    inputs: Any,
    held: Any,
    free: Any,
    work: Any,
) -> Any:
    """Call the model, write A, h = 0, G, g0 = residual of the active rows in the free coordinates; return their number.

    The residuals are NaN where A or a row is not finite. What the model has written stays in `work` until the solution.
    """
    n, s = q.size, level.size
    count = 0
    for r in range(s):
        count += level[r] <= target
    out = model_values(n, s, work)
    call(surface, t, q, v, parameters, inputs, out)
    finite = all_finite(vector(out, 0, n * n))
    _copy_free(out, 0, n, held, work, 0, free)
    for i in range(free):
        work[free * free + i] = 0.0
    G, g0 = free * free + free, vector(work, free * free + free + count * free, count)
    row = 0
    for r in range(s):
        if level[r] <= target:
            finite &= all_finite(vector(out, n * n + r * n, n))
            _copy_row(out, n * n + r * n, n, held, work, G + row * free)
            g0[row] = out[n * n + s * n + target * s + r]
            row += 1
    if not finite:
        for r in range(count):
            g0[r] = np.nan
    return count


@kernel
def model_values(n: Any, s: Any, work: Any) -> Any:
    """Return the memory for what the surface of a model writes: A, G, position, velocity and sizes of their terms."""
    return vector(work, terms_size(n, s), n * n + s * n + 4 * s)


@kernel
def _copy_free(source: Any, begin: Any, n: Any, held: Any, target: Any, at: Any, free: Any) -> None:
    """Copy the free rows and columns of a matrix (n x n) into target[at:]."""
    row = 0
    for i in range(n):
        if held.size == 0 or held[i] == 0:
            _copy_row(source, begin + i * n, n, held, target, at + row * free)
            row += 1


@kernel
def _copy_row(source: Any, begin: Any, n: Any, held: Any, target: Any, at: Any) -> None:
    """Copy the free entries of a row (n) into target[at:]."""
    k = 0
    for i in range(n):
        if held.size == 0 or held[i] == 0:
            target[at + k] = source[begin + i]
            k += 1


@kernel
def largest_motion(A: Any, x: Any) -> Any:
    """Return the largest |x_i| sqrt(A_ii)."""
    most = 0.0
    for i in range(x.size):
        if A[i, i] > 0:
            most = max(most, abs(x[i]) * np.sqrt(A[i, i]))
    return most


@kernel
def _fill_sizes(x: Any, level: Any, target: Any, scratch: Any, rows: Any, free: Any, work: Any) -> Any:
    """Fill the sizes of the terms of each residual, see the plain `sizes_of`; return the largest relative residual."""
    n, s = x.size, level.size
    out = model_values(n, s, work)
    A, G = matrix(out, 0, n, n), matrix(out, n * n, s, n)
    g0, sizes = vector(work, free * free + free + rows * free, rows), vector(scratch, 2 * n, rows)
    most, largest, row = largest_motion(A, x), 0.0, 0
    for r in range(s):
        if level[r] > target:
            continue
        size, reach = abs(g0[row]) + TERMS_SHARE * out[n * n + s * n + (2 + target) * s + r], 0.0
        for i in range(n):
            size += abs(G[r, i] * x[i])
            if A[i, i] > 0:
                reach += abs(G[r, i]) / np.sqrt(A[i, i])
        sizes[row] = size + POSITION_MOTION_SHARE * reach * most
        if not abs(g0[row]) <= UNDERFLOW:
            ratio = abs(g0[row]) / sizes[row]
            if ratio != ratio or sizes[row] == np.inf:  # a residual that is not a number, or terms that overflow
                return np.inf
            largest = max(largest, ratio)
        row += 1
    return largest


@kernel
def _misfit(scratch: Any, rows: Any, n: Any, free: Any, work: Any, iwork: Any) -> Any:
    """Return the largest residual of the accepted rows, relative to the stored sizes; NaN if one is not finite."""
    g0, sizes = vector(work, free * free + free + rows * free, rows), vector(scratch, 2 * n, rows)
    verdict = vector(iwork, slots.INDICES + free + rows, rows)
    largest = 0.0
    for r in range(rows):
        if verdict[r] == 0 and not abs(g0[r]) <= UNDERFLOW:
            ratio = abs(g0[r]) / sizes[r]
            if ratio != ratio or sizes[r] == np.inf:
                return np.nan
            largest = max(largest, ratio)
    return largest


@entry
def project(words: Any) -> Any:
    """Call `project_state` from Python: target, surface, level, [t], q, v, parameters, inputs, work, iwork."""
    level, t, q, v = integers(words, 2), doubles(words, 4)[0], doubles(words, 6), doubles(words, 8)
    parameters, inputs, work, iwork = (
        doubles(words, 10),
        doubles(words, 12),
        doubles(words, 14),
        integers(words, 16),
    )
    return project_state(
        word(words, 0), word(words, 1), level, t, q, v, parameters, inputs,
        vector(iwork, 0, 0), PROJECTION_STEPS, vector(work, 0, 0), work, iwork,
    )  # fmt: skip
