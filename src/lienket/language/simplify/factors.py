"""Factorization of expressions into a number and powers; factors common to all terms of a sum are extracted.

    2*x*l - 2*s*l       ->  2, {l: 1, (x - s): 1}
    x/l + y/(l*m)       ->  1, {l: -1, m: -1, (m*x + y): 1}

Rows are thus multiplied by their denominators and divided by the factors common to all entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import symengine as se

from .division import exact_quotient
from .tidy import Powers, Term, expanded_terms, term_of, terms_of

ZERO, ONE = se.Integer(0), se.Integer(1)
SUM_TERM_LIMIT = 400  # [terms] expanded terms of a sum up to which its factors are determined


def factors(expression: se.Expr) -> tuple[se.Expr, Powers]:
    """Return the numerical factor and the powers of all other factors; a sum that is too long is not factorized."""
    number, powers = ONE, Powers()
    for factor in expression.args if expression.is_Mul else (expression,):
        base, power = factor, 1
        if factor.is_Pow and isinstance(factor.args[1], se.Integer):
            base, power = factor.args[0], int(factor.args[1])
        if base.is_Number:
            number = number * base**power
        elif base.is_Add and expanded_terms(base, {}) <= SUM_TERM_LIMIT:
            coefficient, inner = _factors_of_sum(base)
            number = number * coefficient**power
            for b, k in inner.items():
                powers[b] = powers.get(b, 0) + k * power
        else:
            powers[base] = powers.get(base, 0) + power
    return number, {b: k for b, k in powers.items() if k}


def product(powers: Powers) -> se.Expr:
    """Return the product of the powers."""
    return se.Mul(*[base ** se.Integer(power) for base, power in powers.items() if power])


def common_powers(entries: Sequence[se.Expr]) -> Powers:
    """Return the powers by which all entries are divisible; negative powers are their denominators."""
    parts = [factors(e)[1] for e in entries if e != 0]
    if not parts:
        return {}
    parts.sort(key=lambda powers: sum(len(b.args) for b in powers))  # short entries rule out common factors soonest
    least = {base: _least_power(base, parts) for base in {b for powers in parts for b in powers}}
    return {base: power for base, power in least.items() if power}


def ratio(above: se.Expr, below: se.Expr) -> tuple[se.Expr, se.Expr]:
    """Return numerator and denominator of above/below without their common factors."""
    shared = common_powers([above, below])
    (number, top), (other, bottom) = factors(_divided(above, shared)), factors(_divided(below, shared))
    if any(isinstance(x, se.RealDouble) for x in (number, other)):
        return number / other * product(top), product(bottom)
    fraction = Fraction(int(number.p), int(number.q)) / Fraction(int(other.p), int(other.q))
    return se.Integer(fraction.numerator) * product(top), se.Integer(fraction.denominator) * product(bottom)


def divided(entries: Sequence[se.Expr], shared: Powers) -> list[se.Expr]:
    """Return the entries divided by the powers returned by `common_powers`."""
    return [_divided(e, shared) if e != 0 else ZERO for e in entries]


def _divided(e: se.Expr, shared: Powers) -> se.Expr:
    """Return the entry divided by the shared powers; a factor hidden in a sum is divided out exactly."""
    number, powers = factors(e)
    remaining = dict(powers)
    for base, k in shared.items():
        remaining[base] = remaining.get(base, 0) - k
    hidden = [base for base, k in remaining.items() if k < 0 and base.is_Add]
    for base in hidden:
        sums = [b for b, k in remaining.items() if b.is_Add and b != base and k > 0]
        for other in [b for b in sums if expanded_terms(b, {}) <= SUM_TERM_LIMIT]:
            quotient = exact_quotient(se.expand(other), base)
            if quotient is not None and remaining[base] < 0:
                remaining[other] -= 1
                remaining[base] += 1
                number = number * quotient
    return number * product(remaining) if remaining else number


def _least_power(base: se.Expr, parts: Sequence[Powers]) -> int:
    """Return the least power of a base over all parts; a sum may hide it once, which is tested by division."""
    least = min(powers.get(base, 0) for powers in parts)
    if least or not base.is_Add:
        return least
    visible = [powers[base] for powers in parts if base in powers]
    return int(min(visible) > 0 and all(_hides(base, powers) for powers in parts if base not in powers))


def _hides(base: se.Expr, powers: Powers) -> bool:
    """Return whether a sum among the powers is divisible by the base."""
    symbols = base.free_symbols
    sums = (b for b, k in powers.items() if b.is_Add and k > 0 and symbols <= b.free_symbols)
    return any(expanded_terms(b, {}) <= SUM_TERM_LIMIT and exact_quotient(se.expand(b), base) is not None for b in sums)


def _factors_of_sum(e: se.Expr) -> tuple[se.Expr, Powers]:
    """Return a sum as number * (common factors of its terms) * (the remaining sum, its first term positive)."""
    terms = [term_of(x) for x in terms_of(se.expand(e))]
    if len(terms) == 1:
        return terms[0].number, dict(terms[0].powers)
    bases = {b for term in terms for b in term.powers}
    shared = {b: min(term.powers.get(b, 0) for term in terms) for b in bases}
    shared = {b: k for b, k in shared.items() if k}
    number = _content([term.number for term in terms])
    rest = [Term(term.number / number, _quotient(term.powers, shared)) for term in terms]
    first = min(rest, key=lambda term: str(product(term.powers)))
    if float(first.number) < 0:
        number, rest = -number, [Term(-term.number, term.powers) for term in rest]
    return number, {**shared, se.Add(*[term.expression() for term in rest]): 1}


def _quotient(powers: Powers, shared: Powers) -> Powers:
    """Return the powers of a product after division by the shared powers."""
    differences = {b: powers.get(b, 0) - shared.get(b, 0) for b in {*powers, *shared}}
    return {b: k for b, k in differences.items() if k}


def _content(numbers: Sequence[se.Expr]) -> se.Expr:
    """Return the largest number that divides all to integers; 1 if there are floating-point numbers."""
    if not all(isinstance(x, (se.Integer, se.Rational)) for x in numbers):
        return ONE
    above, below = gcd(*[int(x.p) for x in numbers]), lcm(*[int(x.q) for x in numbers])
    return se.Rational(above, below)
