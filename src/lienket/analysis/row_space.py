"""Row space and null space of constraint rows, redundant rows allowed.

G x = b is split by the singular values of G, with its columns in units of the coordinates and its rows of length 1:

    x = D y + G^+ b        G D = 0,  G^+ b the shortest solution        lambda = (G^T)^+ f

A singular value below RANK_TOLERANCE counts as zero: that combination of rows is redundant (theory 5).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from ..kernels.elimination.chain import RANK_TOLERANCE

REDUNDANT_ROW_TOLERANCE = 1e-6  # [1] relative inconsistency of redundant rows; more is a contradiction
PIVOT_TIE_TOLERANCE = 1e-6  # [1] relative difference of lengths counted as equal: rounding must not choose pivots


@dataclass(frozen=True, eq=False)
class RowSpace:
    """Singular value decomposition of rows G (s x n), scaled by the units `scale` (n) of the coordinates.

    D (n x k)             basis of the free directions, G D = 0; orthonormal in units of the coordinates
    unit (s)              lengths of the scaled rows
    bound (n x r), values (r), combinations (s x r)   singular triplets above the tolerance
    idle (s x (s - r))    basis of the mu with G^T mu = 0, which redundant rows leave undetermined
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
        """Number of independent rows."""
        return len(self.values)

    def solve(self, b: Array) -> Array:
        """Return the shortest x (n x m) with G x = b (s x m), in least squares where redundant rows disagree."""
        components = self.combinations.T @ (b / self.unit[:, None])
        return self.scale[:, None] * (self.bound @ (components / self.values[:, None]))

    def inconsistency(self, b: Array) -> Array:
        """Return the part of b (s x m) that no x satisfies as G x = b, in units of the rows."""
        scaled = b / self.unit[:, None]
        return scaled - self.combinations @ (self.combinations.T @ scaled)

    def multipliers(self, f: Array) -> Array:
        """Return the lambda (s x m) of least norm with G^T lambda = f (n x m), in least squares."""
        pushed = self.bound.T @ (self.scale[:, None] * f)
        multipliers = self.combinations @ (pushed / self.values[:, None]) / self.unit[:, None]
        if not self.idle.size:
            return multipliers
        idle = np.linalg.qr(self.idle)[0]
        return multipliers - idle @ (idle.T @ multipliers)


def row_space(G: Array, scale: Array) -> RowSpace:
    """Decompose rows G (s x n) with the units `scale` (n) of the coordinates."""
    scaled = G * scale
    unit = np.linalg.norm(scaled, axis=1)
    unit = np.where(unit > 0, unit, 1.0)
    U, values, V = np.linalg.svd(scaled / unit[:, None], full_matrices=True)
    rank = int(np.count_nonzero(values > RANK_TOLERANCE))
    idle = U[:, rank:] / unit[:, None]
    return RowSpace(scale[:, None] * V[rank:].T, scale, unit, V[:rank].T, values[:rank], U[:, :rank], idle)


def pivots(D: Array, scale: Array, preferred: Sequence[int] = (), only: bool = False) -> tuple[list[int], list[int]]:
    """Choose coordinates that determine the motions D (n x k); return their indices and the preferred ones refused.

    The preferred ones are chosen first, in order, as far as they are independent of each other; then always the
    coordinate that moves most with those before held, for a good condition. With `only`, no others are chosen.
    """
    rest = D / scale[:, None]
    chosen: list[int] = []
    refused: list[int] = []
    lengths = np.linalg.norm(rest, axis=1)
    for index in preferred:
        if lengths[index] > RANK_TOLERANCE and len(chosen) < D.shape[1]:
            rest, lengths = _hold(rest, index)
            chosen.append(index)
        else:
            refused.append(index)
    while not only and len(chosen) < D.shape[1]:
        index = int(np.flatnonzero(lengths >= (1 - PIVOT_TIE_TOLERANCE) * np.max(lengths))[0])
        rest, lengths = _hold(rest, index)
        chosen.append(index)
    return chosen, refused


def _hold(rest: Array, index: int) -> tuple[Array, Array]:
    """Return the motions with one coordinate held, its direction removed from every row, and the row lengths."""
    e = rest[index] / np.linalg.norm(rest[index])
    left = rest - np.outer(rest @ e, e)
    return left, np.linalg.norm(left, axis=1)
