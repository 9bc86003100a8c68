"""Combinations of equations in which all unknowns cancel: y^T M = 0, so that M x = b requires y^T b = 0.

Elimination without fractions: row_i <- below row_i - above row_p, with above/below the reduced quotient of the two
entries in the pivot's column; then the row is divided by the common factors of its entries. The weights y are part of
the row, so factors introduced by the elimination are found and divided out. Zeros are detected by values at points on
the constraints (see elimination/linear_solve).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...elimination.null_space_step import ONE, ZERO, Matrix, Vector
from ...elimination.pivot import MOVING, expression_length, vanishing_risk
from ...elimination.sampling.point import OutsideDomain, Point
from ...errors import LienketError
from ...language.expression import EngineExpression, EngineSymbol
from ...language.simplify.factors import common_powers, divided, product, ratio
from ...language.simplify.quotient import tidy_quotients

NULL_ROW_TERMS_LIMIT = 400  # [terms] expanded terms of a row up to which it is simplified
NULL_ROW_PIVOT_TOLERANCE = 1e-12  # [1] pivot relative to its row below which it counts as zero
COMMON_FACTOR_FLOOR = 1e-12  # [1] value of a common factor below which a row is not divided by it


@dataclass(frozen=True)
class NullRow:
    """Weights y, one for each row of M, with y^T M = 0 on the constraints, and `rest` = y^T b."""

    weights: Vector
    rest: EngineExpression


def null_rows(M: Matrix, b: Vector, points: Sequence[Point], motion: set[EngineSymbol]) -> list[NullRow]:
    """Return independent combinations y of the rows of M (r x c) that vanish at the points, r - rank(M) of them."""
    count, width = len(M), len(M[0])
    rows = [
        [*m, x, *(ONE if i == k else ZERO for k in range(count))] for i, (m, x) in enumerate(zip(M, b, strict=True))
    ]
    work = _Elimination(rows, _evaluated(rows, points), width, motion)
    left = set(range(count))
    while True:
        pivot = work.pivot(left)
        if pivot is None:
            break
        p, column = pivot
        left.remove(p)
        for i in sorted(left):
            work.clear(i, p, column)
    return [NullRow(work.rows[i][width + 1 :], work.rows[i][width]) for i in sorted(left)]


def _evaluated(rows: Matrix, points: Sequence[Point]) -> list[tuple[Point, Matrix]]:
    """Return the points at which the rows have real values, with these values."""
    evaluated = []
    for point in points:
        try:
            evaluated.append((point, [point.numbers(row) for row in rows]))
        except OutsideDomain:
            continue
    if not evaluated:
        raise LienketError("The equations have no real value at any of the states tried on the constraints.")
    return evaluated


@dataclass
class _Elimination:
    """Rows [M | b | y] as formulas and, for each point, as numbers; `width` is the number of columns of M."""

    rows: Matrix
    evaluated: list[tuple[Point, Matrix]]
    width: int
    motion: set[EngineSymbol]

    def pivot(self, left: set[int]) -> tuple[int, int] | None:
        """Return row and column of the next pivot: in a column with few entries, short, and unlikely to vanish.

        None if only zeros are left.
        """
        memo: dict[EngineExpression, int] = {}
        best: tuple[tuple[bool, int, int, int], int, int] | None = None
        used = {i: [j for j in range(self.width) if self.rows[i][j] != 0] for i in left}
        counts = {j: sum(j in columns for columns in used.values()) for columns in used.values() for j in columns}
        for i in sorted(left):
            for j in used[i]:
                if not self._can_pivot(i, j):
                    continue
                entry = self.rows[i][j]
                moving = vanishing_risk(entry, self.motion) == MOVING
                fill = (counts[j] - 1) * (len(used[i]) - 1)
                key = (
                    moving and counts[j] > 1,
                    fill,
                    expression_length(entry, memo),
                    sum(expression_length(x, memo) for x in self.rows[i]),
                )
                if best is None or key < best[0]:
                    best = (key, i, j)
        return None if best is None else best[1:]

    def _can_pivot(self, i: int, j: int) -> bool:
        """Return whether entry (i, j) is nonzero at every point."""
        for _, numbers in self.evaluated:
            largest = max(abs(float(x)) for x in numbers[i][: self.width])
            if abs(float(numbers[i][j])) <= NULL_ROW_PIVOT_TOLERANCE * largest:
                return False
        return True

    def clear(self, i: int, p: int, column: int) -> None:
        """Eliminate the column from row i by row p."""
        if self.rows[i][column] == 0:
            return
        above, below = ratio(self.rows[i][column], self.rows[p][column])
        pairs = zip(self.rows[i], self.rows[p], strict=True)
        row = [(below * x if x != 0 else ZERO) - (above * y if y != 0 else ZERO) for x, y in pairs]
        row[column] = ZERO
        for point, numbers in self.evaluated:
            a, b = point.number(above), point.number(below)
            mixed = [_difference(b * x, a * y, point.tolerance) for x, y in zip(numbers[i], numbers[p], strict=True)]
            mixed[column] = ZERO
            numbers[i] = mixed
        for j in range(self.width):
            if all(numbers[i][j] == 0 for _, numbers in self.evaluated):
                row[j] = ZERO
        self._reduce(i, tidy_quotients(row, NULL_ROW_TERMS_LIMIT))

    def _reduce(self, i: int, row: Vector) -> None:
        """Store `row` as row i, divided by the common factors of its entries that vanish at no point."""
        shared = common_powers(row)
        values = {b: [abs(float(point.number(b))) for point, _ in self.evaluated] for b in shared}
        shared = {b: k for b, k in shared.items() if min(values[b]) > COMMON_FACTOR_FLOOR}
        self.rows[i] = tidy_quotients(divided(row, shared), NULL_ROW_TERMS_LIMIT) if shared else row
        factor = product({b: -k for b, k in shared.items()})
        for point, numbers in self.evaluated:
            by = point.number(factor)
            numbers[i] = [by * x if x != 0 else ZERO for x in numbers[i]]


def _difference(x: EngineExpression, y: EngineExpression, tolerance: float) -> EngineExpression:
    """Return the difference of two numbers, exactly zero if only rounding is left."""
    left = x - y
    return ZERO if left == 0 or abs(float(left)) <= tolerance * (abs(float(x)) + abs(float(y))) else left
