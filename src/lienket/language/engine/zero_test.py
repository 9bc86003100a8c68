"""Is a symbolic quantity zero everywhere? Decided by its values, never by the shape it happens to have.

An expression that is not identically zero is zero only on a set of measure zero; values at random
points in high precision tell the two apart with certainty for all practical purposes. Simplification
can only fail to see a zero, and is not asked. Tables and Python functions count as functions in general.
"""

from __future__ import annotations

import math
import random
from typing import Any

import symengine as se

from .data_functions import generic

DIGITS = 60
POINTS = 3
POINTS_OF_CASES = 24  # where kinks or cases may hide a value at many points
ATTEMPTS = 100  # a point may lie outside the domain of a root or a logarithm


def vanishes(expression: Any) -> bool:
    """Whether the SymEngine expression is zero at random points, to 60 digits.

    The size of the value is measured against the largest of its terms, so that scale does not matter.
    The points come from a fixed seed: the same question always gets the same answer.
    """
    if expression == 0:
        return True
    expression = generic(expression)
    symbols = sorted(expression.free_symbols, key=str)
    source = random.Random(20011105)
    wanted = POINTS_OF_CASES if _has_cases(expression) else POINTS
    seen = 0
    for attempt in range(ATTEMPTS):
        # Every other point is positive throughout, where roots and logarithms live; sizes go from 1/4 to 64.
        size = 2 ** source.randint(0, 8)
        signs = (1,) if attempt % 2 else (-1, 1)
        point = {s: source.choice(signs) * se.Rational(source.randint(1, 10**6) * size, 2**22) for s in symbols}
        small = _is_small(expression, point)
        if small is None:
            continue
        if not small:
            return False
        seen += 1
        if seen == wanted:
            return True
    return False


def _has_cases(e: Any) -> bool:
    return isinstance(e, (se.Piecewise, se.Abs, se.sign, se.Max, se.Min)) or any(_has_cases(a) for a in e.args)


def _is_small(expression: Any, point: dict[Any, Any]) -> bool | None:
    terms = expression.args if expression.is_Add else (expression,)
    bits = int(DIGITS * math.log2(10)) + 30
    try:
        values = [term.subs(point).n(bits, real=True) for term in terms]
    except (RuntimeError, ValueError, ZeroDivisionError):
        return None  # outside the domain
    scale = max(abs(v) for v in values)
    total = abs(sum(values, se.Integer(0)))
    if not all(map(math.isfinite, (float(scale), float(total)))):
        return None
    return bool(total <= scale * se.Integer(10) ** (15 - DIGITS)) if len(terms) > 1 else bool(float(total) < 1e-45)
