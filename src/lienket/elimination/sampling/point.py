"""Point: numbers for all symbols of a system, in high precision, at which symbolic quantities are tried."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import symengine as se

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...language.engine.data_functions import functions_in, generic

BITS = 200
SMALL = 1e-30  # what is less than this share of its terms is zero; rounding leaves about 1e-58
SMALL_ROUNDED = 1e-11  # the same where floating-point numbers stand in the formulas, which are rounded themselves


class OutsideDomain(LienketError):
    """An expression has no real value at a point."""

    def __str__(self) -> str:
        return "An expression has no real value at the states tried: a root or a logarithm leaves its domain."


@dataclass(frozen=True)
class Point:
    """A number of 200 bits for each symbol of the engine; what is less than `small` of its terms counts as zero."""

    values: Mapping[Any, Any]
    small: float = SMALL

    def number(self, expression: Any) -> Any:
        """The value of an expression, a number of the engine; OutsideDomain where it has no real one.

        Tables and Python functions count as functions in general (see `generic`).
        """
        if expression.is_Number:
            return expression
        try:
            found = expression.subs(self.values)
            if not isinstance(found, (se.RealMPFR, se.Integer, se.Rational)):
                found = found.n(BITS, real=True)
        except (RuntimeError, ValueError, ZeroDivisionError) as e:
            if functions_in(expression):  # asked only now, so that nobody else pays for it
                return self.number(generic(expression))
            raise OutsideDomain from e
        return found

    def size(self, expression: Any) -> float:
        """The sum of the absolute terms of an expression: what its value is small against."""
        terms = expression.args if expression.is_Add else (expression,)
        return sum(abs(float(self.number(term))) for term in terms)

    def numbers(self, expressions: Sequence[Any]) -> list[Any]:
        """The values of several expressions."""
        return [self.number(e) for e in expressions]


def completed(point: Point, symbols: Iterable[Any], place: int, small: float | None = None) -> Point:
    """The point with numbers for more parameters; another one for each symbol and each place."""
    # The same question gets the same answer.
    drawn = {s: precise(random.Random(f"{s}/{place}").uniform(0.5, 2)) for s in symbols}  # noqa: S311
    return Point({**point.values, **drawn}, point.small if small is None else small)


def has_rounded_numbers(expressions: Iterable[Any]) -> bool:
    """Whether a floating-point number stands in any of the expressions."""
    seen: set[Any] = set()
    todo = list(expressions)
    while todo:
        e = todo.pop()
        if isinstance(e, se.RealDouble):
            return True
        if e not in seen:
            seen.add(e)
            todo.extend(e.args)
    return False


def precise(value: float) -> Any:
    """A floating-point number with 200 bits."""
    numerator, denominator = float(value).as_integer_ratio()
    return se.Rational(numerator, denominator).n(BITS, real=True)
