"""Expressions as a number times powers: what a sum's terms share, stands before it, denominators too.

    2*x*l - 2*s*l       ->  2, {l: 1, (x - s): 1}
    x/l + y/(l*m)       ->  1, {l: -1, m: -1, (m*x + y): 1}

So rows can be multiplied by what stands below and divided by what all their entries have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import symengine as se

from .division import exact_quotient
from .tidy import Term, expanded_terms, term_of, terms_of

ZERO, ONE = se.Integer(0), se.Integer(1)
LARGEST = 400  # terms of a sum that is looked into
Powers = dict[Any, int]


def factors(expression: Any) -> tuple[Any, Powers]:
    """The number in front and the powers of everything else; a sum that is too long is left as it is."""
    number, powers = ONE, Powers()
    for factor in expression.args if expression.is_Mul else (expression,):
        base, power = factor, 1
        if factor.is_Pow and isinstance(factor.args[1], se.Integer):
            base, power = factor.args[0], int(factor.args[1])
        if base.is_Number:
            number = number * base**power
        elif base.is_Add and expanded_terms(base, {}) <= LARGEST:
            before, inside = _of_sum(base)
            number = number * before**power
            for b, k in inside.items():
                powers[b] = powers.get(b, 0) + k * power
        else:
            powers[base] = powers.get(base, 0) + power
    return number, {b: k for b, k in powers.items() if k}


def product(powers: Powers) -> Any:
    """The powers multiplied."""
    return se.Mul(*[base ** se.Integer(power) for base, power in powers.items() if power])


def common_powers(entries: Sequence[Any]) -> Powers:
    """The powers by which all entries can be divided; negative ones are denominators that have to be multiplied by."""
    parts = [factors(e)[1] for e in entries if e != 0]
    if not parts:
        return {}
    parts.sort(key=lambda powers: sum(len(b.args) for b in powers))  # short ones tell soonest that nothing is shared
    found = {base: _least_power(base, parts) for base in {b for powers in parts for b in powers}}
    return {base: least for base, least in found.items() if least}


def ratio(above: Any, below: Any) -> tuple[Any, Any]:
    """Two expressions with the quotient above/below, without what these have in common."""
    shared = common_powers([above, below])
    over = product({b: -k for b, k in shared.items()})
    (number, top), (other, bottom) = factors(_divided(above, shared, over)), factors(_divided(below, shared, over))
    if any(isinstance(x, se.RealDouble) for x in (number, other)):
        return number / other * product(top), product(bottom)
    share = Fraction(int(number.p), int(number.q)) / Fraction(int(other.p), int(other.q))
    return se.Integer(share.numerator) * product(top), se.Integer(share.denominator) * product(bottom)


def divided(entries: Sequence[Any], shared: Powers) -> list[Any]:
    """The entries divided by powers that `common_powers` found."""
    over = product({b: -k for b, k in shared.items()})
    return [_divided(e, shared, over) if e != 0 else ZERO for e in entries]


def _divided(e: Any, shared: Powers, over: Any) -> Any:
    """The entry over the shared powers; a sum that is hidden in it is divided out term by term."""
    number, powers = factors(e)
    left = dict(powers)
    for base, k in shared.items():
        left[base] = left.get(base, 0) - k
    hidden = [base for base, k in left.items() if k < 0 and base.is_Add]
    for base in hidden:
        others = [b for b in left if b.is_Add and b != base and left[b] > 0 and expanded_terms(b, {}) <= LARGEST]
        for other in others:
            quotient = exact_quotient(se.expand(other), base)
            if quotient is not None and left[base] < 0:
                left[other] -= 1
                left[base] += 1
                number = number * quotient
    return number * product(left) if left else number


def _least_power(base: Any, parts: Sequence[Powers]) -> int:
    """The least power of a base in all parts; in a sum it may be hidden, once, and is looked for by division."""
    least = min(powers.get(base, 0) for powers in parts)
    if least or not base.is_Add:
        return least
    shown = [powers[base] for powers in parts if base in powers]
    return int(min(shown) > 0 and all(_hides(base, powers) for powers in parts if base not in powers))


def _hides(base: Any, powers: Powers) -> bool:
    symbols = base.free_symbols
    sums = (b for b, k in powers.items() if b.is_Add and k > 0 and symbols <= b.free_symbols)
    return any(expanded_terms(b, {}) <= LARGEST and exact_quotient(se.expand(b), base) is not None for b in sums)


def _of_sum(e: Any) -> tuple[Any, Powers]:
    """A sum as number * (what its terms share) * (the rest, its first term positive)."""
    terms = [term_of(x) for x in terms_of(se.expand(e))]
    if len(terms) == 1:
        return terms[0].number, dict(terms[0].powers)
    bases = {b for term in terms for b in term.powers}
    shared = {b: min(term.powers.get(b, 0) for term in terms) for b in bases}
    shared = {b: k for b, k in shared.items() if k}
    number = _content([term.number for term in terms])
    rest = [Term(term.number / number, _less(term.powers, shared)) for term in terms]
    first = min(rest, key=lambda term: str(product(term.powers)))
    if float(first.number) < 0:
        number, rest = -number, [Term(-term.number, term.powers) for term in rest]
    return number, {**shared, se.Add(*[term.expression() for term in rest]): 1}


def _less(powers: Powers, shared: Powers) -> Powers:
    found = {b: powers.get(b, 0) - shared.get(b, 0) for b in {*powers, *shared}}
    return {b: k for b, k in found.items() if k}


def _content(numbers: Sequence[Any]) -> Any:
    """The largest number that divides all to whole ones; 1 where there are floating-point ones."""
    if not all(isinstance(x, (se.Integer, se.Rational)) for x in numbers):
        return ONE
    above, below = gcd(*[int(x.p) for x in numbers]), lcm(*[int(x.q) for x in numbers])
    return se.Rational(above, below)
