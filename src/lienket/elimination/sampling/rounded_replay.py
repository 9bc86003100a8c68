"""Elimination replayed in double precision at a point whose numbers are rounded anyway.

The outline is that of NumericReplay. A row is measured by its distance from the span of the rows before it, in units of
the coordinates, since pivots chosen for short formulas may be small and magnify rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import symengine as se

from ...foundation.arrays import Array
from ..null_space_step import COLUMNS, ZERO
from .point import OutsideDomain, Point

# [1] pivot relative to the largest entry of beta below which it is not used
ROUNDED_PIVOT_TOLERANCE = 1e-5
# [1] distance of a row from the span of others, relative to its length, below which it is dependent
ROUNDED_RANK_TOLERANCE = 1e-9


@dataclass
class RoundedReplay:
    """Basis D (n x m) at a point after the accepted rows, and directions e_i: J_i e_i = 1, J_i e_j = 0 for i < j.

    `scale` (n) has a unit for each coordinate; `span` is an orthonormal basis of the accepted rows in these units.
    """

    point: Point
    choice: str
    D: Array
    scale: Array
    accepted: list[tuple[str, int, Array]] = field(default_factory=list)  # name, row number, J
    directions: list[Array] = field(default_factory=list)
    span: list[Array] = field(default_factory=list)

    def copy(self) -> RoundedReplay:
        """Return a replay that accepts further rows without changing this one."""
        return replace(self, accepted=[*self.accepted], directions=[*self.directions], span=[*self.span])

    @property
    def width(self) -> int:
        """Number of degrees of freedom left, m."""
        return self.D.shape[1]

    def beta(self, row: Sequence[se.Expr | float]) -> list[float]:
        """Return beta = J D with rounding replaced by exact zeros."""
        J = _floats(row)
        rest, length = self._rest(J)
        if not self.width or np.linalg.norm(rest) <= ROUNDED_RANK_TOLERANCE * length:
            return [0.0] * self.width
        beta = J @ self.D
        size = float(np.sum(np.abs(J) @ np.abs(self.D)) + np.max(np.abs(J)))
        return [float(b) for b in np.where(np.abs(beta) > self.point.tolerance * size, beta, 0.0)]

    def can_pivot(self, beta: Sequence[float], p: int) -> bool:
        """Return whether the p-th entry of beta is large enough to be a pivot."""
        return abs(beta[p]) > ROUNDED_PIVOT_TOLERANCE * max(map(abs, beta))

    def accept(self, name: str, number: int, row: Sequence[se.Expr | float], beta: Sequence[float], p: int) -> None:
        """Accept the row: D <- D H."""
        J, b = _floats(row), np.array(beta)
        rest = self._rest(J)[0]
        self.span.append(rest / np.linalg.norm(rest))
        if self.choice == "pivot":
            e = self.D[:, p] / b[p]
            self.D = np.delete(self.D - np.outer(e, b), p, axis=1)
        else:
            e = self.D @ b / (b @ b)
            entries = [se.RealDouble(x) if x else ZERO for x in beta]
            H = [[float(x) for x in line] for line in COLUMNS[self.choice](entries, p)]
            self.D = self.D @ np.array(H).reshape(len(b), -1)
        self.accepted.append((name, number, J))
        self.directions.append(e)

    def weights(self, row: Sequence[se.Expr | float]) -> list[float]:
        """Solve x G = J for a row J that depends on the accepted rows; rounding is replaced by exact zeros."""
        J, count = _floats(row), len(self.accepted)
        G, E = np.array([row[2] for row in self.accepted]), np.array(self.directions)
        if not count:
            return []
        L, x, largest = G @ E.T, np.zeros(count), float(np.max(np.abs(J)))
        for i in reversed(range(count)):
            later = x[i + 1 :] * L[i + 1 :, i]
            x[i] = J @ E[i] - later.sum()
            size = largest * float(np.max(np.abs(E[i]))) + float(np.abs(later).sum())
            if abs(x[i]) <= self.point.tolerance * size:
                x[i] = 0.0
        return [float(w) for w in x]

    def _rest(self, J: Array) -> tuple[Array, float]:
        """Return the part of a row orthogonal to the span, by projecting twice, and the length of the row."""
        rest = J * self.scale
        length = float(np.linalg.norm(rest))
        if self.span:
            basis = np.array(self.span)
            for _ in range(2):
                rest = rest - basis.T @ (basis @ rest)
        return rest, length


def coordinate_units(A: Sequence[Sequence[se.Expr]], point: Point) -> Array:
    """Return 1/sqrt(A_ii), a unit for each coordinate; 1 without inertia."""
    try:
        inertias = np.array([float(point.number(row[i])) for i, row in enumerate(A)])
    except OutsideDomain:
        return np.ones(len(A))
    heavy = inertias > 0
    return np.where(heavy, 1 / np.sqrt(np.where(heavy, inertias, 1.0)), 1.0)


def _floats(row: Sequence[se.Expr | float]) -> Array:
    return np.array([float(x) for x in row])
