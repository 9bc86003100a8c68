"""SymPy sums, products and functions put together directly, in the order SymPy itself would give them.

SymEngine has already joined like terms and powers, so all that SymPy's own constructors would find out
again, at ten times the cost, is the order of the arguments. What comes out is equal to what SymPy builds
(a property test says so); whatever is not plainly so is left to SymPy.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

_SYMPY_ORDER = cmp_to_key(sp.Basic.compare)
_ODD, _EVEN = (sp.sin, sp.tan), (sp.cos,)


def canonical_sum(terms: list[Any]) -> Any:
    """The sum of terms, none of which is a sum and no two of which are alike; any others go to SymPy."""
    if any(term.is_Add for term in terms) or _repeats(_kind_of_term(term) for term in terms):
        return sp.Add(*terms)
    return sp.Add(*_ordered(terms, sp.S.Zero), evaluate=False)


def canonical_product(factors: list[Any]) -> Any:
    """The product of factors, none of which is a product and no two powers of the same; others go to SymPy."""
    number_times_sum = len(factors) == 2 and any(f.is_Number for f in factors) and any(f.is_Add for f in factors)
    if number_times_sum or any(f.is_Mul for f in factors) or _repeats(_kind_of_factor(f) for f in factors):
        return sp.Mul(*factors)  # SymPy multiplies 2*(x + y) out
    return sp.Mul(*_ordered(factors, sp.S.One), evaluate=False)


def canonical_power(base: Any, exponent: Any) -> Any:
    """base^exponent; only powers of numbers are left for SymPy to work out.

    Of others SymPy would ask whether they are real, positive or whole, which takes minutes for some and changes
    what is stated for others; SymEngine has joined what can be joined.
    """
    if base is sp.E:
        return sp.exp(exponent, evaluate=False)
    return sp.Pow(base, exponent, evaluate=bool(base.is_Number and exponent.is_Number))


def canonical_function(function: Any, arguments: list[Any], known_angles: dict[Any, tuple[Any, bool]]) -> Any:
    """A function of its arguments, as SymEngine has left it; sine, cosine and tangent with the sign SymPy prefers.

    `known_angles` remembers that sign for each angle, as it is slow to find out.
    """
    argument = arguments[0]
    if function not in (*_ODD, *_EVEN) or not (argument.is_Add or argument.is_Mul):
        return function(*arguments, evaluate=False)
    if argument not in known_angles:
        known_angles[argument] = (-argument, True) if _sympy_would_turn(argument) else (argument, False)
    angle, turned = known_angles[argument]
    made = function(angle, evaluate=False)
    return sp.Mul(-1, made, evaluate=False) if turned and function in _ODD else made


def _sympy_would_turn(angle: Any) -> bool:
    """Whether SymPy writes sin(angle) as -sin(-angle).

    For a sum of multiples of coordinates it does so if most of them are negative, or half of them and the
    first in order among them; asking `could_extract_minus_sign` gives the same at fifty times the cost.
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


def _kind_of_term(term: Any) -> tuple[Any, ...]:
    """What two terms must share to be joined: all but the number before them. All numbers are of one kind."""
    if term.is_Number:
        return ()
    factors = term.args if term.is_Mul else (term,)
    return tuple(factors[1:] if factors[0].is_Number else factors)


def _kind_of_factor(factor: Any) -> Any:
    """What two factors must share to be joined: the base of the power. All numbers are of one kind."""
    if factor.is_Number:
        return sp.S.One
    return factor.base if factor.is_Pow else sp.E if isinstance(factor, sp.exp) else factor


def _repeats(things: Iterable[Any]) -> bool:
    """Whether something occurs twice: different terms of SymEngine can be the same in SymPy."""
    things = list(things)
    return len(set(things)) < len(things)


def _ordered(arguments: list[Any], neutral: Any) -> list[Any]:
    numbers = [a for a in arguments if a.is_Number and a is not neutral]
    return numbers + sorted((a for a in arguments if not a.is_Number), key=_SYMPY_ORDER)
