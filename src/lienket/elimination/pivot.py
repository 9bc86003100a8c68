"""Which freedom a row eliminates: the entry of beta that is least likely to vanish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from ..language.simplify.quotient import primitive

NUMBER, PARAMETERS, MOVING = range(3)


def choose(beta: Sequence[Any], allowed: Sequence[int], motion: set[Any]) -> int:
    """The place of the pivot among the allowed ones.

    A number never vanishes; a product of parameters only where one of them does; anything in which the motion
    (positions, velocities, time) stands, or a sum, may vanish somewhere. Among equals the shortest, then the
    last, so that the first coordinates stay independent.
    """
    memo: dict[Any, int] = {}
    return min(allowed, key=lambda j: (safety(beta[j], motion), _unsigned_length(beta[j], memo), -j))


def safety(expression: Any, motion: set[Any]) -> int:
    """NUMBER, PARAMETERS or MOVING: how surely the expression is not zero."""
    if expression.is_Number:
        return NUMBER
    factors = expression.args if expression.is_Mul else (expression,)
    factors = [f for f in factors if not (f.is_Pow and f.args[0] == se.E)]  # exp vanishes nowhere
    if any(not f.free_symbols.isdisjoint(motion) for f in factors):
        return MOVING
    bases = [f.args[0] if f.is_Pow else f for f in factors]
    return PARAMETERS if all(b.is_Symbol or b.is_Number for b in bases) else MOVING


def vanishing_part(expression: Any, motion: set[Any]) -> Any | None:
    """The numerator's factors that may vanish, or None if there are none."""
    factors = expression.args if expression.is_Mul else (expression,)
    above = [f for f in factors if not (f.is_Pow and f.args[1].is_Number and f.args[1].is_negative)]
    moving = [f for f in above if safety(f, motion) == MOVING]
    if not moving:
        return None
    found = primitive(moving[0])
    for factor in moving[1:]:
        found = found * primitive(factor)
    return found


def _unsigned_length(expression: Any, memo: dict[Any, int]) -> int:
    """The length without a number in front: -L cos(q) is no longer than L cos(q)."""
    if not expression.is_Mul:
        return length(expression, memo)
    factors = [a for a in expression.args if not a.is_Number]
    return (len(factors) > 1) + sum(length(a, memo) for a in factors)


def length(expression: Any, memo: dict[Any, int]) -> int:
    """How many symbols, numbers and operations it has when written out."""
    found = memo.get(expression)
    if found is None:
        found = memo[expression] = 1 + sum(length(a, memo) for a in expression.args)
    return found
