"""Derivatives of a consistent start by start values and parameters.

Start values that the user fixed are held, except that of the column, which changes by 1; all others change as little as
possible in the metric of A:

    positions    minimum of dq^T A dq,  G dq + g_p dp = 0,             dq of fixed positions: 1 or 0
    velocities   minimum of dv^T A dv on the rows of velocities; v is itself nearest to its guess v0 at q:
                 A (v - v0) = G^T mu,  g'(q, v) = 0,                   differentiated by q, v and the parameters

Positions stay nearest to those of the consistent start, so this is the derivative of `consistent` with that start as
its guess. Where the fixed values leave the constraints unsatisfiable, all values change, by the shortest correction in
the metric of A.
"""

from __future__ import annotations

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from ...model.input.stated_start import StatedStart
from ...simulation.problem import Problem
from .columns import RESIDUAL_SCALE_FLOOR, SensitivityColumns, sizes_by
from .request import PARAMETER, POSITION, VELOCITY
from .saddle_solve import SaddleSolver

CONTRADICTION_TOLERANCE = 1e-6  # [1] residual of a dependent row, relative to its terms, above which it contradicts


class StartVariation:
    """Derivatives dq, dv (n x K) of a start (q, v) at the time t by the columns; dp (p x K) of the parameters.

    `off` is the largest residual of the linearized constraints relative to its terms.
    """

    def __init__(
        self, problem: Problem, stated: StatedStart, t: float, q: Array, v: Array, by: SensitivityColumns
    ) -> None:
        self.problem, self.stated, self.by = problem, stated, by
        self.state = (t, np.array(q, dtype=float), np.array(v, dtype=float))
        self.A, self.G, *_ = self._blocks("surface")
        _, self.g_p, self.g1_q, _, self.g1_p = self._blocks("surface_derivatives")
        self.off = 0.0
        self.dp = by.units(PARAMETER, len(problem.parameters))
        self.dq = self._positions()
        self.dv = self._velocities()

    def _blocks(self, name: str, inputs: Array | None = None) -> list[Array]:
        """Return the blocks of a compiled function at the start."""
        function, (t, q, v) = self.problem.model.function(name), self.state
        inputs = np.zeros(self.problem.model.inputs) if inputs is None else inputs
        return function.parts(function(t, q, v, self.problem.parameters, inputs)[1])

    def _positions(self) -> Array:
        """Return dq (n x K): minimum of dq^T A dq on G dq + g_p dp = 0 with the fixed positions held."""
        rows, free = self.problem.level == 0, ~self.stated.fixed_q
        G, dq = self.G[rows], self.by.units(POSITION, self.problem.n)
        shift = self.g_p[rows] @ self.dp
        dq[free] += SaddleSolver(self.A[np.ix_(free, free)], G[:, free]).correction(G @ dq + shift)
        return self._project(dq, self.state[1], G, shift, rows)

    def _velocities(self) -> Array:
        """Return dv (n x K): the derivative of the velocities nearest to the guess, with the fixed ones held."""
        rows, free = self.problem.level <= 1, ~self.stated.fixed_v
        G, dv = self.G[rows], self.by.units(VELOCITY, self.problem.n)
        shift = self.g1_q[rows] @ self.dq + self.g1_p[rows] @ self.dp
        saddle = SaddleSolver(self.A[np.ix_(free, free)], G[:, free])
        pull = self._pull(saddle, rows, free)[free]
        dv[free] += saddle.solve(-pull, G @ dv + shift)[0]
        return self._project(dv, self.state[2], G, shift, rows)

    def _pull(self, saddle: SaddleSolver, rows: BoolArray, free: BoolArray) -> Array:
        """Return the derivative (n x K) of A (v - v0) - G^T mu by positions and parameters, v - v0 and mu held.

        It is the function `derivatives` at accelerations v - v0 and multipliers mu, minus its value at zero. It is 0
        where rows are nonlinear in v: such a v comes from Newton's method and need not be nearest to v0.
        """
        n, s = self.problem.n, self.problem.s
        zero, inputs = np.zeros(self.problem.model.inputs), np.zeros(self.problem.model.inputs)
        inputs[:n][free] = (self.state[2] - self.stated.v)[free]
        if not inputs.any():
            return np.zeros((n, len(self.by)))
        push = self.A[np.ix_(free, free)] @ inputs[:n][free]
        mu = np.zeros(s)
        mu[rows] = saddle.multipliers(push)
        inputs[n : n + s] = mu
        at_inputs, at_zero = (self._blocks("derivatives", x) for x in (inputs, zero))
        if np.any(at_inputs[2][:n] != at_zero[2][:n]):
            return np.zeros((n, len(self.by)))
        (by_p,), (by_p_at_zero,) = (self._blocks("parameter_derivatives", x) for x in (inputs, zero))
        return (at_inputs[1] - at_zero[1])[:n] @ self.dq + (by_p - by_p_at_zero)[:n] @ self.dp

    def _project(self, d: Array, x: Array, G: Array, shift: Array, rows: BoolArray) -> Array:
        """Project d (n x K) onto the linearized rows; LienketError where a dependent row is contradicted."""
        saddle = SaddleSolver(self.A, G)
        d = d + saddle.correction(G @ d + shift)
        by = sizes_by(self.problem.parameters, self.by.parameters)
        natural = np.abs(x)[:, None] / by + np.max(np.abs(d), axis=0)
        sizes = np.abs(G) @ (np.abs(d) + RESIDUAL_SCALE_FLOOR * natural) + np.abs(shift)
        share = np.abs(G @ d + shift) / np.where(sizes > 0, sizes, 1.0)
        for row, column in np.argwhere(share > CONTRADICTION_TOLERANCE):
            if row not in saddle.accepted:
                raise LienketError(self._contradiction(int(np.flatnonzero(rows)[row]), self.by.names[column]))
        self.off = max(self.off, float(np.max(share, initial=0.0)))
        return d

    def _contradiction(self, row: int, name: str) -> str:
        """Return the message about a dependent row that a change of one start value or parameter contradicts."""
        names = self.problem.model.owners
        return (
            f"There is no derivative by {name}: a change of {name} alone contradicts the constraint {names[row]!r}, "
            "which is redundant at the start. Release that constraint, or let both depend on one parameter."
        )
