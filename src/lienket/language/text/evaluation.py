"""Evaluation of the steps of a formula in SymEngine; values that exceed a limit or are not real are refused.

SymPy does not evaluate: it takes minutes for some formulas of a few thousand characters. SymEngine combines
like terms and powers at once; its result is translated into SymPy's canonical form. The operands of a sum or
product are collected and combined in one call, since adding terms one by one would copy the growing sum each
time.
"""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable, Mapping

import symengine as se
import sympy as sp

from ...errors import ExpressionError
from ..data_functions import DataDerivative, DataFunction
from ..engine.data_functions import functions_in
from ..engine.engine import ENGINE_FUNCTIONS, Engine
from ..expression import Expression
from ..symbols import is_coordinate_like, t
from .grammar_steps import Step
from .limits import Refused, check_number, check_power, check_product, literal

DOUBLE_BITS = 53  # [bits] precision of a double
COMPARISON_BITS = 200  # [bits] precision at which constants are compared
EQUAL_CONSTANTS = 2.0**-180  # [1] relative difference of two constants that is rounding at this precision

_CALLS: dict[str, Callable[..., se.Expr]] = ENGINE_FUNCTIONS | {"sqrt": se.sqrt}
_COMPARISONS = {"<": se.Lt, "<=": se.Le, ">": se.Gt, ">=": se.Ge, "==": se.Eq, "!=": se.Ne}

_PREDICATES = {"<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge, "==": op.eq, "!=": op.ne}


class Operands(list[se.Expr]):
    """Operands of a sum or product that is still being read, and the column of its first sign."""

    def __init__(self, first: se.Expr, column: int) -> None:
        super().__init__([first])
        self.column = column


class Terms(Operands):
    """Terms of an unfinished sum."""


class Factors(Operands):
    """Factors of an unfinished product."""


def evaluate(steps: list[Step], text: str, names: Mapping[str, Expression | DataFunction]) -> Expression:
    """Return the SymPy expression of the steps of a formula; raise ExpressionError at a refused step."""
    evaluation = Evaluation(names)
    column = 0
    try:
        for step in steps:
            column = step.column
            evaluation.execute(step)
        return evaluation.result()
    except Refused as refusal:
        refused_at = column if refusal.column is None else refusal.column
        raise ExpressionError(str(refusal), text, refused_at) from None


class Evaluation:
    """Stack machine of SymEngine expressions and of unfinished sums and products."""

    def __init__(self, names: Mapping[str, Expression | DataFunction]) -> None:
        self.names = names
        self.engine = Engine([x for x in names.values() if is_coordinate_like(x)])
        self.stack: list[se.Expr | Operands] = []

    def execute(self, step: Step) -> None:
        """Pop the operands of a step from the stack and push its result."""
        if step.kind in ("number", "name", "der"):
            self.stack.append(self._operand(step))
        elif step.kind == "call":
            arguments = [_finished(self.stack.pop()) for _ in range(step.count)][::-1]
            self.stack.append(self._call(step, arguments))
        elif step.kind == "negate":
            # -(x + 1)*a must be one product: in two steps it would become (-x - 1)*a.
            factors = Factors(se.Integer(-1), step.column)
            factors.append(_finished(self.stack.pop()))
            self.stack.append(factors)
        else:
            right, left = self.stack.pop(), self.stack.pop()
            self.stack.append(_combine(step, left, right))

    def _call(self, step: Step, arguments: list[se.Expr]) -> se.Expr:
        if step.text == "if":
            return _select(*arguments)
        if step.text in _CALLS:
            return _call_function(step.text, arguments)
        data = self.names[step.text]
        orders = (step.order,) if data.arguments == 1 else (0,) * data.arguments
        return self.engine.inward(DataDerivative(data, orders))(*arguments)

    def result(self) -> Expression:
        """Return the value of the whole formula as a SymPy expression."""
        expression = self.engine.outward(_finished(self.stack.pop()))
        if expression.has(sp.I, sp.nan, sp.zoo, sp.oo):
            raise Refused(
                "this is not a real number everywhere"
            )  # such as sqrt(-m) with the assumption m > 0, which only SymPy knows
        return self.engine.normal(expression)

    def _operand(self, step: Step) -> se.Expr:
        if step.kind == "number":
            return literal(step.text)
        if step.text == "pi":
            symbol = se.pi
        else:
            symbol = self.engine.inward(t if step.text == "t" else self.names[step.text])
        if step.kind == "name":
            return symbol
        if symbol not in self.engine.q:
            raise Refused(f"der takes a coordinate; {step.text} is not a coordinate")
        return (self.engine.v if step.count == 1 else self.engine.a)[self.engine.q.index(symbol)]


def _combine(step: Step, left: se.Expr | Operands, right: se.Expr | Operands) -> se.Expr | Operands:
    """Apply a binary operator; sums and products stay open for further operands."""
    right = _finished(right)
    if step.kind in "+-":
        terms = left if isinstance(left, Terms) else Terms(_finished(left), step.column)
        terms.append(_negative(right) if step.kind == "-" else right)
        return terms
    if step.kind in "*/":
        factors = left if isinstance(left, Factors) else Factors(_finished(left), step.column)
        factors.append(_power(right, se.Integer(-1)) if step.kind == "/" else right)
        return factors
    return _power(_finished(left), right) if step.kind == "^" else _compare(step.kind, _finished(left), right)


def _finished(value: se.Expr | Operands) -> se.Expr:
    """Return the value of a finished sum or product; its numbers are combined one by one within the limits."""
    if not isinstance(value, Operands):
        return value
    is_sum = isinstance(value, Terms)
    number = se.Integer(0 if is_sum else 1)
    others = []
    try:
        for part in value:
            if part.is_Number:
                number = check_number(number + part if is_sum else number * part)
            else:
                others.append(part)
        if is_sum:
            return se.Add(number, *others)
        return check_product(_distributed(se.Mul(number, *others)))
    except Refused as refusal:
        raise Refused(str(refusal), value.column) from None


def _negative(value: se.Expr) -> se.Expr:
    return _distributed(-value)


def _distributed(product: se.Expr) -> se.Expr:
    """Distribute a number over a sum as SymPy does, 2*(x + y) -> 2*x + 2*y; SymPy would repeat it at every level."""
    if product.is_Mul and len(product.args) == 2 and product.args[0].is_Number and product.args[1].is_Add:
        return product.expand(deep=False)
    return product


def _power(base: se.Expr, exponent: se.Expr) -> se.Expr:
    check_power(base, exponent)
    return check_product(_real(base**exponent, "this power"))


def _call_function(name: str, arguments: list[se.Expr]) -> se.Expr:
    """Apply a function of the formula language; a constant with a floating-point argument becomes a double."""
    try:
        value = _CALLS[name](*arguments)
    except (RuntimeError, ValueError, ZeroDivisionError, NotImplementedError):
        raise Refused(f"{name} is not defined here") from None
    value = _real(value, name)
    if any(isinstance(a, se.RealDouble) for a in arguments) and _is_constant(value):
        return se.RealDouble(float(value.n(DOUBLE_BITS, real=True)))  # atan2(1, 2.0) would stay unevaluated
    return value


def _compare(sign: str, left: se.Expr, right: se.Expr) -> se.Basic:
    """Return a comparison; a comparison of constants is decided at once."""
    if not _is_constant(left) or not _is_constant(right):
        return _COMPARISONS[sign](left, right)
    difference, size = (float(x.n(COMPARISON_BITS, real=True)) for x in (left - right, abs(left) + abs(right)))
    if left == right or abs(difference) <= size * EQUAL_CONSTANTS:
        difference = 0.0  # 5 + pi and 5 + pi, sqrt(2)*sqrt(3) and sqrt(6)
    return se.true if _PREDICATES[sign](difference, 0.0) else se.false


def _select(condition: se.Basic, if_true: se.Expr, if_false: se.Expr) -> se.Expr:
    """Return if(condition, if_true, if_false); a Piecewise as last argument is merged into the branches."""
    if condition in (se.true, se.false):
        return if_true if condition == se.true else if_false
    rest = [(if_false, True)]
    if isinstance(if_false, se.Piecewise):
        rest = list(zip(if_false.args[::2], if_false.args[1::2], strict=True))
    if all(value == if_true for value, _ in rest):
        return if_true  # equal in every case
    return se.Piecewise((if_true, condition), *rest)


def _is_constant(value: se.Expr) -> bool:
    """Return whether the value contains neither symbols nor data functions."""
    return not value.free_symbols and not functions_in(value)


def _real(value: se.Expr, what: str) -> se.Expr:
    """Return the value; refuse a constant that is infinite, undefined or not real."""
    if not _is_constant(value):
        return value
    try:
        size = float(value.n(DOUBLE_BITS, real=True))
    except (RuntimeError, ValueError, TypeError, OverflowError):
        size = math.nan
    if not math.isfinite(size):
        raise Refused(f"{what} is {'not a real number' if math.isnan(size) else 'infinite or too large'} here")
    return check_number(value) if value.is_Number else value
