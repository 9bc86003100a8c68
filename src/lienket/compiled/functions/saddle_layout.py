"""Saddle matrix in memory, as the dense solver takes it.

K = [A  G^T | h  ]      upper triangle, row after row; odd n and s are padded with a unit row
    [    0  | -g0]
"""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import dataclass
from ..graph.graph import Graph


@dataclass(frozen=True)
class SaddleLayout:
    """Layout of K for n coordinates and s rows of constraints."""

    n: int
    s: int

    @property
    def coordinates(self) -> int:
        """Number of rows of coordinates with padding, even."""
        return self.n + self.n % 2

    @property
    def columns(self) -> int:
        """Number of unknowns with padding, even."""
        return self.coordinates + self.s + self.s % 2

    @property
    def width(self) -> int:
        """Length of a row in memory, a multiple of four."""
        return (self.columns + 4) // 4 * 4

    @property
    def operations(self) -> int:
        """Number of scalar operations that take as long as the dense solver (measured)."""
        return int(1100 + 0.1 * self.columns**3)

    def entries(
        self, graph: Graph, A: Sequence[Sequence[int]], h: Sequence[int], G: Sequence[Sequence[int]], g0: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Return (index, node) of the entries to be stored, in each row from the group of four with the diagonal on."""
        first, zero = self.coordinates, graph.zero
        rows = [[zero] * self.width for _ in range(self.columns)]
        for i in range(self.n):
            rows[i][: self.n] = A[i]  # entries before the diagonal are not used; full rows give more vectors
            rows[i][first : first + self.s] = [row[i] for row in G]
            rows[i][self.columns] = h[i]
        for k in range(self.s):
            rows[first + k][self.columns] = graph.scale(-1.0, g0[k])
        for i in (*range(self.n, first), *range(first + self.s, self.columns)):
            rows[i][i] = graph.one if i < first else graph.constant(-1.0)
        return [(i * self.width + j, row[j]) for i, row in enumerate(rows) for j in range(i // 4 * 4, self.width)]
