"""IDA of SUNDIALS through scikit-sundae, as a check that shares nothing with our integrators and projection.

The equations are those of Gear, Gupta and Leimkuhler (SIAM J. Sci. Stat. Comput. 6, 1985), of index 2:

    q' = v + G^T mu,     A v' = h + G^T lambda,     g(t, q) = 0,     g'(t, q, v) = 0

so that positions and velocities both keep their constraints and nothing is to be chosen, as Baumgarte's numbers are. A
velocity equation has no mu, one on accelerations is kept as it is. Rows that depend on others at the start are left
out. The Jacobian is by differences.
lambda and mu are left out of the error test: in index 2 their errors say nothing about q and v.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem

Array = Any

STEPS = 1_000_000
UNTESTED = 1e20
"""The absolute tolerance of multipliers."""
RANK = 1e-9
MISSING = (
    "The method 'ida' needs the package scikit-sundae, which is not installed: "
    'pip install "lienket[oracle]". Or choose another method.'
)
NO_PROGRAM = (
    "The method 'ida' cannot keep {names}: it takes ideal reactions along G^T and constraints that are linear in the "
    "accelerations. Choose another method."
)


@dataclass(frozen=True)
class IDAMotion:
    """The states (N x 2 n) at the times asked for as far as IDA came, what it says, and where it gave up (or None)."""

    rows: Array
    message: str
    gave_up: float | None = None


def ida(
    problem: Problem, t0: float, q0: Array, v0: Array, times: Sequence[float], rtol: float = 1e-8, atol: float = 1e-10
) -> IDAMotion:
    """The motion from a consistent state q0 (n), v0 (n) at t0 through the times (N), which do not fall."""
    try:
        from sksundae.ida import IDA
    except ImportError as missing:
        raise LienketError(MISSING) from missing
    _check(problem)
    n, wanted = problem.n, np.asarray(times, dtype=float)
    start, slope, taken = _start(problem, t0, np.asarray(q0, dtype=float), np.asarray(v0, dtype=float))
    grid = np.unique(np.concatenate(([t0], wanted)))
    if len(grid) == 1:
        return IDAMotion(np.tile(start[: 2 * n], (len(wanted), 1)), "nothing to do")
    places = np.searchsorted(grid, wanted)
    if len(grid) == 2:  # which IDA would take for the ends of an interval
        grid, places = np.array([grid[0], grid.mean(), grid[1]]), 2 * places
    scale = np.repeat([atol, UNTESTED], [2 * n, len(start) - 2 * n])
    solver = IDA(
        _residual(problem, taken),
        algebraic_idx=list(range(2 * n, len(start))),
        rtol=rtol,
        atol=scale,
        max_num_steps=STEPS,
    )
    done = solver.solve(grid, start, slope)
    if not done.success or len(done.y) < len(grid):
        reached = places[places < len(done.y)]
        return IDAMotion(np.array(done.y[reached, : 2 * n]), str(done.message), float(done.t[-1]))
    return IDAMotion(np.array(done.y[places, : 2 * n]), str(done.message))


def _check(problem: Problem) -> None:
    nonlinear = problem.model.nonlinear
    names = [repr(c.name) for c in problem.model.constraints if c.drives or c.name in nonlinear]
    if names:
        raise LienketError(NO_PROGRAM.format(names=", ".join(names)))


def _residual(problem: Problem, taken: Array) -> Callable[[float, Array, Array, Array], None]:
    """The function residual(t, y, y', out) of y = (q, v, lambda of the rows taken, mu of the holonomic ones)."""
    n, k, level = problem.n, int(taken.sum()), problem.level[taken]
    holonomic, ends = level == 0, np.cumsum([n, n, k, int((level == 0).sum())])

    def residual(t: float, y: Array, rate: Array, out: Array) -> None:
        q, v, weights, mu = (np.ascontiguousarray(x) for x in np.split(y, ends[:3]))
        a = rate[n : 2 * n]
        A, h, G, g0 = _numbers(problem, "terms", t, q, v)
        _, _, position, velocity = _numbers(problem, "surface", t, q, v)
        G = G[taken]
        out[:n] = rate[:n] - v - G[holonomic].T @ mu
        out[n : 2 * n] = A @ a - h - G.T @ weights
        out[2 * n : 2 * n + k] = np.where(level < 2, velocity[taken], G @ a + g0[taken])
        out[2 * n + k :] = position[taken][holonomic]

    return residual


def _start(problem: Problem, t: float, q: Array, v: Array) -> tuple[Array, Array, Array]:
    """y, y' and which rows (s) are taken, at the start."""
    n, s = problem.n, problem.s
    A, h, G, g0 = _numbers(problem, "terms", t, q, v)
    taken = np.zeros(s, dtype=bool)
    size = np.linalg.norm(G, axis=1)
    for r in np.argsort(problem.level, kind="stable"):  # a holonomic row says most
        rows = [*np.flatnonzero(taken), r]
        unit = G[rows] / np.where(size[rows] > 0, size[rows], 1.0)[:, None]
        taken[r] = np.linalg.svd(unit, compute_uv=False)[-1] > RANK if len(rows) <= n else False
    G, g0, k = G[taken], g0[taken], int(taken.sum())
    saddle = np.block([[A, -G.T], [G, np.zeros((k, k))]])
    found = np.linalg.lstsq(saddle, np.concatenate((h, -g0)), rcond=None)[0]
    holonomic = int((problem.level[taken] == 0).sum())
    y = np.concatenate((q, v, found[n:], np.zeros(holonomic)))
    return y, np.concatenate((v, found[:n], np.zeros(k + holonomic))), taken


def _numbers(problem: Problem, name: str, t: float, q: Array, v: Array) -> list[Array]:
    """The blocks of a compiled function at a state."""
    function = problem.model.function(name)
    return function.parts(function(float(t), q, v, problem.parameters, np.zeros(problem.model.inputs))[1])
