"""Zero test: whether an expression vanishes identically, decided by its values at random points.

An analytic expression that is not identically zero vanishes only on a set of measure zero, so values at random
points in high precision decide the question with practical certainty. Simplification could only miss a zero and is
not used. Tables and Python functions are replaced by generic functions (see `data_functions.generic`).
"""

from __future__ import annotations

import math
import random

import symengine as se

from .data_functions import generic

ZERO_TEST_DIGITS = 60  # [digits] precision of the evaluation at a random point
ZERO_TEST_GUARD_DIGITS = 15  # [digits] cancellation allowed among the terms of a sum that counts as zero
ZERO_TEST_GUARD_BITS = 30  # [bits] precision of the evaluation beyond ZERO_TEST_DIGITS
ZERO_TEST_MAGNITUDE = 1e-45  # [1] absolute value below which a single term counts as zero
ZERO_TEST_POINTS = 3  # [points] points at which an expression must vanish
# [points] points at which an expression with kinks or cases must vanish, since it may vanish on open sets
ZERO_TEST_POINTS_WITH_CASES = 24
ZERO_TEST_ATTEMPTS = 100  # [points] random points tried, since some lie outside the domain of a root or logarithm
ZERO_TEST_SEED = 20011105  # fixed seed, so that the result is reproducible


def vanishes(expression: se.Expr) -> bool:
    """Return whether the SymEngine expression is zero at random points, to 60 digits.

    The value is compared with the largest of its terms, so that the scale does not matter. The points come from a
    fixed seed, so that the result is reproducible.
    """
    if expression == 0:
        return True
    expression = generic(expression)
    symbols = sorted(expression.free_symbols, key=str)
    source = random.Random(ZERO_TEST_SEED)
    required = ZERO_TEST_POINTS_WITH_CASES if _has_cases(expression) else ZERO_TEST_POINTS
    zeros = 0
    for attempt in range(ZERO_TEST_ATTEMPTS):
        # Every other point has only positive values, where roots and logarithms are defined; sizes go up to 64.
        size = 2 ** source.randint(0, 8)
        signs = (1,) if attempt % 2 else (-1, 1)
        point = {s: source.choice(signs) * se.Rational(source.randint(1, 10**6) * size, 2**22) for s in symbols}
        small = _is_small(expression, point)
        if small is None:
            continue
        if not small:
            return False
        zeros += 1
        if zeros == required:
            return True
    return False


def _has_cases(e: se.Expr) -> bool:
    return isinstance(e, (se.Piecewise, se.Abs, se.sign, se.Max, se.Min)) or any(_has_cases(a) for a in e.args)


def _is_small(expression: se.Expr, point: dict[se.Symbol, se.Expr]) -> bool | None:
    """Return whether the value at a point is zero to the required digits; None outside the domain."""
    terms = expression.args if expression.is_Add else (expression,)
    bits = int(ZERO_TEST_DIGITS * math.log2(10)) + ZERO_TEST_GUARD_BITS
    try:
        values = [term.subs(point).n(bits, real=True) for term in terms]
    except (RuntimeError, ValueError, ZeroDivisionError):
        return None  # outside the domain
    scale = max(abs(v) for v in values)
    total = abs(sum(values, se.Integer(0)))
    if not all(map(math.isfinite, (float(scale), float(total)))):
        return None
    if len(terms) == 1:
        return bool(float(total) < ZERO_TEST_MAGNITUDE)
    return bool(total <= scale * se.Integer(10) ** (ZERO_TEST_GUARD_DIGITS - ZERO_TEST_DIGITS))
