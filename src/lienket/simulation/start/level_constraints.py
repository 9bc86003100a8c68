"""What the constraints ask of the positions, or of the velocities at a position, as functions of them alone.

    positions    g(q, t) = 0                            holonomic rows
    velocities   G v + g_t = 0,  phi(q, v, t) = 0       holonomic rows differentiated, rows on velocities

Programs that are kept take part, those that are followed do not: there a motion may begin with an error. Rows on
accelerations ask nothing of a state.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import StartError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ...kernels.projection import Surface

POSITIONS, VELOCITIES = 0, 1
WORDS = ("positions", "velocities")


@dataclass(frozen=True, eq=False)
class LevelConstraints:
    """The conditions on x, which is q (`level` 0) or v at the position `q` (`level` 1); `names` are those of x."""

    model: CompiledModel
    t: float
    parameters: Array
    level: int
    names: tuple[str, ...]
    q: Array
    constraints: int | None = None
    """How many of the constraints take part, in their order; all unless it is said."""

    def surface(self, x: Array) -> Surface:
        """A (n x n), the rows G (s x n) and their residuals (s) at x; where A or G is not finite, nor are these."""
        q, v = (x, np.zeros(len(x))) if self.level == POSITIONS else (self.q, x)
        function = self.model.function("surface")
        _, out = function(self.t, q, v, self.parameters, self._nothing)
        raise_faults(self.model.callbacks)
        A, G, position, velocity = function.parts(out)
        residual = (position, velocity)[self.level]
        if not self._all:
            G, residual = G[self._rows], residual[self._rows]
        if not math.isfinite(out.sum()) and not (np.isfinite(A).all() and np.isfinite(G).all()):
            residual = np.full(len(residual), np.nan)
        return Surface(A, G, residual)

    @cached_property
    def labels(self) -> tuple[tuple[str, int], ...]:
        """The name of the constraint of each row, and the row's number in it, from 0."""
        return tuple(label for label, level in self._levels if level <= self.level)

    def check(self, here: Surface, x: Array) -> None:
        """Raise a StartError if the numbers `here`, at x, are not finite."""
        if np.isfinite(here.residual).all() and np.isfinite(here.A).all():
            return
        bad = {name for (name, _), G in zip(self.labels, here.G, strict=True) if not np.isfinite(G).all()}
        if np.isfinite(here.A).all() and np.isfinite(here.G).all():
            bad = {name for (name, _), r in zip(self.labels, here.residual, strict=True) if not np.isfinite(r)}
        what = [f"the constraint {name!r}" for name in sorted(bad)]
        if not np.isfinite(here.A).all():
            what.insert(0, "the inertia matrix A")
        state = ", ".join(f"{name} = {value:.6g}" for name, value in zip(self.names, x, strict=True))
        raise StartError(
            f"At the {WORDS[self.level]} from which the start is sought there is no finite number for "
            f"{' and '.join(what)}: {state}, t = {self.t:g}. Give start values or a guess away from there.",
            dict.fromkeys(sorted(bad), float("nan")),
            (),
        )

    # Inside

    @cached_property
    def _levels(self) -> list[tuple[tuple[str, int], int]]:
        """(name, number in its constraint) of every row, and the least level at which it asks something."""
        return [
            ((c.name, k), c.level)
            for c in self.model.constraints[: self.constraints]
            for k in range(len(c.expressions))
        ]

    @cached_property
    def _rows(self) -> Array:
        taking = [level <= self.level for _, level in self._levels]
        return np.array(taking + [False] * (self.model.s - len(taking)), dtype=bool)

    @cached_property
    def _all(self) -> bool:
        return bool(self._rows.all())

    @cached_property
    def _nothing(self) -> Array:
        return np.zeros(self.model.inputs)
