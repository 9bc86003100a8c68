"""Projection of positions and velocities onto their constraints: the plain version.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton steps, each the shortest in the metric of A (theory 4: w = E L^-1 g has G w = g and D^T A w = 0). Dependent rows
are skipped; massless directions move as far as rows bind them. If coordinates are held, A and G are restricted to the
others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..foundation.arrays import Array, BoolArray, IntArray
from .elimination.chain import NumericChain, constrain, free_chain
from .elimination.metric import UNPIVOTED_LIMIT
from .elimination.pivoted_rows import independent_rows, measured_rows
from .elimination.residual_scales import POSITION_MOTION_SHARE, TERMS_SHARE

PROJECTION_STEPS = 20  # [steps] limit of Newton steps of a projection
PROJECTION_HALVINGS = 20  # [halvings] limit of halvings of one step
PROJECTION_TOLERANCE = 1e-14  # [1] residual, relative to its terms, that counts as zero
PROJECTION_ROUNDING = 1e-10  # [1] residual, relative to its terms, that counts as rounding if no step reduces it
UNDERFLOW = 1e-290  # [unit of the row] residual that counts as zero: below it numbers lose digits by underflow
INDEPENDENT_PIVOT = 1e-6  # [1] squared pivot above which all rows are independent and need no elimination one at a time
CONTRADICTORY, NOT_CONVERGING = -1, -5


class Surface(NamedTuple):
    """Constraints at a point: A (n x n), the active rows G (s x n), their residuals (s) and the sizes of their terms.

    The sizes of terms (s) are those of `compiled.graph.term_sizes`, the scale of the rounding of a residual.
    """

    A: Array
    G: Array
    residual: Array
    terms: Array


def project(
    surface: Callable[[Array], Surface],
    x: Array,
    free: BoolArray | None = None,
    steps: int = PROJECTION_STEPS,
    halvings: int = PROJECTION_HALVINGS,
    at: Surface | None = None,
    path: list[Array] | None = None,
) -> tuple[Array, int]:
    """Return the point x (n) moved until the residuals vanish, and the number of steps or a negative code.

    x is q or v; `surface` returns the constraints at a point, `at` are those at x if they are known. `free` (n
    booleans) are the coordinates that may move, by default all; a step is halved at most `halvings` times. The points
    reached are appended to `path`. Codes: -1 dependent rows contradict others, -5 no convergence.
    """
    current = surface(x) if at is None else at
    for step in range(steps):
        sizes = sizes_of(current, x)
        misfit = _misfit(current, sizes, None)
        if misfit <= PROJECTION_TOLERANCE:
            return x, step
        rows, move = shortest(current, free)
        accepted = None if len(rows) == len(sizes) else rows
        bound = misfit if accepted is None else _misfit(current, sizes, accepted)
        if bound <= PROJECTION_TOLERANCE:
            return x, verdict(step, misfit, bound)
        moved = sizes + np.abs(current.G) @ np.abs(move)  # terms that grow from zero bring rounding of their new size
        before = _misfit(current, moved, accepted)
        for halving in range(halvings if bound > PROJECTION_ROUNDING else 1):
            fraction = 0.5**halving
            trial = surface(x + fraction * move)
            if _misfit(trial, moved, accepted) <= (1 - 1e-4 * fraction) * before:
                break
        else:
            return x, verdict(step, misfit, bound)
        x, current = x + fraction * move, trial
        if path is not None:
            path.append(x)
    return x, NOT_CONVERGING


def rows_chain(current: Surface, free: BoolArray | None = None) -> NumericChain:
    """Return the chain of the rows in order, restricted to the free coordinates."""
    A, G = _free_part(current, free)
    return constrain(free_chain(A, np.zeros(len(A)), G), "", G, current.residual)


def _free_part(current: Surface, free: BoolArray | None) -> tuple[Array, Array]:
    """Return A and G restricted to the free coordinates."""
    return (current.A, current.G) if free is None else (current.A[np.ix_(free, free)], current.G[:, free])


def shortest(current: Surface, free: BoolArray | None) -> tuple[IntArray, Array]:
    """Return the numbers of the accepted rows, and the shortest step (n) that solves them to first order."""
    partial = free is not None and not free.all()
    A, G = _free_part(current, free) if partial else current[:2]
    if not len(A):
        return np.zeros(0, dtype=int), np.zeros(len(current.A))
    accepted = np.arange(len(G))
    factors = row_factors(A, G)
    if factors is not None:
        move = factors.step(current.residual)
    else:
        chain = free_chain(A, np.zeros(len(A)), G)
        for r in independent_rows(measured_rows(A, G)).rows:
            chain = constrain(chain, str(r), G[[r]], current.residual[[r]])
        accepted = np.array([int(row.name) for row in chain.accepted], dtype=int)
        move = -chain.lifted(current.residual[accepted]) * chain.metric.scale
    if not partial:
        return accepted, move
    whole = np.zeros(len(current.A))
    whole[free] = move
    return accepted, whole


class RowFactors(NamedTuple):
    """Factors A = L L^T and L^-1 G^T = Q R in coordinates of unit inertia, the columns of L^-1 G^T of unit length."""

    scale: Array
    L: Array
    Q: Array
    R: Array
    lengths: Array

    def step(self, residual: Array) -> Array:
        """Return the step -A^-1 G^T S^-1 residual = -L^-T Q R^-T residual (n)."""
        inner = self.Q @ np.linalg.solve(self.R.T, residual / self.lengths)
        return -self.scale * np.linalg.solve(self.L.T, inner)


def row_factors(A: Array, G: Array) -> RowFactors | None:
    """Return the factors of all rows at once; None if rows may be dependent or coordinates massless."""
    inertia = A.diagonal()
    if len(G) > len(A) or inertia.min() <= 0:
        return None
    scale = 1 / np.sqrt(inertia)
    try:
        L: Array = np.asarray(np.linalg.cholesky(A * scale * scale[:, None]), dtype=np.float64)
        if L.diagonal().min() ** 2 <= UNPIVOTED_LIMIT:
            return None
        B = np.linalg.solve(L, (G * scale).T)
        lengths = np.sqrt((B * B).sum(axis=0))
        if lengths.min(initial=1.0) == 0:
            return None
        Q, R = np.linalg.qr(B / lengths)
    except np.linalg.LinAlgError:
        return None
    if np.abs(R.diagonal()).min(initial=1.0) ** 2 <= INDEPENDENT_PIVOT:
        return None
    return RowFactors(scale, L, Q, R, lengths)


class RepeatedSteps:
    """Shortest steps at several points, all coordinates free; the factors are kept while A and G are equal."""

    def __init__(self) -> None:
        self._last: Surface | None = None
        self._factors: RowFactors | None = None

    def shortest(self, current: Surface) -> tuple[IntArray, Array]:
        """Return the result of `shortest` at a point."""
        A, G, residual, _ = current
        last = self._last
        if last is None or not ((A == last.A).all() and (G == last.G).all()):
            self._last, self._factors = current, row_factors(A, G) if len(A) else None
        if self._factors is None:
            return shortest(current, None)
        return np.arange(len(G)), self._factors.step(residual)


def inertia_roots(inertia: Array) -> tuple[Array, Array]:
    """Return the square roots of inertias and their reciprocals; 0 where there is no inertia."""
    heavy = inertia > 0
    if heavy.all():
        root = np.sqrt(inertia)
        return root, 1 / root
    root = np.sqrt(np.where(heavy, inertia, 0.0))
    return root, np.where(heavy, 1 / np.where(heavy, root, 1.0), 0.0)


def sizes_of(current: Surface, x: Array) -> Array:
    """Return the sizes of the residuals (s): |residual| + |G| |x| + shares of their terms and of the largest motion.

    Angles measured from an assembled position are near zero there, while the terms of the rows are as large as ever:
    rounding of the terms must count as zero.
    """
    inertia, G = current.A.diagonal(), np.abs(current.G)
    x = np.abs(x)
    root, unit = inertia_roots(inertia)
    most = (x * root).max(initial=0.0)
    terms = np.abs(current.residual) + TERMS_SHARE * current.terms
    return terms + G @ x + POSITION_MOTION_SHARE * most * (G @ unit)


def _misfit(current: Surface, sizes: Array, rows: IntArray | None) -> float:
    """Return the largest residual of some rows, None for all, relative to the sizes; NaN if one is not finite."""
    residual = np.abs(current.residual)
    if rows is not None:
        residual, sizes = residual[rows], sizes[rows]
    if np.isinf(sizes).any():
        return np.nan
    return float((residual / np.where(residual <= UNDERFLOW, 1.0, sizes)).max(initial=0.0))


def verdict(step: int, misfit: float, bound: float) -> int:
    """Return the result if no step reduces the residuals of the accepted rows (`bound`): the steps or a code."""
    if misfit <= PROJECTION_ROUNDING:
        return step  # the rest is rounding
    return CONTRADICTORY if bound <= PROJECTION_ROUNDING else NOT_CONVERGING
