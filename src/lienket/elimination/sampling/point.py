"""Point: high-precision numbers for all symbols of a system, at which symbolic quantities are evaluated."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import symengine as se

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...language.engine.data_functions import functions_in, generic

PRECISION_BITS = 200  # [bits] of the numbers at a point
ZERO_TOLERANCE = 1e-30  # [1] value relative to its terms below which it is zero; rounding leaves about 1e-58
# [1] the limit for formulas that contain floating-point numbers, which are rounded themselves
ZERO_TOLERANCE_ROUNDED = 1e-11


class OutsideDomain(LienketError):
    """Error: an expression has no real value at a point."""

    def __str__(self) -> str:
        return "An expression has no real value at the states tried: a root or a logarithm leaves its domain."


@dataclass(frozen=True)
class Point:
    """Number of 200 bits for each symbol of the engine; a value below `tolerance` relative to its terms is zero."""

    values: Mapping[se.Symbol, se.Expr]
    tolerance: float = ZERO_TOLERANCE

    @cached_property
    def _known(self) -> dict[se.Expr, se.Expr]:
        """Values of expressions evaluated so far."""
        return {}

    @property
    def rounded(self) -> bool:
        """Whether formulas or numbers are rounded to double precision."""
        return self.tolerance >= ZERO_TOLERANCE_ROUNDED

    def number(self, expression: se.Expr) -> se.Expr:
        """Evaluate an expression to a number of the engine; raise OutsideDomain if it has no real value.

        Tables and Python functions count as generic functions (see `generic`).
        """
        if expression.is_Number:
            return expression
        value = self._known.get(expression)
        if value is None:
            value = self._known[expression] = self._evaluated(expression)
        return value

    def _evaluated(self, expression: se.Expr) -> se.Expr:
        """Evaluate an expression that is not a number."""
        try:
            value = expression.subs(self.values)
            if not isinstance(value, (se.RealMPFR, se.Integer, se.Rational)):
                value = value.n(PRECISION_BITS, real=True)
        except (RuntimeError, ValueError, ZeroDivisionError) as e:
            if functions_in(expression):  # tested only here, since the test is expensive
                return self.number(generic(expression))
            raise OutsideDomain from e
        return value

    def size(self, expression: se.Expr) -> float:
        """Return the sum of the absolute terms of an expression, the reference size of its value."""
        terms = expression.args if expression.is_Add else (expression,)
        return sum(abs(float(self.number(term))) for term in terms)

    def numbers(self, expressions: Sequence[se.Expr]) -> list[se.Expr]:
        """Evaluate several expressions."""
        return [self.number(e) for e in expressions]


def with_parameters(point: Point, symbols: Iterable[se.Symbol], index: int, tolerance: float | None = None) -> Point:
    """Return the point with random numbers for more parameters, reproducible by symbol and index of the point."""
    drawn = {s: precise(random.Random(f"{s}/{index}").uniform(0.5, 2)) for s in symbols}  # noqa: S311
    return Point({**point.values, **drawn}, point.tolerance if tolerance is None else tolerance)


def has_floating_point(expressions: Iterable[se.Expr]) -> bool:
    """Return whether any of the expressions contains a floating-point number."""
    seen: set[se.Expr] = set()
    todo = list(expressions)
    while todo:
        e = todo.pop()
        if isinstance(e, se.RealDouble):
            return True
        if e not in seen:
            seen.add(e)
            todo.extend(e.args)
    return False


def precise(value: float) -> se.Expr:
    """Return a floating-point number as a number of 200 bits."""
    numerator, denominator = float(value).as_integer_ratio()
    return se.Rational(numerator, denominator).n(PRECISION_BITS, real=True)
