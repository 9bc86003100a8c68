"""Making the audit of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..elimination.verdict import CONTRADICTORY
from .audit import Audit
from .methods import METHODS
from .metric import Array
from .sizes import sizes
from .verdicts import undetermined

if TYPE_CHECKING:
    from .state import State


def audit(state: State) -> Audit:
    """Residuals as shares of the terms they are made of; see Audit."""
    position: dict[str, float] = {}
    velocity: dict[str, float] = {}
    residuals: dict[str, dict[str, float]] = {"position": {}, "velocity": {}, "acceleration": {}}
    scales = {row.name: sizes(state.chain, state.numbers, row) for row in state.numbers.rows}
    for row in state.numbers.rows:
        for level, (name, shares) in enumerate((("position", position), ("velocity", velocity))):
            values = getattr(row, name)
            if len(values):
                residuals[name][row.name] = float(np.max(np.abs(values)))
                shares[row.name] = float(np.max(_share(values, scales[row.name][level])))
    verdicts = state.verdicts
    if state.chain.massless or any(v.status == CONTRADICTORY for v in verdicts.values()):
        nothing = dict.fromkeys(verdicts, np.nan)
        remark = undetermined(state.chain, state.names) if state.chain.massless else ""
        return Audit(position, velocity, nothing, np.nan, np.nan, np.nan, None, residuals, verdicts, remark)
    a = state.accelerations
    acceleration = {}
    for row in state.numbers.rows:
        values = row.G @ a + row.g0
        residuals["acceleration"][row.name] = float(np.max(np.abs(values)))
        acceleration[row.name] = float(np.max(_share(values, scales[row.name][2])))
    return Audit(
        position, velocity, acceleration, _equations(state), _ideality(state), _power(state), _methods(state),
        residuals, verdicts,
    )  # fmt: skip


def _share(values: Array, sizes: Array) -> Array:
    return np.abs(values) / np.where(sizes > 0, sizes, 1.0)


def _largest(values: Array, sizes: Array, scale: Array) -> float:
    """The largest value against the largest size, both scaled so that forces and torques compare."""
    return float(_share(np.max(np.abs(values) * scale, initial=0.0), np.max(sizes * scale, initial=0.0)))


def _equations(state: State) -> float:
    """A q'' - h - r with r put together again from the shares of the constraints."""
    total = sum(state.reactions.values(), np.zeros(len(state.h)))
    values = state.A @ state.accelerations - state.h - total
    sizes = np.abs(state.A) @ np.abs(state.accelerations) + np.abs(state.h) + np.abs(total)
    return _largest(values, sizes, state.chain.metric.scale)


def _ideality(state: State) -> float:
    """D^T (r - c), c what is not ideal and what programs exert, in the basis of the chain."""
    chain = state.chain
    D = chain.D * chain.metric.scale[:, None]
    r = state.reaction - sum(state.exerted.values(), np.zeros(len(state.h)))
    pushes = np.abs(chain.metric.massive).T @ (chain.metric.scale * (np.abs(r) + np.abs(state.h)))
    return float(_share(np.max(np.abs(D.T @ r), initial=0.0), np.max(pushes, initial=0.0)))


def _power(state: State) -> float:
    """d(T2 - T0)/dt + dT/dt|_explicit - v^T (Q + r): stored against supplied (theory 15)."""
    numbers = state.numbers
    factors = np.concatenate([state.v, [1.0]])
    force = numbers.Q + state.reaction
    driven = state.A @ state.accelerations
    value = numbers.storing @ factors + state.v @ driven - state.v @ force
    sizes = np.abs(driven) + np.abs(numbers.Q) + np.abs(state.reaction)
    size = np.abs(numbers.storing) @ np.abs(factors) + np.abs(state.v) @ sizes
    return float(_share(value, size))


def _methods(state: State) -> float | None:
    """The largest difference between the four methods for r; they need a regular A and are for ideal constraints."""
    chain = state.chain
    if chain.metric.massless.size or state.exerted:
        return None
    scale = chain.metric.scale
    found = [method(chain.metric.A, chain.metric.h, chain.G, chain.g0) / scale for method in METHODS.values()]
    sizes = np.max(np.abs(np.array(found)), axis=0) + np.abs(state.h)
    return max(_largest(r - state.reaction, sizes, scale) for r in found)
