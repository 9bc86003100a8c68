"""Algebra of the engine's expressions: formulas of a mechanism, for reading and for the rows of constraints."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from ...language.engine.engine import Engine
from ...language.expression import EngineExpression, Expression
from .algebra import Scalar


class EngineAlgebra:
    """Scalars are expressions of SymEngine; integers are Python's, so that products with 0 vanish."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.q, self.v = engine.q, engine.v

    def number(self, expression: Expression) -> Scalar:
        """Return an expression in the engine's form."""
        return int(expression) if expression.is_Integer else self.engine.inward(expression)

    def rate(self, x: Scalar) -> Scalar:
        """Return the partial derivative by time."""
        if isinstance(x, (int, float)):
            return 0
        derivative = self.engine.derivative(x, self.engine.t)
        return 0 if derivative == 0 else derivative

    def total_rate(self, x: Scalar) -> Scalar:
        """Return the derivative by time of a function of positions and time."""
        derivative = self.engine.derivative
        return se.Add(
            *(derivative(x, q) * v for q, v in zip(self.q, self.v, strict=True)), derivative(x, self.engine.t)
        )

    def row_of_largest(self, sizes: Sequence[Scalar], rows: Sequence[Sequence[Scalar]]) -> Sequence[Scalar]:
        """Return the first row: formulas have no choice between cases."""
        return rows[0]

    def sin(self, x: Scalar) -> EngineExpression:
        """Return the sine."""
        return se.sin(x)

    def cos(self, x: Scalar) -> EngineExpression:
        """Return the cosine."""
        return se.cos(x)

    def sqrt(self, x: Scalar) -> EngineExpression:
        """Return the square root."""
        return se.sqrt(x)

    def atan2(self, y: Scalar, x: Scalar) -> EngineExpression:
        """Return the angle of the point (x, y)."""
        return se.atan2(y, x)
