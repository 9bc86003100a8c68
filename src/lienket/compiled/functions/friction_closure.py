"""Coulomb friction in the solution for accelerations and multipliers, as straight-line code.

Each contact exerts the force c_j = share_j lambda_j along its direction. The ideal system gives multipliers lambda and,
for a unit force of each contact alone, the responses Lambda; the forces c then solve the small system

    c_j - share_j sum_k Lambda_jk c_k = share_j lambda_j,

eliminated in order. Its pivots are 1 without friction, and 0 where the motion does not exist or is not unique
(Painleve's paradox): below PIVOT_GUARD the robust kernel solves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.graph import Graph
from .saddle_elimination import PIVOT_GUARD, SolutionNodes


def close_friction(graph: Graph, solution: SolutionNodes, contacts: Sequence[tuple[int, int]]) -> SolutionNodes:
    """Return the solution with friction; `contacts` are (row, share), in the order of the responses of the solution."""
    matrix = [
        [
            _unit_minus(graph, j == k, graph.product(share, response[row]))
            for k, (_, response) in enumerate(solution.responses)
        ]
        for j, (row, share) in enumerate(contacts)
    ]
    right = [graph.product(share, solution.multipliers[row]) for row, share in contacts]
    forces, conditions = _solve(graph, matrix, right)
    parts = []
    for part, ideal in enumerate((solution.accelerations, solution.multipliers)):
        columns = [response[part] for response in solution.responses]
        parts.append(
            tuple(
                graph.sum([x, *(graph.product(c, column[i]) for c, column in zip(forces, columns, strict=True))])
                for i, x in enumerate(ideal)
            )
        )
    return SolutionNodes(parts[0], parts[1], (*solution.conditions, *conditions), (), solution.free)


def _unit_minus(graph: Graph, diagonal: bool, product: int) -> int:
    """Return an entry of the unit matrix minus a product."""
    return graph.subtract(graph.one if diagonal else graph.zero, product)


def _solve(graph: Graph, matrix: list[list[int]], right: list[int]) -> tuple[list[int], list[int]]:
    """Solve a small system by elimination in order; return the solution and the conditions on its pivots."""
    size, conditions, inverses = len(right), [], []
    for k in range(size):
        conditions.append(graph.compare("less", graph.constant(PIVOT_GUARD), matrix[k][k]))
        inverses.append(graph.reciprocal(matrix[k][k]))
        for i in range(k + 1, size):
            factor = graph.product(matrix[i][k], inverses[k])
            for j in range(k + 1, size):
                matrix[i][j] = graph.subtract(matrix[i][j], graph.product(factor, matrix[k][j]))
            right[i] = graph.subtract(right[i], graph.product(factor, right[k]))
    x = [graph.zero] * size
    for k in reversed(range(size)):
        later = graph.sum(graph.product(matrix[k][j], x[j]) for j in range(k + 1, size))
        x[k] = graph.product(graph.subtract(right[k], later), inverses[k])
    return x, conditions
