"""Residuals that are rounding errors of the terms of their formulas, and count as zero in every audit."""

from __future__ import annotations

import numpy as np

from ..compiled.model import CompiledModel
from ..compiled.state_numbers import Evaluator
from .audit_limits import RESIDUAL_ROUNDING
from .elimination.metric import Array

LEVELS = ("position", "velocity", "acceleration")
States = tuple[Array, Array, Array, Array]  # t (N), q, v and accelerations (N x n)


def largest_not_rounding(
    change: Array, limit: float, model: CompiledModel, states: States, parameters: Array, name: str, level: str
) -> float:
    """Return the largest change (N x rows) that a constraint needs; beyond the limit, only if it is not rounding."""
    by_state = np.max(change, axis=1, initial=0.0)
    if not np.max(by_state, initial=0.0) > limit:
        return float(np.max(by_state, initial=0.0))
    evaluate = Evaluator(model)
    for k in np.argsort(-by_state):
        if not by_state[k] > limit or not _is_rounding(evaluate, tuple(x[k] for x in states), parameters, name, level):
            return float(by_state[k])
    return 0.0


def _is_rounding(evaluate: Evaluator, state: tuple[Array, ...], parameters: Array, name: str, level: str) -> bool:
    """Return whether the residuals of a constraint at one state are rounding of their terms."""
    t, q, v, a = state
    row = next(row for row in evaluate(t, q, v, parameters, a).rows if row.name == name)
    index = LEVELS.index(level)
    values = row.G @ a + row.g0 if index == 2 else getattr(row, level)
    sizes = row.sizes[index] + np.abs(row.G) @ np.abs((q, v, a)[index])
    return bool(np.all(np.abs(values) <= RESIDUAL_ROUNDING * sizes))
