"""Random systems with a singular inertia matrix: some coordinates or some directions have no mass."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from stages import Stages
from systems import GAP, Plan, System, combinations_of, constraints_of, inertia, plans, unit_rows


@dataclass(frozen=True)
class Massless:
    """A plan with `count` massless directions; with `coordinates`, these are coordinates.

    Rows that are `blind` have no component along them, up to rounding. A determines the directions up to eps times
    the ratio of the masses; that ratio is 1e4 at most where such rows are drawn.
    """

    plan: Plan
    count: int
    coordinates: bool
    blind: bool


@st.composite
def massless_plans(draw, constraints=1, spread=8):
    blind, coordinates = draw(st.booleans()), draw(st.booleans())
    plan = draw(plans(constraints=constraints, least=2, spread=spread if coordinates or not blind else min(spread, 4)))
    count = draw(st.integers(1, min(3, sum(plan.groups))))
    return Massless(plan, count, coordinates, blind)


def massless(drawn, share=0.2):
    """Return a consistent system whose constraints bind every massless direction, and a basis of these (n x count)."""
    plan, rng = drawn.plan, drawn.plan.rng
    X = combinations_of(rng, sum(plan.groups), share)
    A, Z = _inertia(rng, drawn, min(drawn.count, X.shape[1]))
    pool = _binding_rows(rng, A, Z, X.shape[1], drawn.blind)
    h, g0 = rng.normal(size=plan.n), rng.normal(size=len(pool))
    groups = constraints_of(plan.groups, X @ pool, X @ g0)
    return System(A, h, groups, X, pool, g0), Z


def _inertia(rng, drawn, count):
    """Return A with masses up to 1, and the massless directions."""
    n, spread = drawn.plan.n, drawn.plan.spread
    if drawn.coordinates:
        order = rng.permutation(n)
        A = np.zeros((n, n))
        A[np.ix_(order[count:], order[count:])] = inertia(rng, n - count, spread, drawn.plan.correlated)
        return A / max(np.max(A), 1e-300), np.eye(n)[:, order[:count]]
    tilt = 10.0 ** rng.uniform(-4 * (rng.random() < 0.5), 0, n)  # some coordinates have small components
    Q = np.linalg.qr(np.hstack([rng.normal(size=(n, count)) * tilt[:, None], rng.normal(size=(n, n - count))]))[0]
    M = Q[:, count:] * 10.0 ** (-rng.uniform(0, spread / 2, n - count))
    return M @ M.T, Q[:, :count]


def _binding_rows(rng, A, Z, s, blind):
    while True:
        G = rng.normal(size=(s, len(A))) * (rng.random() < 0.5 or rng.random((s, len(A))) < 0.6)
        blinded = rng.permutation(s)[Z.shape[1] :] if blind else []
        for _ in range(2):  # the second pass removes rounding errors
            G[blinded] -= G[blinded] @ Z @ Z.T
            G[blinded] /= np.linalg.norm(G[blinded], axis=1, keepdims=True) + 1e-300
        lengths = np.linalg.norm(G, axis=1)
        if np.all(lengths > 0) and _clear(A, Z, G / lengths[:, None]):
            return G / lengths[:, None]


def _clear(A, Z, G):
    """Return whether the rows are clearly independent and each binds massless directions clearly or not at all."""
    for k in range(1, len(G) + 1):
        values = np.linalg.svd(G[:k] @ Z)[1]
        if np.any((values < 1e-3) & (values > 1e-10)):
            return False
    return values[-1] > 1e-3 and np.linalg.svd(unit_rows(A + G.T @ G, G)[0])[1][-1] > GAP


def stages(system, Z):
    """Return the error bounds of a system with massless directions."""
    X = np.abs(system.X[system.news])
    return Stages(*system.independent, X @ np.abs(system.pool), X @ np.abs(system.pool_g0), Z)
