"""Positions and velocities brought back to their constraints, on arrays; kernels/projection.py, compiled.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton's steps, each the shortest in the metric of A. The chain gives them: with h = 0 and g0 = the residual, its
accelerations are the step, and rows that depend on others are skipped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import projection as plain
from ..memory.workspace import accelerations_at, kept_at, slots, terms_size
from .robust_solve import CHAIN_ONLY, call_robust
from .runtime.address import call, doubles, integers, matrix, vector, word
from .runtime.jit import entry, kernel
from .schur_solve import call_schur

SOLVED, NEARLY, STEPS, HALVINGS, OTHERS = plain.SOLVED, plain.NEARLY, plain.STEPS, plain.HALVINGS, plain.OTHERS
POSITIONS, VELOCITIES = 0, 1
CONTRADICTORY, NOT_CONVERGING = plain.CONTRADICTORY, plain.NOT_CONVERGING


@kernel
def project_state(
    what: Any,
    surface: Any,
    level: Any,
    t: Any,
    q: Any,
    v: Any,
    parameters: Any,
    inputs: Any,
    work: Any,
    places: Any,
) -> Any:
    """Changes q (what = 0) or v (what = 1), n, until its residuals vanish; the number of steps, or a negative code.

    The function at `surface` writes A (n x n), G (s x n), position (s), velocity (s). `level` (s) says of each row
    whether it has both residuals (0), the velocity's (1) or none (2). Codes: -1 rows contradict each other,
    -3 A is not positive semidefinite, -4 something is not finite, -5 it does not converge.
    """
    n, s = q.size, level.size
    x = q if what == POSITIONS else v
    kept = vector(work, kept_at(n, s), 2 * n + s)
    places[slots.INERTIAS] = 0
    rows = _evaluate(what, surface, level, t, q, v, parameters, inputs, work)
    for step in range(STEPS):
        misfit = _weigh(x, kept, rows, work)
        if misfit <= SOLVED:
            return step
        status = _solved(n, rows, work, places)
        if status < 0:
            return status
        bound = _misfit(kept, rows, n, work, places)
        if bound <= SOLVED:
            return _verdict(step, misfit, bound)
        fraction, falls = 1.0, False
        for i in range(n):
            kept[i], kept[n + i] = x[i], work[accelerations_at(n, rows) + i]
        for _ in range(HALVINGS):
            for i in range(n):
                x[i] = kept[i] + fraction * kept[n + i]
            _evaluate(what, surface, level, t, q, v, parameters, inputs, work)
            falls = _misfit(kept, rows, n, work, places) <= (1.0 - 1e-4 * fraction) * bound
            if falls or bound <= NEARLY:
                break
            fraction *= 0.5
        if not falls:
            for i in range(n):
                x[i] = kept[i]
            return _verdict(step, misfit, bound)
    return NOT_CONVERGING


@kernel
def _solved(n: Any, rows: Any, work: Any, places: Any) -> Any:
    """The next step, by Schur's complement where it can be trusted, else by the chain; the status of the chain."""
    if call_schur(n, rows, work, places) == 0:
        return call_robust(n, rows, CHAIN_ONLY, work, places)
    verdict = vector(places, slots.INDICES + n + rows, rows)
    for r in range(rows):
        verdict[r] = 0
    return 0


@kernel
def _verdict(step: Any, misfit: Any, bound: Any) -> Any:
    """What it means that no step makes the residuals of the accepted rows (`bound`) smaller."""
    if misfit <= NEARLY:
        return step  # what is left is rounding
    if bound <= NEARLY:
        return CONTRADICTORY  # the skipped rows are left, and no motion changes them alone
    return NOT_CONVERGING


@kernel
def _evaluate(
    what: Any, surface: Any, level: Any, t: Any, q: Any, v: Any, parameters: Any, inputs: Any, work: Any
) -> Any:
    """Calls the model and puts A, h = 0, G, g0 = residual of the rows that take part where elimination wants them."""
    n, s = q.size, level.size
    taking = 0
    for r in range(s):
        taking += level[r] <= what
    begin = terms_size(n, s)
    out = vector(work, begin, n * n + s * n + 2 * s)
    call(surface, t, q, v, parameters, inputs, out)
    for i in range(n * n):
        work[i] = out[i]
    for i in range(n):
        work[n * n + i] = 0.0
    G, g0 = matrix(work, n * n + n, taking, n), vector(work, n * n + n + taking * n, taking)
    row = 0
    for r in range(s):
        if level[r] <= what:
            for i in range(n):
                G[row, i] = out[n * n + r * n + i]
            g0[row] = out[n * n + s * n + what * s + r]
            row += 1
    return taking


@kernel
def _weigh(x: Any, kept: Any, rows: Any, work: Any) -> Any:
    """The largest residual as a share of its terms; notes the sizes of the terms, |G| |x| and a little of the rest."""
    n = x.size
    A, G = matrix(work, 0, n, n), matrix(work, n * n + n, rows, n)
    g0, sizes = vector(work, n * n + n + rows * n, rows), vector(kept, 2 * n, rows)
    most, found = 0.0, 0.0
    for i in range(n):
        if A[i, i] > 0:
            most = max(most, abs(x[i]) * np.sqrt(A[i, i]))
    for r in range(rows):
        own, reach = abs(g0[r]), 0.0
        for i in range(n):
            own += abs(G[r, i] * x[i])
            if A[i, i] > 0:
                reach += abs(G[r, i]) / np.sqrt(A[i, i])
        sizes[r] = own + OTHERS * reach * most
        if g0[r] != 0:
            found = max(found, abs(g0[r]) / sizes[r])
        if g0[r] != g0[r]:
            return np.inf
    return found


@kernel
def _misfit(kept: Any, rows: Any, n: Any, work: Any, places: Any) -> Any:
    """The largest residual of the accepted rows, as a share of the sizes noted before."""
    g0, sizes = vector(work, n * n + n + rows * n, rows), vector(kept, 2 * n, rows)
    verdict = vector(places, slots.INDICES + n + rows, rows)
    found = 0.0
    for r in range(rows):
        if verdict[r] == 0 and g0[r] != 0:
            share = abs(g0[r]) / sizes[r]
            if not share <= found:
                found = share  # NaN as well, which is never small
    return found


@entry
def project(words: Any) -> Any:
    """The door to `project_state` for Python: what, surface, level, [t], q, v, parameters, inputs, work, places."""
    level, t, q, v = integers(words, 2), doubles(words, 4)[0], doubles(words, 6), doubles(words, 8)
    parameters, inputs, work, places = (
        doubles(words, 10),
        doubles(words, 12),
        doubles(words, 14),
        integers(words, 16),
    )
    return project_state(word(words, 0), word(words, 1), level, t, q, v, parameters, inputs, work, places)
