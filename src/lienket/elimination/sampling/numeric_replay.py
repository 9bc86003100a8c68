"""Elimination replayed in numbers at one point on the constraints.

At such a point it is decidable whether a row of beta is zero and whether a pivot vanishes. The symbolic chain takes
these decisions from its numeric replays, never from the form of an expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import symengine as se

from ...constraints import ConstraintRows
from ..null_space_step import ONE, ZERO, Matrix, Vector, dot, reduced_basis
from .point import OutsideDomain, Point
from .rounded_replay import RoundedReplay, coordinate_units

REPLAY_PIVOT_TOLERANCE = 1e-12  # [1] pivot relative to the largest entry of beta below which it counts as zero


@dataclass
class NumericReplay:
    """Basis D (n x m) at a point after the accepted rows, and directions e_i: J_i e_i = 1, J_i e_j = 0 for i < j."""

    point: Point
    choice: str
    D: Matrix
    accepted: list[tuple[str, int, Vector]] = field(default_factory=list)  # name, row number, J
    directions: list[Vector] = field(default_factory=list)

    def copy(self) -> NumericReplay:
        """Return a replay that accepts further rows without changing this one."""
        return replace(self, accepted=[*self.accepted], directions=[*self.directions])

    def beta(self, J: Vector) -> Vector:
        """Return beta = J D with rounding replaced by exact zeros."""
        rows = [(j, row) for j, row in zip(J, self.D, strict=True) if j != ZERO]
        terms = [[j * row[k] for j, row in rows if row[k] != ZERO] for k in range(self.width)]
        size = sum(abs(float(x)) for column in terms for x in column) + max(
            (abs(float(j)) for j, _ in rows), default=0.0
        )
        beta = [sum(column, ZERO) for column in terms]
        return [b if b != ZERO and abs(float(b)) > self.point.tolerance * size else ZERO for b in beta]

    @property
    def width(self) -> int:
        """Number of degrees of freedom left, m."""
        return len(self.D[0])

    def can_pivot(self, beta: Vector, p: int) -> bool:
        """Return whether the p-th entry of beta is large enough to be a pivot."""
        return abs(float(beta[p])) > REPLAY_PIVOT_TOLERANCE * max(abs(float(b)) for b in beta)

    def accept(self, name: str, number: int, J: Vector, beta: Vector, p: int) -> None:
        """Accept the row: D <- D H."""
        if self.choice == "pivot":
            e = [row[p] / beta[p] for row in self.D]
        else:
            square = se.Add(*[b**2 for b in beta])
            e = [dot(row, beta) / square for row in self.D]
        self.D = reduced_basis(self.D, self.choice, beta, p)
        self.accepted.append((name, number, J))
        self.directions.append(e)

    def weights(self, J: Vector) -> Vector:
        """Solve x G = J for a row J that depends on the accepted rows; rounding is replaced by exact zeros."""
        x: Vector = [ZERO] * len(self.accepted)
        for i in reversed(range(len(x))):
            later = [x[k] * dot(self.accepted[k][2], self.directions[i]) for k in range(i + 1, len(x)) if x[k] != ZERO]
            x[i] = dot(J, self.directions[i]) - sum(later, ZERO)
            size = max(abs(float(j)) for j in J) * max(abs(float(e)) for e in self.directions[i])
            if abs(float(x[i])) <= self.point.tolerance * (size + sum(abs(float(term)) for term in later)):
                x[i] = ZERO
        return x


Replay = NumericReplay | RoundedReplay


def free_replay(point: Point, A: Matrix, choice: str) -> Replay:
    """Return the replay of the free system, D = I, whose inertia matrix A (n x n) sets the units of coordinates."""
    n = len(A)
    if point.rounded:
        return RoundedReplay(point, choice, np.eye(n), coordinate_units(A, point))
    return NumericReplay(point, choice, [[ONE if i == j else ZERO for j in range(n)] for i in range(n)])


def replay_rows(free: Replay, rows: Sequence[ConstraintRows], pivots: Sequence[tuple[str, int, int]]) -> bool:
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
