"""Check whether the reaction of a contact is a force at its stated point: J^T F = G^T on the constraint.

A factor of the constraint, g f(q), adds g df/dq to G, which vanishes where g = 0 only. The equation is therefore tried
at states that satisfy the constraint, found by Newton's method from random ones.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import symengine as se

from ...language.engine.data_functions import generic
from ...language.engine.zero_test import vanishes
from ...language.expression import EngineExpression
from ..statement import Statement

if TYPE_CHECKING:
    from ...foundation.arrays import Array

STATES_TRIED = 12  # [states] random states from which one on the constraint is sought
STATES_NEEDED = 3  # [states] states on the constraint that decide
NEWTON_STEPS = 80  # [iterations] of Newton's method for a state on the constraint
SHORTEST_STEP = 1e-6  # [1] share of a Newton step below which the iteration is given up
ON_CONSTRAINT = 1e-11  # [1] last step of the iteration, relative to the motion, at which it ends
FORCE_RESIDUAL = 1e-8  # [1] residual J^T F - G^T, relative to G, that counts as rounding
SEED = 19671  # fixed seed, so that the result is reproducible


def acts_at_point(
    row: tuple[EngineExpression, list[EngineExpression], list[se.Symbol]],
    rest: list[EngineExpression],
    statement: Statement,
) -> bool:
    """Return whether `rest` = J^T F - G^T vanishes on the constraint; `row` is (g, G, variables of G)."""
    if all(vanishes(e) for e in rest):
        return True
    (g, G, unknown), n = row, len(row[1])
    expressions = [generic(e) for e in (g, *G, *rest)]
    symbols = sorted({s for e in expressions for s in e.free_symbols} | set(unknown), key=str)
    known = {se.Symbol(str(p)): float(x) for p, x in statement.values if x.is_number}
    values_of, source = se.Lambdify(symbols, expressions), random.Random(SEED)
    at, decided = [symbols.index(s) for s in unknown], 0
    for _ in range(STATES_TRIED):
        state = np.array([known.get(s, source.uniform(0.5, 1.5)) for s in symbols])
        values = _on_constraint(values_of, state, at)
        if values is None:
            continue
        decided += 1
        if not np.abs(values[1 + n :]).max() <= FORCE_RESIDUAL * np.abs(values[1 : 1 + n]).max():
            return False
        if decided == STATES_NEEDED:
            break
    return decided > 0


def _on_constraint(values_of: se.Lambdify, state: Array, at: list[int]) -> Array | None:
    """Return g, G and the rest at a state on the constraint, reached by damped Newton steps; None if there is none."""
    values, damping = _values(values_of, state), 1.0
    for _ in range(NEWTON_STEPS):
        gradient = values[1 : 1 + len(at)]
        size = float(gradient @ gradient)
        if not np.isfinite(values).all() or size == 0:
            return None
        step = gradient * (values[0] / size)
        if np.abs(step).max() <= ON_CONSTRAINT * (1 + np.abs(state[at]).max()):
            return values
        trial = state.copy()
        trial[at] -= damping * step
        there = _values(values_of, trial)
        if abs(there[0]) < abs(values[0]):
            state, values, damping = trial, there, min(1.0, 2 * damping)
        elif damping < SHORTEST_STEP:
            return None
        else:
            damping /= 4
    return None


def _values(values_of: se.Lambdify, state: Array) -> Array:
    return np.asarray(values_of(state), dtype=float).ravel()
