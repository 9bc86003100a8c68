"""The equations of motion linearized at a state, and their transpose; J = [[0, 1], [a_q, a_v]] is never formed.

With B the derivatives of A a - h - G^T lambda and of G a + g0 by q, v and the parameters,

    M [da; -dlambda] = -(B_q dq + B_v dv + B_p dp)      and      w^T da = -z^T B (dq, dv, dp),   M^T z = [w; 0].
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.chain_solve import solve_chain, solve_transposed
from ....kernels.native.runtime.address import call, matrix, vector
from ....kernels.native.runtime.jit import kernel, product_kernel
from ....simulation.integrators.native.jacobian import solve_at
from ....simulation.memory import addresses
from ....simulation.stepping.native.known_times import model_time


@kernel
def linearize(run: Any, room: Any, t: Any, y: Any, a: Any) -> Any:
    """Fill a (n), the derivatives B and the chain at t, y (2 n); return whether there are accelerations."""
    n, inputs, t = run.n, run.inputs, model_time(run, t)
    q, v = vector(y, 0, n), vector(y, n, n)
    if not solve_at(run, t, q, v):
        return False
    for i in range(n):
        a[i] = inputs[i]
    call(run.addresses[addresses.DERIVATIVES], t, q, v, run.parameters, inputs, room.answer)
    if run.addresses[addresses.PARAMETER_DERIVATIVES] != 0:
        call(run.addresses[addresses.PARAMETER_DERIVATIVES], t, q, v, run.parameters, inputs, room.by_p)
    return True


@product_kernel
def parameter_columns(run: Any, room: Any, right: Any) -> None:
    """Fill right ((n + s) x C) with the derivatives by the parameter of each column, 0 where it has none."""
    columns = run.columns
    for i in range(right.shape[0]):
        for j in range(columns.size):
            right[i, j] = room.by_p[i, columns[j]] if columns[j] >= 0 else 0.0


@product_kernel
def tangent_rates(run: Any, room: Any, delta: Any, out: Any) -> None:
    """Fill out (2 n x K) = J delta + f_p, at the state of `linearize`."""
    n, K, right = run.n, delta.shape[1], room.right
    parameter_columns(run, room, right)
    for i in range(right.shape[0]):
        for k in range(n):
            for j in range(K):
                right[i, j] += room.by_q[i, k] * delta[k, j] + room.by_v[i, k] * delta[n + k, j]
    for i in range(n):
        for j in range(K):
            out[i, j] = delta[n + i, j]
    solve_chain(right, matrix(out, n * K, n, K), room.along, run.work, run.places)


@product_kernel
def transposed_rates(run: Any, room: Any, kappa: Any, out: Any) -> None:
    """Fill out (2 n x K) = J^T kappa at the state of `linearize`, and add f_p^T kappa to the gradient."""
    n, K, w, z, gradient = run.n, kappa.shape[1], room.weights, room.right, run.gradient
    for i in range(n):
        for j in range(K):
            w[i, j] = kappa[n + i, j]
    solve_transposed(w, z, room.along, run.work, run.places)
    for i in range(n):
        for j in range(K):
            out[i, j], out[n + i, j] = 0.0, kappa[i, j]
    for r in range(z.shape[0]):
        for i in range(n):
            for j in range(K):
                out[i, j] -= room.by_q[r, i] * z[r, j]
                out[n + i, j] -= room.by_v[r, i] * z[r, j]
        for i in range(gradient.shape[0]):
            for j in range(K):
                gradient[i, j] -= room.by_p[r, i] * z[r, j]
