"""Share of each constraint in the reaction: r = sum of G_i^T lambda_i (theory 6).

With redundant constraints the total r is unique and its shares are not; the multipliers are those of least norm, and
the constraints concerned are named. With G_all = K G, G the accepted rows, lambda solves K^T lambda = mu.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..elimination.chain import NumericChain, Row


@dataclass(frozen=True)
class Shares:
    """Multipliers and reactions (n each) by name, and the names of constraints whose share is not unique.

    Each constraint has one multiplier per row, in the order of the statement.
    """

    multipliers: dict[str, Array]
    reactions: dict[str, Array]
    not_unique: tuple[str, ...]


def reaction(chain: NumericChain) -> Array:
    """Return the reaction r = A q'' - h in unscaled coordinates, n.

    D^T r is rounding, which can be large beside r if heavy parts move freely; it is removed: r - A D (D^T r).
    """
    A, D = chain.metric.A, chain.D[:, : chain.D.shape[1] - chain.massless]
    r = A @ chain.a - chain.metric.h
    r = r - A @ (D @ (D.T @ r))
    return r / chain.metric.scale


def shares(chain: NumericChain, names: Sequence[str]) -> Shares:
    """Return the shares of the named constraints, all of whose rows are in the chain."""
    rows: list[Row] = sorted((*chain.accepted, *chain.skipped), key=lambda row: (names.index(row.name), row.number))
    accepted = {id(row): i for i, row in enumerate(chain.accepted)}
    mu = chain.multipliers(reaction(chain) * chain.metric.scale)
    K = np.zeros((len(rows), len(chain.accepted)))
    mixed: set[str] = set()
    for k, row in enumerate(rows):
        if id(row) in accepted:
            K[k, accepted[id(row)]] = 1.0
            continue
        K[k] = chain.coefficients(row.J)
        mixed |= {row.name} | {chain.accepted[i].name for i in np.flatnonzero(K[k])}
    values = np.linalg.lstsq(K.T, mu, rcond=None)[0] if chain.skipped else K @ mu
    multipliers = {
        name: np.array([x for x, row in zip(values, rows, strict=True) if row.name == name]) for name in names
    }
    reactions = {name: np.zeros(len(chain.a)) for name in names}
    for x, row in zip(values, rows, strict=True):
        reactions[row.name] = reactions[row.name] + x * row.J / chain.metric.scale
    return Shares(multipliers, reactions, tuple(name for name in names if name in mixed))
