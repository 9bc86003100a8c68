"""An integrator without anything around it: the arrays of a run, filled here, and what the entry made of them."""

from dataclasses import dataclass

import numpy as np

from lienket.kernels.native.library import prepared
from lienket.kernels.native.solve import make_workspace
from lienket.simulation.methods import METHODS
from lienket.simulation.native import memory as at
from lienket.simulation.problem import Problem


@dataclass(frozen=True)
class Motion:
    """Why the integrator came back, rows of t, q, v, W, and what it counted."""

    code: int
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    W: np.ndarray
    counts: np.ndarray

    @property
    def end(self):
        return np.concatenate([self.q[-1], self.v[-1]])


def problem(system, values=None):
    numbers = {**{p.name: x for p, x in system.values.items()}, **(values or {})}
    given = np.array([float(numbers[p.name]) for p in system.parameters])
    return Problem(system.compile().model, given, tuple(str(x) for x in system.coordinates))


def run(system, q, v, until, method, rtol=1e-8, atol=1e-10, times=None, step=None, values=None, steps=100_000):
    """A motion from a consistent start; with `step` all steps are that long, and tolerances must be wide."""
    p, chosen = problem(system, values), METHODS[method]
    n, s, m = p.n, p.s, 2 * p.n + 1
    control, counts = np.zeros(at.CONTROL_SIZE), np.zeros(at.COUNTS_SIZE, dtype=np.int64)
    control[[at.T, at.END, at.RTOL, at.LARGEST, at.GROWTH]] = 0.0, until, rtol, step or np.inf, 1e5
    control[at.H] = step or 0.0
    counts[[at.FRESH, at.EVERY, at.LEFT]] = 1, 1, steps
    counts[at.USUAL] = -1
    y = np.zeros((at.STATES, m))
    y[at.NOW, :n], y[at.NOW, n : 2 * n] = q, v
    wanted = np.zeros(0) if times is None else np.array(times, dtype=float)
    rows = np.zeros((20_000 if times is None else len(wanted), 2 + m))
    scratch = np.zeros(chosen.scratch(n, s) + 8)
    scratch[-8:] = 12345.0
    given = (
        p.addresses_for(chosen.needs),
        p.level,
        p.parameters,
        np.zeros(n + s),
        control,
        counts,
        np.full(2 * n, atol),
        y,
    )
    arrays = (wanted, rows, scratch[:-8], np.zeros(at.bridge_size(n)), np.zeros((9, 3)), *make_workspace(n, s))
    code = prepared(chosen.module, "advance", *given, *arrays)()
    assert np.all(scratch[-8:] == 12345.0), "it wrote beyond its scratch"
    found = rows[: counts[at.FILLED]]
    return Motion(code, found[:, 0], found[:, 2 : 2 + n], found[:, 2 + n : 2 + 2 * n], found[:, -1], counts)


def energy(system, motion, values=None):
    """The energy of each row, T2 - T0 + V."""
    p, count = problem(system, values), len(motion.t)
    states = [np.ascontiguousarray(x) for x in (motion.t, motion.q, motion.v)]
    nothing = np.zeros((count, p.n + p.s))
    return p.model.function("balance").many(*states, p.parameters, nothing)[1][:, 0]
