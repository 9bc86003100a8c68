"""Taking a constraint away again (theory 4): D gains the direction the constraint had closed.

    w = A^-1 G^T S^-1 e_j,  so that  G w = e_j,  D^T A w = 0,  w^T A w = (S^-1)_jj
    D <- [D, w/|w|_A],    a <- a - w lambda_j/(S^-1)_jj

Rows after the released one keep their place; their directions are turned by Givens rotations so that G E stays
lower triangular. Rows that had been skipped are offered again: they may have news now.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .chain import Chain, Row, add
from .metric import MASSLESS, Array


def release(chain: Chain, name: str) -> Chain:
    """The chain without the rows of the constraint of that name."""
    waiting = tuple(row for row in chain.skipped if row.name != name)
    chain = replace(chain, skipped=())
    taken = [j for j, row in enumerate(chain.accepted) if row.name == name]
    for j in reversed(taken):
        chain = _release_row(chain, j)
    for row in waiting:
        # Where nothing was taken away, what was skipped stays skipped.
        chain = add(chain, row) if taken else replace(chain, skipped=(*chain.skipped, row))
    return chain


def _release_row(chain: Chain, j: int) -> Chain:
    A, h = chain.metric.A, chain.metric.h
    unit = np.zeros(len(chain.accepted))
    unit[j] = 1.0
    w = chain.lifted(unit)
    momentum = chain.metric.massive.T @ (A @ w)  # w^T A w = |momentum|^2, also where w leans far on massless directions
    inertia = momentum @ momentum
    massive = chain.D.shape[1] - chain.massless
    accepted = chain.accepted[:j] + chain.accepted[j + 1 :]
    directions = _directions_without(chain, j)
    if inertia <= MASSLESS * len(w) * (w @ w):
        # Nothing with mass moves along w: the acceleration along it is open again.
        D = np.hstack([chain.D, (w / np.linalg.norm(w))[:, None]])
        return replace(chain, D=D, massless=chain.massless + 1, accepted=accepted, directions=directions)
    column = (w / np.sqrt(inertia))[:, None]
    D = np.hstack([chain.D[:, :massive], column, chain.D[:, massive:]])
    a = chain.a - w * ((w @ (A @ chain.a - h)) / inertia)  # w^T r = lambda_j
    if chain.metric.massless.size:
        # Rotations keep directions orthogonal in the metric of A only if all of them carry mass.
        push = A @ w / inertia
        directions = tuple(e - w * (push @ e) for e in directions)
    return replace(chain, D=D, a=a, accepted=accepted, directions=directions)


def _directions_without(chain: Chain, j: int) -> tuple[Array, ...]:
    """The directions of the other rows: each pair of neighbours from j on is turned so that G E is triangular again."""
    E = [chain.E[:, k] for k in range(len(chain.directions))]
    rows: list[Row] = list(chain.accepted[:j] + chain.accepted[j + 1 :])
    for k in range(j, len(rows)):
        x, y = rows[k].J @ E[k], rows[k].J @ E[k + 1]
        length = np.hypot(x, y)
        c, s = x / length, y / length
        E[k], E[k + 1] = c * E[k] + s * E[k + 1], c * E[k + 1] - s * E[k]
    return tuple(E[: len(rows)])
