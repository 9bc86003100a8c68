"""Algebra of plain numbers: the formulas of `mechanism` at one position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, cos, sin, sqrt
from typing import Any

from ...language.expression import Expression
from ...language.symbols import t
from ...mechanism.scalars.algebra import Scalar


class NumberAlgebra:
    """Scalars are floats, at positions `q` and the time 0; whole numbers stay Python's. Nothing moves: rates are 0."""

    def __init__(self, q: Sequence[float], values: Mapping[Any, float]) -> None:
        self.q, self.v = [float(x) for x in q], [0.0] * len(q)
        self._values = {**values, t: 0.0}

    def number(self, expression: Expression) -> Scalar:
        """Return the number of an expression of parameters and time."""
        if expression.is_Integer:
            return int(expression)
        return float(expression if expression.is_number else expression.subs(self._values))

    def rate(self, x: Scalar) -> Scalar:
        """Return the rate 0."""
        return 0

    def total_rate(self, x: Scalar) -> Scalar:
        """Return the rate 0."""
        return 0

    def row_of_largest(self, sizes: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """Return the row whose size is the largest."""
        return rows[max(range(len(sizes)), key=sizes.__getitem__)]

    def sin(self, x: Any) -> float:
        """Return the sine."""
        return sin(x)

    def cos(self, x: Any) -> float:
        """Return the cosine."""
        return cos(x)

    def sqrt(self, x: Any) -> float:
        """Return the square root, 0 for a square that rounding has made negative."""
        return sqrt(max(x, 0.0))

    def atan2(self, y: Any, x: Any) -> float:
        """Return the angle of the point (x, y)."""
        return atan2(y, x)
