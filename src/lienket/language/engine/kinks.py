"""Derivatives of abs, sign, min and max, valid away from the kink; SymEngine leaves them unevaluated."""

from __future__ import annotations

from functools import reduce

import symengine as se

from ..expression import Node


def safe_sign(argument: se.Expr) -> se.Expr:
    """Return sign(argument); avoids an endless loop of SymEngine for a power of a negative product."""
    return se.sign(2 * argument if argument.is_Pow else argument)


def resolve_kinks(e: se.Expr, memo: dict[se.Expr, se.Expr]) -> se.Expr:
    """Replace each unevaluated derivative of abs, sign, min or max by its value away from the kink."""
    if not e.args:
        return e
    if e in memo:
        return memo[e]
    if isinstance(e, se.Derivative):
        function, symbol = e.args
        result = _kink_derivative(function, symbol, memo)
    elif isinstance(e, se.Piecewise):
        pairs = zip(e.args[::2], e.args[1::2], strict=True)
        result = se.Piecewise(*[(resolve_kinks(value, memo), condition) for value, condition in pairs])
    else:
        result = _rebuild(e, [resolve_kinks(a, memo) for a in e.args])
    memo[e] = result
    return result


def _kink_derivative(function: se.Expr, symbol: se.Symbol, memo: dict[se.Expr, se.Expr]) -> se.Expr:
    """Return the derivative of abs, sign, min or max by a symbol."""
    inner = [resolve_kinks(a.diff(symbol), memo) for a in function.args]
    if isinstance(function, se.Abs):
        return safe_sign(function.args[0]) * inner[0]
    if isinstance(function, se.sign):
        return se.Integer(0)
    greater = isinstance(function, se.Max)

    def choose(best: tuple[se.Expr, se.Expr], other: tuple[se.Expr, se.Expr]) -> tuple[se.Expr, se.Expr]:
        (value, slope), (value2, slope2) = best, other
        chosen = type(function)(value, value2)
        if _has_piecewise(value) or _has_piecewise(value2):
            # A condition must not contain a Piecewise; the sign of the difference selects the branch instead.
            side = safe_sign(value - value2) if greater else safe_sign(value2 - value)
            return chosen, (slope + slope2) / 2 + side * (slope - slope2) / 2
        first = se.Ge(value, value2) if greater else se.Le(value, value2)
        return chosen, se.Piecewise((slope, first), (slope2, True))

    return reduce(choose, zip(function.args, inner, strict=True))[1]


def _has_piecewise(e: se.Expr) -> bool:
    return isinstance(e, se.Piecewise) or any(_has_piecewise(a) for a in e.args)


def _rebuild(e: se.Expr, arguments: list[se.Expr]) -> se.Expr:
    """Return the expression with new arguments."""
    arithmetic = rebuilt_arithmetic(e, arguments)
    if arithmetic is not None:
        return arithmetic
    return safe_sign(*arguments) if isinstance(e, se.sign) else type(e)(*arguments)


def rebuilt_arithmetic(e: Node, arguments: list[se.Expr]) -> se.Expr | None:
    """Return a sum, product or power of SymPy or SymEngine with new arguments of SymEngine; None for anything else."""
    if e.is_Add:
        return se.Add(*arguments)
    if e.is_Mul:
        return se.Mul(*arguments)
    return arguments[0] ** arguments[1] if e.is_Pow else None
