"""The steps of a formula carried out, in the engine: fast, exact, and refused where a limit or the reals are left.

SymPy itself is not asked to evaluate: it takes minutes over some formulas of a few thousand characters.
The engine joins like terms and powers at once; its result is translated into SymPy's canonical form.
Sums and products are gathered while they last and made in one piece, since adding terms one by one would
copy the growing sum each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import symengine as se

from ...errors import ExpressionError
from ..algebra.engine import Engine
from ..functions import FUNCTIONS
from ..symbols import is_coordinate_like, t
from .grammar import Step
from .limits import Refused, check_number, check_power, check_product, literal

_CALLS: dict[str, Callable[..., Any]] = {name: getattr(se, f.sympy.__name__) for name, f in FUNCTIONS.items()}
_CALLS["sqrt"] = se.sqrt
_COMPARISONS = {"<": se.Lt, "<=": se.Le, ">": se.Gt, ">=": se.Ge, "==": se.Eq, "!=": se.Ne}


class Terms(list[Any]):
    """The terms of a sum that is still being read."""


class Factors(list[Any]):
    """The factors of a product that is still being read."""


def evaluate(steps: list[Step], text: str, names: Mapping[str, Any]) -> Any:
    """The SymPy expression that the steps of a formula make; ExpressionError at the step that is refused."""
    evaluation = Evaluation(names)
    for step in steps:
        try:
            evaluation.carry_out(step)
        except Refused as refusal:
            raise ExpressionError(str(refusal), text, step.column) from None
    try:
        return evaluation.result()
    except Refused as refusal:
        raise ExpressionError(str(refusal), text) from None


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
            self.stack.append(_chosen(*arguments) if step.text == "if" else _called(step.text, arguments))
        elif step.kind == "negate":
            value = self.stack.pop()
            self.stack.append(Terms(-term for term in value) if isinstance(value, Terms) else -_made(value))
        else:
            right, left = self.stack.pop(), self.stack.pop()
            self.stack.append(_joined(step.kind, left, right))

    def result(self) -> Any:
        """The finished formula in SymPy's terms."""
        return self.engine.outward(_made(self.stack.pop()))

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


def _joined(sign: str, left: Any, right: Any) -> Any:
    if sign in "+-":
        terms = left if isinstance(left, Terms) else Terms([_made(left)])
        more = right if isinstance(right, Terms) else [_made(right)]
        terms.extend(-term for term in more) if sign == "-" else terms.extend(more)
        return terms
    if sign in "*/":
        factors = left if isinstance(left, Factors) else Factors([_made(left)])
        right = _made(right)
        factors.append(_power(right, se.Integer(-1)) if sign == "/" else right)
        return factors
    if sign == "^":
        return _power(_made(left), _made(right))
    return _COMPARISONS[sign](_made(left), _made(right))


def _made(value: Any) -> Any:
    """A finished value: the sum or product of what was gathered, its numbers first, one by one and within limits."""
    if not isinstance(value, (Terms, Factors)):
        return value
    number = se.Integer(0 if isinstance(value, Terms) else 1)
    others = []
    for part in value:
        if part.is_Number:
            number = check_number(number + part if isinstance(value, Terms) else number * part)
        else:
            others.append(part)
    if isinstance(value, Terms):
        return se.Add(number, *others)
    made = se.Mul(number, *others)
    check_product(made.args if made.is_Mul else (made,))
    return made


def _power(base: Any, exponent: Any) -> Any:
    check_power(base, exponent)
    return _real(base**exponent, "this power")


def _called(name: str, arguments: list[Any]) -> Any:
    try:
        found = _CALLS[name](*arguments)
    except (RuntimeError, ValueError, ZeroDivisionError, NotImplementedError):
        raise Refused(f"{name} is not defined here") from None
    return _real(found, name)


def _chosen(condition: Any, holds: Any, fails: Any) -> Any:
    """if(condition, holds, fails); an if in the last place continues the list of branches."""
    if condition in (se.true, se.false):
        return holds if condition == se.true else fails
    rest = [(fails, True)]
    if isinstance(fails, se.Piecewise):
        rest = list(zip(fails.args[::2], fails.args[1::2], strict=True))
    return se.Piecewise((holds, condition), *rest)


def _real(value: Any, what: str) -> Any:
    """The value, refused if it is a constant that is infinite, undefined or not real."""
    if value.free_symbols:
        return value
    try:
        size = float(value.n(53, real=True))
    except (RuntimeError, ValueError, TypeError, OverflowError):
        size = math.nan
    if not math.isfinite(size):
        raise Refused(f"{what} is {'not a real number' if math.isnan(size) else 'infinite or too large'} here")
    return check_number(value) if value.is_Number else value
