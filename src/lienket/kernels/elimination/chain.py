"""One constraint row at a time, in numbers (theory 4, Algorithm 1 of paper 000 in the metric of A).

A chain holds a basis D of the motions left free, D^T A D = I on its massive columns and A D = 0 on its massless
ones, and the accelerations a under the constraints so far. A row J q'' + g0 = 0 meets them as beta = J D:

    beta = 0            nothing new; J follows from rows before it
    beta on mass        e = D beta^T/|beta|, a <- a - e (J a + g0)/|beta|, D <- D H, H orthonormal (Householder)
    beta on no mass     z the massless direction it binds; the massive columns follow, D <- D - z beta/(J z), and
                        whatever pushes z is handed on to them by the constraint

Each costs one reflection of D, O(n m). Chains never change: adding or releasing gives the next one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .metric import Array, Metric, metric

RANK_TOLERANCE = 1e-7
"""A row is dependent if what it adds to the rows before it, in the metric of A, is less than this share of it.

A state counts as lying on its constraints to 1e-8, so that a row that depends on others there does so to about 1e-8."""


@dataclass(frozen=True)
class Row:
    """One row in scaled coordinates: J q'' + g0 = 0 of the constraint `name`, its row number `number` from 0."""

    name: str
    number: int
    J: Array
    g0: float


@dataclass(frozen=True)
class NumericChain:
    """The system after the accepted rows; see the module.

    D (n x m) ends with `massless` columns without mass; `directions` holds e_i with J_i e_i = pivot_i > 0 and
    J_i e_j = 0 for i < j, so that G E = L is lower triangular; D^T A E = 0. `skipped` rows said nothing new, or
    something impossible.
    """

    metric: Metric
    tolerance: float
    D: Array
    massless: int
    a: Array
    accepted: tuple[Row, ...] = ()
    directions: tuple[Array, ...] = ()
    skipped: tuple[Row, ...] = ()

    @cached_property
    def G(self) -> Array:
        """The accepted rows, s x n."""
        return np.array([row.J for row in self.accepted]).reshape(-1, len(self.a))

    @cached_property
    def g0(self) -> Array:
        """g0 of the accepted rows, s."""
        return np.array([row.g0 for row in self.accepted])

    @cached_property
    def E(self) -> Array:
        """The directions of the accepted rows, n x s."""
        return np.array(self.directions).reshape(-1, len(self.a)).T

    @cached_property
    def L(self) -> Array:
        """G E, lower triangular, s x s; S = G A^-1 G^T = L L^T where A is regular."""
        return np.tril(self.G @ self.E)

    def coefficients(self, J: Array) -> Array:
        """The x of x G = J, a row that depends on the accepted ones; what carries nothing of J is exactly zero."""
        if not self.accepted:
            return np.zeros(0)
        x = _solve_lower(self.L.T, self.E.T @ J, upper=True)
        parts = (self.metric.massive, self.metric.massless)
        carried = np.abs(x) * sum(np.linalg.norm(self.G @ part, axis=1) for part in parts)
        return np.where(carried > 10 * self.tolerance * np.max(carried), x, 0.0)

    def lifted(self, values: Array) -> Array:
        """A vector w with G w = values and D^T A w = 0: w = E L^-1 values."""
        return self.E @ _solve_lower(self.L, values) if len(self.accepted) else np.zeros(len(self.a))

    def multipliers(self, reaction: Array) -> Array:
        """Lambda with G^T lambda = reaction, from L^T lambda = E^T reaction."""
        return _solve_lower(self.L.T, self.E.T @ reaction, upper=True) if len(self.accepted) else np.zeros(0)


def free_chain(
    A: Array,
    h: Array,
    G: Array | None = None,
    tolerance: float = RANK_TOLERANCE,
    inertias: Array | None = None,
) -> NumericChain:
    """The chain without constraints; G and inertias as in `metric`."""
    return start(metric(A, h, G, inertias), tolerance)


def start(basis: Metric, tolerance: float = RANK_TOLERANCE) -> NumericChain:
    """The chain without constraints: a = A^-1 h on the massive directions, 0 along the massless ones."""
    D = np.hstack([basis.massive, basis.massless]) if basis.massless.size else basis.massive
    return NumericChain(basis, tolerance, D, basis.massless.shape[1], basis.massive @ (basis.massive.T @ basis.h))


def constrain(chain: NumericChain, name: str, G: Array, g0: Array) -> NumericChain:
    """The chain with the rows of one more constraint, given in the user's coordinates: G (s x n), g0 (s)."""
    for number, (J, c) in enumerate(zip(np.atleast_2d(G), np.atleast_1d(g0), strict=True)):
        chain = add(chain, Row(name, number, J * chain.metric.scale, float(c)))
    return chain


def add(chain: NumericChain, row: Row) -> NumericChain:
    """The chain with one more row, accepted or skipped."""
    beta = row.J @ chain.D
    massive = beta.size - chain.massless
    # The size of the row by itself, in the free basis: what `beta` is small against.
    size = np.abs(row.J) @ chain.metric.reach
    size_massless = np.linalg.norm(np.abs(row.J) @ chain.metric.reach_massless) if chain.metric.massless.size else 0.0
    if np.linalg.norm(beta[massive:]) > chain.tolerance * size_massless:
        return _bind_massless(chain, row, beta, massive)
    if np.linalg.norm(beta[:massive]) > chain.tolerance * max(size, size_massless * _reach(chain, massive)):
        return _bind_massive(chain, row, beta, massive)
    return replace(chain, skipped=(*chain.skipped, row))


def refined(chain: NumericChain) -> NumericChain:
    """The same with the rounding of its accelerations taken out: a <- a - E L^-1 (G a + g0), then + D D^T (h - A a).

    Constraints may cancel free accelerations that are a million times larger; of these the rounding remains.
    """
    a = chain.a - chain.lifted(chain.G @ chain.a + chain.g0)
    D = chain.D[:, : chain.D.shape[1] - chain.massless]
    return replace(chain, a=a + D @ (D.T @ (chain.metric.h - chain.metric.A @ a)))


def _reach(chain: NumericChain, massive: int) -> float:
    """How far the massive columns lean on massless directions, where these have been bound."""
    Z = chain.metric.massless
    if not Z.size:
        return 0.0
    return float(np.max(np.abs(Z.T @ np.hstack([chain.E, chain.D[:, :massive]])), initial=0.0))


def _bind_massive(chain: NumericChain, row: Row, beta: Array, massive: int) -> NumericChain:
    D, rest = chain.D[:, :massive], chain.D[:, massive:]
    left, e, pivot = _reflected(D, beta[:massive])
    a = chain.a - e * ((row.J @ chain.a + row.g0) / pivot)
    return _next(chain, row, e, np.hstack([left, rest]) if rest.size else left, chain.massless, a)


def _bind_massless(chain: NumericChain, row: Row, beta: Array, massive: int) -> NumericChain:
    D, Z = chain.D[:, :massive], chain.D[:, massive:]
    left, z, pivot = _reflected(Z, beta[massive:])
    lean = beta[:massive] / pivot
    D = D - np.outer(z, lean)
    # A z = 0, so the force along z is carried by the constraint and pushes the massive motions that drag z along.
    a = chain.a - D @ (lean * (z @ chain.metric.h))
    a = a - z * ((row.J @ a + row.g0) / pivot)
    return _next(chain, row, z, np.hstack([D, left]), chain.massless - 1, a)


def _next(chain: NumericChain, row: Row, e: Array, D: Array, massless: int, a: Array) -> NumericChain:
    accepted, directions = (*chain.accepted, row), (*chain.directions, e)
    return NumericChain(chain.metric, chain.tolerance, D, massless, a, accepted, directions, chain.skipped)


def _reflected(D: Array, beta: Array) -> tuple[Array, Array, float]:
    """D H, e = D beta^T/|beta| and |beta|; H: the last m - 1 columns of the reflection that turns beta into its first.

    With u = beta + s e1, s = sign(beta_1) |beta|: D (I - 2 u u^T/u^T u) needs D u = D beta^T + s D e1 only.
    """
    pivot = float(np.linalg.norm(beta))
    turned = D @ beta
    shift = np.copysign(pivot, beta[0])
    # 2/u^T u = 1/(|beta|^2 + s beta_1)
    left = np.multiply.outer(turned + shift * D[:, 0], beta[1:] / (pivot * pivot + shift * beta[0]))
    np.subtract(D[:, 1:], left, out=left)
    return left, turned / pivot, pivot


def _solve_lower(L: Array, b: Array, upper: bool = False) -> Array:
    """The solution of a triangular system."""
    from scipy.linalg import solve_triangular

    return solve_triangular(L, b, lower=not upper, check_finite=False)
