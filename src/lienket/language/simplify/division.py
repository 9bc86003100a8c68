"""Exact polynomial division of sums of products: (a^2 + 2 a b + b^2)/(a + b) = a + b.

Symbols, sines, cosines and all other factors are treated as indeterminates of a polynomial, which may have negative
powers. The quotient is exact; if the division leaves a remainder, there is none.
"""

from __future__ import annotations

import symengine as se

from .tidy import term_of, terms_of

DIVISION_STEP_LIMIT = 2000  # [steps] terms of the quotient after which a division is abandoned


def exact_quotient(above: se.Expr, below: se.Expr) -> se.Expr | None:
    """Return above/below (both expanded) as a sum of products, or None if the division leaves a remainder."""
    dividend, divisor = _polynomial(above), _polynomial(below)
    order = sorted({base for monomial in (*dividend, *divisor) for base, _ in monomial}, key=str)
    index = {base: i for i, base in enumerate(order)}

    def exponents(monomial: frozenset[tuple[se.Expr, int]]) -> tuple[int, ...]:
        powers = [0] * len(order)
        for base, power in monomial:
            powers[index[base]] = power
        return tuple(powers)

    remainder = {exponents(m): c for m, c in dividend.items()}
    by = {exponents(m): c for m, c in divisor.items()}
    if any(power < 0 for m in by for power in m):
        return None
    lead = max(by)
    quotient: dict[tuple[int, ...], se.Expr] = {}
    for _ in range(DIVISION_STEP_LIMIT):
        if not remainder:
            return _sum(quotient, order)
        top = max(remainder)
        powers = tuple(a - b for a, b in zip(top, lead, strict=True))
        if any(p < 0 and p < t for p, t in zip(powers, top, strict=True)):
            return None
        factor = remainder[top] / by[lead]
        quotient[powers] = factor
        for m, c in by.items():
            key = tuple(a + b for a, b in zip(m, powers, strict=True))
            coefficient = remainder.pop(key, 0) - factor * c
            if coefficient != 0:
                remainder[key] = coefficient
    return None


def _polynomial(e: se.Expr) -> dict[frozenset[tuple[se.Expr, int]], se.Expr]:
    """Return the coefficients of a sum of products by monomial, {base, power}."""
    coefficients: dict[frozenset[tuple[se.Expr, int]], se.Expr] = {}
    for product in terms_of(e):
        term = term_of(product)
        key = frozenset(term.powers.items())
        coefficients[key] = coefficients.get(key, 0) + term.number
    return {key: number for key, number in coefficients.items() if number != 0}


def _sum(terms: dict[tuple[int, ...], se.Expr], order: list[se.Expr]) -> se.Expr:
    """Return the sum of the terms, given as coefficients by exponents of the bases `order`."""
    products = []
    for powers, number in terms.items():
        factors = [base**power for base, power in zip(order, powers, strict=True) if power]
        products.append(se.Mul(number, *factors))
    return se.Add(*products)
