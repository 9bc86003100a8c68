"""Pivoted choice of independent rows in the metric of A.

The next row is the one with the largest part on the directions that the rows before it leave free, relative to its own
size. The least of these parts, the least pivot, is then of the order of the least singular value of all rows together;
in the order of statement it may be a thousand times smaller (Bennett's linkage: 4e-4 instead of 0.38). The size of a
row is the largest along the motion: where its gradient is about to vanish the row is small, though it is as long as
any other after division by its present length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from .chain import RANK_TOLERANCE
from .metric import Metric, metric
from .stated_units import STATED_TOLERANCE, may_differ, stated_rests, unit_rows

PIVOT_SHARE = 0.25  # [1] squared rest, relative to the largest, of a row that may be chosen for its length
PIVOT_ROUNDING = 1e-12  # [1] difference of squared rests, relative to the largest, that counts as rounding
LEAST_SIZE = 1e-9  # [1] size of a row, relative to the largest, below which its entries may be rounding


@dataclass(frozen=True, eq=False)
class IndependentRows:
    """Independent rows, in the order of their choice; `least` is the least pivot.

    `unit` (s x n) are the rows in the metric, divided by their `sizes` (s).
    """

    rows: tuple[int, ...]
    least: float
    unit: Array
    sizes: Array

    @property
    def rank(self) -> int:
        """Number of independent rows."""
        return len(self.rows)

    @cached_property
    def combinations(self) -> Array:
        """All rows as combinations of the independent ones (s x rank): G = combinations G[rows]."""
        chosen = list(self.rows)
        if not chosen:
            return np.zeros((len(self.unit), 0))
        solution = np.linalg.lstsq(self.unit[chosen].T, self.unit.T, rcond=None)[0]
        return np.asarray(solution.T * self.sizes[:, None] / self.sizes[chosen], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class MeasuredRows:
    """Rows G (s x n) in the metric of A: `reduced` on the directions of its basis, with their sizes (s) there.

    `scale` (n) are the units of the coordinates in the metric.
    """

    G: Array
    scale: Array
    reduced: Array
    sizes: Array


def measured_rows(A: Array, G: Array) -> MeasuredRows:
    """Return rows in the metric of A."""
    basis = metric(A, np.zeros(len(A)), G)
    return MeasuredRows(G, basis.scale, *_reduced(basis, G))


def independent_rows(
    measured: MeasuredRows, sizes: Array | None = None, priority: IntArray | None = None,
    tolerance: float = RANK_TOLERANCE, limit: int | None = None,
) -> IndependentRows:  # fmt: skip
    """Return independent rows of those measured (s), at most `limit`, those of lower `priority` (s) first.

    `sizes` (s) are those with which pivots are compared, by default those of the rows at this state.
    """
    G, present = measured.G, measured.sizes
    share = PIVOT_SHARE if sizes is None else 1.0 - PIVOT_ROUNDING
    sizes = present if sizes is None else np.maximum(sizes, present)
    sizes = np.maximum(sizes, LEAST_SIZE * sizes.max(initial=0.0))
    unit = measured.reduced / np.where(sizes > 0, sizes, 1.0)[:, None]
    ranks = np.zeros(len(G), dtype=int) if priority is None else np.asarray(priority)
    chosen: list[int] = []
    rest, least, as_stated = unit.copy(), 1.0, False
    for rank in np.unique(ranks):
        is_open = ranks == rank
        while is_open.any() and (limit is None or len(chosen) < limit):
            squares = np.where(is_open, np.einsum("ij,ij->i", rest, rest), 0.0)
            largest = float(squares.max())
            if as_stated or not largest > tolerance**2:  # `rest` does not know rows chosen as stated
                if as_stated or may_differ(measured.scale, largest**0.5):
                    more, pivot = _independent_as_stated(G, chosen, np.flatnonzero(is_open).tolist(), limit)
                    chosen, least = [*chosen, *more], min(least, pivot)
                    as_stated |= bool(more)
                break
            alike = squares > share * largest  # of these the longest: no vanishing gradient
            r = int((np.where(alike, squares, 0.0) * sizes**2).argmax())
            length = float(squares[r]) ** 0.5
            is_open[r], least = False, min(least, length)
            chosen.append(r)
            direction = rest[r] / length
            for _ in range(2):  # twice, against rounding
                rest -= (rest @ direction)[:, None] * direction
    if as_stated or may_differ(measured.scale, 0.0):  # in the metric of A combinations lose digits of heavy coordinates
        return IndependentRows(tuple(chosen), least, unit_rows(G), np.linalg.norm(G, axis=1))
    return IndependentRows(tuple(chosen), least, unit, sizes)


def _independent_as_stated(
    G: Array, chosen: Sequence[int], open_rows: Sequence[int], limit: int | None
) -> tuple[list[int], float]:
    """Return open rows that depend on the chosen ones in the metric of A only, and their least pivot as stated."""
    found, least, left = list(chosen), 1.0, list(open_rows)
    while left and (limit is None or len(found) < limit):
        rests = stated_rests(G[left], G[found])
        k = int(np.argmax(rests))
        if not rests[k] > STATED_TOLERANCE:
            break
        found.append(left.pop(k))
        least = min(least, float(rests[k]))
    return found[len(chosen) :], least


def _reduced(basis: Metric, G: Array) -> tuple[Array, Array]:
    """Return G on the directions of the basis (s x n), and the sizes of the rows (s)."""
    scaled = G * basis.scale
    massive, sizes = scaled @ basis.massive, np.abs(scaled) @ basis.reach
    if not basis.massless.size:
        return massive, sizes
    whole = np.hstack([massive, scaled @ basis.massless])
    return whole, sizes + np.linalg.norm(np.abs(scaled) @ basis.reach_massless, axis=1)
