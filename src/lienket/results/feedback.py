"""Programs that are followed along a run: what their drives do about the errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel
from ..kernels.evaluation import Evaluation
from .row_values import RowValues

Array = Any


def feedback(numbers: RowValues) -> dict[str, Array]:
    """What each drive does in answer to program errors (N each): all that it does, less what it would do without."""
    run = numbers.run
    problems = [(run.problem, np.arange(len(run.t)))]
    if run.history is not None:
        problems = [(problem, rows) for _, problem, rows in run.history.groups()]
    found = {name: np.full(len(run.t), np.nan) for name in run.problem.model.drives}
    for problem, rows in problems:
        states = (rows.shape, run.t[rows], run.q[rows], run.v[rows], problem.parameters)
        whole, without = (Evaluation(model, *states).drives for model in (problem.model, _open(problem.model)))
        for name, values in whole.items():
            found[name][rows] = values - without[name]
    return found


def _open(model: CompiledModel) -> CompiledModel:
    """The model without feedback."""
    free, constraints, parameters, _ = model.definition
    nothing = tuple(
        replace(c, following=replace(c.following, gains=(c.following.gains[0] * 0, c.following.gains[1] * 0)))
        if c.following.gains is not None
        else c
        for c in constraints
    )
    return CompiledModel(free, nothing, parameters)
