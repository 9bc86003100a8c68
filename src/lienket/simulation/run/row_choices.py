"""Choices of the rows that act in each structure of a run, for systems with redundant rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...foundation.arrays import Array
from ..memory import control, counts, states
from ..problem import Problem
from ..row_selection import RowSelection, Selections, are_known, known_selection, reselected_rows, selected_rows
from ..settings import UNKNOWN_STATUS
from ..stepping.workspace import Workspace

if TYPE_CHECKING:
    from ..events.watch import Structure

GENERATED, REDUNDANT = 0, 3  # status of accelerations by compiled functions, and by elimination with redundant rows


class RowChoices:
    """Choices of rows made in a run by structure, the newest first; () where all rows are independent.

    They depend on the run alone: equal runs make equal choices, whatever was run before.
    """

    def __init__(self, arrays: Workspace, switching: bool) -> None:
        self.arrays, self.first_step = arrays, float(arrays.control[control.H])
        self.by_structure: dict[Any, Selections] = {}
        if not switching and are_known(arrays.problem.model):
            known = known_selection(arrays.problem, *self._state(arrays.problem))
            if known is not None:
                self._use(known)
                self.by_structure[None] = (known,)

    def examined(self, active: Any) -> bool:
        """Return whether the rows of a structure have been examined."""
        return active in self.by_structure

    def of(self, active: Any) -> Selections:
        """Return the choices for a structure made so far."""
        selections = self.by_structure.get(active, ())
        if selections:
            self.arrays.control[control.LEAST_PIVOT] = selections[0].pivot_limit
        return selections

    def choose(self, advance: Callable[[], int], problem: Problem, structure: Structure | None) -> None:
        """Choose the rows that act from the current state on, and give them to the integrator."""
        arrays, active = self.arrays, structure and structure.active
        before, state = self.by_structure.get(active, ()), self._state(problem)
        if before:
            acting = arrays.acting_rows(advance)
            chosen = reselected_rows(problem, *state, before[0], acting)
            if chosen is not None and chosen.rows == acting:
                arrays.keep_rows(advance)
                return
        else:
            chosen = selected_rows(problem, *state)
            if chosen is not None and structure is not None and structure.needs_accelerations:
                chosen = replace(chosen, compiled=False)  # conditions read multipliers of rows that would be left out
        if chosen is None:
            self.by_structure.setdefault(active, ())
            arrays.keep_rows(advance)
            if before:  # a singular position, where all choices are nearly dependent
                arrays.counts[counts.STATUS_USUAL] = GENERATED
            return
        arrays.control[control.ASKED_PIVOT] = 0.0
        self.by_structure[active] = (chosen, *(x for x in before if x.rows != chosen.rows))
        arrays.add_choice(advance, problem, chosen)
        self._use(chosen)
        if not before:
            arrays.counts[counts.RESTART] = 1
            if structure is None:  # begin as a repetition of the run will, which knows its rows
                arrays.control[control.H], arrays.control[control.GROWTH] = self.first_step, UNKNOWN_STATUS[1]

    def _use(self, chosen: RowSelection) -> None:
        """Store what is usual where these rows act."""
        self.arrays.control[control.LEAST_PIVOT] = chosen.pivot_limit
        self.arrays.counts[counts.STATUS_USUAL] = REDUNDANT

    def _state(self, problem: Problem) -> tuple[float, Array, Array, Array]:
        """Return t, q, v and the parameters now."""
        n, y = problem.n, self.arrays.y[states.NOW]
        t = float(self.arrays.control[control.T])
        return t, y[:n].copy(), y[n : 2 * n].copy(), self.arrays.parameters.copy()
