"""Random constrained systems A q'' = h + r, G q'' + g0 = 0, drawn by a few integers that hypothesis can shrink.

Rows are drawn independent with a clear gap to dependence: seen in the metric of A and made unit vectors, their least
singular value is at least GAP, far from the rank tolerance 1e-9 of the kernels. Dependent rows are combinations X of
such rows with small integers, so that X determines all dependencies exactly.
"""

import os
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from exact import Bound, exact
from hypothesis import strategies as st
from random_cases import random_cases

from lienket.compiled.state_numbers import RowNumbers, StateNumbers
from lienket.kernels.solve_state import eliminate
from lienket.kernels.state import State

TOTAL = int(os.environ.get("LIENKET_SYSTEMS", "2000"))
GAP = 1e-5


def examples(percent):
    """Return the decorator for this share of LIENKET_SYSTEMS random systems (2 000 by default); see `random_cases`."""
    return random_cases(max(1, round(TOTAL * percent / 100)))


@dataclass(frozen=True)
class Plan:
    """The data from which a system is drawn; `spread` is the decimal exponent of its largest ratio of masses."""

    seed: int
    n: int
    groups: tuple[int, ...]  # rows of each constraint
    spread: int
    correlated: bool

    @property
    def rng(self):
        return np.random.default_rng(self.seed)


@st.composite
def plans(draw, least=1, constraints=1, spread=8):
    """Draw plans with n from `least` to 12 coordinates, `constraints` constraints or more and at most n rows."""
    n = draw(st.integers(least, 12))
    groups = []
    for rows in draw(st.lists(st.integers(1, 3), min_size=constraints, max_size=6)):
        room = n - sum(groups) - max(0, constraints - len(groups) - 1)
        groups += [min(rows, room)] if room > 0 else []
    exponent = draw(st.integers(0, spread))
    return Plan(draw(st.integers(0, 2**32 - 1)), n, tuple(groups), exponent, draw(st.booleans()))


@dataclass(frozen=True)
class System:
    """A, h and constraints; X (rows x pool) gives each row as a combination of the independent rows of a pool."""

    A: np.ndarray
    h: np.ndarray
    groups: tuple[RowNumbers, ...]
    X: np.ndarray
    pool: np.ndarray
    pool_g0: np.ndarray

    @property
    def names(self):
        return tuple(group.name for group in self.groups)

    @property
    def G(self):
        return np.concatenate([group.G for group in self.groups] or [np.zeros((0, len(self.h)))])

    @property
    def g0(self):
        return np.concatenate([group.g0 for group in self.groups] or [np.zeros(0)])

    @property
    def labels(self):
        return [(group.name, k) for group in self.groups for k in range(len(group.g0))]

    @cached_property
    def news(self):
        """Indices of the rows that do not follow from rows before them."""
        taken = []
        for k in range(len(self.X)):
            if rank(self.X[[*taken, k]]) > len(taken):
                taken.append(k)
        return taken

    @property
    def independent(self):
        """A, h, G, g0 with the independent rows only."""
        return self.A, self.h, self.G[self.news], self.g0[self.news]

    @property
    def K(self):
        """All rows as combinations of the independent ones."""
        return self.X @ np.linalg.pinv(self.X[self.news]) if self.news else np.zeros((len(self.X), 0))

    @cached_property
    def bound(self):
        """Error bounds of answers; the entries of a row have the error of the combination it was made by."""
        X = np.abs(self.X[self.news])
        return Bound(*self.independent, X @ np.abs(self.pool), X @ np.abs(self.pool_g0))

    def state(self):
        n = len(self.h)
        names = tuple(f"q{i}" for i in range(n))
        numbers = StateNumbers(
            0.0, np.zeros(n), np.zeros(n), self.A, self.h, self.h, np.zeros(n + 1), tuple(self.groups)
        )
        return State(names, numbers, eliminate(numbers))

    def only(self, names):
        """Return the system with the constraints of these names, in this order."""
        rows = [[k for k, (name, _) in enumerate(self.labels) if name == wanted] for wanted in names]
        by_name = {group.name: group for group in self.groups}
        chosen = [k for numbers in rows for k in numbers]
        return replace(self, groups=tuple(by_name[name] for name in names), X=self.X[chosen])

    def without(self, name):
        return self.only([other for other in self.names if other != name])

    def in_units(self, units, rows):
        """Return this system with coordinates q/units and each row multiplied by its entry of `rows`."""
        sizes = [len(group.g0) for group in self.groups]
        groups = constraints_of(sizes, self.G * units * rows[:, None], self.g0 * rows, self.names)
        A, h = self.A * units * units[:, None], self.h * units
        return replace(self, A=A, h=h, groups=groups, X=self.X * rows[:, None], pool=self.pool * units)


def constraint(name, G, g0, E=None, drives=()):
    """Return the numbers of a constraint stated by accelerations; with E and drives, those of a program."""
    s, n = G.shape
    sizes = np.vstack([np.zeros((2, s)), np.abs(g0)])
    E = np.zeros((n, 0)) if E is None else E
    kind = "program" if drives else "acceleration"
    return RowNumbers(name, kind, G, g0, np.zeros(0), np.zeros(0), sizes, E, tuple(drives))


def rank(X):
    """Return the rank of rows of small integers, each up to a factor."""
    sizes = np.linalg.norm(X, axis=1, keepdims=True)
    return np.linalg.matrix_rank(X / np.where(sizes > 0, sizes, 1.0), tol=1e-6) if X.size else 0


def grouped(sizes, rows):
    """Return the rows cut into pieces of these sizes."""
    return np.split(rows, np.cumsum(sizes)[:-1])


def constraints_of(sizes, G, g0, names=None):
    """Return constraints with these numbers of rows, named c1, c2, ... unless `names` is passed."""
    names = names or [f"c{k}" for k in range(1, len(sizes) + 1)]
    return tuple(map(constraint, names, grouped(sizes, G), grouped(sizes, g0)))


def inertia(rng, n, spread, correlated):
    """Return a symmetric positive definite matrix; masses spread over `spread` decades along axes or any directions."""
    masses = 10.0 ** rng.uniform(-spread / 2, spread / 2, n)
    if correlated:
        Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
        A = (Q * masses) @ Q.T
    else:
        M = np.eye(n) + 0.3 * rng.normal(size=(n, n)) / np.sqrt(n)
        A = M @ M.T * np.sqrt(masses) * np.sqrt(masses)[:, None]
    return (A + A.T) / 2


def forces(rng, A):
    """Return forces that make all accelerations of similar size, or that are of similar size themselves."""
    sizes = np.sqrt(np.diag(A)) if rng.random() < 0.5 else 1.0
    return rng.normal(size=len(A)) * sizes


def unit_rows(A, G):
    """Return the rows as unit vectors in the metric of A, and their lengths in it."""
    scale = 1 / np.sqrt(np.diag(A))
    L = np.linalg.cholesky(A * scale * scale[:, None])
    seen = np.linalg.solve(L, (G * scale).T).T
    lengths = np.linalg.norm(seen, axis=1)
    return seen / lengths[:, None], lengths


def lengths_of(system):
    """Return the lengths of all rows in the metric of A."""
    return np.linalg.norm((system.G * system.bound.scale) @ system.bound.back.T, axis=1)


def split_bound(system, moved):
    """Return the bound for multipliers of least norm: K^T lambda = mu, |K^+| <= 1, mu off by k (|dy| + rounding).

    K itself is computed from rows that are off by w eps: |dK| <= k w eps, in units of the lengths of the rows; it turns
    K^+ by at most 2 |dK| since |K^+| <= 1.
    """
    bound = system.bound
    lengths = lengths_of(system)
    ratio = np.max(lengths, initial=1.0) / np.min(lengths, initial=1.0)
    wrong = bound.multipliers + bound.k * moved
    if len(system.news) == len(system.X):
        return wrong
    pulled = np.linalg.norm(bound.back @ ((system.A @ system.state().accelerations - system.h) * bound.scale))
    mixing = 2 * bound.unit * bound.k * bound.w * ratio * np.sqrt(len(system.X))
    return ratio * (wrong + mixing * bound.k * pulled)


def independent_rows(rng, A, s):
    """Return rows (s x n) of unit length in the metric of A, full or sparse, with a clear gap to dependence."""
    n = len(A)
    if s == 0:
        return np.zeros((0, n))
    while True:
        dense = rng.random() < 0.5
        G = rng.normal(size=(s, n)) * (dense | (rng.random((s, n)) < 0.4))
        if np.all(np.any(G, axis=1)):
            seen, lengths = unit_rows(A, G)
            if np.linalg.svd(seen, compute_uv=False)[-1] > GAP:
                return G / lengths[:, None]


def free_system(plan):
    """Return the generator of the plan with A and h drawn from it."""
    rng = plan.rng
    A = inertia(rng, plan.n, plan.spread, plan.correlated)
    return rng, A, forces(rng, A)


def independent(plan):
    """Return a system of independent constraints."""
    rng, A, h = free_system(plan)
    s = sum(plan.groups)
    G = independent_rows(rng, A, s)
    g0 = rng.normal(size=s) * 10.0 ** rng.uniform(-1, 1)
    return System(A, h, constraints_of(plan.groups, G, g0), np.eye(s), G, g0)


def dependent(plan, share=0.5):
    """Return a consistent system of which about this share of the rows copies, scales or combines rows before it."""
    rng, A, h = free_system(plan)
    X = combinations_of(rng, sum(plan.groups), share)
    pool = independent_rows(rng, A, X.shape[1])
    g0 = rng.normal(size=len(pool)) * 10.0 ** rng.uniform(-1, 1)
    return System(A, h, constraints_of(plan.groups, X @ pool, X @ g0), X, pool, g0)


def combinations_of(rng, s, share):
    """Return X (s x pool): about this share of the s rows follows from rows before, by small integers and a factor."""
    rows, factors, pool = [np.eye(s)[0]], [1.0], 1
    for _ in range(s - 1):
        if rng.random() < share:
            rows.append(_combination(rng, rows))
            factors.append(10.0 ** rng.uniform(-3, 3) if rng.random() < 0.3 else 1.0)
        else:
            rows.append(np.eye(s)[pool])
            factors.append(1.0)
            pool += 1
    return np.array(rows)[:, :pool] * np.array(factors)[:, None]


def _combination(rng, rows):
    """Return a copy or a sum of multiples of up to three rows, with integers up to 30."""
    while True:
        newest = rng.random() < 0.5  # so that later rows often follow from combinations before them
        chances = np.exp(np.arange(len(rows)) * 1.0 * newest)
        count = min(len(rows), rng.integers(1, 4))
        chosen = rng.choice(len(rows), size=count, replace=False, p=chances / np.sum(chances))
        weights = rng.choice([-1, 1] if count == 1 else [-3, -2, -1, 1, 2, 3], size=count)
        row = weights @ np.array([rows[k] for k in chosen])
        if 0 < np.max(np.abs(row)) <= 30:
            return row


def contradict(system, number, rng):
    """Return the system with g0 of one row changed by 1 to 100 per cent of the terms of the row."""
    a, free = exact(*system.independent)[0], np.linalg.solve(system.A, system.h)
    terms = np.abs(system.G[number]) @ (np.abs(a) + np.abs(free)) + np.abs(system.X[number]) @ np.abs(system.pool_g0)
    g0 = system.g0
    g0[number] += terms * rng.choice([-1, 1]) * 10.0 ** rng.uniform(-2, 0)
    sizes = [len(group.g0) for group in system.groups]
    return replace(system, groups=constraints_of(sizes, system.G, g0, system.names))
