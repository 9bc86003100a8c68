"""Run by IDA of SUNDIALS, an independent check of the native methods."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from ...foundation.arrays import Array
from ..known_times.known_times import all_known_times, numbers_of
from ..memory import rejections
from ..outcome import Outcome, finished, stuck
from ..problem import Problem
from ..settings import Settings
from .prescribed_jump import prescribed_jump
from .result import Phase, Run, Statistics

DEFAULT_ROWS = 201  # [rows] equally spaced, if no times are given


def ida_run(
    problem: Problem, start: tuple[float, Array, Array], end: float, settings: Settings, times: Array | None
) -> Run:
    """Run IDA with rows at the times, by default equally spaced; the work done is unknown to IDA: NaN where it acts.

    It starts anew at each known time.
    """
    t, n = start[0], problem.n
    row_times = np.linspace(t, end, DEFAULT_ROWS) if times is None else np.asarray(times, dtype=float)
    clock = time.perf_counter()
    rows, stopped, reason, message = _rows(problem, start, end, settings, row_times)
    seconds, count = time.perf_counter() - clock, len(rows)
    reached = float(row_times[count - 1]) if count else t
    outcome: Outcome = finished(reached, f"by IDA of SUNDIALS ({message})")
    if stopped is not None:
        outcome = stuck(stopped, end, reason, 0.0, message)
    powered = problem.model.address("power") != 0
    work = np.full(count, np.nan) if powered else np.zeros(count)
    statistics = Statistics(0, 0, 0, 0, 0, seconds)
    phases = (Phase("ida", t, reached, 0),)
    states = rows[:, :n].copy(), rows[:, n : 2 * n].copy()
    return Run(problem, settings, row_times[:count], *states, work, np.zeros(count), phases, (), statistics, outcome)


def _rows(
    problem: Problem, start: tuple[float, Array, Array], end: float, settings: Settings, row_times: Array
) -> tuple[Array, float | None, int, str]:
    """Return the states at the rows (N x 2 n) reached, the time of an early stop or None, its reason, and a message."""
    from ..integrators.ida import ida

    (t, q, v), n, message = start, problem.n, "no time interval to integrate"
    rows = [np.zeros((0, 2 * n))]
    for begin, stop, between in _stretches(problem, t, end):
        if begin > t:
            sides = (2 * begin - max(between[0], begin) - float(np.spacing(abs(begin))), max(between[0], begin))
            jump = prescribed_jump(problem, problem.parameters, settings, sides, q, v)
            if jump:
                return np.concatenate(rows), begin, rejections.JUMP_PRESCRIBED, jump
        inside = row_times[((row_times > begin) | ((row_times == begin) & (begin == t))) & (row_times <= stop)]
        atol = float(np.min(settings.atol))
        solution = ida(problem, begin, q, v, [*inside, stop], settings.rtol, atol, between, settings.largest)
        rows.append(solution.rows[: len(inside)])
        if solution.stopped_at is not None:
            return np.concatenate(rows), solution.stopped_at, 0, f"IDA: {solution.message}"
        q, v, message = solution.rows[-1, :n], solution.rows[-1, n:], solution.message
    return np.concatenate(rows), None, 0, message


def _stretches(problem: Problem, begin: float, end: float) -> Iterator[tuple[float, float, tuple[float, float]]]:
    """Yield begin and end of the stretches between known times, and the times between which the model is evaluated."""
    functions, earliest = problem.time_functions, -np.inf
    numbers = numbers_of(functions, problem.parameters)
    stops = all_known_times(functions, numbers, begin, end)
    for time_, before, after in stops.tolist():
        if before <= begin:
            earliest = after
        elif time_ < end:
            yield begin, time_, (earliest, before)
            begin, earliest = time_, after
        else:
            yield begin, end, (earliest, before)
            return
    yield begin, end, (earliest, np.inf)
