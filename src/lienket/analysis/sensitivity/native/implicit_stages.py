"""The stages of an implicit Runge-Kutta step of a run, computed again, with the linearized equations at each.

The unknowns are the accelerations w_i of the stages; positions and velocities follow from them,

    v_i = v + h sum a_ij w_j,      q_i = q + c_i h v + h^2 sum (A^2)_ij w_j,      w_i = a(t + c_i h, q_i, v_i).

Newton's method with the derivatives a_q, a_v of every stage has the matrix (S n x S n)

    M_ij = 1 - h a_ij a_v,i - h^2 (A^2)_ij a_q,i

which the derivatives of the step need as well. The iteration begins on the straight line between both ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.memory.blocks import length
from ....kernels.native.chain_solve import solve_chain
from ....kernels.native.linear_algebra.lu import factor, solve
from ....kernels.native.runtime.address import matrix, vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel, product_kernel
from ....simulation.memory import control
from ..scratch import implicit_blocks
from .linearized_motion import linearize, parameter_columns
from .memory import columns_of, shared_shapes, state_at

STAGE_ITERATION_LIMIT = 12  # [iterations] of Newton's method for the stages of one step
# Newton's method converges quadratically: the next change would be the square of this one.
STAGE_CHANGE_TOLERANCE = 1e-2  # [tolerances] largest change in the last iteration
STAGE_CHANGE_ROUNDING = 1e-14  # [1] relative change of a state attributed to rounding


kernel(implicit_blocks)  # a plain function, which kernels call as well


@kernel
def stages_of(run: Any) -> Any:
    """Return the parts of the scratch, in the order of `StageValues`."""
    shapes = implicit_blocks(run.n, columns_of(run), run.columns.size, stage_count(run))
    return views(run.scratch, length(shared_shapes(run)), shapes)


@kernel
def stage_count(run: Any) -> Any:
    """Return the number of stages S."""
    return run.tableau.shape[0] - 1


@product_kernel
def square_tableau(run: Any, stages: Any) -> None:
    """Fill the square of the tableau."""
    S = stages.square.shape[0]
    for i in range(S):
        for j in range(S):
            total = 0.0
            for e in range(S):
                total += run.tableau[i, 1 + e] * run.tableau[e, 1 + j]
            stages.square[i, j] = total


@product_kernel
def find_stages(run: Any, room: Any, stages: Any, row: Any) -> Any:
    """Solve for the stages of the step to a row and factor M; return whether Newton's method converged."""
    now, after, S = state_at(run, row - 1), state_at(run, row), stages.x.shape[0]
    h, t = run.rows[row, 1], run.rows[row - 1, 0]
    limit = max(STAGE_CHANGE_TOLERANCE, STAGE_CHANGE_ROUNDING / run.control[control.RTOL])
    for i in range(S):
        for j in range(now.size):
            stages.x[i, j] = now[j] + run.tableau[i, 0] * (after[j] - now[j])
    for _ in range(STAGE_ITERATION_LIMIT):
        for i in range(S):
            if not _linearize_stage(run, room, stages, t + run.tableau[i, 0] * h, i):
                return False
        _right_side(run, stages, now, h)
        fill(run, stages, h, False)
        if not factor(stages.M, stages.pivots):
            return False
        solve(stages.M, stages.pivots, vector(stages.right, 0, stages.pivots.size))
        change = _update_stages(run, stages, now, h)
        if not np.isfinite(change):
            return False
        if change <= limit:
            return True
    return False


@kernel
def _linearize_stage(run: Any, room: Any, stages: Any, t: Any, i: Any) -> Any:
    """Fill the acceleration of stage i and its derivatives; return whether there is an acceleration."""
    d, n, C = stages.x.shape[1], stages.a.shape[1], run.columns.size
    if not linearize(run, room, t, vector(stages.x, i * d, d), vector(stages.a, i * n, n)):
        return False
    work, places, along = run.work, run.places, room.along
    solve_chain(room.by_q, matrix(stages.by_q, i * n * n, n, n), along, work, places)
    solve_chain(room.by_v, matrix(stages.by_v, i * n * n, n, n), along, work, places)
    parameter_columns(run, room, room.right_p)
    solve_chain(room.right_p, matrix(stages.by_p, i * n * C, n, C), along, work, places)
    return True


@product_kernel
def _right_side(run: Any, stages: Any, now: Any, h: Any) -> None:
    """Fill the right side a_i + a_q (q + c_i h v - q_i) + a_v (v - v_i) of Newton's method (M w = right side)."""
    S, n = stages.a.shape
    for i in range(S):
        for a in range(n):
            total = stages.a[i, a]
            for b in range(n):
                q = now[b] + run.tableau[i, 0] * h * now[n + b] - stages.x[i, b]
                v = now[n + b] - stages.x[i, n + b]
                total += stages.by_q[i, a * n + b] * q + stages.by_v[i, a * n + b] * v
            stages.right[0, i * n + a] = total


@product_kernel
def fill(run: Any, stages: Any, h: Any, transposed: Any) -> None:
    """Fill M, or its transpose."""
    S, n = stages.a.shape
    M = stages.M
    for i in range(S):
        for j in range(S):
            first, second = h * run.tableau[i, 1 + j], h * h * stages.square[i, j]
            for a in range(n):
                for b in range(n):
                    entry = -first * stages.by_v[i, a * n + b] - second * stages.by_q[i, a * n + b]
                    if i == j and a == b:
                        entry += 1.0
                    if transposed:
                        M[j * n + b, i * n + a] = entry
                    else:
                        M[i * n + a, j * n + b] = entry


@product_kernel
def _update_stages(run: Any, stages: Any, now: Any, h: Any) -> Any:
    """Fill the states of the stages from their accelerations; return the largest change in units of the tolerances."""
    S, n = stages.a.shape
    w, rtol, most = stages.right, run.control[control.RTOL], 0.0
    for i in range(S):
        for a in range(n):
            q, v = now[a] + run.tableau[i, 0] * h * now[n + a], now[n + a]
            for j in range(S):
                v += h * run.tableau[i, 1 + j] * w[0, j * n + a]
                q += h * h * stages.square[i, j] * w[0, j * n + a]
            most = max(most, abs(q - stages.x[i, a]) / (run.atol[a] + rtol * abs(q)))
            most = max(most, abs(v - stages.x[i, n + a]) / (run.atol[n + a] + rtol * abs(v)))
            stages.x[i, a], stages.x[i, n + a] = q, v
    return most
