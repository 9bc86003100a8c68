"""Solution for accelerations and multipliers as straight-line code, structural zeros skipped.

    [A  G^T] [   a   ]   [  h ]
    [G   0 ] [-lambda] = [-g0 ]

is eliminated symmetrically, K = L d L^T, in an order that follows from the structure (see `pivot_order`).

The two unknowns of a 2 x 2 pivot are eliminated one after the other, since its explicit inverse would lose the digits
in which two rows agree once more (tests/compiled/test_rounding.py). The second pivot is determinant/d, so that the
processor divides by both at once.

A fixed order cannot avoid a vanishing pivot. Each pivot is a difference P - M of positive terms: P its support, M what
eliminated pivots of its own kind (coordinates or constraints) subtract. The code checks P - M > PIVOT_GUARD P; where
that fails, it returns 1 and the robust kernel solves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import dataclass
from ..graph.graph import Graph
from .pivot_order import Order, Pivot, pivot_order

Matrix = Sequence[Sequence[int]]

# Hostile random systems that pass the guard are within 1e-9 of the robust kernel (tests/compiled/test_guard.py).
# Andrews' squeezer at its start has 0.03 and more.
PIVOT_GUARD = 1e-3  # [1] smallest pivot relative to its support for which the fixed order of pivots is used


@dataclass(frozen=True)
class SolutionNodes:
    """Accelerations (n), multipliers (s), and the comparisons that must hold for them to be accurate.

    `responses` are the accelerations and multipliers caused by each further force alone; `free` are the squares r^2/d
    of the right sides of coordinates, whose sum is that of the accelerations without constraints.
    """

    accelerations: tuple[int, ...]
    multipliers: tuple[int, ...]
    conditions: tuple[int, ...]
    responses: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    free: tuple[int, ...] = ()


def structure(graph: Graph, A: Matrix, G: Matrix) -> Order | None:
    """Return the order of the pivots; None if the structure alone does not give every pivot a definite sign."""
    n, zero = len(A), graph.zero
    pairs = [(i, j) for i in range(n) for j in range(i) if A[i][j] != zero]
    pairs += [(n + k, j) for k, row in enumerate(G) for j, x in enumerate(row) if x != zero]
    return pivot_order(n, [A[i][i] != zero for i in range(n)], pairs, n + len(G))


def eliminate(
    graph: Graph, A: Matrix, h: Sequence[int], G: Matrix, g0: Sequence[int], order: Order, forces: Matrix = ()
) -> SolutionNodes:
    """Solve the saddle system on the graph; `forces` (n each) are further right sides, each alone and with g0 = 0."""
    n, s = len(h), len(g0)
    depth, graph.factor_depth = graph.factor_depth, 0  # no search for common factors: an elimination has hardly any
    rights = [[*h, *(graph.scale(-1.0, x) for x in g0)], *([*force, *[graph.zero] * s] for force in forces)]
    work = _Elimination(graph, A, G, rights)
    for pivot in order.pivots:
        work.eliminate(pivot)
    solutions = []
    for k in range(len(rights)):
        x = work.back_substitution(order.pivots, k)
        multipliers = tuple(graph.scale(-1.0, x[n + j]) for j in range(s))
        solutions.append((tuple(x[i] for i in range(n)), multipliers))
    graph.factor_depth = depth
    return SolutionNodes(*solutions[0], tuple(work.conditions), tuple(solutions[1:]), tuple(work.free))


class _Elimination:
    """Matrix under elimination: each entry is a list of terms, summed when its row becomes the pivot."""

    def __init__(self, graph: Graph, A: Matrix, G: Matrix, rights: Matrix) -> None:
        n = len(A)
        self.graph, self.n = graph, n
        zero = graph.zero
        self.rights = [[[x] for x in right] for right in rights]
        self.entries: list[dict[int, list[int]]] = [{} for _ in rights[0]]
        # The positive terms P of each pivot, and those M that are subtracted from it.
        self.support: list[list[int]] = [[A[i][i]] if A[i][i] != zero else [] for i in range(n)]
        self.support += [[] for _ in G]
        self.subtracted: list[list[int]] = [[] for _ in self.entries]
        pairs = [(i, j, A[i][j]) for i in range(n) for j in range(i)]
        pairs += [(n + k, j, x) for k, row in enumerate(G) for j, x in enumerate(row)]
        for i, j, x in pairs:
            if x != zero:
                self._entry(i, j).append(x)
        self.conditions: list[int] = []
        self.free: list[int] = []
        self._steps: dict[int, tuple[list[int], dict[int, int]]] = {}

    def _entry(self, i: int, j: int) -> list[int]:
        """Return the terms of an entry off the diagonal, shared with its mirror image."""
        terms = self.entries[i].get(j)
        if terms is None:
            terms = self.entries[i][j] = self.entries[j][i] = []
        return terms

    def eliminate(self, pivot: Pivot) -> None:
        """Eliminate the unknowns of the pivot, one after the other, from all other rows."""
        for k, inverse in zip(pivot, self._inverses(pivot), strict=True):
            self._eliminate_one(k, inverse)

    def _eliminate_one(self, k: int, inverse: int) -> None:
        """Eliminate unknown k from all other rows: K_ij - K_ik d^-1 K_kj, with the inverse of |d|."""
        graph = self.graph
        sign = 1.0 if k < self.n else -1.0
        column = {i: graph.sum(terms) for i, terms in self.entries[k].items()}
        pivot_rights = [graph.sum(right[k]) for right in self.rights]
        neighbours = sorted(column)
        for i in neighbours:
            del self.entries[i][k]
        factors = {i: graph.product(inverse, column[i]) for i in neighbours}
        for position, i in enumerate(neighbours):
            same_kind = (i < self.n) == (k < self.n)
            (self.subtracted if same_kind else self.support)[i].append(graph.product(factors[i], column[i]))
            minus = graph.scale(-sign, factors[i])
            for right, pivot_right in zip(self.rights, pivot_rights, strict=True):
                right[i].append(graph.product(minus, pivot_right))
            for j in neighbours[:position]:
                self._entry(i, j).append(graph.product(minus, column[j]))
        quotients = [graph.product(inverse, right) for right in pivot_rights]
        if sign > 0:
            self.free.append(graph.product(pivot_rights[0], quotients[0]))
        row = {i: graph.scale(sign, x) for i, x in factors.items()}
        self._steps[k] = ([graph.scale(sign, quotient) for quotient in quotients], row)

    def _inverses(self, pivot: Pivot) -> list[int]:
        """Return the inverses of the pivots |d| of its unknowns, and add the conditions P - M > PIVOT_GUARD P."""
        graph = self.graph
        sign = 1.0 if pivot[0] < self.n else -1.0
        supports = [graph.sum(self.support[k]) for k in pivot]
        sizes = [graph.subtract(x, graph.sum(self.subtracted[k])) for k, x in zip(pivot, supports, strict=True)]
        if len(pivot) == 1:
            self._require(graph.scale(PIVOT_GUARD, supports[0]), sizes[0])
            return [graph.reciprocal(sizes[0])]
        one, other = sizes
        between = graph.scale(sign, graph.sum(self.entries[pivot[0]][pivot[1]]))
        determinant = graph.subtract(graph.product(one, other), graph.product(between, between))
        self._require(graph.zero, one)
        self._require(graph.scale(PIVOT_GUARD, graph.product(*supports)), determinant)
        return [graph.reciprocal(one), graph.product(one, graph.reciprocal(determinant))]

    def _require(self, least: int, value: int) -> None:
        """Add the condition least < value."""
        self.conditions.append(self.graph.compare("less", least, value))

    def back_substitution(self, order: Sequence[Pivot], column: int) -> dict[int, int]:
        """Return the solution for one of the right sides, the last unknowns first: x_k = right/d - sum l_i x_i.

        The sums end with the unknowns that are known last, on which nothing else then has to wait.
        """
        graph = self.graph
        x: dict[int, int] = {}
        for k in (k for pivot in reversed(order) for k in reversed(pivot)):
            rights, factors = self._steps[k]
            known = sorted(factors.items(), key=lambda item: x[item[0]])
            terms = [graph.scale(-1.0, graph.product(factor, x[i])) for i, factor in known]
            x[k] = graph.sum([rights[column], *terms])
        return x
