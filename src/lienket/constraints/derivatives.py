"""Derivatives used by several kinds of constraint."""

from __future__ import annotations

from collections.abc import Sequence

from ..language.engine.engine import Engine
from ..language.expression import EngineExpression, EngineSymbol
from ..language.simplify.tidy import tidy_small


def gradient(
    engine: Engine, expression: EngineExpression, symbols: Sequence[EngineSymbol]
) -> tuple[EngineExpression, ...]:
    """Return the row of partial derivatives with respect to the symbols."""
    return tuple(engine.derivative(expression, symbol) for symbol in symbols)


def rate(engine: Engine, expression: EngineExpression) -> EngineExpression:
    """Return f_q q' + f_t, the part of the time derivative of f(q, q', t) that is free of accelerations."""
    terms = (engine.derivative(expression, q) * v for q, v in zip(engine.q, engine.v, strict=True))
    return sum(terms, engine.derivative(expression, engine.t))


def tidied(rows: Sequence[Sequence[EngineExpression]]) -> list[tuple[EngineExpression, ...]]:
    """Return the rows with every entry simplified if they are small in total; otherwise unchanged."""
    flat = iter(tidy_small([e for row in rows for e in row]))
    return [tuple(next(flat) for _ in row) for row in rows]
