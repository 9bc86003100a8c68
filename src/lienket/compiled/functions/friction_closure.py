"""Friction in the solution for accelerations and multipliers, as straight-line code.

Each contact pushes with c_j = share_j lambda_j along its direction. The ideal system gives multipliers lambda and, for
a push of 1 of each contact alone, the responses Lambda; what is left is a small system for the pushes c,

    c_j - share_j sum_k Lambda_jk c_k = share_j lambda_j,

eliminated in order. Its pivots are 1 where there is no friction, and 0 where there is no or no single motion
(Painleve): they must stay clear of 0, or the robust kernel takes over.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.graph import Graph
from .saddle_elimination import GUARD, SolutionNodes


def close_friction(graph: Graph, solution: SolutionNodes, contacts: Sequence[tuple[int, int]]) -> SolutionNodes:
    """The solution with friction; `contacts` are (row, share), whose responses the solution has, in order."""
    matrix = [
        [
            _less(graph, j == k, graph.product(share, response[row]))
            for k, (_, response) in enumerate(solution.responses)
        ]
        for j, (row, share) in enumerate(contacts)
    ]
    right = [graph.product(share, solution.multipliers[row]) for row, share in contacts]
    pushes, conditions = _solved(graph, matrix, right)
    parts = []
    for which, free in enumerate((solution.accelerations, solution.multipliers)):
        columns = [response[which] for response in solution.responses]
        parts.append(
            tuple(
                graph.sum([x, *(graph.product(c, column[i]) for c, column in zip(pushes, columns, strict=True))])
                for i, x in enumerate(free)
            )
        )
    return SolutionNodes(parts[0], parts[1], (*solution.conditions, *conditions))


def _less(graph: Graph, diagonal: bool, product: int) -> int:
    return graph.subtract(graph.one if diagonal else graph.zero, product)


def _solved(graph: Graph, matrix: list[list[int]], right: list[int]) -> tuple[list[int], list[int]]:
    """The solution of a small system by elimination in order, and what must hold for it."""
    size, conditions, inverses = len(right), [], []
    for k in range(size):
        conditions.append(graph.compare("less", graph.constant(GUARD), matrix[k][k]))
        inverses.append(graph.reciprocal(matrix[k][k]))
        for i in range(k + 1, size):
            factor = graph.product(matrix[i][k], inverses[k])
            for j in range(k + 1, size):
                matrix[i][j] = graph.subtract(matrix[i][j], graph.product(factor, matrix[k][j]))
            right[i] = graph.subtract(right[i], graph.product(factor, right[k]))
    found = [graph.zero] * size
    for k in reversed(range(size)):
        known = graph.sum(graph.product(matrix[k][j], found[j]) for j in range(k + 1, size))
        found[k] = graph.product(graph.subtract(right[k], known), inverses[k])
    return found, conditions
