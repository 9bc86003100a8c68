"""Elimination replayed in numbers at one point on the constraints.

At such a point it is decidable whether a row of beta is zero and whether a pivot vanishes. The symbolic chain takes
these decisions from its numeric replays, never from the form of an expression. Where numbers are rounded, a row is
measured by its distance from the span of the rows before it, in units of the coordinates, since pivots chosen for short
formulas may be small and magnify rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import symengine as se

from ...constraints import ConstraintRows
from ...foundation.arrays import Array
from ..null_space_step import ONE, ZERO, Matrix, Vector, dot, reduced_basis
from .point import OutsideDomain, Point

REPLAY_PIVOT_TOLERANCE = 1e-12  # [1] pivot relative to the largest entry of beta below which it counts as zero
# [1] the limit at points of rounded numbers
ROUNDED_PIVOT_TOLERANCE = 1e-5
# [1] distance of a row of rounded numbers from the span of others, relative to its length, below which it is dependent
ROUNDED_RANK_TOLERANCE = 1e-9


@dataclass
class NumericReplay:
    """Basis D (n x m) at a point after the accepted rows, and directions e_i: J_i e_i = 1, J_i e_j = 0 for i < j.

    `scale` (n) has a unit for each coordinate; `span` is an orthonormal basis of the accepted rows in these units.
    """

    point: Point
    choice: str
    D: Matrix
    accepted: list[tuple[str, int, Vector]] = field(default_factory=list)  # name, row number, J
    directions: list[Vector] = field(default_factory=list)
    scale: Array | None = None
    span: list[Array] = field(default_factory=list)

    def beta(self, J: Vector) -> Vector:
        """Return beta = J D with rounding replaced by exact zeros."""
        if self.point.rounded and self.depends(J):
            return [ZERO] * self.width
        rows = [(j, row) for j, row in zip(J, self.D, strict=True) if j != 0]
        terms = [[j * row[k] for j, row in rows if row[k] != 0] for k in range(self.width)]
        size = sum(abs(float(x)) for column in terms for x in column) + max(
            (abs(float(j)) for j, _ in rows), default=0.0
        )
        beta = [sum(column, ZERO) for column in terms]
        return [b if b != 0 and abs(float(b)) > self.point.tolerance * size else ZERO for b in beta]

    def depends(self, J: Vector) -> bool:
        """Return whether the row, in rounded numbers, is in the span of the accepted rows."""
        rest, length = self._rest(J)
        return float(np.linalg.norm(rest)) <= ROUNDED_RANK_TOLERANCE * length

    def _rest(self, J: Vector) -> tuple[Array, float]:
        """Return the part of a row orthogonal to the span, by projecting twice, and the length of the row."""
        rest = np.array([float(j) for j in J]) * (1.0 if self.scale is None else self.scale)
        length = float(np.linalg.norm(rest))
        if self.span:
            basis = np.array(self.span)
            for _ in range(2):
                rest = rest - basis.T @ (basis @ rest)
        return rest, length

    @property
    def width(self) -> int:
        """Number of degrees of freedom left, m."""
        return len(self.D[0])

    def can_pivot(self, beta: Vector, p: int) -> bool:
        """Return whether the p-th entry of beta is large enough to be a pivot."""
        tolerance = ROUNDED_PIVOT_TOLERANCE if self.point.rounded else REPLAY_PIVOT_TOLERANCE
        return abs(float(beta[p])) > tolerance * max(abs(float(b)) for b in beta)

    def accept(self, name: str, number: int, J: Vector, beta: Vector, p: int) -> None:
        """Accept the row: D <- D H."""
        if self.choice == "pivot":
            e = [row[p] / beta[p] for row in self.D]
        else:
            square = se.Add(*[b**2 for b in beta])
            e = [dot(row, beta) / square for row in self.D]
        if self.point.rounded:
            rest = self._rest(J)[0]
            self.span.append(rest / np.linalg.norm(rest))
        self.D = reduced_basis(self.D, self.choice, beta, p)
        self.accepted.append((name, number, J))
        self.directions.append(e)

    def weights(self, J: Vector) -> Vector:
        """Solve x G = J for a row J that depends on the accepted rows; rounding is replaced by exact zeros."""
        x: Vector = [ZERO] * len(self.accepted)
        for i in reversed(range(len(x))):
            later = [x[k] * dot(self.accepted[k][2], self.directions[i]) for k in range(i + 1, len(x)) if x[k] != 0]
            x[i] = dot(J, self.directions[i]) - sum(later, ZERO)
            size = max(abs(float(j)) for j in J) * max(abs(float(e)) for e in self.directions[i])
            if abs(float(x[i])) <= self.point.tolerance * (size + sum(abs(float(term)) for term in later)):
                x[i] = ZERO
        return x


def free_replay(point: Point, n: int, choice: str, scale: Array | None = None) -> NumericReplay:
    """Return the replay of the free system, D = I."""
    unit = [[ONE if i == j else ZERO for j in range(n)] for i in range(n)]
    return NumericReplay(point, choice, unit, scale=scale)


def coordinate_units(A: Matrix, point: Point) -> Array | None:
    """Return 1/sqrt(A_ii), a unit for each coordinate, 1 without inertia; None where numbers are not rounded."""
    if not point.rounded:
        return None
    try:
        inertias = np.array([float(point.number(row[i])) for i, row in enumerate(A)])
    except OutsideDomain:
        return np.ones(len(A))
    heavy = inertias > 0
    return np.where(heavy, 1 / np.sqrt(np.where(heavy, inertias, 1.0)), 1.0)


def replay_rows(free: NumericReplay, rows: Sequence[ConstraintRows], pivots: Sequence[tuple[str, int, int]]) -> bool:
    """Replay the accepted rows (name, row number, pivot) in place; return False if a pivot vanishes at the point."""
    by_name = {row.name: row for row in rows}
    for name, number, p in pivots:
        try:
            J = free.point.numbers(by_name[name].inside_G[number])
        except OutsideDomain:
            return False
        beta = free.beta(J)
        if not any(b != 0 for b in beta) or not free.can_pivot(beta, p):
            return False
        free.accept(name, number, J, beta, p)
    return True
