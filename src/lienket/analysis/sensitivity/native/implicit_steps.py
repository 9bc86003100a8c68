"""Derivatives of implicit Runge-Kutta steps by the linearized equations of their stages, and the transpose.

With M, a_q, a_v of every stage (`implicit_stages`) and K_i the derivatives of its accelerations, forward:

    M K = r,   r_i = a_q,i (dq + c_i h dv) + a_v,i dv + a_p,i
    dq <- dq + h dv + h^2 sum (b A)_i K_i,      dv <- dv + h sum b_i K_i

adjoint:     M^T z = kappa,   kappa_i = h^2 (b A)_i l_q + h b_i l_v
             l_v <- l_v + h l_q + sum (c_i h a_q,i + a_v,i)^T z_i,      l_q <- l_q + sum a_q,i^T z_i
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.linear_algebra.lu import factor, solve
from ....kernels.native.runtime.address import vector
from ....kernels.native.runtime.jit import entry, product_kernel
from ....simulation.memory import counts
from .implicit_stages import fill, find_stages, square_tableau, stages_of
from .memory import shared_of, state_at, tangent_at
from .tangent_space import onto_tangents, onto_tangents_transposed


@entry
def forward(run: Any) -> Any:
    """Carry the tangents from counts[FIRST_ROW] to counts[LAST_ROW]; return 0, or the row that was not reached."""
    room, stages = shared_of(run), stages_of(run)
    square_tableau(run, stages)
    for row in range(run.counts[counts.FIRST_ROW] + 1, run.counts[counts.LAST_ROW] + 1):
        if not find_stages(run, room, stages, row):
            return row
        _step(run, stages, row)
        if not onto_tangents(run, room, run.rows[row, 0], state_at(run, row), tangent_at(run, row)):
            return row
    return 0


@entry
def backward(run: Any) -> Any:
    """Carry the adjoint back from counts[LAST_ROW] to counts[FIRST_ROW]; return 0, or the row whose step failed."""
    room, stages = shared_of(run), stages_of(run)
    square_tableau(run, stages)
    for back in range(run.counts[counts.LAST_ROW] - run.counts[counts.FIRST_ROW]):
        row = run.counts[counts.LAST_ROW] - back
        if not onto_tangents_transposed(run, room, run.rows[row, 0], state_at(run, row), tangent_at(run, 0)):
            return row
        if not find_stages(run, room, stages, row):
            return row
        fill(run, stages, run.rows[row, 1], True)
        if not factor(stages.M, stages.pivots):
            return row
        _step_back(run, stages, row)
    return 0


@product_kernel
def _weights_of_end(run: Any, stages: Any, i: Any) -> Any:
    """Return the weights b_i and (b A)_i of stage i at the end of the step."""
    S = stages.a.shape[0]
    total = 0.0
    for j in range(S):
        total += run.tableau[S, 1 + j] * run.tableau[j, 1 + i]
    return run.tableau[S, 1 + i], total


@product_kernel
def _step(run: Any, stages: Any, row: Any) -> None:
    """Fill the derivatives at a row from those at the row before; M is factored."""
    now, after, h, right = tangent_at(run, row - 1), tangent_at(run, row), run.rows[row, 1], stages.right
    (S, n), K = stages.a.shape, now.shape[1]
    for j in range(K):
        for i in range(S):
            c = run.tableau[i, 0] * h
            for a in range(n):
                total = stages.by_p[i, a * K + j]
                for b in range(n):
                    total += stages.by_q[i, a * n + b] * (now[b, j] + c * now[n + b, j])
                    total += stages.by_v[i, a * n + b] * now[n + b, j]
                right[1 + j, i * n + a] = total
        solve(stages.M, stages.pivots, vector(right, (1 + j) * S * n, S * n))
        for a in range(n):
            after[a, j], after[n + a, j] = now[a, j] + h * now[n + a, j], now[n + a, j]
        for i in range(S):
            once, twice = _weights_of_end(run, stages, i)
            for a in range(n):
                after[a, j] += h * h * twice * right[1 + j, i * n + a]
                after[n + a, j] += h * once * right[1 + j, i * n + a]


@product_kernel
def _step_back(run: Any, stages: Any, row: Any) -> None:
    """Replace the adjoint at a row by that at the row before; the transpose of M is factored."""
    carried, h, right, gradient = tangent_at(run, 0), run.rows[row, 1], stages.right, run.gradient
    (S, n), K, C = stages.a.shape, carried.shape[1], run.columns.size
    for j in range(K):
        for i in range(S):
            once, twice = _weights_of_end(run, stages, i)
            for a in range(n):
                right[1 + j, i * n + a] = h * h * twice * carried[a, j] + h * once * carried[n + a, j]
        z = vector(right, (1 + j) * S * n, S * n)
        solve(stages.M, stages.pivots, z)
        for a in range(n):
            carried[n + a, j] += h * carried[a, j]
        for i in range(S):
            c = run.tableau[i, 0] * h
            for a in range(n):
                weight = z[i * n + a]
                for b in range(n):
                    by_q = stages.by_q[i, a * n + b] * weight
                    carried[b, j] += by_q
                    carried[n + b, j] += c * by_q + stages.by_v[i, a * n + b] * weight
                for k in range(C):
                    gradient[k, j] += stages.by_p[i, a * C + k] * weight
