"""Derivatives of requested quantities by state and parameters, at selected rows of a run.

    g(t, q, v, a, lambda, p):      dg = g_q dq + g_v dv + g_a da + g_lambda dlambda + g_p dp

With B the derivatives of A a - h - G^T lambda and of G a + g0 (simulation/integrators/native/jacobian.py),
[da; dlambda] = -M^-1 B dy. The transposed system M^T z = [g_a; g_lambda] is solved once for each quantity, and
dg = ... - z^T B dy.
"""

from __future__ import annotations

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...simulation.run.result import Run
from .request import ACCELERATION, MULTIPLIER, OUTPUT, STATE
from .saddle_solve import SaddleSolver


@dataclass(frozen=True, eq=False)
class Gradients:
    """Derivatives of m quantities at N rows: by the state (q, v), N x m x 2 n, and by the parameters, N x m x p."""

    by_state: Array
    by_parameters: Array


def gradients(run: Run, quantities: list[tuple[int, int]], rows: IntArray) -> Gradients:
    """Return the derivatives of the quantities, each (kind, index), at the rows with these numbers."""
    n, s, p = run.problem.n, run.problem.s, len(run.problem.parameters)
    by = np.zeros((len(rows), len(quantities), 3 * n + s + p))  # q, v, a, lambda, parameters
    first = {STATE: 0, ACCELERATION: 2 * n, MULTIPLIER: 3 * n}
    at = Evaluation(run.problem.model, (len(rows),), run.t[rows], run.q[rows], run.v[rows], run.problem.parameters)
    outputs = _outputs(run, at) if any(kind == OUTPUT for kind, _ in quantities) else by
    for k, (kind, index) in enumerate(quantities):
        if kind == OUTPUT:
            by[:, k] = outputs[:, index]
        elif index >= 0:  # the multiplier of an open contact is constant
            by[:, k, first[kind] + index] = 1.0
    by_solution, direct = by[:, :, 2 * n : 3 * n + s], by[:, :, 3 * n + s :]
    by_state, by_parameters = by[:, :, : 2 * n].copy(), direct.copy()
    for row in np.flatnonzero(by_solution.any(axis=(1, 2))):
        z = _transposed(run, at.A[row], at.G[row], by_solution[row])
        by_state[row] -= z @ np.hstack([at.by_q[row], at.by_v[row]])
        by_parameters[row] -= z @ at.by_parameters[row]
    return Gradients(by_state, by_parameters)


def _outputs(run: Run, at: Evaluation) -> Array:
    """Return the derivatives of the outputs by q, v, accelerations, multipliers and parameters, N x outputs x (...)."""
    model = run.problem.model
    function = model.function("output_derivatives")
    needed = model.outputs_need_accelerations
    inputs = np.zeros((len(at.t), model.inputs))
    if needed:
        inputs = np.ascontiguousarray(np.hstack([at.accelerations, at.multipliers]))
    _, out = function.many(at.t, at.q, at.v, at.parameters, inputs)
    raise_faults(model.callbacks)
    blocks = function.named(out)
    return np.concatenate([blocks[x] for x in ("by_q", "by_v", "by_a", "by_multipliers", "by_parameters")], axis=2)


def _transposed(run: Run, A: Array, G: Array, by: Array) -> Array:
    """Solve M^T z = by for z (m x (n + s)): A z1 + G^T z2 = g_a, -G z1 = g_lambda."""
    n = len(A)
    saddle = SaddleSolver(A, G)
    if len(saddle.accepted) < len(G) and by[:, n:].any():
        names = run.problem.model.owners
        skipped = sorted({names[r] for r in range(len(G)) if r not in saddle.accepted})
        raise LienketError(
            f"The multipliers cannot be differentiated, since {', '.join(map(repr, skipped))} depends on other "
            "constraints and the multipliers are not unique. Release the redundant constraint."
        )
    z1, y = saddle.solve(by[:, :n].T, by[:, n:].T)
    return np.hstack([z1.T, -y.T])
