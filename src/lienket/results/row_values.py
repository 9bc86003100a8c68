"""Values along the rows of a run, computed at their first use: accelerations, reactions, energy, residuals."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ..foundation.arrays import Array, BoolArray, IntArray
from ..foundation.frozen_dataclass import dataclass
from ..kernels.evaluation import Evaluation
from ..kernels.shared_loads import REDUNDANT
from ..simulation.run.result import Run
from .piecewise_values import PiecewiseRowValues


@dataclass(frozen=True)
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
    """Values of a run at its rows (N times); n coordinates, s rows of constraints."""

    run: Run

    @cached_property
    def rows(self) -> dict[str, slice]:
        """Rows of each constraint among all s rows, by name."""
        return self.run.problem.model.rows

    @cached_property
    def stated_rows(self) -> dict[str, slice]:
        """Rows of each constraint of the statement: without those of sticking contacts and of hidden programs."""
        constraints = self.run.problem.model.constraints
        internal = {c.name for c in constraints if c.holds is not None or c.hidden}
        return {name: x for name, x in self.rows.items() if name not in internal}

    @cached_property
    def columns(self) -> dict[str, slice]:
        """Columns of `multipliers` of each constraint by name."""
        columns, first = {}, 0
        for name, rows in self.stated_rows.items():
            columns[name] = slice(first, first + rows.stop - rows.start)
            first += rows.stop - rows.start
        return columns

    @cached_property
    def multipliers(self) -> Array:
        """Multipliers of the constraints of the statement (N x their rows)."""
        columns = [k for rows in self.stated_rows.values() for k in range(rows.start, rows.stop)]
        return self.solved[1] if len(columns) == self.solved[1].shape[1] else self.solved[1][:, columns]

    @cached_property
    def _evaluated(self) -> Evaluation | PiecewiseRowValues:
        """Evaluation of the compiled functions at the rows."""
        run = self.run
        if run.history is not None:
            return PiecewiseRowValues(run, run.history)
        return Evaluation(run.problem.model, run.t.shape, run.t, run.q, run.v, run.problem.parameters)

    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations of all rows: one, or one for each structure and set of parameters of the run."""
        evaluated = self._evaluated
        return evaluated.evaluations() if isinstance(evaluated, PiecewiseRowValues) else [evaluated]

    def groups(self) -> list[tuple[IntArray, Evaluation]]:
        """Return the evaluations with the indices of their rows."""
        evaluated = self._evaluated
        if isinstance(evaluated, PiecewiseRowValues):
            return evaluated.groups()
        return [(np.arange(len(self.run.t)), evaluated)]

    @cached_property
    def solved(self) -> tuple[Array, Array]:
        """Accelerations (N x n) and multipliers (N x s) of all rows."""
        return self._evaluated.accelerations, self._evaluated.multipliers

    @property
    def redundant(self) -> BoolArray:
        """Whether rows of constraints are redundant, so that their shares of the reaction are not unique (N)."""
        return np.asarray(self._evaluated.status == REDUNDANT)

    @cached_property
    def not_unique(self) -> dict[str, BoolArray]:
        """Rows (N) at which the share of a constraint in the reaction is not unique, by name, where there are any."""
        if not self.redundant.any():
            return {}
        marked = self._evaluated.not_unique
        by_name: dict[str, BoolArray] = {}
        for c in self.run.problem.model.constraints:
            of_constraint = marked[:, self.rows[c.name]].any(axis=1)
            if of_constraint.any():
                name = c.holds or c.name  # the force that holds a contact belongs to it
                by_name[name] = np.asarray(by_name.get(name, False) | of_constraint)
        return by_name

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """Generalized reaction of each constraint by name (N x n): G^T lambda + c of its law, E u of a program."""
        reactions = self._evaluated.reactions
        model = self.run.problem.model
        names = [c.name for c in (*model.constraints, *model.followed)]
        hidden = {c.name for c in model.constraints if c.hidden}
        by_name = {name: reactions[:, k] for k, name in enumerate(names) if name not in hidden}
        for c in model.constraints:
            if c.holds is not None:  # static friction belongs to its contact
                sliding, static = by_name[c.holds], by_name.pop(c.name)
                by_name[c.holds] = np.where(np.isnan(static), sliding, sliding + static)
        return by_name

    @property
    def friction(self) -> dict[str, Array]:
        """Friction of each contact along its slip by name (N each)."""
        return self._evaluated.friction

    @property
    def normal_factors(self) -> dict[str, Array]:
        """Normal force per multiplier of each contact by name (N each), where it is not 1."""
        return self._evaluated.normal_factors

    @property
    def errors(self) -> dict[str, Array]:
        """Errors of the programs that the motion may deviate from, by name (N x rows)."""
        return self._evaluated.errors

    @property
    def drives(self) -> dict[str, Array]:
        """Drives of programs by name (N each)."""
        return self._evaluated.drives

    @cached_property
    def energy(self) -> Energy:
        """Energies and work."""
        e = self._evaluated
        return Energy(e.kinetic, e.potential, e.stored + e.potential, self.run.work)

    @cached_property
    def residuals(self) -> dict[str, dict[str, Array]]:
        """Largest absolute residual of each constraint (N) by level "position", "velocity", "acceleration" and name."""
        levels = {c.name: c.level for c in self.run.problem.model.constraints}
        return {
            kind: {
                name: np.abs(values[:, rows].T, order="C").max(axis=0, initial=0.0)
                for name, rows in self.rows.items()
                if levels[name] <= level
            }
            for level, (kind, values) in enumerate(self._evaluated.residuals.items())
        }

    @property
    def outputs_have_gaps(self) -> bool:
        """Whether an output has no number at some row, possibly since a table ends."""
        return bool(self.run.problem.model.outputs) and any(np.isnan(x).any() for x in self.outputs.values())

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """Outputs of the user by name (N each)."""
        return self._evaluated.outputs
