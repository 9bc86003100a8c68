"""Numbers along the rows of a run, computed when they are asked for: accelerations, reactions, energy, residuals."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from ..kernels.evaluation import Evaluation
from ..language.names import STICKING
from ..simulation.run.result import Run
from .piecewise_values import PiecewiseRowValues

Array = Any


@dataclass(frozen=True, eq=False)
class Energy:
    """Energies along a run (N each): kinetic T, potential V, total T + V, the work of everything else since the start.

    `stored` is T2 - T0 + V, which is the total unless coordinates are carried along by something that moves; `work`
    is that of forces without a potential, of reactions that do work, and of what depends on time. imbalance =
    stored - stored[0] - work, which vanishes for the exact motion.
    """

    kinetic: Array
    potential: Array
    stored: Array
    work: Array

    @property
    def total(self) -> Array:
        """T + V."""
        return self.kinetic + self.potential

    @property
    def imbalance(self) -> Array:
        """What the balance leaves."""
        return self.stored - self.stored[0] - (self.work - self.work[0])


@dataclass(frozen=True, eq=False)
class RowValues:
    """The numbers of a run by rows; `places` are the rows of each constraint by name."""

    run: Run

    @cached_property
    def places(self) -> dict[str, slice]:
        """Which rows each constraint has."""
        found, first = {}, 0
        for c in self.run.problem.model.constraints:
            found[c.name] = slice(first, first + len(c.expressions))
            first += len(c.expressions)
        return found

    @cached_property
    def shown(self) -> dict[str, slice]:
        """The same but for rows that users have not stated: those under which contacts stick, and hidden programs."""
        kinds = {c.name: c.kind == "program" and not c.drives for c in self.run.problem.model.constraints}
        return {name: x for name, x in self.places.items() if not name.endswith(STICKING) and not kinds[name]}

    @cached_property
    def columns(self) -> dict[str, slice]:
        """The columns of `multipliers` that belong to each constraint."""
        found, first = {}, 0
        for name, rows in self.shown.items():
            found[name] = slice(first, first + rows.stop - rows.start)
            first += rows.stop - rows.start
        return found

    @cached_property
    def multipliers(self) -> Array:
        """Lambda of the rows that are shown, N x s."""
        columns = [k for place in self.shown.values() for k in range(place.start, place.stop)]
        return self.solved[1] if len(columns) == self.solved[1].shape[1] else self.solved[1][:, columns]

    @cached_property
    def _evaluated(self) -> Evaluation | PiecewiseRowValues:
        """The compiled functions at the rows."""
        run = self.run
        if run.history is not None:
            return PiecewiseRowValues(run, run.history)
        return Evaluation(run.problem.model, run.t.shape, run.t, run.q, run.v, run.problem.parameters)

    @cached_property
    def solved(self) -> tuple[Array, Array]:
        """Accelerations (N x n) and multipliers (N x s)."""
        return self._evaluated.accelerations, self._evaluated.multipliers

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """What each constraint exerts by name, N x n: G^T lambda + c of its law, E u of a program's drives."""
        found = self._evaluated.reactions
        model = self.run.problem.model
        names = [c.name for c in (*model.constraints, *model.followed)]
        hidden = {c.name for c in model.constraints if c.kind == "program" and not c.drives}
        by_name = {name: found[:, k] for k, name in enumerate(names) if name not in hidden}
        for name in [name for name in names if name.endswith(STICKING)]:  # what holds a contact is its own doing
            base, held = name.removesuffix(STICKING), by_name.pop(name)
            by_name[base] = np.where(np.isnan(held), by_name[base], by_name[base] + held)
        return by_name

    @property
    def friction(self) -> dict[str, Array]:
        """The friction of each contact along its slip by name, N each."""
        return self._evaluated.friction

    @property
    def errors(self) -> dict[str, Array]:
        """By how much programs that are followed are missed, by name, N x rows."""
        return self._evaluated.errors

    @property
    def drives(self) -> dict[str, Array]:
        """The drives of programs by name, N each."""
        return self._evaluated.drives

    @cached_property
    def energy(self) -> Energy:
        """The energies."""
        found = self._evaluated
        return Energy(found.kinetic, found.potential, found.stored + found.potential, self.run.work)

    @cached_property
    def residuals(self) -> dict[str, dict[str, Array]]:
        """The largest absolute residual of each constraint (N) by level, "position", "velocity", "acceleration"."""
        levels = {c.name: c.level for c in self.run.problem.model.constraints}
        return {
            kind: {
                name: np.max(np.abs(values[:, place]), axis=1, initial=0.0)
                for name, place in self.places.items()
                if levels[name] <= level
            }
            for level, (kind, values) in enumerate(self._evaluated.residuals.items())
        }

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """The user's outputs by name."""
        return self._evaluated.outputs
