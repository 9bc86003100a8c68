"""Residuals that are rounding errors of the terms of their formulas, and count as zero in every audit."""

from __future__ import annotations

import numpy as np

from ..compiled.state_numbers import Evaluator
from ..foundation.arrays import Array
from .audit_limits import RESIDUAL_ROUNDING
from .evaluation import Evaluation
from .projection import inertia_roots

LEVELS = ("position", "velocity", "acceleration")


def largest_not_rounding(change: Array, limit: float, at: Evaluation, a: Array, level: str) -> dict[str, float]:
    """Return the largest change (s x N) that each constraint needs, by name; beyond the limit only if not rounding.

    `at` are the N states, `a` (N x n) the accelerations. 0/0 is no change, anything else that is not finite infinite.
    """
    largest, worst = {}, change.max(axis=1, initial=0.0)
    for name, rows in at.model.rows.items():
        most = float(worst[rows].max(initial=0.0))
        largest[name] = most if most <= limit else _largest_checked(change[rows], limit, at, a, name, level)
    return largest


def _largest_checked(change: Array, limit: float, at: Evaluation, a: Array, name: str, level: str) -> float:
    """Return the largest change (rows x N) of one constraint, without those beyond the limit that are rounding."""
    evaluate = Evaluator(at.model)
    by_state = np.where(np.isnan(change), np.inf, change).max(axis=0, initial=0.0)
    for k in np.argsort(-by_state):
        state = (float(at.t[k]), at.q[k], at.v[k], a[k])
        if not by_state[k] > limit or not _is_rounding(evaluate, state, at.parameters, name, level):
            return float(by_state[k])
    return 0.0


def _is_rounding(
    evaluate: Evaluator, state: tuple[float, Array, Array, Array], parameters: Array, name: str, level: str
) -> bool:
    """Return whether the residuals of a constraint at one state are rounding of their terms; so is a missing one."""
    t, q, v, a = state
    if not np.isfinite(a).all():
        return level == LEVELS[2]  # without accelerations there is nothing to judge
    numbers = evaluate(t, q, v, parameters, a)
    row = next(row for row in numbers.rows if row.name == name)
    index = LEVELS.index(level)
    values = row.G @ a + row.g0 if index == 2 else getattr(row, level)
    motion = np.abs((q, v, a)[index])
    # The solution of coupled equations spreads the rounding of the largest motion, in the metric of A, to the others.
    root, unit = inertia_roots(numbers.A.diagonal())
    sizes = row.sizes[index] + np.abs(row.G) @ (motion + unit * (motion * root).max(initial=0.0))
    return bool(np.all(np.abs(values) <= RESIDUAL_ROUNDING * sizes))
