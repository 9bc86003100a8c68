"""Feedback along a run: the part of each drive that responds to program errors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..compiled.model import CompiledModel
from ..foundation.arrays import Array
from ..kernels.evaluation import Evaluation
from .row_values import RowValues


def feedback(numbers: RowValues) -> dict[str, Array]:
    """Return the feedback part of each drive (N each): its force minus its force with all gains 0."""
    run = numbers.run
    problems = [(run.problem, np.arange(len(run.t)))]
    if run.history is not None:
        problems = [(problem, rows) for _, problem, rows in run.history.groups()]
    parts = {name: np.full(len(run.t), np.nan) for name in run.problem.model.drives}
    for problem, rows in problems:
        states = (rows.shape, run.t[rows], run.q[rows], run.v[rows], problem.parameters)
        models = (problem.model, _without_feedback(problem.model))
        total, open_loop = (Evaluation(model, *states).drives for model in models)
        for name, values in total.items():
            parts[name][rows] = values - open_loop[name]
    return parts


def _without_feedback(model: CompiledModel) -> CompiledModel:
    """Return the model with all gains 0."""
    free, constraints, parameters, _ = model.definition
    open_loop = tuple(
        replace(c, following=replace(c.following, gains=(c.following.gains[0] * 0, c.following.gains[1] * 0)))
        if c.following.gains is not None
        else c
        for c in constraints
    )
    return CompiledModel(free, open_loop, parameters)
