"""What a user hands in becomes an expression of the formula language, or a fault that says why not.

Numbers become exact where they are exact: integers and fractions stay so, and a float that is a whole
number of sixty-fourths (0.5, 1.25, 3.0) becomes that fraction, since `0.5*m*v**2` means one half. Every
other float stays a double. sec, csc and cot become 1/cos, 1/sin and cos/sin.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.piecewise import ExprCondPair

from .data_functions import DataCall, DataDerivative
from .faults import Faults, short_text
from .functions import BY_CLASS, FUNCTIONS, RELATIONS
from .symbols import t
from .traversal import find, subexpressions

DEEPEST = 200  # levels of nesting; what walks an expression may recurse safely
FINEST = 64  # floats that are whole multiples of 1/64 are taken as fractions

_RECIPROCALS = {
    sp.sec: lambda u: 1 / sp.cos(u),
    sp.csc: lambda u: 1 / sp.sin(u),
    sp.cot: lambda u: sp.cos(u) / sp.sin(u),
}
_ALLOWED_CLASSES = (
    AppliedUndef,
    DataCall,
    DataDerivative,
    sp.Derivative,
    sp.Tuple,
    sp.Piecewise,
    ExprCondPair,
    *RELATIONS.values(),
)
_CONSTANTS = (sp.pi, sp.E, sp.true)


def as_expression(thing: Any, where: str, faults: Faults, equation: bool = False) -> sp.Expr:
    """The expression meant by `thing`, with a fault noted for all in it that the formula language has not.

    An equation means left minus right where `equation` allows one. What is no expression at all is noted
    and taken as zero, so that the other faults can still be found.
    """
    if equation and isinstance(thing, sp.Equality):
        thing = thing.lhs - thing.rhs
    expression = _as_expression(thing, where, faults)
    if expression is None:
        return sp.S.Zero
    depth = nesting(expression)
    if depth > DEEPEST:
        faults.add(where, f"it is nested {depth} levels deep; {DEEPEST} are allowed", "Expand it or split it up.")
        return sp.S.Zero
    if _has_compound_derivative(expression):
        # Derivative(x**2, t) was left unevaluated by the user.
        expression = expression.doit()
    expression = _exact(expression)
    _check_pieces(expression, where, faults)
    return expression


def _as_expression(thing: Any, where: str, faults: Faults) -> sp.Expr | None:
    if isinstance(thing, sp.Expr):
        return thing
    if isinstance(thing, sp.Equality):
        faults.add(where, f"an equation was given, {short_text(thing)}", "Give the expression alone, the right side.")
        return None
    if isinstance(thing, bool) or thing is None:
        faults.add(where, f"an expression was expected, not {thing!r}")
    elif isinstance(thing, numbers.Integral):
        return sp.Integer(int(thing))
    elif isinstance(thing, numbers.Rational):
        return sp.Rational(int(thing.numerator), int(thing.denominator))
    elif isinstance(thing, numbers.Real):
        if math.isfinite(float(thing)):
            return sp.Float(float(thing))
        faults.add(where, f"{thing!r} is not a finite number")
    elif isinstance(thing, str):
        faults.add(
            where,
            f"the text {short_text(thing)!r} is no expression",
            "Write it with symbols, as in m*der(x)**2/2; formulas as text belong in model files (lk.load).",
        )
    else:
        faults.add(where, f"an expression was expected, not {short_text(repr(thing))} of type {type(thing).__name__}")
    return None


def _has_compound_derivative(expression: sp.Expr) -> bool:
    return any(not isinstance(d.expr, AppliedUndef) for d in find(expression, sp.Derivative))


def _exact(expression: sp.Expr) -> sp.Expr:
    """Fractions for the floats that are fractions, doubles for the others, sines and cosines for sec, csc, cot."""
    replaced: dict[Any, Any] = {}
    for number in find(expression, sp.Float):
        value = float(number)
        if math.isfinite(value) and (value * FINEST).is_integer() and abs(value) < 2**53:
            replaced[number] = sp.Rational(int(value * FINEST), FINEST)
        elif number != sp.Float(value):
            replaced[number] = sp.Float(value)
    if replaced:
        expression = expression.xreplace(replaced)
    for function, rewrite in _RECIPROCALS.items():
        if find(expression, function):
            expression = expression.replace(function, rewrite)
    return expression


def nesting(expression: Any) -> int:
    """The depth of the expression tree, without recursion."""
    depth: dict[Any, int] = {}
    todo = [expression]
    while todo:
        piece = todo[-1]
        waiting = [a for a in piece.args if a not in depth]
        if waiting:
            todo.extend(waiting)
        else:
            depth[todo.pop()] = 1 + max((depth[a] for a in piece.args), default=0)
    return depth[expression]


def _check_pieces(expression: sp.Expr, where: str, faults: Faults) -> None:
    """Note every piece of the expression that the formula language does not have."""
    for piece in subexpressions(expression):
        if piece.is_Symbol and not piece.is_commutative:
            faults.add(where, f"the symbol {piece} does not commute", "Make parameters with lk.parameters.")
        if piece.is_Add or piece.is_Mul or piece.is_Symbol:
            continue
        if piece.is_Pow or piece.func in BY_CLASS:
            constant = not find(piece, sp.Symbol, DataCall)
            problem = _not_real(piece) if constant and not _is_real_number(piece) else None
        else:
            problem = _problem(piece)
        if problem:
            faults.add(where, *problem)


def _is_real_number(constant: Any) -> bool:
    """Whether a constant such as sqrt(2) or asin(2) is real and finite, by its value."""
    value = constant.evalf(15)
    return bool(value.is_Number and value.is_finite)


def _not_real(constant: Any) -> tuple[str, str]:
    return f"{short_text(constant)} is not a finite real number", "Mechanics is real; look at its sign or size."


def _problem(piece: Any) -> tuple[str, str] | None:
    if piece is sp.I:
        return "it contains the imaginary unit I", "Mechanics is real; a parameter may be named I: lk.parameters('I')."
    if piece is sp.nan or piece is sp.zoo or (piece.is_Number and not piece.is_finite):
        return "it contains an infinite or undefined number", "Look for a division by zero."
    if isinstance(piece, sp.Piecewise) and piece.args[-1].cond != sp.true:
        return f"{short_text(piece)} has no value where no condition holds", "Close it with (value, True)."
    if isinstance(piece, ExprCondPair) and not isinstance(piece.cond, (sp.Rel, type(sp.true))):
        what = f"the condition {short_text(piece.cond)} is not one comparison"
        return what, "Put one Piecewise into another to combine comparisons."
    if isinstance(piece, sp.Derivative) and set(piece.variables) != {t}:
        return (
            f"{short_text(piece)} is a derivative by something other than time",
            "Write time derivatives with der(x).",
        )
    if isinstance(piece, _ALLOWED_CLASSES) or piece.is_Number or piece in _CONSTANTS:
        return None
    allowed = ", ".join(sorted(FUNCTIONS))
    advice = f"Allowed are {allowed}, sqrt and Piecewise; others are made with lk.table or lk.function."
    return f"{short_text(piece)} is not part of the formula language", advice
