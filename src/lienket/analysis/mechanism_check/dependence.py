"""Rows that add no rank, in order of statement, and the rows on which they depend (mechanisms 6.1, 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .twists import Part

INDEPENDENT_LIMIT = 1e-7  # [1] part of a row of length 1 beyond the rows before it, below which it is redundant
NEAR_LIMIT = 1e-4  # [1] such a part below which a position is called nearly singular
SHARE_LIMIT = 1e-6  # [1] part of another row in a dependence, relative to the largest, that counts as none


@dataclass(frozen=True, eq=False)
class Dependence:
    """Rows of all parts: which of them are kept and which are redundant, by index.

    `least` is the smallest part that a kept row adds, relative to its length.
    """

    parts: tuple[Part, ...]
    rows: Array
    owners: tuple[int, ...]
    kept: tuple[int, ...]
    redundant: tuple[int, ...]
    least: float

    @property
    def freedom(self) -> int:
        """Number of columns less the rank."""
        return self.rows.shape[1] - len(self.kept)

    @cached_property
    def motions(self) -> Array:
        """Twists (d x freedom) that all rows permit, orthonormal."""
        if not self.kept:
            return np.eye(self.rows.shape[1])
        return np.linalg.svd(self.rows[list(self.kept)], full_matrices=True)[2][len(self.kept) :].T

    @cached_property
    def idle(self) -> Array:
        """Orthonormal multipliers Z (s x redundant) that exert nothing: Z^T rows = 0."""
        if not len(self.rows):
            return np.zeros((0, 0))
        U = np.linalg.svd(self.rows, full_matrices=True)[0]
        return U[:, len(self.kept) :]

    def partners(self, index: int) -> tuple[str, ...]:
        """Return the names of the parts on whose rows a redundant row depends, without its own."""
        before = [k for k in self.kept if k < index]
        if not before:
            return ()
        share = np.abs(np.linalg.lstsq(self.rows[before].T, self.rows[index], rcond=None)[0])
        largest = share.max(initial=0.0)
        owners = {self.owners[k] for k, x in zip(before, share, strict=True) if x > SHARE_LIMIT * largest}
        return tuple(self.parts[k].name for k in sorted(owners - {self.owners[index]}))

    def word(self, index: int) -> str:
        """Return what a row holds."""
        return self.parts[self.owners[index]].words[index - self.owners.index(self.owners[index])]

    def name(self, index: int) -> str:
        """Return the part that a row belongs to."""
        return self.parts[self.owners[index]].name


def dependence_of(parts: Sequence[Part], columns: int) -> Dependence:
    """Return which rows of the parts are redundant, by orthogonalization in order of statement."""
    owners = tuple(k for k, part in enumerate(parts) for _ in part.words)
    rows = np.vstack([np.zeros((0, columns)), *(part.rows for part in parts)])
    basis = np.zeros((min(rows.shape), columns))
    kept, redundant, least = list[int](), list[int](), 1.0
    for index, row in enumerate(rows):
        size = float(np.linalg.norm(row))
        rest = row / size if size > 0 else row
        known = basis[: len(kept)]
        for _ in range(2):  # once more, since cancellation leaves a part along the rows before
            rest = rest - known.T @ (known @ rest)
        part = float(np.linalg.norm(rest))
        if part > INDEPENDENT_LIMIT and len(kept) < columns:
            basis[len(kept)] = rest / part
            kept.append(index)
            least = min(least, part)
        else:
            redundant.append(index)
    return Dependence(tuple(parts), rows, owners, tuple(kept), tuple(redundant), least)
