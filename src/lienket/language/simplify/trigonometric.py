"""Shortest form of a sum of products of sines and cosines with numerical coefficients.

The Fourier form, in which products are sums of sines and cosines of sums of angles, is canonical: equal
expressions become identical, so cos^2 + sin^2 is 1 and cos a cos b + sin a sin b is cos(a - b). It is not
always the shortest, so it is one of several candidates.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

ZERO, ONE, HALF = se.Integer(0), se.Integer(1), se.Rational(1, 2)

Wave = tuple[se.Expr, dict[se.Expr, int]]
"""A number times a product of sin(u)^k and cos(u)^k, as (number, {sin(u): k, ...})."""


def shortest_waves(waves: Sequence[Wave]) -> se.Expr:
    """Return the shortest expression equal to the sum of the waves."""
    fourier = _fourier(waves)
    if not fourier.is_Add:
        return fourier  # a single term is the shortest possible form
    plain = se.Add(*[se.Mul(number, *[b**k for b, k in powers.items()]) for number, powers in waves])
    candidates = [plain, fourier]
    if any(k > 1 for _, powers in waves for k in powers.values()):
        candidates += [_pythagoras(waves, se.sin, se.cos), _pythagoras(waves, se.cos, se.sin)]
    return min(candidates, key=_size)


def _size(expression: se.Expr) -> int:
    """Return the number of nodes of the expression tree."""
    return 1 + sum(_size(a) for a in expression.args)


def _pythagoras(waves: Sequence[Wave], eliminated: type[se.Function], remaining: type[se.Function]) -> se.Expr:
    """Replace eliminated(u)^2 by 1 - remaining(u)^2 (sin and cos, or cos and sin)."""
    terms = []
    for number, powers in waves:
        term = number
        for base, power in powers.items():
            if isinstance(base, eliminated):
                term = term * (1 - remaining(base.args[0]) ** 2) ** (power // 2) * base ** (power % 2)
            else:
                term = term * base**power
        terms.append(term)
    return se.expand(se.Add(*terms))


def _fourier(waves: Sequence[Wave]) -> se.Expr:
    """Expand products of sines and cosines into sums: cos a cos b = (cos(a-b) + cos(a+b))/2, ...."""
    total: dict[se.Expr, tuple[se.Expr, se.Expr]] = {}
    for number, powers in waves:
        # The partial product is the sum of c*cos(u) + s*sin(u), stored as {u: (c, s)}.
        series = {ZERO: (number, ZERO)}
        for base, power in powers.items():
            for _ in range(power):
                series = _times(series, base)
        for u, (c, s) in series.items():
            c0, s0 = total.get(u, (ZERO, ZERO))
            total[u] = (c0 + c, s0 + s)
    pairs = [(c * se.cos(u), s * se.sin(u)) for u, (c, s) in total.items()]
    return se.Add(*[term for pair in pairs for term in pair])


def _times(series: dict[se.Expr, tuple[se.Expr, se.Expr]], wave: se.Expr) -> dict[se.Expr, tuple[se.Expr, se.Expr]]:
    """Return the series multiplied by sin(b) or cos(b)."""
    forward, back = se.expand(wave.args[0]), se.expand(-wave.args[0])
    product: dict[se.Expr, tuple[se.Expr, se.Expr]] = {}
    for u, (c, s) in series.items():
        c, s = HALF * c, HALF * s
        if isinstance(wave, se.cos):
            shifted = ((u + forward, c, s), (u + back, c, s))
        else:  # sin b cos u = (sin(u+b) - sin(u-b))/2, sin b sin u = (cos(u-b) - cos(u+b))/2
            shifted = ((u + forward, -s, c), (u + back, s, -c))
        for angle, more_c, more_s in shifted:
            c0, s0 = product.get(angle, (ZERO, ZERO))
            product[angle] = (c0 + more_c, s0 + more_s)
    return product
