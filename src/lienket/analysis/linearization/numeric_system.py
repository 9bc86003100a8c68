"""The linear system beside a state: how accelerations and multipliers change with q, v and parameters, exactly.

    A a - h - G^T lambda = 0,  G a + g0 = 0      (n + s equations for a and lambda)
    [A  -G^T; G  0] [da; dlambda] = -[B_q dq + B_v dv + B_p dp]

B are the derivatives of the equations with a and lambda held, from compiled code. With da = D y + da_p the rows of
redundant constraints need no choice: (D^T A D) y = -D^T (B_f + A da_p).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ..row_space import AGREED, RowSpace, directions

ROUNDED = 1e-10
"""What is left of derivatives by rounding, as a share of the largest velocity or acceleration."""


@dataclass(frozen=True, eq=False)
class LinearizedEquations:
    """What the equations are next to one state.

    t, q, v, a (n), multipliers (s) and the parameters are the state; `scale` (n) has a unit for each coordinate;
    `bent` (n x n) is d(G^T lambda)/da, zero unless constraints are nonlinear in the accelerations.
    """

    model: CompiledModel
    t: float
    q: Array
    v: Array
    parameters: Array
    a: Array
    multipliers: Array
    scale: Array
    bent: Array

    def numbers(self, name: str) -> dict[str, Array]:
        """The blocks of a compiled function at the state, by name."""
        function = self.model.function(name)
        inputs = np.concatenate([self.a, self.multipliers])
        _, out = function(self.t, self.q, self.v, self.parameters, inputs)
        raise_faults(self.model.callbacks)
        if not np.isfinite(out).all():
            raise LienketError(
                f"At this state (t = {self.t:g}, q = {self.q.tolist()}) a derivative of the equations is not finite: "
                "a formula has no derivative there. Linearize beside it."
            )
        return function.named(out)

    @cached_property
    def terms(self) -> dict[str, Array]:
        """A, h, G, g0."""
        return self.numbers("terms")

    @cached_property
    def derivatives(self) -> dict[str, Array]:
        """Of the equations by q, v and t."""
        return self.numbers("derivatives")

    @property
    def by_state(self) -> Array:
        """The derivatives of the equations by q and v, (n + s) x 2 n."""
        return np.hstack([self.derivatives["by_q"], self.derivatives["by_v"]])

    @cached_property
    def jerk(self) -> Array:
        """The rates of the accelerations along the motion, n."""
        along = self.by_state @ np.concatenate([self.v, self.a]) + self.derivatives["by_t"]
        return self.changes(along[:, None])[0][:, 0]

    def rates(self, deviations: Array, accelerations: Array) -> Array:
        """The rates (2 n x m) of deviations (2 n x m) of positions and velocities that make such accelerations."""
        return np.vstack([deviations[len(self.q) :], accelerations])

    def of(self, model: CompiledModel) -> LinearizedEquations:
        """The same state of another model."""
        return replace(self, model=model)

    @cached_property
    def levels(self) -> Array:
        """0 for a holonomic row, 1 for one on velocities, 2 on accelerations; s."""
        return self.model.levels

    @cached_property
    def owners(self) -> list[str]:
        """The name of the constraint of each row."""
        return list(self.model.owners)

    def split(self, level: int) -> RowSpace:
        """The directions of the rows up to a level."""
        return directions(self.terms["G"][self.levels <= level], self.scale)

    @cached_property
    def _all(self) -> RowSpace:
        return self.split(2)

    @cached_property
    def pace(self) -> float:
        """The largest velocity or acceleration, free ones included, in units of the coordinates."""
        free = self.terms["h"] * self.scale
        return float(max(np.max(np.abs(x), initial=0.0) for x in (self.a / self.scale, self.v / self.scale, free)))

    def changes(self, B: Array) -> tuple[Array, Array]:
        """The da (n x m) and dlambda (s x m) that balance B ((n + s) x m)."""
        n, rows = len(self.q), self._all
        forces, asked = B[:n], B[n:]
        self.agree(rows, asked, np.ones(len(asked), dtype=bool))
        inertia = self.terms["A"] - self.bent
        particular = -rows.lifted(asked)
        D = rows.D
        reduced = D.T @ inertia @ D
        y = (
            np.linalg.solve(reduced, -D.T @ (forces + inertia @ particular))
            if D.shape[1]
            else np.zeros((0, B.shape[1]))
        )
        da = particular + D @ y
        return da, rows.weights(inertia @ da + forces)

    def check_unique(self, by_multipliers: Array, names: Sequence[str]) -> None:
        """Raise an error for an output (a row of its derivatives by multipliers) that is not unique.

        Only what a sum of G w gives is: with redundant rows, multipliers may change by any mu with G^T mu = 0.
        """
        rows = self._all
        weights = by_multipliers.T / rows.unit[:, None]
        left = np.linalg.norm(weights - rows.combinations @ (rows.combinations.T @ weights), axis=0)
        for name, share, size in zip(names, left, np.linalg.norm(weights, axis=0), strict=True):
            if share > AGREED * size:
                raise LienketError(
                    f"The output {name!r} is not determined: multipliers of redundant constraints stand in it, which "
                    "share their load in no unique way. Release the redundant ones, or ask for what they do together."
                )

    def agree(self, rows: RowSpace, asked: Array, taking: Array) -> None:
        """Raise an error if rows that depend on others here ask something else beside; `taking` tells which rows."""
        left = np.abs(rows.left_over(asked))
        sizes = np.abs(asked / rows.unit[:, None]).sum(axis=0, initial=0.0)
        bad = np.any(left > AGREED * sizes + ROUNDED * self.pace, axis=1)
        if not bad.any():
            return
        raise self._branches([name for name, taken in zip(self.owners, taking, strict=True) if taken], bad)

    def check_rank(self, T: Array) -> None:
        """Raise an error if rows depend on others here only: then D^T d(G^T mu) T = 0 fails for a mu with G^T mu = 0.

        (G D = 0 beside the state too gives D^T dG^T mu = -dD^T G^T mu = 0.)
        """
        rows, n = self._all, len(self.q)
        involved = np.flatnonzero(np.any(np.abs(rows.idle) * rows.unit[:, None] > AGREED, axis=1))
        if not len(involved):
            return
        still = replace(self, multipliers=np.zeros(len(self.multipliers))).by_state[:n]
        total, sizes = np.zeros((rows.idle.shape[1], rows.D.shape[1], T.shape[1])), 0.0
        for k in involved:
            unit = np.zeros(len(self.multipliers))
            unit[k] = 1.0
            turned = rows.D.T @ ((replace(self, multipliers=unit).by_state[:n] - still) @ T)
            total += rows.idle[k][:, None, None] * turned
            sizes = max(sizes, float(np.max(np.abs(rows.idle[k])) * np.max(np.abs(turned), initial=0.0)))
        bent = np.max(np.abs(total), axis=(1, 2), initial=0.0) > AGREED * sizes
        if sizes > 0 and bent.any():
            raise self._branches(self.owners, np.any(np.abs(rows.idle[:, bent]) * rows.unit[:, None] > AGREED, axis=1))

    def _branches(self, owners: Sequence[str], bad: Array) -> LienketError:
        names = list(dict.fromkeys(name for name, chosen in zip(owners, bad, strict=True) if chosen))
        return LienketError(
            f"There is no linear system at this state: the rows of {', '.join(map(repr, names))} lose rank here and "
            "not beside it (a dead point, a position where the mechanism branches, rest under a constraint that is "
            "nonlinear in the velocities). Linearize at another state."
        )
