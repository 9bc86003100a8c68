"""Conversion of user input to an expression of the formula language, or a fault that states why it is refused.

Exact numbers stay exact: integers and fractions are kept, and a float that is an integer multiple of 1/64
(0.5, 1.25, 3.0) becomes that fraction, since `0.5*m*v**2` means one half. Every other float stays a double.
sec, csc and cot become 1/cos, 1/sin and cos/sin.
"""

from __future__ import annotations

import math
import numbers

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.functions.elementary.piecewise import ExprCondPair

from ..errors import Faults
from .data_functions import DataCall, DataDerivative
from .expression import Expression, Node
from .functions import BY_CLASS, FUNCTIONS, RELATIONS
from .short_text import short_text
from .symbols import t
from .traversal import find, subexpressions

NESTING_LIMIT = 200  # [levels] depth of an expression tree up to which recursive functions are safe
EXACT_DENOMINATOR = 64  # [1] floats that are integer multiples of its reciprocal become exact fractions

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


def as_expression(thing: object, where: str, faults: Faults, equation: bool = False) -> sp.Expr:
    """Return `thing` as an expression; add a fault for every part that is not in the formula language.

    With `equation`, an equation is read as left minus right. Anything that is not an expression adds a fault
    and is replaced by zero, so that the remaining faults are still found.
    """
    if not isinstance(thing, sp.Basic) and hasattr(type(thing), "_sympy_"):  # stands for an expression
        thing = thing._sympy_()  # type: ignore[attr-defined]
    if equation and isinstance(thing, sp.Equality):
        thing = thing.lhs - thing.rhs
    expression = _as_expression(thing, where, faults)
    if expression is None:
        return sp.S.Zero
    depth = nesting(expression)
    if depth > NESTING_LIMIT:
        faults.add(where, f"it is nested {depth} levels deep; {NESTING_LIMIT} are allowed", "Expand it or split it up.")
        return sp.S.Zero
    if _has_compound_derivative(expression):
        # such as Derivative(x**2, t), left unevaluated by the user
        expression = expression.doit()
    expression = _exact(expression)
    _check_subexpressions(expression, where, faults)
    return expression


def _as_expression(thing: object, where: str, faults: Faults) -> sp.Expr | None:
    if isinstance(thing, sp.Expr):
        return thing
    if isinstance(thing, sp.Equality):
        faults.add(where, f"an equation was given, {short_text(thing)}", "Give only the expression on its right side.")
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
            f"the text {short_text(thing)!r} is not an expression",
            "Write it with symbols, as in m*der(x)**2/2; formulas as text belong in model files (lk.load).",
        )
    else:
        faults.add(where, f"an expression was expected, not {short_text(repr(thing))} of type {type(thing).__name__}")
    return None


def _has_compound_derivative(expression: sp.Expr) -> bool:
    return any(not isinstance(d.expr, AppliedUndef) for d in find(expression, sp.Derivative))


def _exact(expression: sp.Expr) -> sp.Expr:
    """Replace exact floats by fractions, other floats by doubles, and sec, csc, cot by sines and cosines."""
    replacements: dict[Expression, Expression] = {}
    for number in find(expression, sp.Float):
        value = float(number)
        if math.isfinite(value) and (value * EXACT_DENOMINATOR).is_integer() and abs(value) < 2**53:
            replacements[number] = sp.Rational(int(value * EXACT_DENOMINATOR), EXACT_DENOMINATOR)
        elif number != sp.Float(value):
            replacements[number] = sp.Float(value)
    if replacements:
        expression = expression.xreplace(replacements)
    for function, rewrite in _RECIPROCALS.items():
        if find(expression, function):
            expression = expression.replace(function, rewrite)
    return expression


def nesting(expression: Node) -> int:
    """Return the depth of the expression tree, computed without recursion."""
    depth: dict[Node, int] = {}
    todo = [expression]
    while todo:
        node = todo[-1]
        missing = [a for a in node.args if a not in depth]
        if missing:
            todo.extend(missing)
        else:
            depth[todo.pop()] = 1 + max((depth[a] for a in node.args), default=0)
    return depth[expression]


def _check_subexpressions(expression: sp.Expr, where: str, faults: Faults) -> None:
    """Add a fault for every subexpression that is not in the formula language."""
    for node in subexpressions(expression):
        if node.is_Symbol and not node.is_commutative:
            faults.add(where, f"the symbol {node} does not commute", "Make parameters with lk.parameters.")
        if node.is_Add or node.is_Mul or node.is_Symbol:
            continue
        if node.is_Pow or node.func in BY_CLASS:
            constant = not find(node, sp.Symbol, DataCall)
            problem = _not_real(node) if constant and not _is_real_number(node) else None
        else:
            problem = _problem(node)
        if problem:
            faults.add(where, *problem)


def _is_real_number(constant: Expression) -> bool:
    """Return whether a constant such as sqrt(2) or asin(2) has a real, finite value."""
    value = constant.evalf(15)
    return bool(value.is_Number and value.is_finite)


def _not_real(constant: Expression) -> tuple[str, str]:
    return (
        f"{short_text(constant)} is not a finite real number",
        "All quantities are real; check its sign and magnitude.",
    )


def _problem(node: Node) -> tuple[str, str] | None:
    if node is sp.I:
        return (
            "it contains the imaginary unit I",
            "All quantities are real; a parameter named I is made with lk.parameters('I').",
        )
    if node is sp.nan or node is sp.zoo or (node.is_Number and not node.is_finite):
        return "it contains an infinite or undefined number", "Check for a division by zero."
    if isinstance(node, sp.Piecewise) and node.args[-1].cond != sp.true:
        return f"{short_text(node)} has no value where no condition holds", "End it with (value, True)."
    if isinstance(node, ExprCondPair) and not isinstance(node.cond, (sp.Rel, type(sp.true))):
        what = f"the condition {short_text(node.cond)} is not a single comparison"
        return what, "Nest one Piecewise in another to combine comparisons."
    if isinstance(node, sp.Derivative) and set(node.variables) != {t}:
        return (
            f"{short_text(node)} is a derivative by something other than time",
            "Write time derivatives with der(x).",
        )
    if isinstance(node, _ALLOWED_CLASSES) or node.is_Number or node in _CONSTANTS:
        return None
    allowed = ", ".join(sorted(FUNCTIONS))
    advice = f"Allowed are {allowed}, sqrt and Piecewise; define other functions with lk.table or lk.function."
    return f"{short_text(node)} is not part of the formula language", advice
