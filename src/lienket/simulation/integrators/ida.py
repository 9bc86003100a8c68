"""IDA of SUNDIALS through scikit-sundae: a check independent of the integrators and the projection of this package.

The equations are those of Gear, Gupta and Leimkuhler (SIAM J. Sci. Stat. Comput. 6, 1985), of index 2:

    q' = v + G^T mu,     A v' = h + G^T lambda,     g(t, q) = 0,     g'(t, q, v) = 0

so that positions and velocities both satisfy their constraints, without parameters as in Baumgarte's stabilization. A
velocity equation has no mu; a constraint on accelerations is used as it is. Rows that are redundant at the start are
left out. The Jacobian is computed by differences. lambda and mu are excluded from the error test: in index 2 their
errors do not indicate errors of q and v.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem

IDA_STEP_LIMIT = 1_000_000  # [steps] between two output times
MULTIPLIER_TOLERANCE = 1e20  # [force] absolute tolerance of multipliers, which excludes them from the error test
IDA_RANK_TOLERANCE = 1e-9  # [1] smallest singular value of unit rows below which the last one is dependent
EVER = (-np.inf, np.inf)
MISSING = (
    "The method 'ida' needs the package scikit-sundae, which is not installed: "
    'pip install "lienket[oracle]". Or choose another method.'
)
UNSUPPORTED = (
    "The method 'ida' does not support {names}: it requires ideal reactions along G^T and constraints linear in the "
    "accelerations. Choose another method."
)


@dataclass(frozen=True)
class IDAMotion:
    """States (N x 2 n) at the times that IDA reached, its message, and the time at which it stopped early (or None)."""

    rows: Array
    message: str
    stopped_at: float | None = None


def ida(
    problem: Problem, t0: float, q0: Array, v0: Array, times: Sequence[float], rtol: float = 1e-8, atol: float = 1e-10,
    between: tuple[float, float] = EVER, max_step: float = np.inf,
) -> IDAMotion:  # fmt: skip
    """Return the motion from a consistent state q0 (n), v0 (n) at t0 at the times (N), in non-decreasing order.

    The model is evaluated at times `between` two limits. IDA counts time from t0, so that large times do not limit its
    steps.
    """
    try:
        from sksundae.ida import IDA
    except ImportError as missing:
        raise LienketError(MISSING) from missing
    _check(problem)
    n, row_times = problem.n, np.asarray(times, dtype=float)
    q, v = np.asarray(q0, dtype=float), np.asarray(v0, dtype=float)
    start, slope, independent = _start(problem, float(np.clip(t0, *between)), q, v)
    grid = np.unique(np.concatenate(([t0], row_times))) - t0
    if len(grid) == 1:
        return IDAMotion(np.tile(start[: 2 * n], (len(row_times), 1)), "no time interval to integrate")
    indices = np.searchsorted(grid, row_times - t0)
    if len(grid) == 2:  # IDA takes two times as the ends of an interval and returns all its steps
        grid, indices = np.array([grid[0], grid.mean(), grid[1]]), 2 * indices
    tolerances = np.repeat([atol, MULTIPLIER_TOLERANCE], [2 * n, len(start) - 2 * n])
    solver = IDA(
        _residual(problem, independent, t0, between),
        algebraic_idx=list(range(2 * n, len(start))),
        rtol=rtol,
        atol=tolerances,
        max_num_steps=IDA_STEP_LIMIT,
        max_step=0.0 if max_step == np.inf else max_step,
    )
    solution = solver.solve(grid, start, slope)
    if not solution.success or len(solution.y) < len(grid):
        reached = indices[indices < len(solution.y)]
        return IDAMotion(np.array(solution.y[reached, : 2 * n]), str(solution.message), t0 + float(solution.t[-1]))
    return IDAMotion(np.array(solution.y[indices, : 2 * n]), str(solution.message))


def _check(problem: Problem) -> None:
    """Raise an error if a constraint has drives or is nonlinear in the accelerations."""
    nonlinear = problem.model.nonlinear
    names = [repr(c.name) for c in problem.model.constraints if c.drives or c.name in nonlinear]
    if names:
        raise LienketError(UNSUPPORTED.format(names=", ".join(names)))


def _residual(
    problem: Problem, independent: BoolArray, t0: float, between: tuple[float, float]
) -> Callable[[float, Array, Array, Array], None]:
    """Return residual(t - t0, y, y', out), y = (q, v, lambda of the independent rows, mu of the holonomic ones)."""
    n, k, level = problem.n, int(independent.sum()), problem.level[independent]
    holonomic, ends = level == 0, np.cumsum([n, n, k, int((level == 0).sum())])

    def residual(since: float, y: Array, rate: Array, out: Array) -> None:
        t = min(max(t0 + since, between[0]), between[1])
        q, v, multipliers, mu = (np.ascontiguousarray(x) for x in np.split(y, ends[:3]))
        a = rate[n : 2 * n]
        A, h, G, g0 = _blocks(problem, "terms", t, q, v)
        _, _, position, velocity, *_ = _blocks(problem, "surface", t, q, v)
        G = G[independent]
        out[:n] = rate[:n] - v - G[holonomic].T @ mu
        out[n : 2 * n] = A @ a - h - G.T @ multipliers
        out[2 * n : 2 * n + k] = np.where(level < 2, velocity[independent], G @ a + g0[independent])
        out[2 * n + k :] = position[independent][holonomic]

    return residual


def _start(problem: Problem, t: float, q: Array, v: Array) -> tuple[Array, Array, BoolArray]:
    """Return y, y' and which rows (s) are independent, at the start."""
    n, s = problem.n, problem.s
    A, h, G, g0 = _blocks(problem, "terms", t, q, v)
    independent = np.zeros(s, dtype=bool)
    size = np.linalg.norm(G, axis=1)
    for r in np.argsort(
        problem.level, kind="stable"
    ):  # holonomic rows first, since they constrain positions and velocities
        rows = [*np.flatnonzero(independent), r]
        unit = G[rows] / np.where(size[rows] > 0, size[rows], 1.0)[:, None]
        smallest = np.linalg.svd(unit, compute_uv=False)[-1]
        independent[r] = smallest > IDA_RANK_TOLERANCE if len(rows) <= n else False
    G, g0, k = G[independent], g0[independent], int(independent.sum())
    saddle = np.block([[A, -G.T], [G, np.zeros((k, k))]])
    solution = np.linalg.lstsq(saddle, np.concatenate((h, -g0)), rcond=None)[0]
    holonomic = int((problem.level[independent] == 0).sum())
    y = np.concatenate((q, v, solution[n:], np.zeros(holonomic)))
    return y, np.concatenate((v, solution[:n], np.zeros(k + holonomic))), independent


def _blocks(problem: Problem, name: str, t: float, q: Array, v: Array) -> list[Array]:
    """Return the blocks of a compiled function of the model at a state."""
    function = problem.model.function(name)
    return function.parts(function(float(t), q, v, problem.parameters, np.zeros(problem.model.inputs))[1])
