"""Forces of many states at which rows are redundant: which are not unique, and those within the laws of contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..foundation.arrays import Array, BoolArray, IntArray

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from .evaluation import Evaluation
    from .reactions.load_distribution import LoadedContact

REDUNDANT = 3  # status of a state with redundant rows, see `Evaluation.status`


def with_shared_loads(states: Evaluation, multipliers: Array, status: IntArray) -> Array:
    """Return the multipliers and drives (N x (s + p)); where contacts share a load, within their laws if possible."""
    model = states.model
    at = np.flatnonzero(status == REDUNDANT)
    if not len(at) or not any(c.contact is not None for c in model.constraints):
        return multipliers
    from .reactions.load_distribution import within_laws  # here, since most models have no contacts

    limits = _block(states, "normal_factors", "limits")
    rows, acting = rows_with_friction(states), _ideal_rows(model)
    shared = multipliers.copy()
    for k in at:
        contacts = _contacts(model, limits[k], acting)
        shared[k, acting] = within_laws(rows[k][acting], multipliers[k, acting], contacts)
    return shared


def not_unique(states: Evaluation, status: IntArray, at: IntArray | None = None) -> BoolArray:
    """Return which multipliers are not unique (N x s), at all states or some of them.

    Redundant rows G leave them open, and so do rows that balance with their friction. Where sliding contacts with
    different coefficients share a load, the motion depends on the distribution: their rows are of the first kind only.
    """
    model = states.model
    marked = np.zeros((len(status), model.s), dtype=bool)
    at = np.flatnonzero(status == REDUNDANT) if at is None else at
    if len(at):
        from .reactions.load_distribution import stressed_rows

        G, rows, acting = _block(states, "terms", "G"), rows_with_friction(states), _ideal_rows(model)
        for k in at:
            marked[k, acting] = np.logical_or(stressed_rows(G[k][acting]), stressed_rows(rows[k][acting]))
    return marked


def rows_with_friction(states: Evaluation) -> Array:
    """Return G + share direction (N x s x n): the generalized force of each row per multiplier."""
    model = states.model
    rows = _block(states, "terms", "G").copy()
    if not model.non_ideal or not len(states.t):
        return rows
    function = model.function("loads")
    loads = function.named(function.many(states.t, states.q, states.v, states.parameters, states._zero_inputs)[1])
    at = loads["rows"][0].astype(int)
    directions = loads["directions"].reshape(len(rows), len(at), model.n)
    rows[:, at] += loads["shares"][:, :, None] * directions
    return rows


def _block(states: Evaluation, function: str, name: str) -> Array:
    """Return one block of a function of the model at all states."""
    model, compiled = states.model, states.model.function(function)
    out = compiled.many(states.t, states.q, states.v, states.parameters, states._zero_inputs)[1]
    values = compiled.named(out)[name]
    return values.reshape(len(states.t), model.s, model.n) if name == "G" else values


def _ideal_rows(model: CompiledModel) -> IntArray:
    """Return the rows that exert G^T lambda: not those of programs."""
    rows = [k for c in model.constraints if c.kind != "program" for k in _span(model, c.name)]
    return np.array(rows, dtype=np.int64)


def _contacts(model: CompiledModel, limits: Array, acting: IntArray) -> list[LoadedContact]:
    """Return the closed contacts by their rows among those that act."""
    from .reactions.load_distribution import LoadedContact

    place = {int(row): k for k, row in enumerate(acting)}
    sticking = {c.holds: place[model.rows[c.name].start] for c in model.constraints if c.holds is not None}
    return [
        LoadedContact(place[model.rows[c.name].start], sticking.get(c.name, -1), float(limits[k]), c.contact.unilateral)
        for k, c in enumerate(model.constraints)
        if c.contact is not None and (c.contact.unilateral or c.contact.frictional)
    ]


def _span(model: CompiledModel, name: str) -> range:
    rows = model.rows[name]
    return range(rows.start, rows.stop)
