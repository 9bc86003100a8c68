"""Values along a run whose active constraints change, joined from the evaluations of each structure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ..compiled.model import CompiledModel
from ..foundation.arrays import Array, BoolArray, IntArray
from ..kernels.evaluation import Evaluation
from ..simulation.events.history import History
from ..simulation.run.result import Run


class PiecewiseRowValues:
    """Values of an Evaluation for rows (N) under several structures; NaN for a constraint while it does not act."""

    def __init__(self, run: Run, history: History) -> None:
        """Evaluate rows with one structure and one set of parameters together."""
        self._count, self._n = len(run.t), run.problem.n
        model = run.problem.model
        self._constraints, self._followed = model.constraints, model.followed
        self._groups = [
            (
                self._indices(p.model),
                rows,
                Evaluation(p.model, rows.shape, run.t[rows], run.q[rows], run.v[rows], p.parameters),
            )
            for _, p, rows in history.groups()
        ]

    def evaluations(self) -> list[Evaluation]:
        """Return the evaluations of rows with one structure and one set of parameters."""
        return [evaluated for _, _, evaluated in self._groups]

    def groups(self) -> list[tuple[IntArray, Evaluation]]:
        """Return the evaluations with the indices of their rows."""
        return [(np.asarray(rows), evaluated) for _, rows, evaluated in self._groups]

    def _indices(self, model: CompiledModel) -> tuple[int, ...]:
        """Return the indices of the constraints of a structure among all constraints, then all followed programs."""
        names = [c.name for c in (*self._constraints, *self._followed)]
        return tuple(names.index(c.name) for c in (*model.constraints, *model.followed))

    @cached_property
    def accelerations(self) -> Array:
        """Accelerations (N x n)."""
        return self._joined(lambda e: e.accelerations, (self._n,))

    @cached_property
    def status(self) -> Array:
        """Status of the solution (N), as numbers; see `Evaluation.status`."""
        return self._joined(lambda e: e.status.astype(float), ())

    @cached_property
    def multipliers(self) -> Array:
        """Multipliers of every row of every constraint (N x s)."""
        return self._spread(lambda e: e.multipliers)

    @cached_property
    def not_unique(self) -> BoolArray:
        """Whether the multiplier of each row of every constraint is not unique (N x s)."""
        return np.nan_to_num(self._spread(lambda e: e.not_unique.astype(float))) > 0

    @cached_property
    def reactions(self) -> Array:
        """Generalized reaction of each constraint (N x constraints x n)."""
        values = np.full((self._count, len(self._constraints) + len(self._followed), self._n), np.nan)
        for active, rows, evaluated in self._groups:
            if active:
                values[np.ix_(rows, np.array(active))] = evaluated.reactions
        return values

    @cached_property
    def exerted(self) -> Array:
        """Non-ideal part of the reaction of each constraint, without G^T lambda (N x constraints x n)."""
        values = np.full((self._count, len(self._constraints) + len(self._followed), self._n), np.nan)
        for active, rows, evaluated in self._groups:
            if active:
                values[np.ix_(rows, np.array(active))] = evaluated.exerted
        return values

    @cached_property
    def drives(self) -> dict[str, Array]:
        """Drives by name (N each); NaN while their program does not act."""
        return self._by_name(lambda e: e.drives)

    @cached_property
    def friction(self) -> dict[str, Array]:
        """Friction of each contact along its slip by name (N each); NaN while it does not slide."""
        return self._by_name(lambda e: e.friction)

    @cached_property
    def normal_factors(self) -> dict[str, Array]:
        """Normal force per multiplier of each contact by name (N each), where it is not 1; NaN while it is open."""
        return self._by_name(lambda e: e.normal_factors)

    @cached_property
    def errors(self) -> dict[str, Array]:
        """Errors of the programs that the motion may deviate from, by name (N x rows)."""
        return self._by_name(lambda e: e.errors)

    def _by_name(self, of: Callable[[Evaluation], dict[str, Array]]) -> dict[str, Array]:
        """Join the named values of all structures; NaN where a structure has no such name."""
        by_name: dict[str, Array] = {}
        for _, rows, evaluated in self._groups:
            for name, values in of(evaluated).items():
                by_name.setdefault(name, np.full((self._count, *values.shape[1:]), np.nan))[rows] = values
        return by_name

    @cached_property
    def residuals(self) -> dict[str, Array]:
        """Residuals of all rows (N x s) by level."""
        levels = ("position", "velocity", "acceleration")
        return {level: self._spread(lambda e, level=level: e.residuals[level]) for level in levels}  # type: ignore[misc]

    @cached_property
    def kinetic(self) -> Array:
        """Kinetic energy T (N)."""
        return self._joined(lambda e: e.kinetic)

    @cached_property
    def potential(self) -> Array:
        """Potential energy V (N)."""
        return self._joined(lambda e: e.potential)

    @cached_property
    def stored(self) -> Array:
        """Energy stored in motion, T2 - T0 (N)."""
        return self._joined(lambda e: e.stored)

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """Outputs of the user by name (N each)."""
        names = self._groups[0][2].model.outputs
        return {name: self._joined(lambda e, name=name: e.outputs[name]) for name in names}  # type: ignore[misc]

    def _joined(self, of: Callable[[Evaluation], Array], shape: tuple[int, ...] = ()) -> Array:
        """Join the values of all structures, an array of the shape for each row."""
        values = np.empty((self._count, *shape))
        for _, rows, evaluated in self._groups:
            values[rows] = of(evaluated)
        return values

    def _spread(self, of: Callable[[Evaluation], Array]) -> Array:
        """Join values by row of the constraints (N x s); NaN for rows of inactive constraints."""
        sizes = [c.rows for c in self._constraints]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        values = np.full((self._count, int(first[-1])), np.nan)
        for active, rows, evaluated in self._groups:
            held = [i for i in active if i < len(self._constraints)]
            columns = np.concatenate([np.arange(first[i], first[i + 1]) for i in held] or [np.zeros(0, dtype=int)])
            if len(columns):
                values[np.ix_(rows, columns)] = of(evaluated)
        return values
