"""The share of each constraint in the total reaction: r = sum of G_i^T lambda_i (theory 6).

With redundant rows G_all = K G the total is unique and the split is not: the multipliers of least norm are
lambda = K (K^T K)^-1 mu, where G^T mu = r.
"""

from __future__ import annotations

from ..elimination.linear_solve import tidied
from ..elimination.null_space_step import ONE, ZERO, Matrix, Vector, dot, product, transposed
from .reaction_problem import ReactionProblem


def multipliers_of(setting: ReactionProblem, r: Vector) -> Vector:
    """The multipliers mu of the accepted rows, G^T mu = r, from the equations of the eliminated coordinates."""
    bound = _bound_coordinates(setting)
    columns = [[J[i] for J in setting.G] for i in bound]
    return setting.solve_vector(columns, [r[i] for i in bound])


def all_multipliers(setting: ReactionProblem, mu: Vector) -> tuple[list[tuple[str, int]], Vector, tuple[str, ...]]:
    """Places (name, row number) of all rows in order, their multipliers, and the names whose share is not unique."""
    places = [(row.name, number) for row in setting.chain.rows for number in range(len(row))]
    if len(places) == len(mu):
        return places, mu, ()
    K = _combinations(setting, places)
    gram = tidied(product(transposed(K, len(mu)), K))
    weights = setting.solve_vector(gram, mu)
    (values,) = tidied([[dot(row, weights) for row in K]])
    mixed = set()
    for place, row in zip(places, K, strict=True):
        if place not in setting.places:
            mixed |= {place[0]} | {setting.places[i][0] for i, x in enumerate(row) if x != 0}
    return places, values, tuple(row.name for row in setting.chain.rows if row.name in mixed)


def _bound_coordinates(setting: ReactionProblem) -> list[int]:
    """The coordinates that the rows eliminate; under the orthogonal choice, those that pivots would."""
    free = set(setting.chain.free_coordinates)
    return [i for i in range(len(setting.h)) if i not in free]


def _combinations(setting: ReactionProblem, places: list[tuple[str, int]]) -> Matrix:
    """K (all rows x accepted rows) with G_all = K G."""
    by_name = {row.name: row for row in setting.chain.rows}
    bound = _bound_coordinates(setting)
    square = [[J[i] for J in setting.G] for i in bound]
    K: Matrix = []
    for name, number in places:
        if (name, number) in setting.places:
            K.append([ONE if place == (name, number) else ZERO for place in setting.places])
            continue
        J = by_name[name].inside_G[number]
        row = setting.solve_vector(square, [J[i] for i in bound])
        zero = [
            all(point.number(x) == 0 or abs(float(point.number(x))) < 1e-30 for point in setting.chain.points)
            for x in row
        ]
        K.append([ZERO if z else x for x, z in zip(row, zero, strict=True)])
    return K
