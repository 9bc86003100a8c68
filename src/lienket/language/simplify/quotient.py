"""Simplification of expressions with denominators: a single fraction where that is shorter.

    sin(q)/a + cos(q)^2/(a*sin(q))     ->  1/(a*sin(q))
    (2*x - 2*x*y/z)/(2*y - 2*z)        ->  -x/z

The terms are brought to their common denominator, the numerator is simplified (see `tidy`), and common factors are
cancelled. Denominators are never expanded.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

import symengine as se

from .division import exact_quotient
from .tidy import TIDY_LIMIT, Term, expansion, term_of, terms_of, tidy

ONE = se.Integer(1)


def tidy_quotients(expressions: Iterable[se.Expr], limit: float = TIDY_LIMIT) -> list[se.Expr]:
    """Return the simplified expressions, or all unchanged if together they expand to more than `limit` terms."""
    expressions = list(expressions)
    if _expanded_size(expressions) > limit:
        return [_extract_denominator(e) for e in expressions]
    return [_tidy_cached(e, limit) if e.args else e for e in expressions]


_TIDY_CACHE: dict[tuple[se.Expr, float], se.Expr] = {}  # most entries of a matrix recur unchanged in later stages
_TIDY_CACHE_SIZE = 20_000  # [expressions] number of entries above which the cache is cleared


def _tidy_cached(e: se.Expr, limit: float) -> se.Expr:
    """Return the fixed point of repeated simplification, so that the result does not depend on earlier calls."""
    if len(_TIDY_CACHE) > _TIDY_CACHE_SIZE:
        _TIDY_CACHE.clear()
    forms = [e]
    while (forms[-1], limit) not in _TIDY_CACHE:
        form = tidy_quotient(forms[-1], limit)
        if form in forms:  # a fixed point, or a cycle, of which the shortest form is chosen
            final = min(forms[forms.index(form) :], key=lambda f: (_length(f), str(f)))
            _TIDY_CACHE[forms[-1], limit] = final
        else:
            forms.append(form)
    final = _TIDY_CACHE[forms[-1], limit]
    _TIDY_CACHE.update({(form, limit): final for form in forms})
    return final


def _expanded_size(expressions: list[se.Expr]) -> float:
    """Return the number of terms after expansion of the expressions and of all denominators in them."""
    seen: set[se.Expr] = set()
    denominators: list[se.Expr] = []
    todo = list(expressions)
    while todo:
        e = todo.pop()
        if e in seen or not (e.is_Add or e.is_Mul or e.is_Pow):
            continue
        seen.add(e)
        arguments = e.args
        if e.is_Pow and arguments[0].is_Add and arguments[1].is_Number and arguments[1].is_negative:
            denominators.append(arguments[0])
        todo.extend(arguments)
    return expansion([*expressions, *denominators])


def tidy_quotient(expression: se.Expr, limit: float = TIDY_LIMIT) -> se.Expr:
    """Return the shorter of the simplified sum and the simplified single fraction."""
    if _expanded_size([expression]) > limit:
        return expression
    plain = tidy(expression)
    if not _has_quotient(plain):
        return plain
    single = _single_fraction(plain, limit)
    return plain if single is None or _length(single) > _length(plain) else single


def _has_quotient(e: se.Expr) -> bool:
    if e.is_Pow:
        return bool(e.args[1].is_Number and e.args[1].is_negative)
    return (e.is_Add or e.is_Mul) and any(_has_quotient(a) for a in e.args)


def _single_fraction(expression: se.Expr, limit: float) -> se.Expr | None:
    """Return the expression over one common denominator, or None if its numerator exceeds `limit` terms."""
    shields: dict[se.Expr, se.Expr] = {}
    terms = [term_of(e) for e in terms_of(se.expand(_shielded(expression, shields)))]
    bases = {symbol: base for base, symbol in shields.items()}
    below: dict[se.Expr, int] = {}
    for term in terms:
        for base, power in term.powers.items():
            exponent = power if base in bases else -power
            if exponent > 0:
                below[base] = max(below.get(base, 0), exponent)
    above = se.Add(*[_times_denominator(term, below, bases) for term in terms])
    if _expanded_size([above]) > limit:
        return None
    above = se.expand(above)
    for symbol, base in bases.items():
        while below.get(symbol, 0) > 0:
            divided = exact_quotient(above, base)
            if divided is None:
                break
            above = divided
            below[symbol] -= 1
    denominator = se.Mul(*[_raised(bases.get(base, base), se.Integer(power)) for base, power in below.items()])
    return tidy(above) / denominator


def _times_denominator(term: Term, below: dict[se.Expr, int], bases: dict[se.Expr, se.Expr]) -> se.Expr:
    """Return the term multiplied by the common denominator."""
    factors = []
    for base, power in below.items():
        present = term.powers.get(base, 0)
        factors.append(bases[base] ** (power - present) if base in bases else base ** (power + min(present, 0)))
    rest = {b: k for b, k in term.powers.items() if b not in below or (b not in bases and k > 0)}
    return se.Mul(Term(term.number, rest).expression(), *factors)


def _shielded(e: se.Expr, shields: dict[se.Expr, se.Expr]) -> se.Expr:
    """Replace each 1/(a + b) by a symbol; factors common to all its terms are extracted first."""
    if e.is_Pow and e.args[0].is_Add and isinstance(e.args[1], se.Integer) and int(e.args[1]) < 0:
        below = tidy(e.args[0])
        if _has_quotient(below):  # no fraction within a denominator
            below = _single_fraction(below, TIDY_LIMIT) or below
        below = _factored(below)
        shielded = ONE
        for factor in below.args if below.is_Mul else (below,):
            base, power = factor.args if factor.is_Pow else (factor, ONE)
            if base.is_Add and isinstance(power, se.Integer) and int(power) > 0:
                symbol = shields.setdefault(se.expand(base), se.Symbol(f"1/{len(shields)}"))
                shielded *= symbol ** -(power * e.args[1])
            else:
                shielded *= _raised(factor, e.args[1])
        return shielded
    if e.is_Add or e.is_Mul:
        return type(e)(*[_shielded(a, shields) for a in e.args])
    return e


def _raised(base: se.Expr, power: se.Expr) -> se.Expr:
    """Return a power of a product as the product of powers: (-a)^-2 is a^-2."""
    return se.Mul(*[factor**power for factor in base.args]) if base.is_Mul else base**power


def _factored(e: se.Expr) -> se.Expr:
    """Extract the factors common to all terms of a sum; in a product, of each of its sums."""
    if e.is_Mul:
        return se.Mul(*[_factored(a) for a in e.args])
    if not e.is_Add:
        return e
    terms = [term_of(t) for t in terms_of(se.expand(e))]
    shared = dict(terms[0].powers)
    for term in terms[1:]:
        shared = {b: min(k, term.powers[b]) for b, k in shared.items() if term.powers.get(b, 0) > 0 and k > 0}
    shared = {b: k for b, k in shared.items() if k > 0}
    number = _content([term.number for term in terms])
    rest = [Term(term.number / number, {b: k - shared.get(b, 0) for b, k in term.powers.items()}) for term in terms]
    return se.Mul(number, *[b**k for b, k in shared.items()], se.Add(*[term.expression() for term in rest]))


def primitive(e: se.Expr) -> se.Expr:
    """Divide a sum by the integer that divides all its terms: 2*y - 2*x becomes y - x."""
    return se.expand(e / _content([term_of(t).number for t in e.args])) if e.is_Add else e


def _extract_denominator(e: se.Expr) -> se.Expr:
    """Extract the denominators common to all terms of a sum, without other changes."""
    if not e.is_Add:
        return e
    shared: dict[se.Expr, int] | None = None
    for term in e.args:
        below = {}
        for factor in term.args if term.is_Mul else (term,):
            if factor.is_Pow and isinstance(factor.args[1], se.Integer) and int(factor.args[1]) < 0:
                below[factor.args[0]] = int(factor.args[1])
        shared = below if shared is None else {b: max(k, below[b]) for b, k in shared.items() if b in below}
        if not shared:
            return e
    common = se.Mul(*[base**power for base, power in (shared or {}).items()])
    return common * se.Add(*[term / common for term in e.args])


def _content(numbers: list[se.Expr]) -> se.Expr:
    """Return the largest integer that divides all numbers, with the sign of the majority."""
    if not all(isinstance(x, se.Integer) for x in numbers):
        return ONE
    common = gcd(*[int(x) for x in numbers])
    negative = sum(1 for x in numbers if x.is_negative)
    return se.Integer(-common if 2 * negative > len(numbers) else common)


def _length(e: se.Expr) -> int:
    """Return the number of symbols and operations of an expression."""
    return 1 + sum(_length(a) for a in e.args)
