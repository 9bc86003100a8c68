"""Workspace of a run: the arrays that kernels read and write, and the integrators bound to them."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...foundation.arrays import Array, IntArray
from ...kernels.memory.blocks import length
from ...kernels.memory.workspace import slots
from ...kernels.native.calls import loads_of, make_workspace
from ...kernels.native.runtime.library import address, prepared, prepared_again
from ..contacts.native.margin_scratch import margin_scratch
from ..known_times.known_times import NONE, known_times, numbers_of
from ..memory import CHOICE_HEAD, EVENT_COLUMNS, LEFT_OUT, addresses, control, counts, row_columns, state_size, states
from ..methods import Method
from ..problem import Problem
from ..row_selection import RowSelection, Selections
from ..settings import COARSE_CLOCK, UNKNOWN_STATUS, Settings
from .bridge_scratch import bridge_scratch

PASSAGE_LOG_CAPACITY = 1000  # [steps] near singular positions that are logged
REUSED_ROWS_SIZE = 262_144  # [numbers] largest size of `rows` for which a workspace is reused by the next run
ZEROED_IN_EVERY_RUN = 4  # [arrays] of `_zeroed` that belong to the workspace, not to one of its integrators
PLACES, CHOICES = 14, 20  # positions of `places` and `choices` among the arrays of `advance`
CHOICE_CAPACITY = 8  # [choices] of rows that an integrator can have
NO_BETTER = 2  # value of the slot WEAK: there is no better choice of rows
CHANGE_CAPACITY = 512  # [changes] of signs and structures stored before `advance` returns to Python


def borrow(
    problem: Problem, settings: Settings, times: Array, capacity: int, usual: tuple[int, float]
) -> Workspace:  # fmt: skip
    """Return a workspace for a run without events, reused from an earlier run of the model if there is one."""
    try:
        spare: Workspace | None = _spare(problem.model, len(times), capacity).pop()
    except IndexError:  # the pool is empty, or another thread has just emptied it
        spare = None
    if spare is None or not _equal(spare.corners, problem.corners):
        return Workspace(problem, settings, times, capacity, usual)
    return spare.reset(problem, settings, times, usual)


def _equal(corners: Array, others: Array) -> bool:
    """Return whether two arrays of times have the same numbers; most runs have one array, or none."""
    return corners is others or corners.tobytes() == others.tobytes()


def return_workspace(arrays: Workspace) -> None:
    """Return the workspace to the pool if it is small enough."""
    if 0 < arrays.rows.size <= REUSED_ROWS_SIZE and not len(arrays.events):
        _spare(arrays.problem.model, len(arrays.times), len(arrays.rows)).append(arrays)


@lru_cache(maxsize=16)
def _spare(model: CompiledModel, times: int, rows: int) -> deque[Workspace]:
    """Return the pool of workspaces of a model for these numbers of times and rows; popping one is thread-safe."""
    return deque(maxlen=2)


class Workspace:
    """Arrays that kernels read and write; `advance(method)` gives an integrator that continues where the last stopped.

    For events there are `watched` rows of `events`, `values` numbers of conditions and `most_rows` impulses. Several
    problems with the same coordinates and parameters, structures of one system, can use one workspace in turn.
    """

    def __init__(
        self, problem: Problem, settings: Settings, times: Array, capacity: int,
        usual: tuple[int, float] = UNKNOWN_STATUS, watched: int = 0, values: int = 0, most_rows: int = 0,
    ) -> None:  # fmt: skip
        n, self.end = problem.n, 0.0
        self.pause = self.known_until = -np.inf  # the next sample time; until when known times were found
        self.known_for = b""  # the numbers of parameters for which they were found
        self.control, self.counts = np.zeros(len(control)), np.zeros(len(counts), dtype=np.int64)
        self.parameters, self.atol = np.zeros(len(problem.parameters)), np.zeros(2 * n)
        self.y, self.times = np.zeros((len(states), state_size(n))), np.zeros(len(times))
        self.rows = np.zeros((capacity, row_columns.STATE + state_size(n)))
        self.log = np.zeros((PASSAGE_LOG_CAPACITY, 3))
        self.events, self.values = np.zeros((watched, EVENT_COLUMNS)), np.zeros(max(values, 1))
        self.struck = np.zeros(1 + most_rows)
        sizes = (3, 2 * state_size(n), len(self.struck), len(self.parameters))
        self.changes = np.zeros((CHANGE_CAPACITY if watched else 0, sum(sizes)))
        self.corners, self.stops = problem.corners, NONE
        self._bridge = np.zeros(length(bridge_scratch(n)))
        self.integrators: dict[Any, Any] = {}  # by method and structure
        self._zeroed: list[Array | IntArray] = [
            self.control,
            self.counts,
            self.y,
            self._bridge,
        ]  # set to zero by `reset`
        self._store_settings(problem, settings, times, usual)

    def _store_settings(self, problem: Problem, settings: Settings, times: Array, usual: tuple[int, float]) -> None:
        """Store problem, settings and times of a run."""
        self.problem, self.settings = problem, settings
        self.parameters[:], self.atol[:], self.times[:] = problem.parameters, settings.atol, times
        self.control[control.RTOL], self.control[control.LARGEST_STEP] = settings.rtol, settings.largest
        self.control[control.FIXED_STEP] = settings.step
        self.counts[counts.STATUS_USUAL], self.control[control.GROWTH] = usual
        self.counts[counts.RESTART] = self.counts[counts.ROW_EVERY] = 1

    def reset(self, problem: Problem, settings: Settings, times: Array, usual: tuple[int, float]) -> Workspace:
        """Clear the workspace for another run of the same model with as many times; return it."""
        for array in self._zeroed:
            array.fill(0)
        for advance in self.integrators.values():
            self._forget_rows(advance)
        self._store_settings(problem, settings, times, usual)
        return self

    @staticmethod
    def _forget_rows(advance: Any) -> None:
        """Forget the rows that act in an integrator, if there was a choice: a run makes its choices by itself."""
        arrays = advance.kept[1]
        places = arrays[PLACES]
        if places[slots.EXAMINED]:
            arrays[0][:], arrays[1][:], places[:] = advance.begun
            arrays[CHOICES].fill(0)
            arrays[CHOICES + 1].fill(0.0)
        places[slots.DOUBTS] = places[slots.DIGITS] = 0

    def begin(self, t: float, q: Array, v: Array, end: float, known: Array | None = None) -> None:
        """Store the initial time t and state q (n), v (n) of a run, its end time and its known times if given."""
        n, numbers, latest = self.problem.n, self.control, max(abs(t), abs(end))
        numbers[control.T] = numbers[control.BEGIN] = numbers[control.LAST_EVENT] = t
        numbers[control.END] = numbers[control.STOP] = self.end = end
        numbers[control.EARLIEST], numbers[control.LATEST] = -np.inf, np.inf
        if latest > COARSE_CLOCK * (end - t):  # it is 0 otherwise
            numbers[control.CLOCK] = np.spacing(latest)
        self.y[states.NOW, :n], self.y[states.NOW, n : 2 * n] = q, v
        # Known times of an earlier run of this workspace do not hold for this one.
        self.pause, self.known_for, self.known_until = np.inf, b"", -np.inf
        if known is None and self.problem.time_functions:
            self.find_known_times()
        else:
            self._store_known_times(NONE if known is None else known, end)

    def find_known_times(self) -> None:
        """Find the known times from now on, for the present numbers of the parameters, and when to do so again."""
        now, functions = float(self.control[control.T]), self.problem.time_functions
        numbers = numbers_of(functions, self.parameters)
        if numbers == self.known_for and now < self.known_until:
            self.control[control.END] = min(self.known_until, self.pause)
            return
        self.known_for = numbers
        self._store_known_times(*known_times(functions, numbers, now, self.end))

    def _store_known_times(self, stops: Array, until: float) -> None:
        """Store the known times up to a time, at which `advance` returns; or already at `pause`, a sample time."""
        if stops is not self.stops:
            self.stops = stops
            self.integrators.clear()  # they hold the address of the array
            del self._zeroed[ZEROED_IN_EVERY_RUN:]
        self.known_until = until
        self.control[control.END] = min(until, self.pause)

    def advance(
        self, method: Method, problem: Problem | None = None, conditions: int = 0,
        selections: Selections = (), examined: bool = False,
    ) -> Any:  # fmt: skip
        """Return the integrator of a problem, a function without arguments that returns one of the `codes`.

        `selections` are choices of rows that act, the first at once; `examined`: rows have been examined.
        """
        self.set_method(method)
        problem = problem or self.problem
        n, s = problem.n, problem.s
        functions, level = problem.addresses_for(method.needs), problem.level.copy()
        functions[addresses.CONDITIONS] = conditions
        functions[addresses.METHOD] = address(method.module, method.entry)
        functions[addresses.ACCEPT_STATE] = address("lienket.simulation.stepping.native.accept_state", "accept_tried")
        if len(self.times) or len(self.events) or len(self.stops):
            functions[addresses.PROJECT] = address("lienket.simulation.stepping.native.accept_state", "project_entry")
        self.scratch = np.zeros(length(method.scratch(n, s)))
        work, places = make_workspace(n, s, loads_of(problem.model))
        choices, lengths = np.zeros(CHOICE_CAPACITY * (CHOICE_HEAD + s), dtype=np.int64), np.zeros(2 * s)
        if len(self.events):
            shared = margin_scratch(n, s, len(self.events), len(self.values))
            work = np.zeros(len(work) + length(shared))
        inputs = np.zeros(problem.model.inputs)
        self._zeroed += [self.scratch, work, inputs]
        advance = prepared(
            "lienket.simulation.run.native.advance", "advance", functions, level, self.parameters, inputs,
            self.control, self.counts, self.atol, self.y, self.times, self.rows, self.scratch, self._bridge, self.log,
            work, places, self.events, self.values, self.struck, self.changes, self.corners,
            choices, lengths, self.stops,
        )  # fmt: skip
        advance.begun = functions.copy(), level.copy(), places.copy()
        self.give_rows(advance, problem, selections, examined)
        return advance

    def give_rows(self, advance: Any, problem: Problem, selections: Selections, examined: bool) -> None:
        """Give an integrator its choices of rows and whether rows were examined, unless it has them already."""
        places = advance.kept[1][PLACES]
        if places[slots.EXAMINED]:
            return
        places[slots.EXAMINED] = examined
        for selection in reversed(selections[:CHOICE_CAPACITY]):
            self.add_choice(advance, problem, selection)

    @staticmethod
    def add_choice(advance: Any, problem: Problem, selection: RowSelection) -> None:
        """Give an integrator a choice of rows, which act from now on."""
        arrays = advance.kept[1]
        functions, level, places, choices = (arrays[k] for k in (0, 1, PLACES, CHOICES))
        choice = selection.choice(problem.model)
        at = (int(places[slots.CHOICES]) % CHOICE_CAPACITY) * len(choice)
        choices[at : at + len(choice)] = choice
        places[slots.CHOICES] = min(int(places[slots.CHOICES]) + 1, CHOICE_CAPACITY)
        places[slots.RANK], places[slots.EXAMINED], places[slots.WEAK] = len(selection.rows), 1, 0
        functions[addresses.WATCHED] = problem.model.address("watched")
        functions[[addresses.MOTION, addresses.POSITION_CORRECTION, addresses.VELOCITY_CORRECTION]] = choice[:3]
        level[:] = choice[CHOICE_HEAD:]

    @staticmethod
    def keep_rows(advance: Any) -> None:
        """Tell an integrator that its rows have been examined, and that there is no better choice at its state."""
        places = advance.kept[1][PLACES]
        places[slots.EXAMINED], places[slots.WEAK] = 1, NO_BETTER

    def impact(self, advance: Any) -> Any:
        """Return the impact onto the structure of an integrator as a function without arguments; see `impact.py`."""
        return prepared_again("lienket.simulation.events.native.impact", "apply_impact", advance)

    def set_method(self, method: Method) -> None:
        """Store the properties of the method that `run.native.advance` reads."""
        self.counts[counts.OWN_ACCEPT], self.counts[counts.ORDER] = method.fixed, method.order
        self.counts[counts.MULTISTEP] = method.multistep
        self.control[control.ERROR_FACTOR] = method.error_factor

    @staticmethod
    def acting_rows(advance: Any) -> tuple[int, ...]:
        """Return the rows that act in an integrator."""
        return tuple(np.flatnonzero(advance.kept[1][1] < LEFT_OUT).tolist())

    @staticmethod
    def watch_margin(advance: Any, shares: bool) -> None:
        """Let an integrator watch the largest margin of contact forces that are not unique, or each force by itself."""
        kernel = address("lienket.simulation.contacts.native.force_margin", "widen_conditions") if shares else 0
        advance.kept[1][0][addresses.FORCE_MARGIN] = kernel

    @staticmethod
    def enable_bridge(advance: Any) -> None:
        """Give an integrator the kernel for steps across singular positions, which most runs never need."""
        advance.kept[1][0][addresses.BRIDGE_STEP] = address(
            "lienket.simulation.stepping.native.singular_step", "bridge_step"
        )

    def position_tolerance(self, q: Array) -> Array:
        """Return the tolerance of each position (n): atol + rtol |q|."""
        n = self.problem.n
        return self.settings.atol[:n] + self.settings.rtol * np.abs(q)

    def write(self, step: float) -> None:
        """Append the state NOW to the rows, with the step size that led to it."""
        row = self.rows[self.counts[counts.ROWS_FILLED]]
        row[row_columns.T], row[row_columns.STEP] = self.control[control.T], step
        row[row_columns.STRUCTURE] = self.counts[counts.STRUCTURE_NUMBER]
        row[row_columns.STATE :] = self.y[states.NOW]
        self.counts[counts.ROWS_FILLED] += 1

    def filled(self) -> Array:
        """Return a copy of the rows filled so far."""
        return self.rows[: self.counts[counts.ROWS_FILLED]].copy()
