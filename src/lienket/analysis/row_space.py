"""Directions that rows of constraints leave free, and those they bind, with redundant rows allowed.

G x = b is split by the singular values of G, with its columns in units of the coordinates and its rows of length 1:

    x = D y + G^+ b        G D = 0,  G^+ b the shortest solution        lambda = (G^T)^+ f

A singular value below RANK_TOLERANCE is none: such a combination of rows says nothing new (theory 5).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from ..kernels.elimination.chain import RANK_TOLERANCE
from ..kernels.elimination.metric import Array

AGREED = 1e-6
"""What redundant rows may ask beyond the others, as a share of what is asked; more is a contradiction."""
TIE = 1e-6  # lengths that differ by less are the same: rounding must not decide which coordinate is taken


@dataclass(frozen=True, eq=False)
class RowSpace:
    """The split of rows G (s x n): D (n x k) is orthonormal in units of the coordinates, scale (n).

    `bound` (n x r), `values` (r) and `combinations` (s x r) are the singular triplets that count; `unit` (s) are the
    lengths of the rows; `idle` (s x (s - r)) are the mu with G^T mu = 0, which redundant rows leave open.
    """

    D: Array
    scale: Array
    unit: Array
    bound: Array
    values: Array
    combinations: Array
    idle: Array

    @property
    def rank(self) -> int:
        """The number of rows that say something of their own."""
        return len(self.values)

    def lifted(self, b: Array) -> Array:
        """The shortest X (n x m) with G X = b (s x m); where rows are redundant, as nearly as they agree."""
        asked = self.combinations.T @ (b / self.unit[:, None])
        return self.scale[:, None] * (self.bound @ (asked / self.values[:, None]))

    def left_over(self, b: Array) -> Array:
        """What redundant rows ask beyond the others, s x m, in units of the rows."""
        asked = b / self.unit[:, None]
        return asked - self.combinations @ (self.combinations.T @ asked)

    def weights(self, f: Array) -> Array:
        """The lambda (s x m) of least norm with G^T lambda = f (n x m), as nearly as rows can push so."""
        pushed = self.bound.T @ (self.scale[:, None] * f)
        found = self.combinations @ (pushed / self.values[:, None]) / self.unit[:, None]
        if not self.idle.size:
            return found
        idle = np.linalg.qr(self.idle)[0]
        return found - idle @ (idle.T @ found)


def directions(G: Array, scale: Array) -> RowSpace:
    """The split of rows G (s x n) with the units `scale` (n) of the coordinates."""
    scaled = G * scale
    unit = np.linalg.norm(scaled, axis=1)
    unit = np.where(unit > 0, unit, 1.0)
    U, values, V = np.linalg.svd(scaled / unit[:, None], full_matrices=True)
    rank = int(np.count_nonzero(values > RANK_TOLERANCE))
    idle = U[:, rank:] / unit[:, None]
    return RowSpace(scale[:, None] * V[rank:].T, scale, unit, V[:rank].T, values[:rank], U[:, :rank], idle)


def pivots(D: Array, scale: Array, wanted: Sequence[int] = (), only: bool = False) -> tuple[list[int], list[int]]:
    """Places of coordinates that determine the motions D (n x k), well conditioned; and those wanted that do not.

    The wanted ones are taken first, in order, as far as they are independent of each other; then always the one that
    the motions with those before held move most. With `only`, no others are taken.
    """
    rest = D / scale[:, None]
    chosen: list[int] = []
    refused: list[int] = []
    lengths = np.linalg.norm(rest, axis=1)
    for place in wanted:
        if lengths[place] > RANK_TOLERANCE and len(chosen) < D.shape[1]:
            rest, lengths = _held(rest, place)
            chosen.append(place)
        else:
            refused.append(place)
    while not only and len(chosen) < D.shape[1]:
        place = int(np.flatnonzero(lengths >= (1 - TIE) * np.max(lengths))[0])
        rest, lengths = _held(rest, place)
        chosen.append(place)
    return chosen, refused


def _held(rest: Array, place: int) -> tuple[Array, Array]:
    """The motions with one coordinate held: its direction is taken out of every row."""
    e = rest[place] / np.linalg.norm(rest[place])
    left = rest - np.outer(rest @ e, e)
    return left, np.linalg.norm(left, axis=1)
