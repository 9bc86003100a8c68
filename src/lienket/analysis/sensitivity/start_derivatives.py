"""How a consistent start moves with start values and parameters.

The values given are held, the one asked for moves by 1, and the others follow, as little as they can in the metric of
A:

    positions    minimum of dq^T A dq,  G dq + g_p dp = 0,             dq of the values given as asked
    velocities   the same for v, which is itself nearest to its guess v0 at q:
                 A (v - v0) = G^T mu,  g'(q, v) = 0,                   differentiated by q, v and the parameters

Positions are those nearest to the positions of the start found, so that they are the derivative of `consistent` with
these as its guess. If what is given leaves the constraints no way to be kept, everything gives way, by the shortest
move in the metric of A.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import LienketError
from ...model.input.start import StatedStart
from ...simulation.problem import Problem
from .columns import LITTLE, SensitivityColumns, sizes_by
from .request import PARAMETER, POSITION, VELOCITY
from .saddle_solve import SaddleSolver

Array = Any

KEPT = 1e-6
"""A residual left in rows that depend on others, as a share of its terms, that is more than rounding."""


class StartVariation:
    """The derivatives dq and dv (n x K) of a start (q, v) at the time t by the directions; dp (p x K) are the units.

    `off` is the largest residual of the linearised constraints, as a share of its terms.
    """

    def __init__(
        self, problem: Problem, stated: StatedStart, t: float, q: Array, v: Array, by: SensitivityColumns
    ) -> None:
        self.problem, self.stated, self.by = problem, stated, by
        self.state = (t, np.array(q, dtype=float), np.array(v, dtype=float))
        self.A, self.G, _, _ = self._blocks("surface")
        _, self.g_p, self.g1_q, _, self.g1_p = self._blocks("surface_derivatives")
        self.off = 0.0
        self.dp = by.units(PARAMETER, len(problem.parameters))
        self.dq = self._positions()
        self.dv = self._velocities()

    def _blocks(self, name: str, inputs: Array | None = None) -> list[Array]:
        function, (t, q, v) = self.problem.model.function(name), self.state
        given = np.zeros(self.problem.model.inputs) if inputs is None else inputs
        return function.parts(function(t, q, v, self.problem.parameters, given)[1])

    def _positions(self) -> Array:
        rows, free = self.problem.level == 0, ~self.stated.fixed_q
        G, dq = self.G[rows], self.by.units(POSITION, self.problem.n)
        shift = self.g_p[rows] @ self.dp
        dq[free] += SaddleSolver(self.A[np.ix_(free, free)], G[:, free]).moved(G @ dq + shift)
        return self._kept(dq, self.state[1], G, shift, rows)

    def _velocities(self) -> Array:
        rows, free = self.problem.level <= 1, ~self.stated.fixed_v
        G, dv = self.G[rows], self.by.units(VELOCITY, self.problem.n)
        shift = self.g1_q[rows] @ self.dq + self.g1_p[rows] @ self.dp
        saddle = SaddleSolver(self.A[np.ix_(free, free)], G[:, free])
        pull = self._pull(saddle, rows, free)[free]
        dv[free] += saddle.solve(-pull, G @ dv + shift)[0]
        return self._kept(dv, self.state[2], G, shift, rows)

    def _pull(self, saddle: SaddleSolver, rows: Array, free: Array) -> Array:
        """The derivative (n x K) of A (v - v0) - G^T mu by positions and parameters, v - v0 and mu held.

        It is what the function `derivatives` gives for accelerations v - v0 and multipliers mu, less what it gives for
        none. Rows that are not linear in v are left out: their v is found by Newton's steps and need not be nearest.
        """
        n, s = self.problem.n, self.problem.s
        nothing, inputs = np.zeros(self.problem.model.inputs), np.zeros(self.problem.model.inputs)
        inputs[:n][free] = (self.state[2] - self.stated.v)[free]
        if not inputs.any():
            return np.zeros((n, len(self.by)))
        push = self.A[np.ix_(free, free)] @ inputs[:n][free]
        mu = np.zeros(s)
        mu[rows] = saddle.multipliers(push)
        inputs[n : n + s] = mu
        here, none = (self._blocks("derivatives", x) for x in (inputs, nothing))
        if np.any(here[2][:n] != none[2][:n]):
            return np.zeros((n, len(self.by)))
        (by_p,), (none_p,) = (self._blocks("parameter_derivatives", x) for x in (inputs, nothing))
        return (here[1] - none[1])[:n] @ self.dq + (by_p - none_p)[:n] @ self.dp

    def _kept(self, d: Array, x: Array, G: Array, shift: Array, rows: Array) -> Array:
        """D brought onto the linearised rows with everything moved; checks the rows that depend on others."""
        saddle = SaddleSolver(self.A, G)
        d = d + saddle.moved(G @ d + shift)
        by = sizes_by(self.problem.parameters, self.by.parameters)
        natural = np.abs(x)[:, None] / by + np.max(np.abs(d), axis=0)
        sizes = np.abs(G) @ (np.abs(d) + LITTLE * natural) + np.abs(shift)
        share = np.abs(G @ d + shift) / np.where(sizes > 0, sizes, 1.0)
        for row, column in np.argwhere(share > KEPT):
            if row not in saddle.accepted:
                raise LienketError(self._contradiction(int(np.flatnonzero(rows)[row]), self.by.names[column]))
        self.off = max(self.off, float(np.max(share, initial=0.0)))
        return d

    def _contradiction(self, row: int, name: str) -> str:
        names = self.problem.model.owners
        return (
            f"There is no derivative by {name}: changed alone, it contradicts the constraint "
            f"{names[row]!r}, which depends on the others at the start. Release that constraint, or let both depend on "
            "one parameter."
        )
