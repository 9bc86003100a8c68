"""The saddle matrix in memory, as vector code solves it.

K = [A  G^T | h  ]      upper triangle, row after row; odd n and s are filled up with a unit row
    [    0  | -g0]
"""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import dataclass
from ..graph.graph import Graph


@dataclass(frozen=True)
class SaddleLayout:
    """The layout of K for n coordinates and s rows."""

    n: int
    s: int

    @property
    def coordinates(self) -> int:
        """Rows of coordinates, an even number."""
        return self.n + self.n % 2

    @property
    def columns(self) -> int:
        """Unknowns in all, an even number."""
        return self.coordinates + self.s + self.s % 2

    @property
    def width(self) -> int:
        """The length of a row in memory, a multiple of four."""
        return (self.columns + 4) // 4 * 4

    @property
    def operations(self) -> int:
        """How many single operations take as long (measured)."""
        return int(1100 + 0.1 * self.columns**3)

    def entries(
        self, graph: Graph, A: Sequence[Sequence[int]], h: Sequence[int], G: Sequence[Sequence[int]], g0: Sequence[int]
    ) -> list[tuple[int, int]]:
        """(place, node) of everything to be stored, from the group of four with the diagonal on."""
        first, zero = self.coordinates, graph.zero
        rows = [[zero] * self.width for _ in range(self.columns)]
        for i in range(self.n):
            rows[i][: self.n] = A[i]  # before the diagonal anything will do; what is made alike is made at once
            rows[i][first : first + self.s] = [row[i] for row in G]
            rows[i][self.columns] = h[i]
        for k in range(self.s):
            rows[first + k][self.columns] = graph.scale(-1.0, g0[k])
        for i in (*range(self.n, first), *range(first + self.s, self.columns)):
            rows[i][i] = graph.one if i < first else graph.constant(-1.0)
        return [(i * self.width + j, row[j]) for i, row in enumerate(rows) for j in range(i // 4 * 4, self.width)]
