"""A run by IDA of SUNDIALS: rows like those of our own methods, made by somebody else."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ..outcome import Outcome, finished, stuck
from ..problem import Problem
from ..settings import Settings
from .result import Phase, Run, Statistics

Array = Any

ROWS = 201  # if no times are asked for


def ida_run(
    problem: Problem, start: tuple[float, Array, Array], end: float, settings: Settings, times: Array | None
) -> Run:
    """The run with rows at the times, or at some equally far apart. It knows nothing of the work done: that is NaN."""
    from ..integrators.ida import ida

    t, q, v = start
    wanted = np.linspace(t, end, ROWS) if times is None else np.asarray(times, dtype=float)
    clock = time.perf_counter()
    found = ida(problem, t, q, v, list(wanted), settings.rtol, float(np.min(settings.atol)))
    n, count = problem.n, len(found.rows)
    seconds = time.perf_counter() - clock
    reached = float(wanted[count - 1]) if count else t
    outcome: Outcome = finished(reached, f"by IDA of SUNDIALS ({found.message})")
    if found.gave_up is not None:
        outcome = stuck(found.gave_up, end, 0, 0.0, f"IDA: {found.message}")
    powered = problem.model.address("power") != 0
    work = np.full(count, np.nan) if powered else np.zeros(count)
    statistics = Statistics(0, 0, 0, 0, 0, seconds)
    phases = (Phase("ida", t, reached, 0),)
    rows = found.rows[:, :n].copy(), found.rows[:, n : 2 * n].copy()
    return Run(problem, settings, wanted[:count], *rows, work, np.zeros(count), phases, (), statistics, outcome)
