"""Choices of the rows that act in each structure of a run, for systems with redundant rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.arrays import Array
from ..events.watch import Structure
from ..memory import control, counts, states
from ..problem import Problem
from ..row_selection import RowSelection, Selections, known_selections, remember, reselected, select_rows
from ..settings import UNKNOWN_STATUS
from ..stepping.workspace import Workspace

GENERATED, REDUNDANT = 0, 3  # status of accelerations by compiled functions, and by elimination with redundant rows


class RowChoices:
    """Choices of rows made in a run by structure, the newest first; () where all rows are independent.

    `recalled`: the choices of some structure were made in an earlier run.
    """

    def __init__(self, arrays: Workspace) -> None:
        self.arrays, self.recalled = arrays, False
        self.by_structure: dict[Any, Selections] = {}

    def examined(self, active: Any) -> bool:
        """Return whether the rows of a structure have been examined."""
        return active in self.by_structure

    def of(self, active: Any, problem: Problem) -> Selections:
        """Return the choices for a structure: those of this run, or of the last run with equal parameters."""
        if active not in self.by_structure:
            known = known_selections(problem, self.arrays.parameters)
            if known:
                self.by_structure[active], self.recalled = known, True
        selections = self.by_structure.get(active, ())
        if selections:
            self.arrays.control[control.LEAST_PIVOT] = selections[0].pivot_limit
        return selections

    def choose(self, advance: Callable[[], int], problem: Problem, structure: Structure | None) -> None:
        """Choose the rows that act from the current state on, and give them to the integrator."""
        arrays, active = self.arrays, structure and structure.active
        before, state = self.by_structure.get(active, ()), self._state(problem)
        if before:
            chosen: RowSelection | None = reselected(problem, *state, before[0], self._acting(advance))
        else:
            chosen = select_rows(problem, *state)
            if chosen is not None and structure is not None and structure.needs_accelerations:
                chosen = replace(chosen, compiled=False)  # conditions read multipliers of rows that would be left out
        if chosen is None:
            self.by_structure.setdefault(active, ())
            arrays.keep_rows(advance)
            if before:  # a singular position, where all choices are nearly dependent
                arrays.counts[counts.STATUS_USUAL] = GENERATED
            return
        self.by_structure[active] = (chosen, *(x for x in before if x.rows != chosen.rows))
        remember(problem, arrays.parameters, self.by_structure[active])
        arrays.add_choice(advance, problem, chosen)
        arrays.control[control.LEAST_PIVOT] = chosen.pivot_limit
        arrays.counts[counts.STATUS_USUAL] = REDUNDANT
        if not before:
            arrays.counts[counts.RESTART] = 1

    def forget(self, problem: Problem) -> None:
        """Forget choices of earlier runs, with which the run is stuck; it restarts from the current state."""
        arrays = self.arrays
        self.recalled = False
        self.by_structure.clear()
        arrays.integrators.clear()
        remember(problem, arrays.parameters, ())
        arrays.counts[counts.RESTART], arrays.counts[counts.STATUS_USUAL] = 1, UNKNOWN_STATUS[0]
        arrays.control[control.H] = 0.0

    def _acting(self, advance: Any) -> tuple[int, ...]:
        """Return the rows that act at present."""
        return self.arrays.acting_rows(advance)

    def _state(self, problem: Problem) -> tuple[float, Array, Array, Array]:
        """Return t, q, v and the parameters now."""
        n, y = problem.n, self.arrays.y[states.NOW]
        t = float(self.arrays.control[control.T])
        return t, y[:n].copy(), y[n : 2 * n].copy(), self.arrays.parameters.copy()
