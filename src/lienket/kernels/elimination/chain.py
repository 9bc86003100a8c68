"""Elimination of constraint rows one at a time (theory 4, Algorithm 1 of paper 000 in the metric of A).

A chain holds a basis D of the free motions, D^T A D = I on its massive columns and A D = 0 on its massless ones, and
the accelerations a under the constraints so far. A row J q'' + g0 = 0 is reduced to beta = J D:

    beta = 0            the row depends on the rows before it and is skipped (see also `stated_units`)
    beta on mass        e = D beta^T/|beta|, a <- a - e (J a + g0)/|beta|, D <- D H, H orthonormal (Householder)
    beta on no mass     z is the massless direction it binds; massive columns change by D <- D - z beta/(J z), and
                        the constraint transmits the force along z to them

Each row costs one reflection of D, O(n m). Chains are immutable: adding or releasing a row returns a new one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from ...foundation.arrays import Array, BoolArray, IntArray
from ...foundation.frozen_dataclass import dataclass
from .metric import Metric, metric
from .stated_units import PART_ROUNDING, STATED_TOLERANCE, may_differ, stated_rests

# A state satisfies its constraints to `audit_limits.STATE_RESIDUAL_LIMIT`: a dependent row is dependent to 1e-8 only.
ROWS_WITHOUT_LAPACK = 8  # [rows] up to which a triangular system is solved without SciPy, whose import takes 40 ms
RANK_TOLERANCE = 1e-7  # [1] relative size of a reduced row, in the metric of A, below which it counts as dependent
OF_ROWS = ("G", "g0", "E", "L")  # cached properties that do not depend on the accelerations
LEADING_SHARE = 0.1  # [1] part of a reduced row in its first entry, from which on it is reflected without interchange

# [1] part of a row on massless directions, relative to the row, that may be rounding of its entries
MASSLESS_NOISE = 1e-6


@dataclass(frozen=True)
class Row:
    """Row J q'' + g0 = 0 of the constraint `name` in scaled coordinates; `number` counts its rows from 0."""

    name: str
    number: int
    J: Array
    g0: float


@dataclass(frozen=True)
class NumericChain:
    """System under the accepted rows; see the module.

    D (n x m) ends with `massless` columns without mass; `directions` holds e_i with J_i e_i = pivot_i > 0 and
    J_i e_j = 0 for i < j, so that G E = L is lower triangular; D^T A E = 0. `skipped` rows are dependent: redundant
    or contradictory. `least_share` is a lower bound of the parts of accepted rows that are independent of the rows
    before them, relative to the whole row; 0 if a row binds a massless direction.
    """

    metric: Metric
    tolerance: float
    D: Array
    massless: int
    a: Array
    accepted: tuple[Row, ...] = ()
    directions: tuple[Array, ...] = ()
    skipped: tuple[Row, ...] = ()
    least_share: float = math.inf

    @cached_property
    def G(self) -> Array:
        """Accepted rows, s x n."""
        return np.array([row.J for row in self.accepted]).reshape(len(self.accepted), len(self.a))

    @cached_property
    def g0(self) -> Array:
        """Terms g0 of the accepted rows, s."""
        return np.array([row.g0 for row in self.accepted])

    @cached_property
    def E(self) -> Array:
        """Directions of the accepted rows, n x s."""
        return np.array(self.directions).reshape(-1, len(self.a)).T

    @cached_property
    def L(self) -> Array:
        """Lower triangular matrix L = G E, s x s; S = G A^-1 G^T = L L^T if A is regular."""
        L = self.G @ self.E
        return np.where(_lower(len(L)), L, 0.0) if len(L) > 1 else L

    def coefficients(self, J: Array) -> Array:
        """Return x with x G = J for a row J that depends on the accepted rows G; negligible entries are exactly 0.

        An entry is negligible if its share of the row is so in the metric of A and in the coordinates as stated.
        """
        if not self.accepted:
            return np.zeros(0)
        x = _solve_lower(self.L.T, self.E.T @ J, upper=True)
        parts = (self.metric.massive, self.metric.massless)
        carried = np.abs(x) * sum(np.linalg.norm(self.G @ part, axis=1) for part in parts)
        stated = np.abs(x) * np.linalg.norm(self.G / self.metric.scale, axis=1)
        limit = 10 * self.tolerance
        return np.where((carried > limit * np.max(carried)) | (stated > limit * np.max(stated)), x, 0.0)

    def lifted(self, values: Array) -> Array:
        """Return w = E L^-1 values, which has G w = values and D^T A w = 0."""
        return self.E @ _solve_lower(self.L, values) if len(self.accepted) else np.zeros(len(self.a))

    def multipliers(self, reaction: Array) -> Array:
        """Return lambda with G^T lambda = reaction, from L^T lambda = E^T reaction."""
        return _solve_lower(self.L.T, self.E.T @ reaction, upper=True) if len(self.accepted) else np.zeros(0)


def free_chain(
    A: Array,
    h: Array,
    G: Array | None = None,
    tolerance: float = RANK_TOLERANCE,
    inertias: Array | None = None,
) -> NumericChain:
    """Return the chain without constraints; G and inertias as in `metric`."""
    return start(metric(A, h, G, inertias), tolerance)


def start(basis: Metric, tolerance: float = RANK_TOLERANCE) -> NumericChain:
    """Return the chain without constraints: a = A^-1 h on the massive directions, 0 along the massless ones."""
    D = np.hstack([basis.massive, basis.massless]) if basis.massless.size else basis.massive
    a = basis.massive @ (basis.massive.T @ basis.h)
    return NumericChain(basis, tolerance, D, basis.massless.shape[1], a, (), (), ())


def constrain(
    chain: NumericChain, name: str, G: Array, g0: Array, dependent: frozenset[tuple[str, int]] = frozenset()
) -> NumericChain:
    """Return the chain with the rows of one more constraint, in unscaled coordinates: G (s x n), g0 (s).

    Rows (name, number) that are known to be `dependent` are skipped.
    """
    scaled = np.atleast_2d(G) * chain.metric.scale
    for number, (J, c) in enumerate(zip(scaled, np.atleast_1d(g0).tolist(), strict=True)):
        row = Row(name, number, J, c)
        known = dependent and (name, number) in dependent
        chain = replace(chain, skipped=(*chain.skipped, row)) if known else add(chain, row)
    return chain


def add(chain: NumericChain, row: Row) -> NumericChain:
    """Return the chain with one more row, accepted or skipped."""
    beta = row.J @ chain.D
    # The size of the row in the unconstrained basis, the scale of `beta`.
    size = float(np.abs(row.J) @ chain.metric.reach)
    massive, free = beta.size, beta  # the components of the row along the massive columns
    if chain.metric.massless.size:
        massive -= chain.massless
        free = beta[:massive]
        size_massless = _length(np.abs(row.J) @ chain.metric.reach_massless)
        size_massless = max(size_massless, MASSLESS_NOISE * float(np.abs(row.J).max()))
        if _length(beta[massive:]) > chain.tolerance * size_massless:
            return _bind_massless(chain, row, beta, massive)
        size = max(size, size_massless * _massless_component(chain, massive))
    rest = _length(free)
    if rest > chain.tolerance * size or _independent_as_stated(chain, row, beta, size):
        return _bind_massive(chain, row, beta, massive, min(chain.least_share, rest / size))
    return replace(chain, skipped=(*chain.skipped, row))


def _independent_as_stated(chain: NumericChain, row: Row, beta: Array, size: float) -> bool:
    """Return whether a row of small beta in the metric of A is independent in the coordinates as stated.

    A tolerance above the usual one, given by the user, is one in the metric of A alone.
    """
    scale, massive = chain.metric.scale, beta.size - chain.massless
    if not massive or not size > 0 or chain.tolerance > RANK_TOLERANCE:
        return False
    if not may_differ(scale, _length(beta[:massive]) / size):
        return False
    if not stated_rests((row.J / scale)[None, :], chain.G / scale)[0] > STATED_TOLERANCE:
        return False
    terms = np.abs(row.J) @ np.abs(chain.D[:, :massive])
    return bool(np.any(np.abs(beta[:massive]) > PART_ROUNDING * terms))


def refined(chain: NumericChain) -> NumericChain:
    """Return the chain with refined accelerations: a <- a - E L^-1 (G a + g0), then a <- a + D D^T (h - A a).

    Constraints may cancel free accelerations that are a million times larger; the rounding of these remains in a.
    Beside very light coordinates they are up to 1e20 times larger: there the refinement begins with a = 0 and ends with
    a <- a - E L^-1 (G a + g0) again, since the rounding of its second step violates the constraints.
    """
    light = may_differ(chain.metric.scale, 0.0)
    a = -chain.lifted(chain.g0) if light else chain.a - chain.lifted(chain.G @ chain.a + chain.g0)
    D = chain.D[:, : chain.D.shape[1] - chain.massless] if chain.massless else chain.D
    a = a + D @ (D.T @ (chain.metric.h - chain.metric.A @ a))
    if light:
        a = a - chain.lifted(chain.G @ a + chain.g0)
    rows = (chain.accepted, chain.directions, chain.skipped)
    better = NumericChain(chain.metric, chain.tolerance, chain.D, chain.massless, a, *rows, chain.least_share)
    better.__dict__.update({name: chain.__dict__[name] for name in OF_ROWS if name in chain.__dict__})
    return better


def _massless_component(chain: NumericChain, massive: int) -> float:
    """Return the largest component of massive columns along massless directions; not 0 once these have been bound."""
    Z = chain.metric.massless
    if not Z.size:
        return 0.0
    return float(np.max(np.abs(Z.T @ np.hstack([chain.E, chain.D[:, :massive]])), initial=0.0))


def _bind_massive(chain: NumericChain, row: Row, beta: Array, massive: int, share: float) -> NumericChain:
    """Return the chain with a row that binds a massive direction."""
    if not chain.massless:
        D, e, pivot = _reflected(chain.D, beta)
    else:
        D, e, pivot = _reflected(chain.D[:, :massive], beta[:massive])
        D = np.hstack([D, chain.D[:, massive:]])
    a = chain.a - e * ((row.J @ chain.a + row.g0) / pivot)
    return _next(chain, row, e, D, chain.massless, a, share)


def _bind_massless(chain: NumericChain, row: Row, beta: Array, massive: int) -> NumericChain:
    """Return the chain with a row that binds a massless direction."""
    D, Z = chain.D[:, :massive], chain.D[:, massive:]
    remaining, z, pivot = _reflected(Z, beta[massive:])
    coupling = beta[:massive] / pivot
    D = D - np.outer(z, coupling)
    # A z = 0: the constraint carries the force along z and transmits it to the massive motions that move z.
    a = chain.a - D @ (coupling * (z @ chain.metric.h))
    a = a - z * ((row.J @ a + row.g0) / pivot)
    return _next(chain, row, z, np.hstack([D, remaining]), chain.massless - 1, a, 0.0)


def _next(
    chain: NumericChain, row: Row, e: Array, D: Array, massless: int, a: Array, share: float
) -> NumericChain:  # fmt: skip
    rows = ((*chain.accepted, row), (*chain.directions, e), chain.skipped)
    return NumericChain(chain.metric, chain.tolerance, D, massless, a, *rows, share)


def _reflected(D: Array, beta: Array) -> tuple[Array, Array, float]:
    """Return D H, e = D beta^T/|beta| and |beta|; H: the last m - 1 columns of the reflection of beta to |beta| e1.

    With u = beta + s e1, s = sign(beta_1) |beta|: D (I - 2 u u^T/u^T u) needs D u = D beta^T + s D e1 only. If beta_1
    is small, the column with the largest entry takes the place of the first: otherwise digits of the columns with small
    entries, those of heavy coordinates beside light ones, are lost (Powell and Reid 1969, Cox and Higham 1998).
    """
    pivot = _length(beta)
    if abs(beta[0]) < LEADING_SHARE * pivot:
        order = _led_by(int(np.abs(beta).argmax()), len(beta))
        D, beta = D.take(order, axis=1), beta.take(order)
    turned = D @ beta
    shift = math.copysign(pivot, beta[0])
    # 2/u^T u = 1/(|beta|^2 + s beta_1)
    remaining = np.multiply.outer(turned + shift * D[:, 0], beta[1:] / (pivot * pivot + shift * beta[0]))
    np.subtract(D[:, 1:], remaining, out=remaining)
    return remaining, turned / pivot, pivot


def _solve_lower(L: Array, b: Array, upper: bool = False) -> Array:
    """Return the solution of a triangular system, as scipy.linalg.solve_triangular without its checks."""
    if len(L) <= ROWS_WITHOUT_LAPACK:
        return _substitute(L, b, upper)
    from scipy.linalg.lapack import dtrtrs

    if L.flags.f_contiguous:
        x, info = dtrtrs(L, b, lower=not upper)
    else:  # LAPACK expects columns one after another: the transposed matrix
        x, info = dtrtrs(L.T, b, lower=upper, trans=1)
    if info:
        raise np.linalg.LinAlgError("A pivot of accepted rows is zero.")
    return x


def _substitute(L: Array, b: Array, upper: bool) -> Array:
    """Return the solution of a small triangular system by substitution, without importing SciPy."""
    if not L.diagonal().all():
        raise np.linalg.LinAlgError("A pivot of accepted rows is zero.")
    x = np.array(b, dtype=float)
    order = range(len(L))
    for i in reversed(order) if upper else order:
        solved = slice(i + 1, None) if upper else slice(0, i)
        x[i] = (x[i] - L[i, solved] @ x[solved]) / L[i, i]
    return x


@lru_cache(maxsize=1024)
def _led_by(k: int, m: int) -> IntArray:
    """Return the order of m columns in which the k-th and the first change places, read-only."""
    order = np.arange(m)
    order[0], order[k] = k, 0
    order.setflags(write=False)
    return order


@lru_cache(maxsize=64)
def _lower(n: int) -> BoolArray:
    """Return the mask of a lower triangular matrix, n x n, read-only."""
    mask = np.tri(n, dtype=bool)
    mask.setflags(write=False)
    return mask


def _length(x: Array) -> float:
    """Return the length of a contiguous vector; np.linalg.norm takes eight times as long."""
    return math.sqrt(x.dot(x))
