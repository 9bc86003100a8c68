"""Share of each constraint in the total reaction: r = sum of G_i^T lambda_i (theory 6).

With redundant rows, G_all = K G, the total is unique but the shares are not: the multipliers of least norm are
lambda = K (K^T K)^-1 mu, where G^T mu = r.
"""

from __future__ import annotations

from ..elimination.linear_solve import tidied
from ..elimination.null_space_step import ONE, ZERO, Matrix, Vector, dot, product, transposed
from .reaction_problem import ReactionProblem

COEFFICIENT_ZERO_TOLERANCE = 1e-30  # [1] entry of K below which it counts as zero


def multipliers_of(problem: ReactionProblem, r: Vector) -> Vector:
    """Solve G^T mu = r for the multipliers of the accepted rows, by the equations of the eliminated coordinates."""
    bound = _bound_coordinates(problem)
    columns = [[J[i] for J in problem.G] for i in bound]
    return problem.solve_vector(columns, [r[i] for i in bound])


def all_multipliers(problem: ReactionProblem, mu: Vector) -> tuple[list[tuple[str, int]], Vector, tuple[str, ...]]:
    """Return the labels (name, row number) of all rows, their multipliers, and the names with non-unique shares."""
    labels = [(row.name, number) for row in problem.chain.rows for number in range(len(row))]
    if len(labels) == len(mu):
        return labels, mu, ()
    K = _combinations(problem, labels)
    gram = tidied(product(transposed(K, len(mu)), K))
    weights = problem.solve_vector(gram, mu)
    (values,) = tidied([[dot(row, weights) for row in K]])
    mixed = set()
    for label, row in zip(labels, K, strict=True):
        if label not in problem.row_labels:
            mixed |= {label[0]} | {problem.row_labels[i][0] for i, x in enumerate(row) if x != 0}
    return labels, values, tuple(row.name for row in problem.chain.rows if row.name in mixed)


def _bound_coordinates(problem: ReactionProblem) -> list[int]:
    """Return the eliminated coordinates; with choice 'orthogonal', those of the pivots."""
    free = set(problem.chain.free_coordinates)
    return [i for i in range(len(problem.h)) if i not in free]


def _combinations(problem: ReactionProblem, labels: list[tuple[str, int]]) -> Matrix:
    """Return K (all rows x accepted rows) with G_all = K G."""
    by_name = {row.name: row for row in problem.chain.rows}
    bound = _bound_coordinates(problem)
    square = [[J[i] for J in problem.G] for i in bound]
    K: Matrix = []
    for name, number in labels:
        if (name, number) in problem.row_labels:
            K.append([ONE if label == (name, number) else ZERO for label in problem.row_labels])
            continue
        J = by_name[name].inside_G[number]
        row = problem.solve_vector(square, [J[i] for i in bound])
        zero = [
            all(
                point.number(x) == 0 or abs(float(point.number(x))) < COEFFICIENT_ZERO_TOLERANCE
                for point in problem.chain.points
            )
            for x in row
        ]
        K.append([ZERO if z else x for x, z in zip(row, zero, strict=True)])
    return K
