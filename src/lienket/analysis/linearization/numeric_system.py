"""Equations linearized at a state: exact derivatives of accelerations and multipliers by q, v and parameters.

    A a - h - G^T lambda = 0,  G a + g0 = 0      (n + s equations for a and lambda)
    [A  -G^T; G  0] [da; dlambda] = -[B_q dq + B_v dv + B_p dp]

B are the derivatives of the equations with a and lambda held, from compiled code. With da = D y + da_p no choice among
redundant rows is needed: (D^T A D) y = -D^T (B_f + A da_p).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ..row_space import REDUNDANT_ROW_TOLERANCE, RowSpace, row_space

DERIVATIVE_ROUNDING = 1e-10  # [1] derivative, relative to the largest velocity or acceleration, attributed to rounding


@dataclass(frozen=True, eq=False)
class LinearizedEquations:
    """Equations of motion linearized at one state.

    t, q, v, a (n), multipliers (s) and the parameters are the state; `scale` (n) has a unit for each coordinate;
    `push_by_a` (n x n) is d(G^T lambda)/da, zero unless constraints are nonlinear in the accelerations.
    """

    model: CompiledModel
    t: float
    q: Array
    v: Array
    parameters: Array
    a: Array
    multipliers: Array
    scale: Array
    push_by_a: Array

    def numbers(self, name: str) -> dict[str, Array]:
        """Return the blocks of a compiled function at the state, by name."""
        function = self.model.function(name)
        inputs = np.concatenate([self.a, self.multipliers])
        _, out = function(self.t, self.q, self.v, self.parameters, inputs)
        raise_faults(self.model.callbacks)
        if not np.isfinite(out).all():
            raise LienketError(
                f"At this state (t = {self.t:g}, q = {self.q.tolist()}) a derivative of the equations is not finite: "
                "a formula has no derivative there. Linearize at a state near it."
            )
        return function.named(out)

    @cached_property
    def terms(self) -> dict[str, Array]:
        """Matrices A, h, G, g0."""
        return self.numbers("terms")

    @cached_property
    def derivatives(self) -> dict[str, Array]:
        """Derivatives of the equations by q, v and t."""
        return self.numbers("derivatives")

    @property
    def by_state(self) -> Array:
        """Derivatives of the equations by q and v, (n + s) x 2 n."""
        return np.hstack([self.derivatives["by_q"], self.derivatives["by_v"]])

    @cached_property
    def jerk(self) -> Array:
        """Rates of the accelerations along the motion, n."""
        along = self.by_state @ np.concatenate([self.v, self.a]) + self.derivatives["by_t"]
        return self.changes(along[:, None])[0][:, 0]

    def rates(self, deviations: Array, accelerations: Array) -> Array:
        """Return the rates (2 n x m) of deviations (2 n x m) with these changes of the accelerations (n x m)."""
        return np.vstack([deviations[len(self.q) :], accelerations])

    def of(self, model: CompiledModel) -> LinearizedEquations:
        """Return the state with another compiled model."""
        return replace(self, model=model)

    def split(self, level: int) -> RowSpace:
        """Return the row space of the rows up to a level."""
        return row_space(self.terms["G"][self.model.levels <= level], self.scale)

    @cached_property
    def _all(self) -> RowSpace:
        """Row space of all rows."""
        return self.split(2)

    @cached_property
    def pace(self) -> float:
        """Largest velocity or acceleration, with or without constraints, in units of the coordinates."""
        free = self.terms["h"] * self.scale
        return float(max(np.max(np.abs(x), initial=0.0) for x in (self.a / self.scale, self.v / self.scale, free)))

    def changes(self, B: Array) -> tuple[Array, Array]:
        """Return the da (n x m) and dlambda (s x m) that balance B ((n + s) x m)."""
        n, rows = len(self.q), self._all
        forces, of_rows = B[:n], B[n:]
        self.check_consistent(rows, of_rows, np.ones(len(of_rows), dtype=bool))
        inertia = self.terms["A"] - self.push_by_a
        particular = -rows.solve(of_rows)
        D = rows.D
        reduced = D.T @ inertia @ D
        y = (
            np.linalg.solve(reduced, -D.T @ (forces + inertia @ particular))
            if D.shape[1]
            else np.zeros((0, B.shape[1]))
        )
        da = particular + D @ y
        return da, rows.multipliers(inertia @ da + forces)

    def check_unique(self, by_multipliers: Array, names: Sequence[str]) -> None:
        """Raise an error if an output (a row of its derivatives w by multipliers) is not unique.

        With redundant rows the multipliers are determined up to a mu with G^T mu = 0; w^T lambda is unique if w = G x.
        """
        rows = self._all
        weights = by_multipliers.T / rows.unit[:, None]
        left = np.linalg.norm(weights - rows.combinations @ (rows.combinations.T @ weights), axis=0)
        for name, share, size in zip(names, left, np.linalg.norm(weights, axis=0), strict=True):
            if share > REDUNDANT_ROW_TOLERANCE * size:
                raise LienketError(
                    f"The output {name!r} is not determined: it contains multipliers of redundant constraints, which "
                    "are not unique. Release the redundant constraints, or take their total reaction as the output."
                )

    def check_consistent(self, rows: RowSpace, b: Array, chosen: BoolArray) -> None:
        """Raise an error if redundant rows contradict in G x = b, small deviations x; `chosen` (s) tells which rows."""
        left = np.abs(rows.inconsistency(b))
        sizes = np.abs(b / rows.unit[:, None]).sum(axis=0, initial=0.0)
        bad = np.any(left > REDUNDANT_ROW_TOLERANCE * sizes + DERIVATIVE_ROUNDING * self.pace, axis=1)
        if not bad.any():
            return
        raise self._loss_of_rank([name for name, is_in in zip(self.model.owners, chosen, strict=True) if is_in], bad)

    def check_rank(self, T: Array) -> None:
        """Raise an error if rows are dependent at this state only: D^T d(G^T mu) T != 0 for a mu with G^T mu = 0.

        (If G D = 0 holds at neighbouring states too, D^T dG^T mu = -dD^T G^T mu = 0.)
        """
        rows, n = self._all, len(self.q)
        involved = np.flatnonzero(np.any(np.abs(rows.idle) * rows.unit[:, None] > REDUNDANT_ROW_TOLERANCE, axis=1))
        if not len(involved):
            return
        without = replace(self, multipliers=np.zeros(len(self.multipliers))).by_state[:n]
        total, sizes = np.zeros((rows.idle.shape[1], rows.D.shape[1], T.shape[1])), 0.0
        for k in involved:
            unit = np.zeros(len(self.multipliers))
            unit[k] = 1.0
            change = rows.D.T @ ((replace(self, multipliers=unit).by_state[:n] - without) @ T)
            total += rows.idle[k][:, None, None] * change
            sizes = max(sizes, float(np.max(np.abs(rows.idle[k])) * np.max(np.abs(change), initial=0.0)))
        lost = np.max(np.abs(total), axis=(1, 2), initial=0.0) > REDUNDANT_ROW_TOLERANCE * sizes
        if sizes > 0 and lost.any():
            weights = np.abs(rows.idle[:, lost]) * rows.unit[:, None]
            raise self._loss_of_rank(self.model.owners, np.any(weights > REDUNDANT_ROW_TOLERANCE, axis=1))

    def _loss_of_rank(self, owners: Sequence[str], bad: BoolArray) -> LienketError:
        """Return the error for rows whose rank is lower at this state than at its neighbours."""
        names = list(dict.fromkeys(name for name, chosen in zip(owners, bad, strict=True) if chosen))
        return LienketError(
            f"There is no linear system at this state: the rows of {', '.join(map(repr, names))} lose rank here "
            "and not at neighbouring states (a dead point, a position where the mechanism branches, rest under a "
            "constraint that is nonlinear in the velocities). Linearize at another state."
        )
