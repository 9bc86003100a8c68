"""Loop of a run: calls the integrator until the end, handles its requests, collects rows, permits interruption."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import replace
from ..memory import codes, control, counts, rejections, row_columns, states
from ..methods import AUTO, METHODS, STIFF, Method
from ..outcome import Outcome, failed, finished, interrupted, projection_accuracy, singular_accuracy, stuck
from ..problem import Problem
from ..settings import UNKNOWN_STATUS, Settings
from ..start.start import Start
from ..stepping.workspace import Workspace, borrow, return_workspace
from .collected_rows import CollectedRows
from .domain_exit import domain_exit
from .force_jump import StepWatch, jump_when_stuck
from .ida_run import ida_run
from .result import Phase, Run, Statistics, rank_events
from .row_choices import RowChoices
from .sampling import SampledCall, Sampling

if TYPE_CHECKING:
    from ..events.switching import Switching
    from ..events.watch import EventPlan, Structure

NO_TIMES = np.zeros(0)
ROW_BLOCK = 4096  # [rows] of the array that the integrator fills
SECONDS_BETWEEN_PAUSES = 0.1  # [s] between two returns to Python, where progress is reported and Ctrl-C handled
DOMAIN_LOOKAHEAD = 1e-6  # [1] time relative to the run, searched beyond a state without accelerations
FIRST_PAUSE = 500  # [steps] before the first return to Python
STIFF_DETECTIONS_NEEDED = 8  # [detections] of stiffness in a row before the implicit method is tried
STIFF_DETECTIONS_GROWTH = 4  # [1] factor of the detections needed after a trial in vain
STIFF_DETECTIONS_LIMIT = 2**40  # [detections] beyond which their number no longer grows
STIFF_TRIAL = 7  # [steps] of a trial of the implicit method
STIFF_STEP_GAIN = 5.0  # [1] implicit step relative to the explicit one, from which the implicit method is kept


def integrate(
    problem: Problem,
    start: tuple[float, Array, Array],
    end: float,
    settings: Settings,
    times: Array | None = None,
    progress: Callable[[float], Any] | None = None,
    explain: Callable[[float, Array, Array], str] = lambda t, q, v: "",
    first_step: float = 0.0,
    usual: tuple[int, float] = UNKNOWN_STATUS,
    plan: EventPlan | None = None,
    sampled: tuple[SampledCall, ...] = (),
    known: Array | None = None,
    begun: Start | None = None,
) -> Run:
    """Integrate from the start (t, q, v) to `end`, with rows at the times, or at steps if times is None.

    `progress` is called with the time reached; `explain` returns a sentence on the state at which a run is stuck;
    `plan` are the events, `sampled` the functions called at sample times, which need a plan. `first_step` is 0 if the
    method is to choose it; `usual` as in Run; `known` are known times, by default those of the problem;
    `begun` is the start with the origin of its numbers.
    """
    t, q, v = start
    chosen = METHODS[AUTO if settings.method == "auto" else settings.method]
    refusal = chosen.refusal(problem)
    if refusal:
        raise LienketError(refusal)
    if not chosen.native:
        if sampled:
            raise LienketError(
                f"The method {chosen.name!r} cannot stop at sample times. Choose another method for sampled inputs."
            )
        if plan is not None:
            raise LienketError(
                f"The method {chosen.name!r} does not support events. Choose another method, or leave the events out."
            )
        return replace(ida_run(problem, start, end, settings, times), start=begun)
    row_times = NO_TIMES if times is None else np.asarray(times, dtype=float)
    capacity = len(row_times) if times is not None else min(ROW_BLOCK, settings.most_rows // 2)
    if plan is None:
        arrays = borrow(problem, settings, row_times, capacity, usual)
    else:
        sizes = len(plan.names), plan.of(plan.begin).conditions.size, plan.whole.s
        arrays = Workspace(problem, settings, row_times, capacity, usual, *sizes)
    arrays.begin(t, q, v, end, known)
    if first_step > 0:
        arrays.control[control.H] = first_step
    if times is None or (len(row_times) and row_times[0] == t):
        arrays.write(0.0)
        arrays.counts[counts.NEXT_TIME] = min(1, len(row_times))
    run = _RunLoop(arrays, chosen, settings, explain, progress, plan, sampled, begun).run()
    return_workspace(arrays)
    return run


class _RunLoop:
    """State of one run in Python: method, rows and phases so far."""

    def __init__(
        self,
        arrays: Workspace,
        method: Method,
        settings: Settings,
        explain: Callable[[float, Array, Array], str],
        progress: Callable[[float], Any] | None,
        plan: EventPlan | None,
        sampled: tuple[SampledCall, ...],
        begun: Start | None,
    ) -> None:
        self.begun = begun
        self.arrays, self.settings, self.explain, self.progress = arrays, settings, explain, progress
        self.sampling = Sampling(sampled, arrays) if sampled else None
        if self.sampling is not None:
            self.sampling.take()
        self.switching: Switching | None = None
        if plan is not None:
            from ..events.switching import Switching

            self.switching = Switching(plan, arrays)
        self.rows = CollectedRows(arrays, settings.most_rows)
        self.phases: list[Phase] = []
        self.method = method
        self.choices = RowChoices(arrays, plan is not None)
        self.phase_begin, self.phase_first_step = float(arrays.control[control.T]), 0
        self.explicit_step = 0.0  # greater than 0 during a trial of the implicit method: the last explicit step

    @cached_property
    def watch(self) -> StepWatch:
        """Watch of the mean step, from the first pause on; most runs are shorter."""
        return StepWatch(self.arrays)

    def run(self) -> Run:
        """Run to the end, an interruption or a failure; return the result."""
        arrays = self.arrays
        arrays.counts[counts.WATCH_STIFFNESS], arrays.counts[counts.STIFF_NEEDED] = (
            self.settings.method == "auto",
            STIFF_DETECTIONS_NEEDED,
        )
        advance = self._advance()  # compiled or loaded before the clock starts
        if self.switching is not None:
            self.switching.watch_load(advance)
        clock = time.perf_counter()
        try:
            outcome = self._until_done(advance)
        except KeyboardInterrupt:
            outcome = interrupted(float(arrays.control[control.T]), arrays.end)
        except LienketError as error:  # raised by a function of the user
            outcome = self._failed(error)
        self._end_phase()
        return self._result(outcome, time.perf_counter() - clock)

    def _until_done(self, advance: Callable[[], int]) -> Outcome:
        """Call the integrator and handle its requests until the run ends; return the outcome."""
        arrays = self.arrays
        left, reported = FIRST_PAUSE, 0.0
        while True:
            arrays.counts[counts.STEPS_LEFT] = left
            clock = time.perf_counter()
            code, advance = (advance(), advance) if self.switching is None else self.switching.advance(advance)
            raise_faults(self._problem.model.callbacks)
            seconds = time.perf_counter() - clock
            frequent = code == codes.EVENT_HAPPENED or (code == codes.DONE and self.sampling is not None)
            if self.progress is not None and (not frequent or clock - reported > SECONDS_BETWEEN_PAUSES):
                reported = clock
                self.progress(float(arrays.control[control.T]))
            if code == codes.DONE and self.switching is not None and self.switching.ending is not None:
                return self.switching.ending
            if code == codes.DONE and arrays.control[control.T] < arrays.end:
                self._continue()
                advance = self._advance()
            elif code == codes.DONE:
                return finished(float(arrays.control[control.T]), self._summary())
            elif code == codes.FULL:
                self.rows.make_room()
            elif code == codes.STUCK:
                return self._stuck()
            elif code == codes.WANTS_BRIDGE:
                self.arrays.enable_bridge(advance)
            elif code == codes.WANTS_ROWS:
                self.choices.choose(advance, self._problem, None if self.switching is None else self.switching.now)
            elif code == codes.EVENT_HAPPENED and self.switching is not None:
                part = int(arrays.counts[counts.STRUCTURE_NUMBER])
                outcome = self.switching.handle_event(self._advance)
                if arrays.counts[counts.STRUCTURE_NUMBER] > part:
                    advance = self._advance()
                    self.switching.watch_load(advance)
                    self.rows.add_after_switch()
                if outcome is not None:
                    return outcome
            elif code == codes.STIFF_NOW or self.explicit_step > 0:
                left = STIFF_TRIAL
                if self._method_changed(code == codes.STIFF_NOW):
                    advance = self._advance()
                    if self.switching is not None:
                        self.switching.watch_load(advance)
            else:
                ended = self.watch.stopped(self._problem) or (self._stuck() if self.watch.stands_still else None)
                if ended is not None:
                    return ended
                left = int(np.clip(left * SECONDS_BETWEEN_PAUSES / max(seconds, 1e-6), 1, 10 * left))

    def _continue(self) -> None:
        """Continue after a stop before the end: call functions whose sample time has come, or find more known times."""
        if self.sampling is not None and self.switching is not None and self._at(self.arrays.pause):
            self._take_samples(self.sampling, self.switching)
        elif self._at(self.arrays.known_until):
            self.arrays.find_known_times()
            self.arrays.counts[counts.RESTART] = 1
        else:
            raise RuntimeError("a run without sampled functions stopped before its end")

    def _at(self, time: float) -> bool:
        """Return whether the run has reached a time."""
        return bool(self.arrays.control[control.T] >= time)

    def _take_samples(self, sampling: Sampling, switching: Switching) -> None:
        """Call the functions whose sample time has come, and continue with the numbers that they set."""
        sampling.take()
        switching.record_sample()
        self.rows.add_after_switch()
        self._row_at_sample()

    def _row_at_sample(self) -> None:
        """Let a row at a prescribed time that is a sample time show the numbers that have just been set."""
        arrays = self.arrays
        last = int(arrays.counts[counts.ROWS_FILLED]) - 1
        if len(arrays.times) and last >= 0 and arrays.rows[last, row_columns.T] == arrays.control[control.T]:
            arrays.rows[last, row_columns.STRUCTURE] = arrays.counts[counts.STRUCTURE_NUMBER]
            arrays.rows[last, row_columns.STATE :] = arrays.y[states.NOW]

    @property
    def _problem(self) -> Problem:
        """Problem of the current structure."""
        return self.arrays.problem if self.switching is None else self.switching.now.problem

    def _advance(self, structure: Structure | None = None) -> Any:
        """Return the integrator of a structure, by default of the current one."""
        now = structure or (None if self.switching is None else self.switching.now)
        active = now and now.active
        key = (self.method.name, active)
        advance = self.arrays.integrators.get(key)
        selections = self.choices.of(active)
        examined = self.choices.examined(active)
        if advance is None:  # built once; a structure may return many times
            problem, conditions = (None, 0) if now is None else (now.problem, now.conditions.address)
            advance = self.arrays.advance(self.method, problem, conditions, selections, examined)
            self.arrays.integrators[key] = advance
        elif examined:
            self.arrays.give_rows(advance, self._problem if now is None else now.problem, selections, examined)
        self.arrays.set_method(self.method)
        return advance

    def _stuck(self) -> Outcome:
        """Return the outcome of a run in which no step could be accepted, with its explanation."""
        arrays, n = self.arrays, self._problem.n
        t, y = float(arrays.control[control.T]), arrays.y[states.NOW]
        q, v, end = y[:n].copy(), y[n : 2 * n].copy(), arrays.end
        details = self.explain(t, q, v) if self.switching is None else self.switching.explain(t, q, v)
        if arrays.counts[counts.REJECTION] == rejections.NO_ACCELERATION:
            longest = DOMAIN_LOOKAHEAD * (end - float(arrays.control[control.BEGIN]))
            a = arrays.y[states.RATE, n : 2 * n]
            details += " " + domain_exit(self._problem, t, q, v, a, float(arrays.control[control.H]), longest)
        if arrays.counts[counts.BRIDGES_FAILED] > 0:
            details += singular_accuracy(float(arrays.control[control.BRIDGE_ERROR]), self.settings.rtol)
        if arrays.counts[counts.REJECTION] == rejections.OFF_CONSTRAINTS:
            details += projection_accuracy(float(arrays.control[control.MOVED]), self.settings.rtol)
        if arrays.counts[counts.REJECTION] == rejections.JUMP_PRESCRIBED:
            from .prescribed_jump import prescribed_jump

            after = max(float(arrays.control[control.EARLIEST]), t)
            sides = (2 * t - after - float(np.spacing(abs(t))), after)
            details = prescribed_jump(self._problem, arrays.parameters, self.settings, sides, q, v) or details
        details = jump_when_stuck(self._problem, arrays) + details
        return stuck(t, end, int(arrays.counts[counts.REJECTION]), float(arrays.control[control.H]), details)

    def _failed(self, error: LienketError) -> Outcome:
        """Return the outcome of a run that ended by an error in a function of the user."""
        arrays, names = self.arrays, self.arrays.problem.names
        return failed(
            float(arrays.control[control.T]),
            arrays.end,
            str(error),
            names,
            arrays.y[states.NOW],
        )

    def _method_changed(self, stiff: bool) -> bool:
        """Change to the implicit method on stiffness, or back after a trial in vain; return whether it changed.

        The implicit method is kept if its steps are STIFF_STEP_GAIN times as long, since they cost more. After each
        trial in vain more detections of stiffness are needed.
        """
        arrays = self.arrays
        step, before, self.explicit_step = float(arrays.control[control.H]), self.explicit_step, 0.0
        if stiff:
            self._set_method(METHODS[STIFF], step)
            self.explicit_step = step
            return True
        if step >= STIFF_STEP_GAIN * before:
            return False
        self._set_method(METHODS[AUTO], before)
        arrays.counts[counts.WATCH_STIFFNESS], arrays.counts[counts.STIFF_DETECTIONS] = 1, 0
        needed = min(STIFF_DETECTIONS_GROWTH * arrays.counts[counts.STIFF_NEEDED], STIFF_DETECTIONS_LIMIT)
        arrays.counts[counts.STIFF_NEEDED] = needed
        return True

    def _set_method(self, method: Method, step: float) -> None:
        """Continue with another method and its first step."""
        self._end_phase()
        self.method = method
        (
            self.arrays.counts[counts.RESTART],
            self.arrays.counts[counts.WATCH_STIFFNESS],
            self.arrays.control[control.H],
        ) = 1, 0, step

    def _end_phase(self) -> None:
        """Record the phase of the current method up to now."""
        t, steps = float(self.arrays.control[control.T]), int(self.arrays.counts[counts.STEPS])
        self.phases.append(Phase(self.method.name, self.phase_begin, t, steps - self.phase_first_step))
        self.phase_begin, self.phase_first_step = t, steps

    def _summary(self) -> str:
        """Return the end of the sentence on a finished run: method, steps, change of method."""
        steps = int(self.arrays.counts[counts.STEPS])
        summary = f"by {self.method.name} in {steps} step{'s' if steps != 1 else ''}"
        if self.method.name == STIFF and self.phases:
            summary += f", after {self.phases[-1].method} had met stiffness at t = {self.phases[-1].end:.6g}"
        return summary

    def _result(self, outcome: Outcome, seconds: float) -> Run:
        """Return the result with all rows, notes and statistics."""
        arrays, n = self.arrays, self.arrays.problem.n
        rows = self.rows.all_rows(outcome.complete)
        for note in () if self.switching is None else self.switching.notes:
            outcome = outcome.adding(note)
        counted, numbers = arrays.counts.tolist(), arrays.control.tolist()  # faster than one entry after another
        every = counted[counts.ROW_EVERY]
        if every > 1:
            limit = self.settings.most_rows
            part = (
                f"One of {every} steps" if every < counted[counts.STEPS] else "Not every step"
            )  # rows at events are additional
            outcome = outcome.adding(f"{part} became a row, to keep at most {limit} (`most_rows`); see `times`.")
        statistics = Statistics(
            counted[counts.STEPS], counted[counts.REJECTED], counted[counts.EVALUATIONS], counted[counts.FACTORED],
            counted[counts.BRIDGES], seconds, every,
        )  # fmt: skip
        y = row_columns.STATE
        t, step, work = rows[:, row_columns.T].copy(), rows[:, row_columns.STEP].copy(), rows[:, y + 2 * n].copy()
        q, v = rows[:, y : y + n].copy(), rows[:, y + n : y + 2 * n].copy()
        problem = arrays.problem if self.switching is None else self.switching.plan.whole
        return Run(
            problem,
            self.settings,
            t,
            q,
            v,
            work,
            step,
            tuple(self.phases),
            rank_events(arrays.log[: counted[counts.PASSAGES]]),
            statistics,
            outcome,
            (numbers[control.MOST_MOVED], numbers[control.MOST_ENERGY_RATIO]),
            (counted[counts.STATUS_USUAL], numbers[control.GROWTH]),
            None if self.switching is None else self.switching.history(rows[:, row_columns.STRUCTURE]),
            self.begun,
        )
