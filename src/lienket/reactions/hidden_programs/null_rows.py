"""Combinations of equations in which all unknowns cancel: y^T M = 0, so that M x = b asks y^T b = 0.

Elimination without fractions: row_i <- below row_i - above row_p, with above/below the quotient of the two entries in
the pivot's column, freed of what they share; then the row is divided by what all its entries share. The weights y are
carried along, so a factor brought in by the elimination is seen and goes again. What is zero is decided by values at
points on the constraints, as everywhere (see elimination/linear_solve).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...elimination.null_space_step import ONE, ZERO, Matrix, Vector
from ...elimination.pivot import MOVING, length, safety
from ...elimination.sampling.point import OutsideDomain, Point
from ...errors import LienketError
from ...language.simplify.factors import common_powers, divided, product, ratio
from ...language.simplify.quotient import tidy_quotients

TIDY = 400  # expanded terms of a row, up to which it is tidied
PIVOT_SHARE = 1e-12  # of its row; a pivot below it is none at this point


@dataclass(frozen=True)
class NullRow:
    """y (one weight for each row of M) with y^T M = 0 on the constraints, and y^T b."""

    weights: Vector
    rest: Any


def null_rows(M: Matrix, b: Vector, points: Sequence[Point], motion: set[Any]) -> list[NullRow]:
    """Independent combinations y of the rows of M (r x c) that vanish at the points; as many as the rank lacks."""
    count, width = len(M), len(M[0])
    rows = [
        [*m, x, *(ONE if i == k else ZERO for k in range(count))] for i, (m, x) in enumerate(zip(M, b, strict=True))
    ]
    work = _Work(rows, _shadows(rows, points), width, motion)
    left = set(range(count))
    while True:
        place = work.pivot(left)
        if place is None:
            break
        p, column = place
        left.remove(p)
        for i in sorted(left):
            work.clear(i, p, column)
    return [NullRow(work.rows[i][width + 1 :], work.rows[i][width]) for i in sorted(left)]


def _shadows(rows: Matrix, points: Sequence[Point]) -> list[tuple[Point, Matrix]]:
    found = []
    for point in points:
        try:
            found.append((point, [point.numbers(row) for row in rows]))
        except OutsideDomain:
            continue
    if not found:
        raise LienketError("The equations have no real value at any of the states tried on the constraints.")
    return found


@dataclass
class _Work:
    """The rows [M | b | y] as formulas and, for each point, as numbers; `width` is that of M."""

    rows: Matrix
    shadows: list[tuple[Point, Matrix]]
    width: int
    motion: set[Any]

    def pivot(self, left: set[int]) -> tuple[int, int] | None:
        """Row and column of the next pivot: a column with few entries, an entry that is short and sure not to vanish.

        None if nothing but zeros is left.
        """
        memo: dict[Any, int] = {}
        best: tuple[Any, int, int] | None = None
        used = {i: [j for j in range(self.width) if self.rows[i][j] != 0] for i in left}
        counts = {j: sum(j in columns for columns in used.values()) for columns in used.values() for j in columns}
        for i in sorted(left):
            for j in used[i]:
                if not self._can_pivot(i, j):
                    continue
                entry = self.rows[i][j]
                moving = safety(entry, self.motion) == MOVING
                fill = (counts[j] - 1) * (len(used[i]) - 1)
                key = (moving and counts[j] > 1, fill, length(entry, memo), sum(length(x, memo) for x in self.rows[i]))
                if best is None or key < best[0]:
                    best = (key, i, j)
        return None if best is None else best[1:]

    def _can_pivot(self, i: int, j: int) -> bool:
        for _, numbers in self.shadows:
            largest = max(abs(float(x)) for x in numbers[i][: self.width])
            if abs(float(numbers[i][j])) <= PIVOT_SHARE * largest:
                return False
        return True

    def clear(self, i: int, p: int, column: int) -> None:
        """Take the column out of row i."""
        if self.rows[i][column] == 0:
            return
        above, below = ratio(self.rows[i][column], self.rows[p][column])
        pairs = zip(self.rows[i], self.rows[p], strict=True)
        row = [(below * x if x != 0 else ZERO) - (above * y if y != 0 else ZERO) for x, y in pairs]
        row[column] = ZERO
        for point, numbers in self.shadows:
            a, b = point.number(above), point.number(below)
            mixed = [_less(b * x, a * y, point.small) for x, y in zip(numbers[i], numbers[p], strict=True)]
            mixed[column] = ZERO
            numbers[i] = mixed
        for j in range(self.width):
            if all(numbers[i][j] == 0 for _, numbers in self.shadows):
                row[j] = ZERO
        self._reduce(i, tidy_quotients(row, TIDY))

    def _reduce(self, i: int, row: Vector) -> None:
        """Row i becomes the row without what its entries share, as far as that vanishes at no point."""
        shared = common_powers(row)
        values = {b: [abs(float(point.number(b))) for point, _ in self.shadows] for b in shared}
        shared = {b: k for b, k in shared.items() if min(values[b]) > PIVOT_SHARE}
        self.rows[i] = tidy_quotients(divided(row, shared), TIDY) if shared else row
        factor = product({b: -k for b, k in shared.items()})
        for point, numbers in self.shadows:
            by = point.number(factor)
            numbers[i] = [by * x if x != 0 else ZERO for x in numbers[i]]


def _less(x: Any, y: Any, small: float) -> Any:
    """The difference of two numbers, exactly zero where only rounding is left."""
    left = x - y
    return ZERO if left == 0 or abs(float(left)) <= small * (abs(float(x)) + abs(float(y))) else left
