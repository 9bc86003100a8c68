"""Symbolic linear systems, for small ones whose solution is to be read.

Up to three unknowns: adjugate, x = adj(M) b/det(M), which gives one fraction; more unknowns: elimination with the pivot
least likely to vanish. Zeros are detected by values at points on the constraints, never by the form of an expression.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from ..errors import LienketError
from ..language.simplify.quotient import tidy_quotients
from .null_space_step import ZERO, Matrix, dot, product
from .pivot import choose_pivot
from .sampling.point import Point

ADJUGATE_SIZE_LIMIT = 3  # [unknowns] largest system solved by the adjugate
ROW_TERMS_LIMIT = 400  # [terms] expanded terms of a row up to which it is simplified
DIVISION_TOLERANCE = 1e-12  # [1] pivot relative to its column below which it is not divided by


def solve(M: Matrix, B: Matrix, points: Sequence[Point], motion: set[se.Symbol]) -> Matrix:
    """Solve M X = B for X (n x k), M (n x n) regular at the points; raise LienketError if M is singular."""
    if not M:
        return []
    if len(M) <= ADJUGATE_SIZE_LIMIT:
        return _by_adjugate(M, B, points)
    return _by_elimination(M, B, points, motion)


def is_regular(M: Matrix, points: Sequence[Point]) -> bool:
    """Return whether M is regular at every point."""
    return all(_is_regular_at([point.numbers(row) for row in M], point.tolerance) for point in points)


def tidied(rows: Matrix, limit: float = ROW_TERMS_LIMIT) -> Matrix:
    """Return the matrix with each row simplified unless it has more than `limit` expanded terms."""
    return [tidy_quotients(row, limit) for row in rows]


def _by_adjugate(M: Matrix, B: Matrix, points: Sequence[Point]) -> Matrix:
    """Solve M X = B by X = adj(M) B/det(M)."""
    n = len(M)
    adjugate = [[(-1) ** (i + j) * _determinant(_minor(M, j, i)) for j in range(n)] for i in range(n)]
    (determinant,) = tidy_quotients([dot(M[0], [row[0] for row in adjugate])], ROW_TERMS_LIMIT)
    if any(_is_zero(point.number(determinant), point, M) for point in points):
        raise LienketError("The linear system is singular: its determinant vanishes on the constraints.")
    return tidied([[x / determinant if x != 0 else ZERO for x in row] for row in product(adjugate, B)])


def _minor(M: Matrix, i: int, j: int) -> Matrix:
    """Return M without row i and column j."""
    return [[x for c, x in enumerate(row) if c != j] for r, row in enumerate(M) if r != i]


def _determinant(M: Matrix) -> se.Expr:
    if not M:
        return se.Integer(1)
    terms = [(-1) ** j * x * _determinant(_minor(M, 0, j)) for j, x in enumerate(M[0]) if x != 0]
    return se.Add(*terms) if terms else ZERO


def _is_zero(value: se.Expr, point: Point, M: Matrix) -> bool:
    """Return whether a determinant is zero relative to the product of the largest entries of the rows of M."""
    size = 1.0
    for row in M:
        size *= max(abs(float(point.number(x))) for x in row)
    return abs(float(value)) <= point.tolerance * max(size, 1e-300)


def _by_elimination(M: Matrix, B: Matrix, points: Sequence[Point], motion: set[se.Symbol]) -> Matrix:
    """Solve M X = B by Gauss-Jordan elimination on [M | B], in formulas and in numbers at each point."""
    rows = [[*m, *b] for m, b in zip(M, B, strict=True)]
    numbers = [[point.numbers(row) for row in rows] for point in points]
    n = len(M)
    pivot_rows: list[int] = []
    for column in _sparsest_first(M):
        left = [i for i in range(n) if i not in pivot_rows]
        allowed = [i for i in left if all(_can_divide(values, i, column, left) for values in numbers)]
        allowed = [i for i in allowed if rows[i][column] != 0]
        if not allowed:
            raise LienketError("The linear system is singular on the constraints.")
        entries = [rows[i][column] for i in range(n)]
        p = choose_pivot(entries, allowed, motion)
        pivot_rows.append(p)
        rows = tidied(_clear_column(rows, p, column))
        numbers = [_clear_column(x, p, column, point.tolerance) for x, point in zip(numbers, points, strict=True)]
    order = dict(zip(_sparsest_first(M), pivot_rows, strict=True))
    return [rows[order[column]][n:] for column in range(n)]


def _sparsest_first(M: Matrix) -> list[int]:
    """Return the columns of M in order of their nonzero entries."""
    return sorted(range(len(M)), key=lambda j: (sum(1 for row in M if row[j] != 0), j))


def _can_divide(values: Matrix, i: int, column: int, left: Sequence[int]) -> bool:
    """Return whether entry i of the column is large enough to be a pivot among the rows left."""
    largest = max(abs(float(values[k][column])) for k in left)
    return abs(float(values[i][column])) > DIVISION_TOLERANCE * max(largest, 1e-300)


def _clear_column(rows: Matrix, p: int, column: int, tolerance: float = 0.0) -> Matrix:
    """Return the rows with row p divided by its pivot and the column eliminated from the others."""
    pivot = [x / rows[p][column] if x != 0 else ZERO for x in rows[p]]
    result = []
    for i, row in enumerate(rows):
        factor = row[column]
        if i == p:
            result.append(pivot)
        elif factor == 0:
            result.append(row)
        else:
            cleared = [_difference(x, factor * y, tolerance) if y != 0 else x for x, y in zip(row, pivot, strict=True)]
            cleared[column] = ZERO
            result.append(cleared)
    return result


def _difference(x: se.Expr, y: se.Expr, tolerance: float) -> se.Expr:
    """Return x - y; for numbers, exactly zero if only rounding is left."""
    left = x - y
    if isinstance(left, se.RealMPFR) and abs(float(left)) <= tolerance * (abs(float(x)) + abs(float(y))):
        return ZERO
    return left


def _is_regular_at(M: Matrix, tolerance: float) -> bool:
    """Return whether a matrix of numbers is regular, by Gaussian elimination with rounding counted as zero."""
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
                    _difference(x, factor * y, tolerance) if y != 0 else x
                    for x, y in zip(rows[i], rows[column], strict=True)
                ]
                rows[i][column] = ZERO
    return True
