"""The elimination replayed in numbers at one point: what the symbols do, the numbers must be able to do.

At a point on the constraints every decision is plain: a row of beta is zero or it is not, a pivot can be divided by
or it cannot. The symbolic chain asks its shadows and never guesses from the shape of an expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import symengine as se

from ...constraints import ConstraintRows
from ..null_space_step import ONE, ZERO, Matrix, Vector, applied, dot
from .point import OutsideDomain, Point

PIVOT_SHARE = 1e-12  # of the row; a pivot below it is no pivot at this point


@dataclass
class NumericReplay:
    """D (n x m) at a point after the accepted rows, with e_i: J_i e_i = 1, J_i e_j = 0 for i < j."""

    point: Point
    choice: str
    D: Matrix
    accepted: list[tuple[str, int, Vector]] = field(default_factory=list)  # name, row number, J
    directions: list[Vector] = field(default_factory=list)

    def beta(self, J: Vector) -> Vector:
        """J D, exactly zero where it is zero."""
        rows = [(j, row) for j, row in zip(J, self.D, strict=True) if j != 0]
        terms = [[j * row[k] for j, row in rows if row[k] != 0] for k in range(self.width)]
        whole = sum(abs(float(x)) for column in terms for x in column) + max(
            (abs(float(j)) for j, _ in rows), default=0.0
        )
        found = [sum(column, ZERO) for column in terms]
        return [b if b != 0 and abs(float(b)) > self.point.small * whole else ZERO for b in found]

    @property
    def width(self) -> int:
        """The number of freedoms left, m."""
        return len(self.D[0])

    def can_pivot(self, beta: Vector, p: int) -> bool:
        """Whether beta can be divided by its p-th entry here."""
        return abs(float(beta[p])) > PIVOT_SHARE * max(abs(float(b)) for b in beta)

    def accept(self, name: str, number: int, J: Vector, beta: Vector, p: int) -> None:
        """Take the row in: D <- D H."""
        if self.choice == "pivot":
            e = [row[p] / beta[p] for row in self.D]
        else:
            square = se.Add(*[b**2 for b in beta])
            e = [dot(row, beta) / square for row in self.D]
        self.D = applied(self.D, self.choice, beta, p)
        self.accepted.append((name, number, J))
        self.directions.append(e)

    def weights(self, J: Vector) -> Vector:
        """The x of x G = J, a row that depends on the accepted ones, exactly zero where it is zero."""
        x: Vector = [ZERO] * len(self.accepted)
        for i in reversed(range(len(x))):
            later = [x[k] * dot(self.accepted[k][2], self.directions[i]) for k in range(i + 1, len(x)) if x[k] != 0]
            x[i] = dot(J, self.directions[i]) - sum(later, ZERO)
            size = max(abs(float(j)) for j in J) * max(abs(float(e)) for e in self.directions[i])
            if abs(float(x[i])) <= self.point.small * (size + sum(abs(float(term)) for term in later)):
                x[i] = ZERO
        return x


def shadow_at(point: Point, n: int, choice: str) -> NumericReplay:
    """The shadow of the free system: D = I."""
    return NumericReplay(point, choice, [[ONE if i == j else ZERO for j in range(n)] for i in range(n)])


def replay(shadow: NumericReplay, rows: Sequence[ConstraintRows], pivots: Sequence[tuple[str, int, int]]) -> bool:
    """Repeat the accepted rows (name, row number, pivot) in the shadow; False if a pivot vanishes at this point."""
    by_name = {row.name: row for row in rows}
    for name, number, p in pivots:
        try:
            J = shadow.point.numbers(by_name[name].inside_G[number])
        except OutsideDomain:
            return False
        beta = shadow.beta(J)
        if not any(b != 0 for b in beta) or not shadow.can_pivot(beta, p):
            return False
        shadow.accept(name, number, J, beta, p)
    return True
