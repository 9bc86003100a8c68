"""Numeric checks of laws and programs: negative coefficients, restitution outside [0, 1], contradictory bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...foundation.arrays import Array
from ...language.expression import Expression, Symbol
from ...language.real_number import real_number
from ...language.symbols import t
from ...language.traversal import find_cached
from ..constraint import Constraint
from ..laws.law import Number
from ..statement import Statement


def check_laws(statement: Statement, numbers: Array, faults: Faults) -> None:
    """Report laws and programs that the numbers of the parameters make invalid; see also `model.input.law`."""
    constraints = [c for c in statement.every_constraint if c.law is not None or c.following.expressions()]
    if not constraints or len(numbers) != len(statement.parameters):
        return
    point = dict(zip(statement.parameters, map(float, numbers), strict=True))
    for constraint in constraints:
        for fault in (*_law_faults(constraint, point), *_program_faults(constraint, point)):
            faults.add(f"constraint {constraint.name!r}", fault, "Change the values.")


def _law_faults(constraint: Constraint, point: dict[Symbol, float]) -> Iterator[str]:
    """Yield the faults of a constraint's law at these parameter numbers."""

    def number(e: Expression | None) -> Number | None:
        value = _number(e, point)
        if value is not None and math.isnan(value):
            faults.append(_not_real(e))
            return None
        return None if value is None else Number(value)

    faults: list[str] = []
    if constraint.law is not None:
        constraint.law.check_numbers(number, faults.append)
    yield from faults


def _program_faults(constraint: Constraint, point: dict[Symbol, float]) -> Iterator[str]:
    """Yield the faults of a program's weights, bounds and gains at these parameter numbers."""
    following, drives = constraint.following, [name for name, _ in constraint.drives]
    for name, weight in zip(drives, following.weights, strict=False):
        value = _number(weight, point)
        if value is not None and not value > 0:
            yield f"the weight of drive {name!r} must be positive, but is {value:.6g}"
    for name, pair in zip(drives, following.bounds, strict=False):
        least, most = (_number(e, point) for e in pair)
        for e, value in zip(pair, (least, most), strict=True):
            if value is not None and math.isnan(value):
                yield f"a bound of drive {name!r}: {_not_real(e)}"
        if least is not None and most is not None and least > most:
            yield f"the lower bound of drive {name!r}, {least:.6g}, exceeds its upper bound, {most:.6g}"
    for gain in following.gains or ():
        value = _number(gain, point)
        if value is not None and not value >= 0:
            yield f"the gain of the feedback must not be negative, but is {value:.6g}"


def _not_real(e: Expression | None) -> str:
    """Return the fault of a formula that has no real number."""
    from ...language.printing.text import plain  # here, since only messages need it

    return f"{'' if e is None else plain(e)} is not a real number with these values"


def _number(e: Expression, point: dict[Symbol, float]) -> float | None:
    """Return the number of an expression of parameters alone, NaN if it is not real; None for other expressions."""
    if e is None or find_cached(e, AppliedUndef) or e.has(t):
        return None
    return real_number(e.xreplace(point))
