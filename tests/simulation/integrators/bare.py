"""Integrators called directly on the arrays of a run."""

from dataclasses import dataclass, replace

import numpy as np

from lienket.kernels.memory.blocks import length
from lienket.simulation.memory import codes, control, counts, row_columns
from lienket.simulation.methods import METHODS
from lienket.simulation.problem import Problem
from lienket.simulation.settings import Settings
from lienket.simulation.stepping.workspace import Workspace

MARK = 12345.0
"""Value after the scratch memory, which must not be overwritten."""
MOST_ROWS = 200_000


@dataclass(frozen=True)
class Motion:
    """Result of an integrator: return code, rows of t, q, v and work, fixed step, counters."""

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
    """Return a motion from a consistent start in fixed steps (0: the method's own), every `every`-th step a row.

    The integrator is called anew after each `pause` steps. For methods that choose their steps, `longest` is the first
    step and the bound of all steps.
    """
    atol = np.full(2 * problem.n, 0.01 * rtol if atol is None else atol)
    settings = Settings(method, rtol, atol, step, longest or np.inf)
    capacity = len(times) or (int(until / step / every) + 2 if step else MOST_ROWS)
    arrays = Workspace(problem, settings, np.array(times, dtype=float), capacity)
    arrays.begin(0.0, q, v, until)
    arrays.control[control.H], arrays.counts[counts.ROW_EVERY] = longest, every
    chosen = METHODS[method]
    size = length(chosen.scratch(problem.n, problem.s))
    advance = arrays.advance(replace(chosen, scratch=lambda n, s: (*chosen.scratch(n, s), (8,))), examined=True)
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
    """Return a motion of a system by a method that chooses its steps, bounded by `step`."""
    return ran(problem_of(system), q, v, until, method=method, rtol=rtol, atol=atol, times=times, longest=step)


def numbers(problem, name, motion):
    """Return the blocks of a compiled function at all rows of a motion, by name."""
    function, count = problem.model.function(name), len(motion.t)
    columns = [np.ascontiguousarray(x) for x in (motion.t, motion.q, motion.v)]
    return function.named(function.many(*columns, problem.parameters, np.zeros((count, problem.n + problem.s)))[1])


def energy(problem, motion):
    """Return T2 - T0 + V at all rows (N)."""
    parts = numbers(problem, "energy", motion)
    return parts["stored"] + parts["potential"]


def slopes(errors):
    """Return the observed orders from errors at successively halved steps."""
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
