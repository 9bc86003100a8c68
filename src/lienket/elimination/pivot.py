"""Choice of the pivot: the entry of beta that is least likely to vanish."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from ..language.simplify.quotient import primitive

NUMBER, PARAMETERS, MOVING = range(3)


def choose_pivot(beta: Sequence[se.Expr], allowed: Sequence[int], motion: set[se.Symbol]) -> int:
    """Return the index of the pivot, one of the allowed ones.

    A number never vanishes; a product of parameters vanishes only if one of them does; a sum, and any expression that
    contains the motion (positions, velocities, time), may vanish somewhere. Among equally safe entries the shortest is
    chosen, then the last, so that the first coordinates stay independent.
    """
    memo: dict[se.Expr, int] = {}
    return min(allowed, key=lambda j: (vanishing_risk(beta[j], motion), _unsigned_length(beta[j], memo), -j))


def vanishing_risk(expression: se.Expr, motion: set[se.Symbol]) -> int:
    """Return NUMBER (never zero), PARAMETERS (zero only with a parameter) or MOVING (may vanish during a motion)."""
    if expression.is_Number:
        return NUMBER
    factors = expression.args if expression.is_Mul else (expression,)
    factors = [f for f in factors if not (f.is_Pow and f.args[0] == se.E)]  # exp never vanishes
    if any(not f.free_symbols.isdisjoint(motion) for f in factors):
        return MOVING
    bases = [f.args[0] if f.is_Pow else f for f in factors]
    return PARAMETERS if all(b.is_Symbol or b.is_Number for b in bases) else MOVING


def vanishing_part(expression: se.Expr, motion: set[se.Symbol]) -> se.Expr | None:
    """Return the product of the numerator's factors that may vanish, or None if there are none."""
    factors = expression.args if expression.is_Mul else (expression,)
    above = [f for f in factors if not (f.is_Pow and f.args[1].is_Number and f.args[1].is_negative)]
    moving = [f for f in above if vanishing_risk(f, motion) == MOVING]
    if not moving:
        return None
    product = primitive(moving[0])
    for factor in moving[1:]:
        product = product * primitive(factor)
    return product


def _unsigned_length(expression: se.Expr, memo: dict[se.Expr, int]) -> int:
    """Return the length without a numerical factor: -L cos(q) is as long as L cos(q)."""
    if not expression.is_Mul:
        return expression_length(expression, memo)
    factors = [a for a in expression.args if not a.is_Number]
    return (len(factors) > 1) + sum(expression_length(a, memo) for a in factors)


def expression_length(expression: se.Expr, memo: dict[se.Expr, int]) -> int:
    """Return the number of symbols, numbers and operations of the expanded expression tree."""
    count = memo.get(expression)
    if count is None:
        count = memo[expression] = 1 + sum(expression_length(a, memo) for a in expression.args)
    return count
