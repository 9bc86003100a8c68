"""Projection of positions and velocities onto their constraints; compiled version of kernels/projection.py.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton steps, each the shortest in the metric of A. With h = 0 and g0 = the residual, the accelerations of the chain are
the step; dependent rows are skipped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import projection as plain
from ..elimination import residual_scales as plain_scales
from ..memory.workspace import accelerations_at, projection_at, slots, terms_size
from .robust_solve import CHAIN_ONLY, call_robust
from .runtime.address import call, doubles, integers, matrix, vector, word
from .runtime.jit import entry, kernel
from .schur_solve import call_schur

PROJECTION_TOLERANCE = plain.PROJECTION_TOLERANCE
PROJECTION_ROUNDING = plain.PROJECTION_ROUNDING
PROJECTION_STEPS = plain.PROJECTION_STEPS
PROJECTION_HALVINGS = plain.PROJECTION_HALVINGS
POSITION_MOTION_SHARE = plain_scales.POSITION_MOTION_SHARE
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
    work: Any,
    iwork: Any,
) -> Any:
    """Project q (target = POSITIONS) or v (target = VELOCITIES), n; return the number of steps, or a negative code.

    The function at `surface` writes A (n x n), G (s x n), position (s), velocity (s). `level` (s) of each row: 0 it has
    both residuals, 1 that of the velocity, 2 none. Codes: -1 rows contradict each other, -3 A is not positive
    semidefinite, -4 a term is not finite, -5 no convergence.
    """
    n, s = q.size, level.size
    x = q if target == POSITIONS else v
    scratch = vector(work, projection_at(n, s), 2 * n + s)
    iwork[slots.INERTIAS] = 0
    rows = _evaluate(target, surface, level, t, q, v, parameters, inputs, work)
    for step in range(PROJECTION_STEPS):
        misfit = _fill_sizes(x, scratch, rows, work)
        if misfit <= PROJECTION_TOLERANCE:
            return step
        status = _solve_step(n, rows, work, iwork)
        if status < 0:
            return status
        bound = _misfit(scratch, rows, n, work, iwork)
        if bound <= PROJECTION_TOLERANCE:
            return _verdict(step, misfit, bound)
        fraction, falls = 1.0, False
        for i in range(n):
            scratch[i], scratch[n + i] = x[i], work[accelerations_at(n, rows) + i]
        for _ in range(PROJECTION_HALVINGS):
            for i in range(n):
                x[i] = scratch[i] + fraction * scratch[n + i]
            _evaluate(target, surface, level, t, q, v, parameters, inputs, work)
            falls = _misfit(scratch, rows, n, work, iwork) <= (1.0 - 1e-4 * fraction) * bound
            if falls or bound <= PROJECTION_ROUNDING:
                break
            fraction *= 0.5
        if not falls:
            for i in range(n):
                x[i] = scratch[i]
            return _verdict(step, misfit, bound)
    return NOT_CONVERGING


@kernel
def _solve_step(n: Any, rows: Any, work: Any, iwork: Any) -> Any:
    """Compute the next step, by the Schur complement where it is accurate, else by the chain; return the status."""
    if call_schur(n, rows, work, iwork) == 0:
        return call_robust(n, rows, CHAIN_ONLY, work, iwork)
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
    target: Any, surface: Any, level: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, work: Any
) -> Any:
    """Call the model, write A, h = 0, G, g0 = residual of the active rows for elimination, and return their number."""
    n, s = q.size, level.size
    count = 0
    for r in range(s):
        count += level[r] <= target
    begin = terms_size(n, s)
    out = vector(work, begin, n * n + s * n + 2 * s)
    call(surface, t, q, v, parameters, inputs, out)
    for i in range(n * n):
        work[i] = out[i]
    for i in range(n):
        work[n * n + i] = 0.0
    G, g0 = matrix(work, n * n + n, count, n), vector(work, n * n + n + count * n, count)
    row = 0
    for r in range(s):
        if level[r] <= target:
            for i in range(n):
                G[row, i] = out[n * n + r * n + i]
            g0[row] = out[n * n + s * n + target * s + r]
            row += 1
    return count


@kernel
def _fill_sizes(x: Any, scratch: Any, rows: Any, work: Any) -> Any:
    """Fill the sizes of the terms of each residual, see the plain `sizes_of`; return the largest relative residual."""
    n = x.size
    A, G = matrix(work, 0, n, n), matrix(work, n * n + n, rows, n)
    g0, sizes = vector(work, n * n + n + rows * n, rows), vector(scratch, 2 * n, rows)
    most, largest = 0.0, 0.0
    for i in range(n):
        if A[i, i] > 0:
            most = max(most, abs(x[i]) * np.sqrt(A[i, i]))
    for r in range(rows):
        size, reach = abs(g0[r]), 0.0
        for i in range(n):
            size += abs(G[r, i] * x[i])
            if A[i, i] > 0:
                reach += abs(G[r, i]) / np.sqrt(A[i, i])
        sizes[r] = size + POSITION_MOTION_SHARE * reach * most
        if g0[r] != 0:
            largest = max(largest, abs(g0[r]) / sizes[r])
        if g0[r] != g0[r]:
            return np.inf
    return largest


@kernel
def _misfit(scratch: Any, rows: Any, n: Any, work: Any, iwork: Any) -> Any:
    """Return the largest residual of the accepted rows, relative to the sizes from `_fill_sizes`."""
    g0, sizes = vector(work, n * n + n + rows * n, rows), vector(scratch, 2 * n, rows)
    verdict = vector(iwork, slots.INDICES + n + rows, rows)
    largest = 0.0
    for r in range(rows):
        if verdict[r] == 0 and g0[r] != 0:
            ratio = abs(g0[r]) / sizes[r]
            if not ratio <= largest:
                largest = ratio  # NaN too
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
    return project_state(word(words, 0), word(words, 1), level, t, q, v, parameters, inputs, work, iwork)
