"""Pieces: the numbers of a run whose structure changed, put together from those of each structure."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel
from ..kernels.evaluation import Evaluation
from ..simulation.events.history import History
from ..simulation.run.result import Run

Array = Any


class PiecewiseRowValues:
    """What an Evaluation gives, for rows (N) under several structures: NaN for a constraint while it does not act."""

    def __init__(self, run: Run, history: History) -> None:
        """Rows of the same structure and parameters are evaluated together."""
        self._count, self._n = len(run.t), run.problem.n
        whole = run.problem.model
        self._constraints, self._followed = whole.constraints, whole.followed
        self._groups = [
            (
                self._acting(p.model),
                rows,
                Evaluation(p.model, rows.shape, run.t[rows], run.q[rows], run.v[rows], p.parameters),
            )
            for _, p, rows in history.groups()
        ]

    def _acting(self, model: CompiledModel) -> tuple[int, ...]:
        """The places of the constraints of a structure among all with rows, then those of programs followed."""
        names = [c.name for c in (*self._constraints, *self._followed)]
        return tuple(names.index(c.name) for c in (*model.constraints, *model.followed))

    @cached_property
    def accelerations(self) -> Array:
        """The accelerations, N x n."""
        return self._joined(lambda e: e.accelerations, (self._n,))

    @cached_property
    def multipliers(self) -> Array:
        """Lambda of every row of every constraint, N x s."""
        return self._spread(lambda e: e.multipliers)

    @cached_property
    def reactions(self) -> Array:
        """The generalized reaction of each constraint, N x constraints x n."""
        found = np.full((self._count, len(self._constraints) + len(self._followed), self._n), np.nan)
        for active, rows, evaluated in self._groups:
            if active:
                found[np.ix_(rows, np.array(active))] = evaluated.reactions
        return found

    @cached_property
    def exerted(self) -> Array:
        """What each constraint exerts that is not G^T lambda, N x constraints x n."""
        found = np.full((self._count, len(self._constraints) + len(self._followed), self._n), np.nan)
        for active, rows, evaluated in self._groups:
            if active:
                found[np.ix_(rows, np.array(active))] = evaluated.exerted
        return found

    @cached_property
    def drives(self) -> dict[str, Array]:
        """The drives by name, N each; NaN while their program does not act."""
        return self._by_name(lambda e: e.drives)

    @cached_property
    def friction(self) -> dict[str, Array]:
        """The friction of each contact along its slip by name, N each; NaN while it does not slide."""
        return self._by_name(lambda e: e.friction)

    @cached_property
    def errors(self) -> dict[str, Array]:
        """By how much programs that are followed are missed, by name, N x rows."""
        return self._by_name(lambda e: e.errors)

    def _by_name(self, of: Callable[[Evaluation], dict[str, Array]]) -> dict[str, Array]:
        found: dict[str, Array] = {}
        for _, rows, evaluated in self._groups:
            for name, values in of(evaluated).items():
                found.setdefault(name, np.full((self._count, *values.shape[1:]), np.nan))[rows] = values
        return found

    @cached_property
    def residuals(self) -> dict[str, Array]:
        """All residuals, N x s, by level."""
        levels = ("position", "velocity", "acceleration")
        return {level: self._spread(lambda e, level=level: e.residuals[level]) for level in levels}  # type: ignore[misc]

    @cached_property
    def kinetic(self) -> Array:
        """T."""
        return self._joined(lambda e: e.kinetic)

    @cached_property
    def potential(self) -> Array:
        """V."""
        return self._joined(lambda e: e.potential)

    @cached_property
    def stored(self) -> Array:
        """T2 - T0."""
        return self._joined(lambda e: e.stored)

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """The user's outputs by name."""
        names = self._groups[0][2].model.outputs
        return {name: self._joined(lambda e, name=name: e.outputs[name]) for name in names}  # type: ignore[misc]

    def _joined(self, of: Callable[[Evaluation], Array], shape: tuple[int, ...] = ()) -> Array:
        found = np.empty((self._count, *shape))
        for _, rows, evaluated in self._groups:
            found[rows] = of(evaluated)
        return found

    def _spread(self, of: Callable[[Evaluation], Array]) -> Array:
        """Columns of the rows of active constraints put into their places among all."""
        sizes = [len(c.expressions) for c in self._constraints]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(int)
        found = np.full((self._count, int(first[-1])), np.nan)
        for active, rows, evaluated in self._groups:
            held = [i for i in active if i < len(self._constraints)]
            places = np.concatenate([np.arange(first[i], first[i + 1]) for i in held] or [np.zeros(0, dtype=int)])
            if len(places):
                found[np.ix_(rows, places)] = of(evaluated)
        return found
