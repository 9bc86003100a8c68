"""State moved onto its constraints, where rows that are dependent there are recognized.

Beside the constraints, as with positions typed in a few digits, rows of an overconstrained linkage are independent, or
contradict each other, by as much as the state is off. Which rows are dependent is therefore decided at the nearest
state on the constraints, if that is near.
"""

from __future__ import annotations

import numpy as np

from ..compiled.state_numbers import Evaluator, StateNumbers
from ..foundation.arrays import Array
from .elimination.chain import NumericChain
from .projection import PROJECTION_ROUNDING, Surface, project, sizes_of

NEARLY_DEPENDENT_PIVOT = 1e-2  # [1] part of a row independent of those before it, relative, below which it is examined
NEAR_DISTANCE = 1e-2  # [1] way to the constraints, relative to the position, up to which a state counts as near them


def nearly_dependent(chain: NumericChain) -> bool:
    """Return whether the chain has skipped rows, or accepted ones that are nearly dependent."""
    if chain.skipped:
        return True
    if chain.least_share >= NEARLY_DEPENDENT_PIVOT:  # without rows it is infinite
        return False
    sizes = np.sqrt(_squares(chain.G @ chain.metric.massive))
    if chain.metric.massless.size:
        sizes = sizes + np.sqrt(_squares(chain.G @ chain.metric.massless))
    return bool((np.abs(chain.L.diagonal()) < NEARLY_DEPENDENT_PIVOT * sizes).any())


def _squares(rows: Array) -> Array:
    """Return the square of the length of each row."""
    return np.einsum("ij,ij->i", rows, rows)


def on_constraints(evaluator: Evaluator, numbers: StateNumbers, parameters: Array) -> StateNumbers | None:
    """Return the numbers at the nearest state on the constraints; None if the state is on them already, or far off.

    Programs are left out: a motion may deviate from them.
    """
    q, v = numbers.q, numbers.v
    if max(_offset(_surface(numbers, "position"), q), _offset(_surface(numbers, "velocity"), v)) <= PROJECTION_ROUNDING:
        return None
    moved = projected(evaluator, numbers.t, q, v, parameters)
    units = np.sqrt(np.maximum(numbers.A.diagonal(), 0.0))
    near = moved is not None and np.max(units * np.abs(moved.q - q)) <= NEAR_DISTANCE * np.max(units * np.abs(q))
    return moved if near else None


def projected(evaluator: Evaluator, t: float, q: Array, v: Array, parameters: Array) -> StateNumbers | None:
    """Return the numbers at the state q, v (n each) projected onto the constraints; None if that fails."""
    rest = np.zeros(len(q))
    with np.errstate(all="ignore"):
        at_q, code = project(lambda x: _surface(evaluator(t, x, rest, parameters), "position"), q)
        if code < 0:
            return None
        at_v, code = project(lambda x: _surface(evaluator(t, at_q, x, parameters), "velocity"), v)
        moved = evaluator(t, at_q, at_v, parameters)
    return moved if code >= 0 and moved.finite else None


def _surface(numbers: StateNumbers, level: str) -> Surface:
    """Return A, G, residuals and the sizes of their terms of the constraints of a level, without programs."""
    rows = [row for row in numbers.rows if len(getattr(row, level)) and not row.program]
    if not rows:
        return Surface(numbers.A, np.zeros((0, len(numbers.q))), np.zeros(0), np.zeros(0))
    parts = ((row.G, getattr(row, level), row.sizes[int(level == "velocity")]) for row in rows)
    return Surface(numbers.A, *(np.concatenate(part) for part in zip(*parts, strict=True)))


def _offset(surface: Surface, x: Array) -> float:
    """Return the largest residual relative to its terms."""
    sizes = sizes_of(surface, x)
    return float(np.max(np.abs(surface.residual) / np.where(sizes > 0, sizes, 1.0), initial=0.0))
