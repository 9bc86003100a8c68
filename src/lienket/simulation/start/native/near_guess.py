"""Solution of the constraints near a guess; compiled version of the usual case of start/assembly.py.

For the positions and then for the velocities at these: Newton's method from the guess. The result is used if the steps
after the first add up to at most half of it, or if all residuals are rounding of typed values, to which fixed ones
adapt. All other cases are left to the plain version, which searches from several points and explains contradictions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.linear_algebra.loops import all_finite
from ....kernels.native.projection import (
    POSITION_MOTION_SHARE,
    PROJECTION_STEPS,
    TERMS_SHARE,
    largest_motion,
    model_values,
    project_state,
)
from ....kernels.native.runtime.address import call, doubles, integers, matrix, vector, word
from ....kernels.native.runtime.jit import entry, kernel
from .. import assembly as plain

NEWTON_STEPS = 1 + plain.NEWTON_LIMIT
CONTRACTION_LIMIT = plain.CONTRACTION_LIMIT
TYPED_ROUNDING = plain.TYPED_ROUNDING
ZERO_ROUNDING = plain.ZERO_ROUNDING
HALF_TURN = np.pi
CERTAIN, ROUNDED, UNSOLVED = 0, 1, -1
CONTRADICTORY, NOT_CONVERGING = -1, -5  # codes of `project_state` after which rounding of typed values is considered


@entry
def solve_near(words: Any) -> Any:
    """Solve for q and v, both n: surface, level, [t], q, v, held (2 n), parameters, inputs, guess, work, iwork.

    `guess` (n (n + 2)) is scratch. Returns UNSOLVED, or the verdict on the positions + 2 times that on the velocities.
    """
    surface, level, t = word(words, 0), integers(words, 1), doubles(words, 3)[0]
    q, v, held = doubles(words, 5), doubles(words, 7), integers(words, 9)
    memory = (doubles(words, 11), doubles(words, 13), doubles(words, 15), doubles(words, 17), integers(words, 19))
    n = q.size
    positions = _solve_level(0, surface, level, t, q, v, vector(held, 0, n), *memory)
    if positions == UNSOLVED:
        return UNSOLVED
    velocities = _solve_level(1, surface, level, t, q, v, vector(held, n, n), *memory)
    return UNSOLVED if velocities == UNSOLVED else positions + 2 * velocities


@kernel
def _solve_level(
    target: Any, surface: Any, level: Any, t: Any, q: Any, v: Any, held: Any, parameters: Any, inputs: Any,
    scratch: Any, work: Any, iwork: Any,
) -> Any:  # fmt: skip
    """Solve for q (target 0) or v (target 1); return the verdict CERTAIN, ROUNDED or UNSOLVED."""
    n = q.size
    x = q if target == 0 else v
    guess, first, A = vector(scratch, 0, n), vector(scratch, n, n), matrix(scratch, 2 * n, n, n)
    out = model_values(n, level.size, work)
    call(surface, t, q, v, parameters, inputs, out)
    for i in range(n):
        guess[i] = x[i]
        for k in range(n):
            A[i, k] = out[i * n + k]
    if not all_finite(vector(out, 0, n * n)):
        return UNSOLVED
    memory = (parameters, inputs, held, NEWTON_STEPS, first, work, iwork)
    steps = project_state(target, surface, level, t, q, v, *memory)
    if steps == 0:
        return CERTAIN
    if steps > 0:
        return CERTAIN if _is_near(A, guess, first, x) else UNSOLVED
    if steps != CONTRADICTORY and steps != NOT_CONVERGING:
        return UNSOLVED
    call(surface, t, q, v, parameters, inputs, out)
    if not _is_rounding(target, level, x, out):
        return UNSOLVED
    free = (parameters, inputs, vector(iwork, 0, 0), PROJECTION_STEPS, vector(work, 0, 0), work, iwork)
    return ROUNDED if project_state(target, surface, level, t, q, v, *free) >= 0 else UNSOLVED


@kernel
def _is_near(A: Any, guess: Any, first: Any, x: Any) -> Any:
    """Return whether x is the solution near the guess, with no angle moved by more than half a turn."""
    for i in range(x.size):
        if abs(x[i] - guess[i]) > HALF_TURN:
            return False
    return _length(A, x, first) <= CONTRACTION_LIMIT * _length(A, first, guess)


@kernel
def _length(A: Any, x: Any, y: Any) -> Any:
    """Return the length of x - y (n) in the metric of A; massless coordinates weigh as the lightest one."""
    total, light, massless = 0.0, np.inf, 0.0
    for i in range(x.size):
        row = 0.0
        for k in range(x.size):
            row += A[i, k] * (x[k] - y[k])
        total += (x[i] - y[i]) * row
        if A[i, i] > 0:
            light = min(light, A[i, i])
        else:
            massless += (x[i] - y[i]) * (x[i] - y[i])
    if massless > 0:
        return np.sqrt(max(total, 0.0) + (light if light < np.inf else 1.0) * massless)
    return np.sqrt(max(total, 0.0))


@kernel
def _is_rounding(target: Any, level: Any, x: Any, out: Any) -> Any:
    """Return whether all residuals are rounding of typed values; see the plain `solution_within_rounding`."""
    n, s = x.size, level.size
    A, G = matrix(out, 0, n, n), matrix(out, n * n, s, n)
    if not all_finite(vector(out, 0, n * n)):
        return False
    most = largest_motion(A, x)
    for r in range(s):
        if level[r] > target:
            continue
        residual = abs(out[n * n + s * n + target * s + r])
        terms, size, reach, row = out[n * n + s * n + (2 + target) * s + r], residual, 0.0, 0.0
        for i in range(n):
            row += abs(G[r, i])
            size += abs(G[r, i] * x[i])
            if A[i, i] > 0:
                reach += abs(G[r, i]) / np.sqrt(A[i, i])
        size = max(terms, size + TERMS_SHARE * terms + POSITION_MOTION_SHARE * most * reach)
        if not (row < np.inf and residual <= max(TYPED_ROUNDING * size, ZERO_ROUNDING * row)):
            return False
    return True
