"""Taking a constraint away again (theory 4): D gains the direction the constraint had closed.

    w = A^-1 G^T S^-1 e_j,  so that  G w = e_j,  D^T A w = 0,  w^T A w = (S^-1)_jj
    D <- [D, w/|w|_A],    a <- a - w lambda_j/(S^-1)_jj

Rows after the released one keep their place; their directions are turned by Givens rotations so that G E stays
lower triangular. Rows that had been skipped are offered again: they may have news now.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .chain import NumericChain, Row, add, start
from .metric import Array


def release(chain: NumericChain, name: str) -> NumericChain:
    """The chain without the rows of the constraint of that name."""
    waiting = tuple(row for row in chain.skipped if row.name != name)
    taken = [j for j, row in enumerate(chain.accepted) if row.name == name]
    if not taken:
        return replace(chain, skipped=waiting)  # what was skipped stays skipped
    if chain.metric.massless.size:
        return _stepped_again(chain, name)
    chain = replace(chain, skipped=())
    for j in reversed(taken):
        chain = _release_row(chain, j)
    for row in waiting:
        chain = add(chain, row)
    return chain


def _stepped_again(chain: NumericChain, name: str) -> NumericChain:
    """From the free system on: without A^-1 the formula has no w."""
    again = start(chain.metric, chain.tolerance)
    for row in (*chain.accepted, *chain.skipped):
        again = add(again, row) if row.name != name else again
    return again


def _release_row(chain: NumericChain, j: int) -> NumericChain:
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
    """The directions of the other rows: each pair of neighbours from j on is turned so that G E is triangular again."""
    E = [chain.E[:, k] for k in range(len(chain.directions))]
    rows: list[Row] = list(chain.accepted[:j] + chain.accepted[j + 1 :])
    for k in range(j, len(rows)):
        x, y = rows[k].J @ E[k], rows[k].J @ E[k + 1]
        length = np.hypot(x, y)
        c, s = x / length, y / length
        E[k], E[k + 1] = c * E[k] + s * E[k + 1], c * E[k + 1] - s * E[k]
    return tuple(E[: len(rows)])
