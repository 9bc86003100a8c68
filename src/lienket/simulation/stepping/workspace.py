"""The arrays of one run, and the integrators that work on them."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...kernels.memory.blocks import length
from ...kernels.native.calls import loads_of, make_workspace
from ...kernels.native.runtime.library import address, prepared
from ..memory import EVENT_COLUMNS, addresses, control, counts, row_columns, state_size, states
from ..methods import Method
from ..problem import Problem
from ..settings import UNKNOWN, Settings
from .bridge_scratch import bridge_scratch

Array = Any

LOG = 1000  # passages through singular positions that are noted
SMALL = 10_000  # numbers in the rows of a run whose arrays are kept for the next
FLIPS = 64  # signs that may turn before Python looks at them


def borrow(
    problem: Problem, settings: Settings, times: Array, capacity: int, usual: tuple[int, float]
) -> Workspace:  # fmt: skip
    """Those of a run without events; if they are small, the ones that the last such run has left."""
    try:
        spare = _spare(problem.model, len(times)).pop() if len(times) else None
    except IndexError:  # there are none, or another thread has just taken them
        spare = None
    if spare is None or spare.corners is not problem.corners:
        return Workspace(problem, settings, times, capacity, usual)
    return spare.reset(problem, settings, times, usual)


def return_workspace(arrays: Workspace) -> None:
    """Nobody needs these any more."""
    if 0 < arrays.rows.size <= SMALL and len(arrays.times) and not len(arrays.events):
        _spare(arrays.problem.model, len(arrays.times)).append(arrays)


@lru_cache(maxsize=16)
def _spare(model: CompiledModel, times: int) -> deque[Workspace]:
    """Arrays of runs of a model to so many times that are over; two threads never hold the same."""
    return deque(maxlen=2)


class Workspace:
    """What kernels read and write; `advance(method)` runs one from where the last stopped.

    Events need `watched` rows of their own, `values` numbers and room for `most_rows` impulses; several problems with
    the same coordinates and parameters, structures of one system, may take turns.
    """

    def __init__(
        self, problem: Problem, settings: Settings, times: Array, capacity: int, usual: tuple[int, float] = UNKNOWN,
        watched: int = 0, values: int = 0, most_rows: int = 0,
    ) -> None:  # fmt: skip
        n = problem.n
        self.control, self.counts = np.zeros(len(control)), np.zeros(len(counts), dtype=np.int64)
        self.parameters, self.atol = np.zeros(len(problem.parameters)), np.zeros(2 * n)
        self.y, self.times = np.zeros((len(states), state_size(n))), np.zeros(len(times))
        self.rows = np.zeros((capacity, row_columns.STATE + state_size(n)))
        self.log = np.zeros((LOG, 3))
        self.events, self.values = np.zeros((watched, EVENT_COLUMNS)), np.zeros(max(values, 1))
        self.struck = np.zeros(1 + most_rows)
        self.flips = np.zeros((FLIPS if watched else 0, 2 + state_size(n)))
        self.corners = problem.corners
        self._bridge = np.zeros(length(bridge_scratch(n)))
        self.integrators: dict[Any, Any] = {}  # made so far, by method and structure
        self._own: list[Array] = [self.control, self.counts, self.y, self._bridge]  # what a run begins with zeros in
        self._put(problem, settings, times, usual)

    def _put(self, problem: Problem, settings: Settings, times: Array, usual: tuple[int, float]) -> None:
        """The numbers of a run."""
        self.problem, self.settings = problem, settings
        self.parameters[:], self.atol[:], self.times[:] = problem.parameters, settings.atol, times
        self.control[control.RTOL], self.control[control.LARGEST_STEP] = settings.rtol, settings.largest
        self.control[control.FIXED_STEP] = settings.step
        self.counts[counts.STATUS_USUAL], self.control[control.GROWTH] = usual
        self.counts[counts.RESTART] = self.counts[counts.ROW_EVERY] = 1

    def reset(self, problem: Problem, settings: Settings, times: Array, usual: tuple[int, float]) -> Workspace:
        """The same for another run of the same model to as many times; nothing of the last one is left."""
        for array in self._own:
            array.fill(0)
        self._put(problem, settings, times, usual)
        return self

    def begin(self, t: float, q: Array, v: Array, end: float) -> None:
        """Puts the state at which a run begins."""
        n = self.problem.n
        self.control[control.T] = self.control[control.BEGIN] = self.control[control.LAST_EVENT] = t
        self.control[control.END] = end
        self.y[states.NOW, :n], self.y[states.NOW, n : 2 * n] = q, v

    def advance(self, method: Method, problem: Problem | None = None, conditions: int = 0) -> Any:
        """The integrator of a problem as a function without arguments that returns why it stopped."""
        self.set_method(method)
        problem = problem or self.problem
        n, s = problem.n, problem.s
        functions = problem.addresses_for(method.needs)
        functions[addresses.CONDITIONS] = conditions
        functions[addresses.METHOD] = address(method.module, method.entry)
        functions[addresses.ACCEPT_STATE] = address("lienket.simulation.stepping.native.accept_state", "accept_tried")
        if len(self.times) or len(self.events):
            functions[addresses.PROJECT] = address("lienket.simulation.stepping.native.accept_state", "project_entry")
        self.scratch = np.zeros(length(method.scratch(n, s)))
        work, places = make_workspace(n, s, loads_of(problem.model))
        inputs = np.zeros(problem.model.inputs)
        self._own += [self.scratch, work, inputs]
        return prepared(
            "lienket.simulation.run.native.advance", "advance", functions, problem.level, self.parameters, inputs,
            self.control, self.counts, self.atol, self.y, self.times, self.rows, self.scratch, self._bridge, self.log,
            work, places, self.events, self.values, self.struck, self.flips, self.corners,
        )  # fmt: skip

    def strike(self, advance: Any) -> Any:
        """The switch to the structure of an integrator, as a function without arguments; see `events.native.impact`."""
        return prepared("lienket.simulation.events.native.impact", "apply_impact", *advance.kept[1])

    def set_method(self, method: Method) -> None:
        """What the outline must know of the method that goes on."""
        self.counts[counts.OWN_ACCEPT], self.counts[counts.ORDER] = method.fixed, method.order
        self.counts[counts.MULTISTEP] = method.multistep
        self.control[control.STRICTNESS] = method.strictness

    @staticmethod
    def enable_bridge(advance: Any) -> None:
        """From now on an integrator knows how to step over singular positions; most runs never need to."""
        advance.kept[1][0][addresses.BRIDGE_STEP] = address(
            "lienket.simulation.stepping.native.singular_step", "bridge_step"
        )

    def position_tolerance(self, q: Array) -> Array:
        """What the tolerances allow of each position (n)."""
        n = self.problem.n
        return self.settings.atol[:n] + self.settings.rtol * np.abs(q)

    def write(self, step: float) -> None:
        """The state now as a row."""
        row = self.rows[self.counts[counts.ROWS_FILLED]]
        row[row_columns.T], row[row_columns.STEP] = self.control[control.T], step
        row[row_columns.STRUCTURE] = self.counts[counts.STRUCTURE_NUMBER]
        row[row_columns.STATE :] = self.y[states.NOW]
        self.counts[counts.ROWS_FILLED] += 1

    def filled(self) -> Array:
        """The rows filled so far, a copy."""
        return self.rows[: self.counts[counts.ROWS_FILLED]].copy()
