"""How what is asked of a run changes with its state and its parameters, at some of its rows.

    g(t, q, v, a, lambda, p):      dg = g_q dq + g_v dv + g_a da + g_lambda dlambda + g_p dp

With B the derivatives of A a - h - G^T lambda and of G a + g0 (simulation/integrators/native/jacobian.py),
[da; dlambda] = -M^-1 B dy. The transposed system is solved, M^T z = [g_a; g_lambda], once for each thing asked, and
dg = ... - z^T B dy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...simulation.run.result import Run
from .request import ACCELERATION, MULTIPLIER, OUTPUT, STATE
from .saddle_solve import SaddleSolver

Array = Any


@dataclass(frozen=True, eq=False)
class Gradients:
    """The derivatives of m things at N rows, by the state (q, v), N x m x 2 n, and by the parameters, N x m x p."""

    by_state: Array
    by_parameters: Array


def gradients(run: Run, wanted: list[tuple[int, int]], rows: Array) -> Gradients:
    """The derivatives of the things wanted, each a kind and its place, at the rows with these numbers."""
    n, s, p = run.problem.n, run.problem.s, len(run.problem.parameters)
    by = np.zeros((len(rows), len(wanted), 3 * n + s + p))  # q, v, a, lambda, parameters
    first = {STATE: 0, ACCELERATION: 2 * n, MULTIPLIER: 3 * n}
    at = Evaluation(run.problem.model, (len(rows),), run.t[rows], run.q[rows], run.v[rows], run.problem.parameters)
    outputs = _outputs(run, at) if any(kind == OUTPUT for kind, _ in wanted) else by
    for k, (kind, place) in enumerate(wanted):
        if kind == OUTPUT:
            by[:, k] = outputs[:, place]
        else:
            by[:, k, first[kind] + place] = 1.0
    solved, own = by[:, :, 2 * n : 3 * n + s], by[:, :, 3 * n + s :]
    by_state, by_parameters = by[:, :, : 2 * n].copy(), own.copy()
    for row in np.flatnonzero(solved.any(axis=(1, 2))):
        z = _transposed(run, at.A[row], at.G[row], solved[row])
        by_state[row] -= z @ np.hstack([at.by_q[row], at.by_v[row]])
        by_parameters[row] -= z @ at.by_parameters[row]
    return Gradients(by_state, by_parameters)


def _outputs(run: Run, at: Evaluation) -> Array:
    """The derivatives of the outputs by q, v, accelerations, multipliers and parameters, N x outputs x (...)."""
    model = run.problem.model
    function = model.function("output_derivatives")
    needed = model.outputs_need_accelerations
    inputs = np.zeros((len(at.t), model.inputs))
    if needed:
        inputs = np.ascontiguousarray(np.hstack([at.accelerations, at.multipliers]))
    _, out = function.many(at.t, at.q, at.v, at.parameters, inputs)
    raise_faults(model.callbacks)
    found = function.named(out)
    return np.concatenate([found[x] for x in ("by_q", "by_v", "by_a", "by_multipliers", "by_parameters")], axis=2)


def _transposed(run: Run, A: Array, G: Array, by: Array) -> Array:
    """Z (m x (n + s)) with M^T z = by: A z1 + G^T z2 = g_a, -G z1 = g_lambda."""
    n = len(A)
    saddle = SaddleSolver(A, G)
    if len(saddle.accepted) < len(G) and by[:, n:].any():
        names = run.problem.model.owners
        skipped = sorted({names[r] for r in range(len(G)) if r not in saddle.accepted})
        raise LienketError(
            f"The multipliers cannot be differentiated, since {', '.join(map(repr, skipped))} depends on other "
            "constraints: how they share the reaction is a choice. Release the redundant constraint."
        )
    z1, y = saddle.solve(by[:, :n].T, by[:, n:].T)
    return np.hstack([z1.T, -y.T])
