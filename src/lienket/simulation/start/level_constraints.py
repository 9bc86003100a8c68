"""Constraints on the positions, or on the velocities at a position, as functions of them alone.

    positions    g(q, t) = 0                            holonomic rows
    velocities   G v + g_t = 0,  phi(q, v, t) = 0       holonomic rows differentiated, rows on velocities

Programs that must be kept exactly are included; programs that may deviate are not, since a motion may start with an
error. Rows on accelerations do not restrict a state.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from ...compiled.machine.function import CompiledFunction
from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import StartError
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.projection import Surface, sizes_of

POSITIONS, VELOCITIES = 0, 1
LEVEL_NAMES = ("positions", "velocities")


@dataclass(frozen=True, eq=False)
class LevelConstraints:
    """Constraints on x, which is q (`level` 0) or v at the position `q` (`level` 1); `names` are those of x.

    `constraints` is the number of constraints included, in their order; None for all.
    """

    model: CompiledModel
    t: float
    parameters: Array
    level: int
    names: tuple[str, ...]
    q: Array
    constraints: int | None = None

    def surface(self, x: Array) -> Surface:
        """Return A, rows, residuals and the sizes of their terms at x; residuals are NaN where A or G is not finite."""
        q, v = (x, self._at_rest) if self.level == POSITIONS else (self.q, x)
        function = self._function
        _, out = function(self.t, q, v, self.parameters, self._inputs)
        raise_faults(self.model.callbacks)
        A, G, *parts = function.parts(out)
        residual, terms = parts[self.level], parts[2 + self.level]
        if not self._all_included:
            G, residual, terms = G[self._rows], residual[self._rows], terms[self._rows]
        if not math.isfinite(out.sum()) and not (np.isfinite(A).all() and np.isfinite(G).all()):
            residual = np.full(len(residual), np.nan)
        return Surface(A, G, residual, terms)

    def surfaces(self, points: Array) -> Surface:
        """Return the surfaces at several points (N x n) with a first axis N; equal to `surface` at each."""
        count = len(points)
        repeated = np.zeros_like(points) if self.level == POSITIONS else np.tile(self.q, (count, 1))
        q, v = (points, repeated) if self.level == POSITIONS else (repeated, points)
        inputs = np.zeros((count, self.model.inputs))
        _, out = self._function.many(np.full(count, self.t), q, v, self.parameters, inputs)
        raise_faults(self.model.callbacks)
        A, G, *parts = self._function.parts(out)
        residual, terms = parts[self.level], parts[2 + self.level]
        if not self._all_included:
            G, residual, terms = (part[:, self._rows] for part in (G, residual, terms))
        if not np.isfinite(out).all():
            finite = np.all(np.isfinite(A), axis=(1, 2)) & np.all(np.isfinite(G), axis=(1, 2))
            residual = np.where(finite[:, None], residual, np.nan)
        return Surface(A, G, residual, terms)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.labels)

    @property
    def linear_by_kind(self) -> bool:
        """Whether all rows are linear in x by their kind: holonomic rows in the velocities."""
        return self.level == VELOCITIES and all(level == POSITIONS for _, level in self._levels if level <= VELOCITIES)

    @cached_property
    def labels(self) -> tuple[tuple[str, int], ...]:
        """Name of the constraint of each row, and the number of the row in it, from 0."""
        return tuple(label for label, level in self._levels if level <= self.level)

    def check(self, surface: Surface, x: Array) -> None:
        """Raise a StartError if the surface at x, or a term of a residual, is not finite."""
        finite = np.isfinite(surface.residual) & np.isfinite(sizes_of(surface, x))
        if finite.all() and np.isfinite(surface.A).all():
            return
        bad = {name for (name, _), G in zip(self.labels, surface.G, strict=True) if not np.isfinite(G).all()}
        if np.isfinite(surface.A).all() and np.isfinite(surface.G).all():
            bad = {name for (name, _), known in zip(self.labels, finite, strict=True) if not known}
        parts = [f"the constraint {name!r}" for name in sorted(bad)]
        if not np.isfinite(surface.A).all():
            parts.insert(0, "the inertia matrix A")
        state = ", ".join(f"{name} = {value:.6g}" for name, value in zip(self.names, x, strict=True))
        raise StartError(
            f"At the {LEVEL_NAMES[self.level]} from which the search for a start begins there is no finite number for "
            f"{' and '.join(parts)}: {state}, t = {self.t:g}.",
            dict.fromkeys(sorted(bad), float("nan")),
            (),
            "Give other start values or another guess.",
        )

    # Inside

    @cached_property
    def _levels(self) -> list[tuple[tuple[str, int], int]]:
        """Label (name, number in its constraint) of every row, and the lowest level that it restricts."""
        return [((c.name, k), c.level) for c in self.model.constraints[: self.constraints] for k in range(c.rows)]

    @cached_property
    def _rows(self) -> BoolArray:
        """Rows of the model that are included (booleans)."""
        included = [level <= self.level for _, level in self._levels]
        return np.array(included + [False] * (self.model.s - len(included)), dtype=bool)

    @cached_property
    def _all_included(self) -> bool:
        """Whether all rows of the model are included."""
        return bool(self._rows.all())

    @cached_property
    def _function(self) -> CompiledFunction:
        """Machine code of the surface."""
        return self.model.function("surface")

    @cached_property
    def _at_rest(self) -> Array:
        """Velocities of zero (n)."""
        return np.zeros(self.model.n)

    @cached_property
    def _inputs(self) -> Array:
        """Accelerations, multipliers and drives of zero."""
        return np.zeros(self.model.inputs)
