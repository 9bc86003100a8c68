"""The steps of a formula carried out, in the engine: fast, exact, and refused where a limit or the reals are left.

SymPy itself is not asked to evaluate: it takes minutes over some formulas of a few thousand characters.
The engine joins like terms and powers at once; its result is translated into SymPy's canonical form.
Sums and products are gathered while they last and made in one piece, since adding terms one by one would
copy the growing sum each time.
"""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable, Mapping
from typing import Any

import symengine as se
import sympy as sp

from ...errors import ExpressionError
from ..data_functions import DataDerivative
from ..engine.data_functions import functions_in
from ..engine.engine import ENGINE_FUNCTIONS, Engine
from ..symbols import is_coordinate_like, t
from .grammar_steps import Step
from .limits import Refused, check_number, check_power, checked, literal

_CALLS: dict[str, Callable[..., Any]] = ENGINE_FUNCTIONS | {"sqrt": se.sqrt}
_COMPARISONS = {"<": se.Lt, "<=": se.Le, ">": se.Gt, ">=": se.Ge, "==": se.Eq, "!=": se.Ne}


_HOLDS = {"<": op.lt, "<=": op.le, ">": op.gt, ">=": op.ge, "==": op.eq, "!=": op.ne}


class Gathered(list[Any]):
    """The terms of a sum or the factors of a product that is still being read, and the column of its first sign."""

    def __init__(self, first: Any, column: int) -> None:
        super().__init__([first])
        self.column = column


class Terms(Gathered):
    """A sum in the making."""


class Factors(Gathered):
    """A product in the making."""


def evaluate(steps: list[Step], text: str, names: Mapping[str, Any]) -> Any:
    """The SymPy expression that the steps of a formula make; ExpressionError at the step that is refused."""
    evaluation = Evaluation(names)
    column = 0
    try:
        for step in steps:
            column = step.column
            evaluation.carry_out(step)
        return evaluation.result()
    except Refused as refusal:
        place = column if refusal.column is None else refusal.column
        raise ExpressionError(str(refusal), text, place) from None


class Evaluation:
    """A stack of engine expressions, sums and products in the making."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names
        self.engine = Engine([x for x in names.values() if is_coordinate_like(x)])
        self.stack: list[Any] = []

    def carry_out(self, step: Step) -> None:
        """Take the operands of a step from the stack and put its result there."""
        if step.kind in ("number", "name", "der"):
            self.stack.append(self._operand(step))
        elif step.kind == "call":
            arguments = [_made(self.stack.pop()) for _ in range(step.count)][::-1]
            self.stack.append(self._call(step, arguments))
        elif step.kind == "negate":
            # -(x + 1)*a is one product: made in two steps it would become (-x - 1)*a.
            factors = Factors(se.Integer(-1), step.column)
            factors.append(_made(self.stack.pop()))
            self.stack.append(factors)
        else:
            right, left = self.stack.pop(), self.stack.pop()
            self.stack.append(_joined(step, left, right))

    def _call(self, step: Step, arguments: list[Any]) -> Any:
        if step.text == "if":
            return _chosen(*arguments)
        if step.text in _CALLS:
            return _called(step.text, arguments)
        data = self.names[step.text]
        orders = (step.order,) if data.arguments == 1 else (0,) * data.arguments
        return self.engine.inward(DataDerivative(data, orders))(*arguments)

    def result(self) -> Any:
        """The finished formula in SymPy's terms."""
        expression = self.engine.outward(_made(self.stack.pop()))
        if expression.has(sp.I, sp.nan, sp.zoo, sp.oo):
            raise Refused("this is not a real number everywhere")  # sqrt(-m) of a positive m, which only SymPy knows
        return self.engine.normal(expression)

    def _operand(self, step: Step) -> Any:
        if step.kind == "number":
            return literal(step.text)
        if step.text == "pi":
            symbol = se.pi
        else:
            symbol = self.engine.inward(t if step.text == "t" else self.names[step.text])
        if step.kind == "name":
            return symbol
        if symbol not in self.engine.q:
            raise Refused(f"der takes a coordinate; {step.text} is not one, it does not move")
        return (self.engine.v if step.count == 1 else self.engine.a)[self.engine.q.index(symbol)]


def _joined(step: Step, left: Any, right: Any) -> Any:
    """The result of an operator with two operands; sums and products stay open for more."""
    right = _made(right)
    if step.kind in "+-":
        terms = left if isinstance(left, Terms) else Terms(_made(left), step.column)
        terms.append(_negative(right) if step.kind == "-" else right)
        return terms
    if step.kind in "*/":
        factors = left if isinstance(left, Factors) else Factors(_made(left), step.column)
        factors.append(_power(right, se.Integer(-1)) if step.kind == "/" else right)
        return factors
    return _power(_made(left), right) if step.kind == "^" else _compared(step.kind, _made(left), right)


def _made(value: Any) -> Any:
    """A finished value: the sum or product of what was gathered, its numbers first, one by one and within limits."""
    if not isinstance(value, Gathered):
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
        return checked(_multiplied_out(se.Mul(number, *others)))
    except Refused as refusal:
        raise Refused(str(refusal), value.column) from None


def _negative(value: Any) -> Any:
    return _multiplied_out(-value)


def _multiplied_out(product: Any) -> Any:
    """2*(x + y) as 2*x + 2*y, as SymPy has it; here, since SymPy would do it again at every level of a nest."""
    if product.is_Mul and len(product.args) == 2 and product.args[0].is_Number and product.args[1].is_Add:
        return product.expand(deep=False)
    return product


def _power(base: Any, exponent: Any) -> Any:
    check_power(base, exponent)
    return checked(_real(base**exponent, "this power"))


def _called(name: str, arguments: list[Any]) -> Any:
    try:
        found = _CALLS[name](*arguments)
    except (RuntimeError, ValueError, ZeroDivisionError, NotImplementedError):
        raise Refused(f"{name} is not defined here") from None
    found = _real(found, name)
    if any(isinstance(a, se.RealDouble) for a in arguments) and _is_constant(found):
        return se.RealDouble(float(found.n(53, real=True)))  # atan2(1, 2.0) would stay as it is
    return found


def _compared(sign: str, left: Any, right: Any) -> Any:
    """A comparison; one of constants is decided here."""
    if not _is_constant(left) or not _is_constant(right):
        return _COMPARISONS[sign](left, right)
    difference = float((left - right).n(200, real=True))
    return se.true if _HOLDS[sign](difference, 0.0) else se.false


def _chosen(condition: Any, holds: Any, fails: Any) -> Any:
    """if(condition, holds, fails); an if in the last place continues the list of branches."""
    if condition in (se.true, se.false):
        return holds if condition == se.true else fails
    rest = [(fails, True)]
    if isinstance(fails, se.Piecewise):
        rest = list(zip(fails.args[::2], fails.args[1::2], strict=True))
    if all(value == holds for value, _ in rest):
        return holds  # the same in every case
    return se.Piecewise((holds, condition), *rest)


def _is_constant(value: Any) -> bool:
    """Whether the value is known: without symbols, and without tables, which have theirs elsewhere."""
    return not value.free_symbols and not functions_in(value)


def _real(value: Any, what: str) -> Any:
    """The value, refused if it is a constant that is infinite, undefined or not real."""
    if not _is_constant(value):
        return value
    try:
        size = float(value.n(53, real=True))
    except (RuntimeError, ValueError, TypeError, OverflowError):
        size = math.nan
    if not math.isfinite(size):
        raise Refused(f"{what} is {'not a real number' if math.isnan(size) else 'infinite or too large'} here")
    return check_number(value) if value.is_Number else value
