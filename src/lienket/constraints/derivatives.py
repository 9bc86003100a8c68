"""The derivatives that the kinds of constraint share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..language.engine.engine import Engine
from ..language.simplify.tidy import tidy_small


def gradient(engine: Engine, expression: Any, symbols: Sequence[Any]) -> tuple[Any, ...]:
    """The row of partial derivatives by the symbols."""
    return tuple(engine.derivative(expression, symbol) for symbol in symbols)


def rate(engine: Engine, expression: Any) -> Any:
    """f_q q' + f_t: the part of the time derivative of f(q, q', t) in which no acceleration stands."""
    moved = (engine.derivative(expression, q) * v for q, v in zip(engine.q, engine.v, strict=True))
    return sum(moved, engine.derivative(expression, engine.t))


def tidied(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """The rows with every entry tidied, if together they are small."""
    flat = iter(tidy_small([e for row in rows for e in row]))
    return [tuple(next(flat) for _ in row) for row in rows]
