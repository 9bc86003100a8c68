"""Change of the motion that each constraint needs along a run, in units of the tolerances.

A change x of the positions removes a residual g of a row if G x = -g. The tolerance of coordinate i is
tol_i = atol_i + rtol |q_i|; the least change in these units is

    min max |x_i|/tol_i  subject to  G x = -g     =     |g| / sum |G_i| tol_i

and likewise for velocities. For accelerations, which have no tolerances, |G q'' + g0| is divided by |G| m + |g0|; m_i
is the larger of |q''_i| and |h_i|/A_ii, and a share of the largest accelerations of the run. A factor of the row
cancels everywhere, and a change of units too. A residual that is rounding of its terms counts as 0, so that rows whose
gradient vanishes are judged as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.audit_limits import RUN_ACCELERATION_LIMIT, RUN_RESIDUAL_LIMIT
from ...kernels.elimination.residual_scales import ACCELERATION_MOTION_SHARE
from ...kernels.evaluation import Evaluation
from ...kernels.rounding_residuals import LEVELS, largest_not_rounding
from ...simulation.problem import Problem
from ..row_values import RowValues

Array = Any

ROWS_AT_ONCE = 2048  # [rows] of a run at which matrices are evaluated together
LIMITS = (RUN_RESIDUAL_LIMIT, RUN_RESIDUAL_LIMIT, RUN_ACCELERATION_LIMIT)


@dataclass(frozen=True, eq=False)
class NeededChanges:
    """Largest change that each constraint needs, by level and name, and the energy that tolerances `atol` carry.

    A constraint that never acts has NaN.
    """

    by_level: dict[str, dict[str, float]]
    energy: float


def needed_changes(numbers: RowValues) -> NeededChanges:
    """Return the changes along the rows of a run; see the module."""
    run = numbers.run
    levels = {c.name: c.level for c in run.problem.model.constraints}
    by_level = {
        level: {name: np.nan for name, lowest in levels.items() if lowest <= k} for k, level in enumerate(LEVELS)
    }
    usual = np.max(np.abs(np.nan_to_num(numbers.solved[0])), axis=0, initial=0.0)
    energy = 0.0
    for problem, rows in _parts(numbers):
        evaluated = Evaluation(problem.model, rows.shape, run.t[rows], run.q[rows], run.v[rows], problem.parameters)
        energy = max(energy, _energy(evaluated, run.settings.atol))
        a = numbers.solved[0][rows]
        changes = _changes(evaluated, a, usual, run.settings) if problem.model.s else []
        states = (evaluated.t, evaluated.q, evaluated.v, a)
        for level, limit, change in zip(LEVELS, LIMITS, changes, strict=False):
            names = by_level[level]
            for name, part in _columns(problem).items():
                if name in names:
                    at = (problem.model, states, problem.parameters, name, level)
                    names[name] = float(np.fmax(names[name], largest_not_rounding(change[:, part], limit, *at)))
    return NeededChanges(by_level, energy)


def _parts(numbers: RowValues) -> Iterator[tuple[Problem, Array]]:
    """Yield the rows of a run, not too many at once, with the problem that holds there."""
    run = numbers.run
    groups = [(run.problem, np.arange(len(run.t)))] if run.history is None else None
    for problem, rows in groups or [(p, rows) for _, p, rows in run.history.groups()]:  # type: ignore[union-attr]
        for first in range(0, len(rows), ROWS_AT_ONCE):
            yield problem, rows[first : first + ROWS_AT_ONCE]


def _columns(problem: Problem) -> dict[str, slice]:
    """Return the rows of each constraint of a problem by name."""
    columns, first = {}, 0
    for c in problem.model.constraints:
        columns[c.name] = slice(first, first + len(c.expressions))
        first += len(c.expressions)
    return columns


def _changes(at: Evaluation, a: Array, usual: Array, settings: Any) -> list[Array]:
    """Return the changes of positions, velocities and accelerations that each row needs (N x s each)."""
    n = at.model.n
    G = np.abs(at.G)
    tolerances = [settings.atol[:n] + settings.rtol * np.abs(at.q), settings.atol[n:] + settings.rtol * np.abs(at.v)]
    scales = [_applied(G, x) for x in tolerances]
    accelerations = np.maximum(np.abs(a), _free_accelerations(at)) + ACCELERATION_MOTION_SHARE * usual
    scales.append(_applied(G, accelerations) + np.abs(at.g0))
    residuals = (at.position, at.velocity, np.nan_to_num(_applied(at.G, a) + at.g0))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        changes = [np.where(r == 0, 0.0, np.abs(r) / scale) for r, scale in zip(residuals, scales, strict=True)]
    return [np.where(np.isnan(x), np.inf, x) for x in changes]  # a motion that is not finite


def _free_accelerations(at: Evaluation) -> Array:
    """Return |h_i|/A_ii, the size of the accelerations without constraints (N x n); 0 for massless coordinates."""
    inertia = np.einsum("tii->ti", at.A)
    return np.where(inertia > 0, np.abs(at.h) / np.where(inertia > 0, inertia, 1.0), 0.0)


def _applied(G: Array, x: Array) -> Array:
    """Return G x at each of N states, N x s."""
    return np.einsum("tsi,ti->ts", G, x)


def _energy(at: Evaluation, atol: Array) -> float:
    """Return the largest energy that changes of q and v by `atol` carry: |dE/dy| atol + atol^T |A| atol/2."""
    n, function = at.model.n, at.model.function("balance")
    _, out = function.many(at.t, at.q, at.v, at.parameters, np.zeros((len(at.t), at.model.inputs)))
    slopes = np.abs(function.named(out)["by_q"]) @ atol[:n] + np.abs(function.named(out)["by_v"]) @ atol[n:]
    inertia = np.einsum("i,tij,j->t", atol[n:], np.abs(at.A), atol[n:]) / 2
    return float(np.max(np.nan_to_num(slopes + inertia), initial=0.0))
