"""An integrator with nothing around it but the arrays of a run, and what it made of them."""

from dataclasses import dataclass, replace

import numpy as np

from lienket.kernels.memory.blocks import length
from lienket.simulation.memory import codes, control, counts, row_columns
from lienket.simulation.methods import METHODS
from lienket.simulation.problem import Problem
from lienket.simulation.settings import Settings
from lienket.simulation.stepping.workspace import Workspace

MARK = 12345.0
"""Stands behind the scratch, to see that nothing is written there."""
MOST_ROWS = 200_000


@dataclass(frozen=True)
class Motion:
    """Why the integrator came back, rows of t, q, v and the work, its fixed step, and what it counted."""

    code: int
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    work: np.ndarray
    step: float
    counts: np.ndarray

    @property
    def end(self):
        return np.concatenate([self.q[-1], self.v[-1]])


def problem_of(system):
    values = {p.name: float(x) for p, x in system.values.items()}
    numbers = np.array([values[p.name] for p in system.parameters])
    return Problem(system.compile().model, numbers, tuple(str(x) for x in system.coordinates))


def ran(
    problem, q, v, until, step=0.0, method="rattle", rtol=1e-8, atol=None, every=1, times=(), pause=0, longest=0.0
):  # fmt: skip
    """A motion from a consistent start, in fixed steps of that length (0: its own), every which step a row.

    Every `pause` steps the integrator is called anew. With `longest` all steps are that long as long as tolerances
    allow, for methods that choose them.
    """
    atol = np.full(2 * problem.n, 0.01 * rtol if atol is None else atol)
    settings = Settings(method, rtol, atol, step, longest or np.inf)
    capacity = len(times) or (int(until / step / every) + 2 if step else MOST_ROWS)
    arrays = Workspace(problem, settings, np.array(times, dtype=float), capacity)
    arrays.begin(0.0, q, v, until)
    arrays.control[control.H], arrays.counts[counts.ROW_EVERY] = longest, every
    chosen = METHODS[method]
    size = length(chosen.scratch(problem.n, problem.s))
    advance = arrays.advance(replace(chosen, scratch=lambda n, s: (*chosen.scratch(n, s), (8,))))
    arrays.scratch[size:] = MARK
    code = codes.PAUSED
    while code == codes.PAUSED:
        arrays.counts[counts.STEPS_LEFT] = pause or 10**9
        code = advance()
    assert np.all(arrays.scratch[size:] == MARK), "it wrote beyond its scratch"
    n, rows = problem.n, arrays.filled()
    y = rows[:, row_columns.STATE :]
    columns = rows[:, 0], y[:, :n], y[:, n : 2 * n], y[:, 2 * n]
    return Motion(code, *columns, arrays.control[control.FIXED_STEP], arrays.counts)


def run(system, q, v, until, method, rtol=1e-8, atol=1e-10, times=(), step=0.0):
    """The same of a system, by a method that chooses its steps; with `step` they are that long, at wide tolerances."""
    return ran(problem_of(system), q, v, until, method=method, rtol=rtol, atol=atol, times=times, longest=step)


def numbers(problem, name, motion):
    """The blocks of a compiled function at all rows of a motion, by name."""
    function, count = problem.model.function(name), len(motion.t)
    columns = [np.ascontiguousarray(x) for x in (motion.t, motion.q, motion.v)]
    return function.named(function.many(*columns, problem.parameters, np.zeros((count, problem.n + problem.s)))[1])


def energy(problem, motion):
    """T2 - T0 + V (N)."""
    parts = numbers(problem, "energy", motion)
    return parts["stored"] + parts["potential"]


def slopes(errors):
    """The powers of the step with which errors fall, from each to the next of half the step."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
