"""The solution for accelerations and multipliers as straight-line code, structural zeros skipped.

    [A  G^T] [   a   ]   [  h ]
    [G   0 ] [-lambda] = [-g0 ]

is eliminated symmetrically, K = L d L^T. The order of the pivots follows from the structure alone: always the unknown
with the fewest neighbours among those whose pivot has a sure sign. A coordinate is sure if it has inertia (d > 0), or
once a constraint on it has been eliminated; a constraint is sure (d < 0) once all its coordinates with inertia are.

A fixed order cannot see that a pivot vanishes. Each pivot is a difference P - M of what supports it and what is
taken from it; the code checks P - M > GUARD P and says so, and the robust kernel solves where it does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .graph import Graph

GUARD = 1e-5
"""The smallest share of a pivot that may be left: rounding makes about 1e-16/GUARD of the answer."""


@dataclass(frozen=True)
class Solution:
    """Accelerations (n), multipliers (s), and the comparisons that must hold for them to be right."""

    accelerations: tuple[int, ...]
    multipliers: tuple[int, ...]
    conditions: tuple[int, ...]


def eliminated(
    graph: Graph, A: Sequence[Sequence[int]], h: Sequence[int], G: Sequence[Sequence[int]], g0: Sequence[int]
) -> Solution | None:
    """The solution on the graph; None if no order of pivots is sure by structure alone."""
    n, s = len(h), len(g0)
    work = _Elimination(graph, A, h, G, g0)
    order: list[int] = []
    while len(order) < n + s:
        pivot = work.next_pivot()
        if pivot is None:
            return None
        work.eliminate(pivot)
        order.append(pivot)
    x = work.substituted_back(order)
    multipliers = tuple(graph.scale(-1.0, x[n + j]) for j in range(s))
    return Solution(tuple(x[i] for i in range(n)), multipliers, tuple(work.conditions))


class _Elimination:
    """The matrix with what is left of each entry as a list of terms, added up when its row becomes the pivot."""

    def __init__(
        self, graph: Graph, A: Sequence[Sequence[int]], h: Sequence[int], G: Sequence[Sequence[int]], g0: Sequence[int]
    ) -> None:
        n = len(h)
        self.graph, self.n = graph, n
        zero = graph.zero
        self.right = [[x] for x in h] + [[graph.scale(-1.0, x)] for x in g0]
        self.entries: list[dict[int, list[int]]] = [{} for _ in self.right]
        # What supports each pivot, and what is taken from it.
        self.support: list[list[int]] = [[A[i][i]] if A[i][i] != zero else [] for i in range(n)]
        self.support += [[] for _ in g0]
        self.taken: list[list[int]] = [[] for _ in self.right]
        pairs = [(i, j, A[i][j]) for i in range(n) for j in range(i)]
        pairs += [(n + k, j, x) for k, row in enumerate(G) for j, x in enumerate(row)]
        for i, j, x in pairs:
            if x != zero:
                self._entry(i, j).append(x)
        # The massive coordinates that a constraint waits for.
        self.waiting = [{j for j in self.entries[n + k] if self.support[j]} for k in range(len(g0))]
        self.open = set(range(len(self.right)))
        self.conditions: list[int] = []
        self._steps: dict[int, tuple[int, int, dict[int, int]]] = {}

    def _entry(self, i: int, j: int) -> list[int]:
        found = self.entries[i].get(j)
        if found is None:
            found = self.entries[i][j] = self.entries[j][i] = []
        return found

    def next_pivot(self) -> int | None:
        """The sure pivot with the fewest neighbours."""
        sure = [k for k in self.open if self.support[k] and not (k >= self.n and self.waiting[k - self.n])]
        return min(sure, key=lambda k: (len(self.entries[k]), k), default=None)

    def eliminate(self, k: int) -> None:
        """Take the unknown k out of all other rows."""
        graph = self.graph
        self.open.remove(k)
        for waiting in self.waiting:
            waiting.discard(k)
        column = {i: graph.sum(terms) for i, terms in self.entries[k].items()}
        size, inverse = self._pivot(k)
        right = graph.sum(self.right[k])
        factors = {i: graph.product(x, inverse) for i, x in column.items()}
        sign = 1.0 if k < self.n else -1.0
        neighbours = sorted(column)
        for place, i in enumerate(neighbours):
            del self.entries[i][k]
            self._update_pivot(i, k, graph.product(factors[i], column[i]))
            minus = graph.scale(-sign, factors[i])
            self.right[i].append(graph.product(minus, right))
            for j in neighbours[:place]:
                self._entry(i, j).append(graph.product(minus, column[j]))
        self._steps[k] = (
            graph.scale(sign, graph.product(right, inverse)),
            size,
            {i: graph.scale(sign, x) for i, x in factors.items()},
        )

    def _pivot(self, k: int) -> tuple[int, int]:
        """|d| and 1/|d|, with the condition under which it can be trusted."""
        graph = self.graph
        support = graph.sum(self.support[k])
        size = graph.subtract(support, graph.sum(self.taken[k]))
        if self.taken[k] or graph.depends[support]:
            self.conditions.append(graph.compare("less", graph.scale(GUARD, support), size))
        return size, graph.reciprocal(size)

    def _update_pivot(self, i: int, k: int, square: int) -> None:
        """The pivot of i loses, or gains, column^2/d."""
        same = (i < self.n) == (k < self.n)
        (self.taken if same else self.support)[i].append(square)

    def substituted_back(self, order: Sequence[int]) -> dict[int, int]:
        """The solution, the last unknown first: x_k = right/d - sum l_i x_i."""
        graph = self.graph
        x: dict[int, int] = {}
        for k in reversed(order):
            right, _, factors = self._steps[k]
            terms = [graph.scale(-1.0, graph.product(factor, x[i])) for i, factor in factors.items()]
            x[k] = graph.sum([right, *terms])
        return x
