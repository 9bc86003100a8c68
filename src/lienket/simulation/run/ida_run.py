"""Run by IDA of SUNDIALS, an independent check of the native methods."""

from __future__ import annotations

import time

import numpy as np

from ...foundation.arrays import Array
from ..outcome import Outcome, finished, stuck
from ..problem import Problem
from ..settings import Settings
from .result import Phase, Run, Statistics

DEFAULT_ROWS = 201  # [rows] equally spaced, if no times are given


def ida_run(
    problem: Problem, start: tuple[float, Array, Array], end: float, settings: Settings, times: Array | None
) -> Run:
    """Run IDA with rows at the times, by default equally spaced; the work done is unknown to IDA: NaN where it acts."""
    from ..integrators.ida import ida

    t, q, v = start
    row_times = np.linspace(t, end, DEFAULT_ROWS) if times is None else np.asarray(times, dtype=float)
    clock = time.perf_counter()
    solution = ida(problem, t, q, v, list(row_times), settings.rtol, float(np.min(settings.atol)))
    n, count = problem.n, len(solution.rows)
    seconds = time.perf_counter() - clock
    reached = float(row_times[count - 1]) if count else t
    outcome: Outcome = finished(reached, f"by IDA of SUNDIALS ({solution.message})")
    if solution.stopped_at is not None:
        outcome = stuck(solution.stopped_at, end, 0, 0.0, f"IDA: {solution.message}")
    powered = problem.model.address("power") != 0
    work = np.full(count, np.nan) if powered else np.zeros(count)
    statistics = Statistics(0, 0, 0, 0, 0, seconds)
    phases = (Phase("ida", t, reached, 0),)
    rows = solution.rows[:, :n].copy(), solution.rows[:, n : 2 * n].copy()
    return Run(problem, settings, row_times[:count], *rows, work, np.zeros(count), phases, (), statistics, outcome)
