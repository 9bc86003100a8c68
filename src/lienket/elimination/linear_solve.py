"""Linear systems in symbols, for the small ones whose solution a person wants to read.

Up to three unknowns by the adjugate, x = adj(M) b/det(M), which gives one fraction; above that by elimination with the
pivot that is least likely to vanish. What is zero is decided by values at points, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from ..errors import LienketError
from ..language.simplify.quotient import tidy_quotients
from .null_space_step import ZERO, Matrix, dot, product
from .pivot import choose
from .sampling.point import Point

ADJUGATE = 3  # unknowns
TIDY = 400  # expanded terms of a row, up to which it is tidied


def solve(M: Matrix, B: Matrix, points: Sequence[Point], motion: set[Any]) -> Matrix:
    """The solution X (n x k) of M X = B, M (n x n) regular at the points; LienketError if it is singular."""
    if not M:
        return []
    if len(M) <= ADJUGATE:
        return _by_adjugate(M, B, points)
    return _by_elimination(M, B, points, motion)


def is_regular(M: Matrix, points: Sequence[Point]) -> bool:
    """Whether M is regular at every point."""
    return all(_is_regular_at([point.numbers(row) for row in M], point.small) for point in points)


def tidied(rows: Matrix, limit: float = TIDY) -> Matrix:
    """The matrix with each row tidied, where it is small."""
    return [tidy_quotients(row, limit) for row in rows]


def _by_adjugate(M: Matrix, B: Matrix, points: Sequence[Point]) -> Matrix:
    n = len(M)
    adjugate = [[(-1) ** (i + j) * _determinant(_minor(M, j, i)) for j in range(n)] for i in range(n)]
    (determinant,) = tidy_quotients([dot(M[0], [row[0] for row in adjugate])], TIDY)
    if any(_is_zero(point.number(determinant), point, M) for point in points):
        raise LienketError("The linear system is singular: its determinant vanishes on the constraints.")
    return tidied([[x / determinant if x != 0 else ZERO for x in row] for row in product(adjugate, B)])


def _minor(M: Matrix, i: int, j: int) -> Matrix:
    return [[x for c, x in enumerate(row) if c != j] for r, row in enumerate(M) if r != i]


def _determinant(M: Matrix) -> Any:
    if not M:
        return se.Integer(1)
    terms = [(-1) ** j * x * _determinant(_minor(M, 0, j)) for j, x in enumerate(M[0]) if x != 0]
    return se.Add(*terms) if terms else ZERO


def _is_zero(value: Any, point: Point, M: Matrix) -> bool:
    size = 1.0
    for row in M:
        size *= max(abs(float(point.number(x))) for x in row)
    return abs(float(value)) <= point.small * max(size, 1e-300)


def _by_elimination(M: Matrix, B: Matrix, points: Sequence[Point], motion: set[Any]) -> Matrix:
    """Gauss-Jordan on [M | B], with the same steps on the numbers at each point."""
    rows = [[*m, *b] for m, b in zip(M, B, strict=True)]
    numbers = [[point.numbers(row) for row in rows] for point in points]
    n = len(M)
    places: list[int] = []
    for column in _sparsest_first(M):
        left = [i for i in range(n) if i not in places]
        allowed = [i for i in left if all(_can_divide(shadow, i, column, left) for shadow in numbers)]
        allowed = [i for i in allowed if rows[i][column] != 0]
        if not allowed:
            raise LienketError("The linear system is singular on the constraints.")
        entries = [rows[i][column] for i in range(n)]
        p = choose(entries, allowed, motion)
        places.append(p)
        rows = tidied(_cleared(rows, p, column))
        numbers = [_cleared(shadow, p, column, point.small) for shadow, point in zip(numbers, points, strict=True)]
    order = dict(zip(_sparsest_first(M), places, strict=True))
    return [rows[order[column]][n:] for column in range(n)]


def _sparsest_first(M: Matrix) -> list[int]:
    return sorted(range(len(M)), key=lambda j: (sum(1 for row in M if row[j] != 0), j))


def _can_divide(shadow: Matrix, i: int, column: int, left: Sequence[int]) -> bool:
    largest = max(abs(float(shadow[k][column])) for k in left)
    return abs(float(shadow[i][column])) > 1e-12 * max(largest, 1e-300)


def _cleared(rows: Matrix, p: int, column: int, small: float = 0.0) -> Matrix:
    """The rows with row p divided by its entry and that column cleared in the others."""
    pivot = [x / rows[p][column] if x != 0 else ZERO for x in rows[p]]
    found = []
    for i, row in enumerate(rows):
        factor = row[column]
        if i == p:
            found.append(pivot)
        elif factor == 0:
            found.append(row)
        else:
            cleared = [_less(x, factor * y, small) if y != 0 else x for x, y in zip(row, pivot, strict=True)]
            cleared[column] = ZERO
            found.append(cleared)
    return found


def _less(x: Any, y: Any, small: float) -> Any:
    """The difference x - y; of numbers, exactly zero where only rounding is left."""
    left = x - y
    if isinstance(left, se.RealMPFR) and abs(float(left)) <= small * (abs(float(x)) + abs(float(y))):
        return ZERO
    return left


def _is_regular_at(M: Matrix, small: float) -> bool:
    """Gauss elimination of numbers, with rounding taken for zero."""
    rows = [list(row) for row in M]
    for column in range(len(rows)):
        sizes = [max(abs(float(x)) for x in row) for row in rows]
        p = max(range(column, len(rows)), key=lambda i: abs(float(rows[i][column])) / (sizes[i] or 1.0))
        if rows[p][column] == 0:
            return False
        rows[column], rows[p] = rows[p], rows[column]
        for i in range(column + 1, len(rows)):
            factor = rows[i][column] / rows[column][column]
            if factor != 0:
                rows[i] = [
                    _less(x, factor * y, small) if y != 0 else x for x, y in zip(rows[i], rows[column], strict=True)
                ]
                rows[i][column] = ZERO
    return True
