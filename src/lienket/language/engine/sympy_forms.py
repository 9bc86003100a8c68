"""Direct construction of SymPy sums, products and functions, with the arguments in SymPy's own order.

SymEngine has already combined like terms and powers, so that only the order of the arguments remains to be
determined; SymPy's own constructors would repeat the rest at ten times the cost. The result equals what SymPy
builds (checked by a property test); all other cases are left to SymPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

import sympy as sp
from sympy.core.function import AppliedUndef

from ..expression import Expression

_SYMPY_ORDER = cmp_to_key(sp.Basic.compare)
_ODD, _EVEN = (sp.sin, sp.tan), (sp.cos,)


def canonical_sum(terms: list[Expression]) -> Expression:
    """Return the sum of terms; directly if none is a sum and no two are like terms, else by SymPy."""
    if any(term.is_Add for term in terms) or _has_duplicates(_kind_of_term(term) for term in terms):
        return sp.Add(*terms)
    return sp.Add(*_ordered(terms, sp.S.Zero), evaluate=False)


def canonical_product(factors: list[Expression]) -> Expression:
    """Return the product of factors; directly if none is a product and all bases differ, else by SymPy."""
    number_times_sum = len(factors) == 2 and any(f.is_Number for f in factors) and any(f.is_Add for f in factors)
    if number_times_sum or any(f.is_Mul for f in factors) or _has_duplicates(_kind_of_factor(f) for f in factors):
        return sp.Mul(*factors)  # SymPy expands 2*(x + y)
    return sp.Mul(*_ordered(factors, sp.S.One), evaluate=False)


def canonical_power(base: Expression, exponent: Expression) -> Expression:
    """Return base^exponent; SymPy evaluates powers of numbers only.

    For other powers SymPy would test whether they are real, positive or integer, which takes minutes for some and
    changes the statement for others; SymEngine has already combined the powers.
    """
    if base is sp.E:
        return sp.exp(exponent, evaluate=False)
    return sp.Pow(base, exponent, evaluate=bool(base.is_Number and exponent.is_Number))


def canonical_function(
    function: type[sp.Expr], arguments: list[Expression], known_angles: dict[Expression, tuple[Expression, bool]]
) -> Expression:
    """Return a function of its arguments; sine, cosine and tangent with the sign of the angle that SymPy prefers.

    `known_angles` caches that sign for each angle, since its computation is slow.
    """
    argument = arguments[0]
    if function not in (*_ODD, *_EVEN) or not (argument.is_Add or argument.is_Mul):
        return function(*arguments, evaluate=False)
    if argument not in known_angles:
        known_angles[argument] = (-argument, True) if _sympy_would_negate(argument) else (argument, False)
    angle, negated = known_angles[argument]
    value = function(angle, evaluate=False)
    return sp.Mul(-1, value, evaluate=False) if negated and function in _ODD else value


def _sympy_would_negate(angle: Expression) -> bool:
    """Return whether SymPy writes sin(angle) as -sin(-angle).

    For a sum of multiples of coordinates it does so if most of them are negative, or half of them including the
    first in order; `could_extract_minus_sign` returns an equal result at fifty times the cost.
    """
    if not angle.is_Add:
        return bool(angle.as_coeff_Mul()[0].is_negative)
    terms = [term.as_coeff_Mul() for term in angle.args]
    if not all(isinstance(rest, AppliedUndef) for _, rest in terms):
        return bool(angle.could_extract_minus_sign())
    excess = sum(-1 if number.is_negative else 1 for number, _ in terms)
    if excess:
        return excess < 0
    return bool(min(terms, key=lambda term: sp.default_sort_key(term[1]))[0].is_negative)


def _kind_of_term(term: Expression) -> tuple[object, ...]:
    """Return the factors other than the coefficient, which like terms share; all numbers are like terms."""
    if term.is_Number:
        return ()
    factors = term.args if term.is_Mul else (term,)
    return tuple(factors[1:] if factors[0].is_Number else factors)


def _kind_of_factor(factor: Expression) -> object:
    """Return the base of a factor, which powers that can be combined share; all numbers have one base."""
    if factor.is_Number:
        return sp.S.One
    return factor.base if factor.is_Pow else sp.E if isinstance(factor, sp.exp) else factor


def _has_duplicates(keys: Iterable[object]) -> bool:
    """Return whether a key occurs twice: different terms of SymEngine can be like terms in SymPy."""
    keys = list(keys)
    return len(set(keys)) < len(keys)


def _ordered(arguments: list[Expression], neutral: Expression) -> list[Expression]:
    """Return the arguments in SymPy's order, numbers first, without the neutral element."""
    numbers = [a for a in arguments if a.is_Number and a is not neutral]
    return numbers + sorted((a for a in arguments if not a.is_Number), key=_SYMPY_ORDER)
