"""The solution for accelerations and multipliers as straight-line code, structural zeros skipped.

    [A  G^T] [   a   ]   [  h ]
    [G   0 ] [-lambda] = [-g0 ]

is eliminated symmetrically, K = L d L^T, in an order that follows from the structure (see `pivot_order`).

A fixed order cannot see that a pivot vanishes. Each pivot is a difference P - M of what supports it and what is
taken from it; the code checks P - M > GUARD P and says so, and the robust kernel solves where it does not hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import dataclass
from ..graph.graph import Graph
from .pivot_order import Order, Pivot, pivot_order

Matrix = Sequence[Sequence[int]]

GUARD = 1e-3
"""The smallest share of a pivot that may be left: hostile random systems that pass are within 1e-9 of the robust kernel
(tests/compiled/test_guard.py). Andrews' squeezer at its start has 0.03 and more."""


@dataclass(frozen=True)
class SolutionNodes:
    """Accelerations (n), multipliers (s), and the comparisons that must hold for them to be right.

    `responses` are accelerations and multipliers that each of some further forces alone would make.
    """

    accelerations: tuple[int, ...]
    multipliers: tuple[int, ...]
    conditions: tuple[int, ...]
    responses: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


def structure(graph: Graph, A: Matrix, G: Matrix) -> Order | None:
    """The order of the pivots; None if no order is sure by structure alone."""
    n, zero = len(A), graph.zero
    pairs = [(i, j) for i in range(n) for j in range(i) if A[i][j] != zero]
    pairs += [(n + k, j) for k, row in enumerate(G) for j, x in enumerate(row) if x != zero]
    return pivot_order(n, [A[i][i] != zero for i in range(n)], pairs, n + len(G))


def eliminate(
    graph: Graph, A: Matrix, h: Sequence[int], G: Matrix, g0: Sequence[int], order: Order, forces: Matrix = ()
) -> SolutionNodes:
    """The solution on the graph; `forces` (n each) are further right sides by themselves, with g0 = 0."""
    n, s = len(h), len(g0)
    depth, graph.factor_depth = graph.factor_depth, 0  # an elimination has common factors by chance, if at all
    rights = [[*h, *(graph.scale(-1.0, x) for x in g0)], *([*force, *[graph.zero] * s] for force in forces)]
    work = _Elimination(graph, A, G, rights)
    for pivot in order.pivots:
        work.eliminate(pivot)
    found = []
    for k in range(len(rights)):
        x = work.substituted_back(order.pivots, k)
        multipliers = tuple(graph.scale(-1.0, x[n + j]) for j in range(s))
        found.append((tuple(x[i] for i in range(n)), multipliers))
    graph.factor_depth = depth
    return SolutionNodes(*found[0], tuple(work.conditions), tuple(found[1:]))


class _Elimination:
    """The matrix with what is left of each entry as a list of terms, added up when its row becomes the pivot."""

    def __init__(self, graph: Graph, A: Matrix, G: Matrix, rights: Matrix) -> None:
        n = len(A)
        self.graph, self.n = graph, n
        zero = graph.zero
        self.rights = [[[x] for x in right] for right in rights]
        self.entries: list[dict[int, list[int]]] = [{} for _ in rights[0]]
        # What supports each pivot, and what is taken from it.
        self.support: list[list[int]] = [[A[i][i]] if A[i][i] != zero else [] for i in range(n)]
        self.support += [[] for _ in G]
        self.taken: list[list[int]] = [[] for _ in self.entries]
        pairs = [(i, j, A[i][j]) for i in range(n) for j in range(i)]
        pairs += [(n + k, j, x) for k, row in enumerate(G) for j, x in enumerate(row)]
        for i, j, x in pairs:
            if x != zero:
                self._entry(i, j).append(x)
        self.conditions: list[int] = []
        self._steps: dict[int, tuple[list[int], dict[int, int]]] = {}

    def _entry(self, i: int, j: int) -> list[int]:
        found = self.entries[i].get(j)
        if found is None:
            found = self.entries[i][j] = self.entries[j][i] = []
        return found

    def eliminate(self, pivot: Pivot) -> None:
        """Take the unknowns of the pivot out of all other rows: K_ij - K_ip d^-1 K_pj."""
        graph = self.graph
        sign = 1.0 if pivot[0] < self.n else -1.0
        inverse = self._inverse(pivot, sign)  # of |d|
        columns = [{i: graph.sum(terms) for i, terms in self.entries[k].items() if i not in pivot} for k in pivot]
        pivot_rights = [[graph.sum(right[k]) for k in pivot] for right in self.rights]
        neighbours = sorted(columns[0])
        for k in pivot:
            for i in neighbours:
                del self.entries[i][k]
        factors = {i: self._times(inverse, [column[i] for column in columns]) for i in neighbours}
        for place, i in enumerate(neighbours):
            square = self._dot(factors[i], [column[i] for column in columns])
            same = (i < self.n) == (pivot[0] < self.n)
            (self.taken if same else self.support)[i].append(square)
            minus = [graph.scale(-sign, x) for x in factors[i]]
            for right, own in zip(self.rights, pivot_rights, strict=True):
                right[i] += [graph.product(x, r) for x, r in zip(minus, own, strict=True)]
            for j in neighbours[:place]:
                self._entry(i, j).extend(graph.product(x, column[j]) for x, column in zip(minus, columns, strict=True))
        solved = [self._times(inverse, own) for own in pivot_rights]
        for place, k in enumerate(pivot):
            row = {i: graph.scale(sign, x[place]) for i, x in factors.items()}
            self._steps[k] = ([graph.scale(sign, own[place]) for own in solved], row)

    def _inverse(self, pivot: Pivot, sign: float) -> list[list[int]]:
        """The inverse of |d|, with the conditions under which it can be trusted."""
        graph = self.graph
        supports = [graph.sum(self.support[k]) for k in pivot]
        sizes = [graph.subtract(x, graph.sum(self.taken[k])) for k, x in zip(pivot, supports, strict=True)]
        if len(pivot) == 1:
            self._require(graph.scale(GUARD, supports[0]), sizes[0])
            return [[graph.reciprocal(sizes[0])]]
        one, other = sizes
        between = graph.scale(sign, graph.sum(self.entries[pivot[0]][pivot[1]]))
        determinant = graph.subtract(graph.product(one, other), graph.product(between, between))
        self._require(graph.zero, one)
        self._require(graph.scale(GUARD, graph.product(*supports)), determinant)
        share = graph.reciprocal(determinant)
        beside = graph.scale(-1.0, graph.product(between, share))
        return [[graph.product(other, share), beside], [beside, graph.product(one, share)]]

    def _require(self, least: int, left: int) -> None:
        self.conditions.append(self.graph.compare("less", least, left))

    def _times(self, matrix: list[list[int]], vector: list[int]) -> list[int]:
        return [self._dot(row, vector) for row in matrix]

    def _dot(self, x: list[int], y: list[int]) -> int:
        return self.graph.sum(map(self.graph.product, x, y))

    def substituted_back(self, order: Sequence[Pivot], which: int) -> dict[int, int]:
        """The solution for one of the right sides, the last unknowns first: x_k = right/d - sum l_i x_i."""
        graph = self.graph
        x: dict[int, int] = {}
        for k in (k for pivot in reversed(order) for k in pivot):
            rights, factors = self._steps[k]
            terms = [graph.scale(-1.0, graph.product(factor, x[i])) for i, factor in factors.items()]
            x[k] = graph.sum([rights[which], *terms])
        return x
