"""Derivatives of explicit Runge-Kutta steps: the method applied to the linearized equations, and the transpose.

    k_i = f(t + c_i h, x_i),  x_i = y + h sum a_ij k_j         K_i = J_i (d + h sum a_ij K_j) + f_p,i
                                                               d <- d + h sum b_i K_i

    adjoint:     kappa_i = h b_i l + h sum_(j > i) a_ji J_j^T kappa_j,      l <- l + sum J_i^T kappa_i

The steps are those of the run (internal differentiation: Bock 1981). After each, the derivatives are projected onto
the tangent space of the constraints (`tangent_space`).
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.blocks import length
from ....kernels.native.runtime.address import matrix, vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import entry, kernel, product_kernel
from ....simulation.memory import counts
from ....simulation.stepping.native.rates import accelerate
from ..scratch import explicit_blocks
from .linearized_motion import linearize, tangent_rates, transposed_rates
from .memory import columns_of, shared_of, shared_shapes, state_at, tangent_at
from .tangent_space import onto_tangents, onto_tangents_transposed

kernel(explicit_blocks)  # a plain function, which kernels call as well


@kernel
def _stages_of(run: Any) -> Any:
    """Return the parts of the scratch, in the order of `StageValues`."""
    shapes = explicit_blocks(run.n, columns_of(run), run.tableau.shape[0] - 1)
    return views(run.scratch, length(shared_shapes(run)), shapes)


@entry
def forward(run: Any) -> Any:
    """Carry the tangents from counts[FIRST_ROW] to counts[LAST_ROW]; return 0, or the row that was not reached."""
    room, stages = shared_of(run), _stages_of(run)
    for row in range(run.counts[counts.FIRST_ROW] + 1, run.counts[counts.LAST_ROW] + 1):
        if not _step(run, room, stages, row):
            return row
        if not onto_tangents(run, room, run.rows[row, 0], state_at(run, row), tangent_at(run, row)):
            return row
    return 0


@entry
def backward(run: Any) -> Any:
    """Carry the adjoint back from counts[LAST_ROW] to counts[FIRST_ROW]; return 0, or the row whose step failed."""
    room, stages = shared_of(run), _stages_of(run)
    for back in range(run.counts[counts.LAST_ROW] - run.counts[counts.FIRST_ROW]):
        row = run.counts[counts.LAST_ROW] - back
        if not onto_tangents_transposed(run, room, run.rows[row, 0], state_at(run, row), tangent_at(run, 0)):
            return row
        if not _step_back(run, room, stages, row):
            return row
    return 0


@product_kernel
def _stage(run: Any, stages: Any, row: Any, i: Any) -> Any:
    """Fill the state of stage i from the rates of the stages before it; return its time."""
    y, x, k, h, n = state_at(run, row - 1), stages.x, stages.k, run.rows[row, 1], stages.x.shape[1] // 2
    for j in range(x.shape[1]):
        x[i, j] = y[j]
    for e in range(i):
        share = h * run.tableau[i, 1 + e]
        if share != 0:
            for j in range(x.shape[1]):
                x[i, j] += share * k[e, j]
    for j in range(n):
        k[i, j] = x[i, n + j]
    return run.rows[row - 1, 0] + run.tableau[i, 0] * h


@product_kernel
def _step(run: Any, room: Any, stages: Any, row: Any) -> Any:
    """Fill the derivatives at a row from those at the row before; return whether all stages have accelerations."""
    now, after, h, delta = tangent_at(run, row - 1), tangent_at(run, row), run.rows[row, 1], room.delta
    d, K, S, n = now.shape[0], now.shape[1], stages.x.shape[0], now.shape[0] // 2
    for i in range(S):
        t = _stage(run, stages, row, i)
        if not linearize(run, room, t, vector(stages.x, i * d, d), vector(stages.k, i * d + n, n)):
            return False
        _accumulate_rates(run, stages, now, delta, h, i)
        tangent_rates(run, room, delta, matrix(stages.K, i * d * K, d, K))
    _accumulate_rates(run, stages, now, after, h, S)
    return True


@product_kernel
def _accumulate_rates(run: Any, stages: Any, now: Any, out: Any, h: Any, i: Any) -> None:
    """Fill out (2 n x K) = now + h sum_j a_ij K_j with row i of the tableau; i = S gives the end of the step."""
    K = now.shape[1]
    for a in range(now.shape[0]):
        for j in range(K):
            out[a, j] = now[a, j]
    for e in range(min(i, stages.x.shape[0])):
        share = h * run.tableau[i, 1 + e]
        if share != 0:
            for a in range(now.shape[0]):
                for j in range(K):
                    out[a, j] += share * stages.K[e, a * K + j]


@product_kernel
def _step_back(run: Any, room: Any, stages: Any, row: Any) -> Any:
    """Replace the adjoint at a row by that at the row before; stages.K holds J_i^T kappa_i."""
    carried, h, kappa = tangent_at(run, 0), run.rows[row, 1], room.delta
    d, K, S = carried.shape[0], carried.shape[1], stages.x.shape[0]
    n = d // 2
    for i in range(S):
        t = _stage(run, stages, row, i)
        if not accelerate(run, t, vector(stages.x, i * d, d), vector(stages.k, i * d, d)):
            return False
    for back in range(S):
        i = S - 1 - back
        share = h * run.tableau[S, 1 + i]
        for a in range(d):
            for j in range(K):
                kappa[a, j] = share * carried[a, j]
        for e in range(i + 1, S):
            share = h * run.tableau[e, 1 + i]
            if share != 0:
                for a in range(d):
                    for j in range(K):
                        kappa[a, j] += share * stages.K[e, a * K + j]
        t = run.rows[row - 1, 0] + run.tableau[i, 0] * h
        linearize(run, room, t, vector(stages.x, i * d, d), vector(stages.k, i * d + n, n))
        transposed_rates(run, room, kappa, matrix(stages.K, i * d * K, d, K))
    for i in range(S):
        for a in range(d):
            for j in range(K):
                carried[a, j] += stages.K[i, a * K + j]
    return True
