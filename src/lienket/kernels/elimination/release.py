"""Release of a constraint (theory 4): D gains the direction that the constraint had bound.

    w = A^-1 G^T S^-1 e_j,  so that  G w = e_j,  D^T A w = 0,  w^T A w = (S^-1)_jj
    D <- [D, w/|w|_A],    a <- a - w lambda_j/(S^-1)_jj

Rows after the released one keep their order; Givens rotations of their directions keep G E lower triangular. Skipped
rows are added anew, since they may be independent of the remaining rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...foundation.arrays import Array
from .chain import NumericChain, Row, add, start


def release(chain: NumericChain, name: str) -> NumericChain:
    """Return the chain without the rows of the constraint of that name."""
    waiting = tuple(row for row in chain.skipped if row.name != name)
    indices = [j for j, row in enumerate(chain.accepted) if row.name == name]
    if not indices:
        return replace(chain, skipped=waiting)  # skipped rows depend on accepted rows, which do not change
    if chain.metric.massless.size:
        return _eliminated_again(chain, name)
    chain = replace(chain, skipped=())
    for j in reversed(indices):
        chain = _release_row(chain, j)
    for row in waiting:
        chain = add(chain, row)
    return chain


def _eliminated_again(chain: NumericChain, name: str) -> NumericChain:
    """Return the chain eliminated rebuilt from the free system: for a singular A there is no w."""
    rebuilt = start(chain.metric, chain.tolerance)
    for row in (*chain.accepted, *chain.skipped):
        rebuilt = add(rebuilt, row) if row.name != name else rebuilt
    return rebuilt


def _release_row(chain: NumericChain, j: int) -> NumericChain:
    """Return the chain without accepted row j."""
    A, h = chain.metric.A, chain.metric.h
    unit = np.zeros(len(chain.accepted))
    unit[j] = 1.0
    w = chain.lifted(unit)
    inertia = w @ A @ w
    D = np.hstack([chain.D, (w / np.sqrt(inertia))[:, None]])
    a = chain.a - w * ((w @ (A @ chain.a - h)) / inertia)  # w^T r = lambda_j
    accepted = chain.accepted[:j] + chain.accepted[j + 1 :]
    return replace(chain, D=D, a=a, accepted=accepted, directions=_directions_without(chain, j))


def _directions_without(chain: NumericChain, j: int) -> tuple[Array, ...]:
    """Return the directions of the other rows: neighbours from j on are rotated so that G E is triangular rebuilt."""
    E = [chain.E[:, k] for k in range(len(chain.directions))]
    rows: list[Row] = list(chain.accepted[:j] + chain.accepted[j + 1 :])
    for k in range(j, len(rows)):
        x, y = rows[k].J @ E[k], rows[k].J @ E[k + 1]
        length = np.hypot(x, y)
        c, s = x / length, y / length
        E[k], E[k + 1] = c * E[k] + s * E[k + 1], c * E[k + 1] - s * E[k]
    return tuple(E[: len(rows)])
