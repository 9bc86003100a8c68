"""Exact division of one sum of products by another: (a^2 + 2 a b + b^2)/(a + b) = a + b, where it leaves no rest.

Symbols, sines, cosines and whatever else stands in the products are taken as unknowns of a polynomial; negative powers
count as powers. Nothing is approximated: either the quotient is exact or there is none.
"""

from __future__ import annotations

from typing import Any

import symengine as se

from .tidy import term_of, terms_of

STEPS = 2000  # terms subtracted, at most


def exact_quotient(above: Any, below: Any) -> Any | None:
    """Above/below (both expanded) as a sum of products, or None if the division leaves a rest."""
    dividend, divisor = _polynomial(above), _polynomial(below)
    order = sorted({base for monomial in (*dividend, *divisor) for base, _ in monomial}, key=str)
    place = {base: i for i, base in enumerate(order)}

    def dense(monomial: frozenset[tuple[Any, int]]) -> tuple[int, ...]:
        powers = [0] * len(order)
        for base, power in monomial:
            powers[place[base]] = power
        return tuple(powers)

    rest = {dense(m): c for m, c in dividend.items()}
    by = {dense(m): c for m, c in divisor.items()}
    if any(power < 0 for m in by for power in m):
        return None
    lead = max(by)
    found: dict[tuple[int, ...], Any] = {}
    for _ in range(STEPS):
        if not rest:
            return _sum(found, order)
        top = max(rest)
        powers = tuple(a - b for a, b in zip(top, lead, strict=True))
        if any(p < 0 and p < t for p, t in zip(powers, top, strict=True)):
            return None
        factor = rest[top] / by[lead]
        found[powers] = factor
        for m, c in by.items():
            key = tuple(a + b for a, b in zip(m, powers, strict=True))
            left = rest.pop(key, 0) - factor * c
            if left != 0:
                rest[key] = left
    return None


def _polynomial(e: Any) -> dict[frozenset[tuple[Any, int]], Any]:
    found: dict[frozenset[tuple[Any, int]], Any] = {}
    for product in terms_of(e):
        term = term_of(product)
        key = frozenset(term.powers.items())
        found[key] = found.get(key, 0) + term.number
    return {key: number for key, number in found.items() if number != 0}


def _sum(terms: dict[tuple[int, ...], Any], order: list[Any]) -> Any:
    products = []
    for powers, number in terms.items():
        factors = [base**power for base, power in zip(order, powers, strict=True) if power]
        products.append(se.Mul(number, *factors))
    return se.Add(*products)
