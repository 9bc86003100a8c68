"""A run from a start to an end: the integrator is called again and again, rows are gathered, somebody may interrupt."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ..events.switching import Switching
from ..events.watch import EventPlan, Structure
from ..memory import codes, control, counts, rejections, row_columns, states
from ..methods import AUTO, METHODS, STIFF, Method
from ..outcome import Outcome, failed, finished, interrupted, stuck
from ..problem import Problem
from ..settings import UNKNOWN, Settings
from ..stepping.workspace import Workspace, borrow, return_workspace
from .domain_exit import domain_exit
from .ida_run import ida_run
from .result import Phase, RankEvent, Run, Statistics

Array = Any

BLOCK = 4096  # rows made at a time
SHARE = 0.1  # seconds between two looks at the clock and the keyboard
AHEAD = 1e-6  # of a run, how far it is looked ahead of a state where it got stuck
FIRST = 500  # steps until the first
LOOKS = 8  # on end that must find a motion stiff before an implicit method has a trial
TRIAL = 7  # its steps
WORTH = 5.0  # times as long as an explicit step one of them should be
_TAKEN = [counts.STEPS, counts.REJECTED, counts.EVALUATIONS, counts.FACTORED, counts.BRIDGES]


def integrate(
    problem: Problem,
    start: tuple[float, Array, Array],
    end: float,
    settings: Settings,
    times: Array | None = None,
    progress: Callable[[float], Any] | None = None,
    explain: Callable[[float, Array, Array], str] = lambda t, q, v: "",
    first_step: float = 0.0,
    usual: tuple[int, float] = UNKNOWN,
    watch: EventPlan | None = None,
) -> Run:
    """The run from (t, q, v) to `end`, with rows at the times, or else at steps.

    `progress` is told the time reached; `explain` says in words what is wrong with a state at which a run is stuck;
    `watch` are the events.
    """
    t, q, v = start
    chosen = METHODS[AUTO if settings.method == "auto" else settings.method]
    refusal = chosen.refusal(problem)
    if refusal:
        raise LienketError(refusal)
    if not chosen.native:
        if watch is not None:
            raise LienketError(f"The method {chosen.name!r} knows no events. Choose another, or leave the events out.")
        return ida_run(problem, start, end, settings, times)
    given = np.zeros(0) if times is None else np.asarray(times, dtype=float)
    capacity = len(given) if times is not None else min(BLOCK, settings.most_rows // 2)
    if watch is None:
        arrays = borrow(problem, settings, given, capacity, usual)
    else:
        watched = len(watch.names), watch.of(watch.begin).conditions.size, watch.whole.s
        arrays = Workspace(problem, settings, given, capacity, usual, *watched)
    arrays.begin(t, q, v, end)
    if first_step > 0:
        arrays.control[control.H] = first_step
    if times is None or (len(given) and given[0] == t):
        arrays.write(0.0)
        arrays.counts[counts.NEXT_TIME] = min(1, len(given))
    run = _RunLoop(arrays, chosen, settings, explain, progress, watch).run()
    return_workspace(arrays)
    return run


class _RunLoop:
    """One run on its way."""

    def __init__(
        self,
        arrays: Workspace,
        method: Method,
        settings: Settings,
        explain: Any,
        progress: Any,
        watch: EventPlan | None,
    ) -> None:
        self.arrays, self.settings, self.explain, self.progress = arrays, settings, explain, progress
        self.switching = None if watch is None else Switching(watch, arrays)
        self.blocks: list[Array] = []
        self.phases: list[Phase] = []
        self.method = method
        self.begin, self.since = float(arrays.control[control.T]), 0
        self.explicit_step = 0.0  # during the trial of an implicit method

    def run(self) -> Run:
        arrays = self.arrays
        arrays.counts[counts.WATCH_STIFFNESS], arrays.counts[counts.STIFF_NEEDED] = (
            self.settings.method == "auto",
            LOOKS,
        )
        advance = self._advance()  # compiled or loaded; not a part of the run
        clock = time.perf_counter()
        try:
            outcome = self._until_done(advance)
        except KeyboardInterrupt:
            outcome = interrupted(float(arrays.control[control.T]), float(arrays.control[control.END]))
        except LienketError as error:  # a function of the user's
            outcome = self._failed(error)
        self._phase()
        return self._result(outcome, time.perf_counter() - clock)

    def _until_done(self, advance: Any) -> Outcome:
        """Calls the integrator until there is nothing left to do."""
        arrays = self.arrays
        left, told = FIRST, 0.0
        while True:
            arrays.counts[counts.STEPS_LEFT] = left
            clock = time.perf_counter()
            code = advance()
            raise_faults(self._problem.model.callbacks)
            seconds = time.perf_counter() - clock
            if self.progress is not None and (code != codes.EVENT_HAPPENED or clock - told > SHARE):
                told = clock
                self.progress(float(arrays.control[control.T]))
            if code == codes.DONE:
                return finished(float(arrays.control[control.T]), self._summary())
            if code == codes.FULL:
                self._make_room()
            elif code == codes.STUCK:
                return self._stuck()
            elif code == codes.WANTS_BRIDGE:
                self.arrays.enable_bridge(advance)
            elif code == codes.EVENT_HAPPENED and self.switching is not None:
                part = int(arrays.counts[counts.STRUCTURE_NUMBER])
                outcome = self.switching.handle_event(self._advance)
                if arrays.counts[counts.STRUCTURE_NUMBER] > part:
                    advance = self._advance()
                    self._row_after()
                if outcome is not None:
                    return outcome
            elif code == codes.STIFF_NOW or self.explicit_step > 0:
                left = TRIAL
                if self._method_changed(code == codes.STIFF_NOW):
                    advance = self._advance()
            else:
                left = int(np.clip(left * SHARE / max(seconds, 1e-6), 1, 10 * left))

    @property
    def _problem(self) -> Problem:
        """That of the structure that acts now."""
        return self.arrays.problem if self.switching is None else self.switching.now.problem

    def _advance(self, structure: Structure | None = None) -> Any:
        """The integrator of a structure, or of the one that acts now."""
        now = structure or (None if self.switching is None else self.switching.now)
        key = (self.method.name, now and now.active)
        found = self.arrays.integrators.get(key)
        if found is None:  # made once; a structure may come back many times
            given = () if now is None else (now.problem, now.conditions.address)
            found = self.arrays.integrators[key] = self.arrays.advance(self.method, *given)
        self.arrays.set_method(self.method)
        return found

    def _row_after(self) -> None:
        """The state after a switch is a row of its own."""
        if not len(self.arrays.times):
            if self.arrays.counts[counts.ROWS_FILLED] >= len(self.arrays.rows):
                self._make_room()
            self.arrays.write(0.0)

    def _stuck(self) -> Outcome:
        arrays, n = self.arrays, self._problem.n
        t, y = float(arrays.control[control.T]), arrays.y[states.NOW]
        q, v, end = y[:n].copy(), y[n : 2 * n].copy(), float(arrays.control[control.END])
        details = self.explain(t, q, v) if self.switching is None else self.switching.explain(t, q, v)
        if arrays.counts[counts.REJECTION] == rejections.NO_ACCELERATION:
            a, longest = arrays.y[states.RATE, n : 2 * n], AHEAD * (end - float(arrays.control[control.BEGIN]))
            details += " " + domain_exit(self._problem, t, q, v, a, float(arrays.control[control.H]), longest)
        return stuck(t, end, int(arrays.counts[counts.REJECTION]), float(arrays.control[control.H]), details)

    def _failed(self, error: LienketError) -> Outcome:
        arrays, names = self.arrays, self.arrays.problem.names
        return failed(
            float(arrays.control[control.T]),
            float(arrays.control[control.END]),
            str(error),
            names,
            arrays.y[states.NOW],
        )

    def _method_changed(self, stiff: bool) -> bool:
        """The implicit method where the motion looks stiff; after its trial the explicit one again, if that is better.

        Says whether it changed. An implicit step costs some explicit ones; after each trial in vain the motion has to
        look stiff for longer.
        """
        arrays = self.arrays
        step, before, self.explicit_step = float(arrays.control[control.H]), self.explicit_step, 0.0
        if stiff:
            self._switch(METHODS[STIFF], step)
            self.explicit_step = step
            return True
        if step >= WORTH * before:
            return False
        self._switch(METHODS[AUTO], before)
        arrays.counts[counts.WATCH_STIFFNESS], arrays.counts[counts.STIFF_FOUND], arrays.counts[counts.STIFF_NEEDED] = (
            1,
            0,
            min(4 * arrays.counts[counts.STIFF_NEEDED], 2**40),
        )
        return True

    def _switch(self, method: Method, step: float) -> None:
        """Another method goes on from here."""
        self._phase()
        self.method = method
        (
            self.arrays.counts[counts.RESTART],
            self.arrays.counts[counts.WATCH_STIFFNESS],
            self.arrays.control[control.H],
        ) = 1, 0, step

    def _phase(self) -> None:
        t, steps = float(self.arrays.control[control.T]), int(self.arrays.counts[counts.STEPS])
        self.phases.append(Phase(self.method.name, self.begin, t, steps - self.since))
        self.begin, self.since = t, steps

    def _summary(self) -> str:
        steps = int(self.arrays.counts[counts.STEPS])
        words = f"by {self.method.name} in {steps} step{'s' if steps != 1 else ''}"
        if self.method.name == STIFF and self.phases:
            words += f", after {self.phases[-1].method} had met stiffness at t = {self.phases[-1].end:.6g}"
        return words

    def _make_room(self) -> None:
        """Keeps the rows filled; if there are too many, every other one goes and fewer come from now on."""
        self.blocks.append(self.arrays.filled())
        self.arrays.counts[counts.ROWS_FILLED] = 0
        while sum(map(len, self.blocks)) > self.settings.most_rows // 2:
            self.blocks = [np.concatenate(self.blocks)[::2]]
            self.arrays.counts[counts.ROW_EVERY] *= 2

    def _result(self, outcome: Outcome, seconds: float) -> Run:
        arrays, n = self.arrays, self.arrays.problem.n
        rows = np.concatenate([*self.blocks, arrays.filled()]) if self.blocks else arrays.filled()
        if not outcome.complete and (not len(rows) or rows[-1, 0] < arrays.control[control.T]):
            arrays.counts[counts.ROWS_FILLED] = 0
            arrays.write(0.0)  # how far it came
            rows = np.concatenate([rows, arrays.filled()])
        for note in () if self.switching is None else self.switching.notes:
            outcome = outcome.adding(note)
        every = int(arrays.counts[counts.ROW_EVERY])
        if every > 1:
            most = self.settings.most_rows
            share = (
                f"Of {every} steps one" if every < arrays.counts[counts.STEPS] else "Not every step"
            )  # events want more rows
            outcome = outcome.adding(f"{share} became a row, to keep {most} at most; see `times`.")
        steps, rejected, evaluations, factored, bridges = (int(arrays.counts[place]) for place in _TAKEN)
        statistics = Statistics(steps, rejected, evaluations, factored, bridges, seconds, every)
        y = rows[:, row_columns.STATE :]
        parts = (rows[:, row_columns.T], rows[:, row_columns.STEP], y[:, :n], y[:, n : 2 * n], y[:, 2 * n])
        t, step, q, v, work = map(np.ascontiguousarray, parts)
        problem = arrays.problem if self.switching is None else self.switching.watch.whole
        return Run(
            problem,
            self.settings,
            t,
            q,
            v,
            work,
            step,
            tuple(self.phases),
            _rank_events(arrays.log[: min(int(arrays.counts[counts.PASSAGES]), len(arrays.log))]),
            statistics,
            outcome,
            (float(arrays.control[control.MOST_MOVED]), float(arrays.control[control.MOST_ENERGY_RATIO])),
            (int(arrays.counts[counts.STATUS_USUAL]), float(arrays.control[control.GROWTH])),
            None if self.switching is None else self.switching.history(rows[:, row_columns.STRUCTURE]),
        )


def _rank_events(log: Array) -> tuple[RankEvent, ...]:
    """Steps near singular positions one after another are one passage."""
    found: list[RankEvent] = []
    for begin, end, bridged in log:
        if found and begin <= found[-1].end:
            found[-1] = RankEvent(found[-1].begin, float(end), found[-1].bridged or bool(bridged))
        else:
            found.append(RankEvent(float(begin), float(end), bool(bridged)))
    return tuple(found)
