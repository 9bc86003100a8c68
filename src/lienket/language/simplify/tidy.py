"""Simplification of derived expressions by a few inexpensive, deterministic steps.

    m*a^2*sin(q)^2 + m*a^2*cos(q)^2          ->  m*a^2
    m*(sin(p)*sin(q) + cos(p)*cos(q))        ->  m*cos(p - q)
    I + m*e^2 + m*r^2 + 2*m*e*r*cos(q)       ->  I + m*(e^2 + r^2 + 2*e*r*cos(q))

An expression is expanded; terms that differ only in their sines and cosines form a group; each group is
written in the shorter of its expanded and its Fourier form (products turned into sums of sines and cosines
of sums of angles, which is a canonical form, so identities cancel exactly). Finally the terms are grouped by
their velocities, q1'^2, q1'*q2', ..., and common factors are collected within each group. The effort
depends on the size of the expression only, never on elapsed time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import symengine as se

from .trigonometric import shortest_waves

ONE = se.Integer(1)
TIDY_LIMIT = 600  # [terms] expanded terms of a set of entries up to which it is simplified automatically
WAVE_POWER_LIMIT = 8  # [1] power of a sine or cosine up to which it is converted to its Fourier form
EXPANSION_POWER_LIMIT = 64  # [1] power of a sum that counts as too large to expand, as any higher one does

Powers = dict[se.Expr, int]
Waves = tuple[tuple[se.Expr, int], ...]  # powers of sines and cosines
Shortened = dict[frozenset[tuple[se.Expr, Waves]], list["Term"]]  # the terms to which groups are shortened


class Term(NamedTuple):
    """A product, number * base^power * ...; non-integer powers are part of the base."""

    number: se.Expr
    powers: Powers

    def expression(self) -> se.Expr:
        """Return the product as an expression."""
        return se.Mul(self.number, *[b if k == 1 else b**k for b, k in self.powers.items()])


def tidy(expression: se.Expr) -> se.Expr:
    """Return the shortest of the forms described above; equal to the expression wherever it is defined."""
    return tidy_all([expression])[0]


def tidy_all(expressions: Iterable[se.Expr]) -> list[se.Expr]:
    """Simplify each expression; groups that occur in several of them are computed once."""
    memo: Shortened = {}
    return [_tidy(e, memo) if e.args else e for e in expressions]


def tidy_small(expressions: Iterable[se.Expr], limit: float = TIDY_LIMIT) -> list[se.Expr]:
    """Return the simplified expressions, or all unchanged if together they expand to more than `limit` terms."""
    expressions = list(expressions)
    return tidy_all(expressions) if expansion(expressions) <= limit else expressions


def expansion(expressions: Iterable[se.Expr]) -> float:
    """Return an upper bound on the total number of terms after expansion."""
    memo: dict[se.Expr, float] = {}
    return sum(expanded_terms(e, memo) for e in expressions)


def _tidy(expression: se.Expr, memo: Shortened) -> se.Expr:
    shields: dict[se.Expr, se.Expr] = {}
    shielded = _shielded(expression, shields, {})
    simplified = _tidy_terms(se.expand(shielded), memo)
    return simplified.subs({symbol: base**-1 for base, symbol in shields.items()}) if shields else simplified


def _shielded(
    e: se.Expr,
    shields: dict[se.Expr, se.Expr],
    memo: dict[se.Expr, se.Expr | None],
) -> se.Expr:
    """Replace each 1/(a + b) by a symbol, since an expanded denominator is longer and less accurate."""
    if not (e.is_Add or e.is_Mul or e.is_Pow):
        return e
    if e in memo:
        return e if memo[e] is None else memo[e]
    arguments = e.args
    result = None  # unchanged
    if e.is_Pow and arguments[0].is_Add and isinstance(arguments[1], se.Integer) and int(arguments[1]) < 0:
        symbol = shields.setdefault(arguments[0], se.Symbol(f"1/{len(shields)}"))
        result = symbol ** -arguments[1]
    else:
        inside = [_shielded(a, shields, memo) for a in arguments]
        if any(new is not old for new, old in zip(inside, arguments, strict=True)):
            result = inside[0] ** inside[1] if e.is_Pow else type(e)(*inside)
    memo[e] = result
    return e if result is None else result


def _tidy_terms(expanded: se.Expr, memo: Shortened) -> se.Expr:
    """Shorten the groups of an expanded sum and collect common factors within each product of velocities."""
    terms = _shorten_groups([term_of(e) for e in terms_of(expanded)], memo)
    by_velocity: dict[se.Expr, list[Term]] = defaultdict(list)
    for term in terms:
        moving = {b: k for b, k in term.powers.items() if _is_velocity(b)}
        rest = {b: k for b, k in term.powers.items() if b not in moving} if moving else term.powers
        by_velocity[Term(ONE, moving).expression() if moving else ONE].append(Term(term.number, rest))
    return se.Add(*[moving * collect(group) for moving, group in by_velocity.items()])


def expanded_terms(expression: se.Expr, memo: dict[se.Expr, float]) -> float:
    """Return an upper bound on the number of terms after expansion."""
    count = memo.get(expression)
    if count is not None:
        return count
    if expression.is_Add:
        count = float(sum(expanded_terms(a, memo) for a in expression.args))
    elif expression.is_Mul:
        count = 1.0
        for a in expression.args:
            count *= expanded_terms(a, memo)
    elif expression.is_Pow and isinstance(expression.args[1], se.Integer) and expression.args[0].is_Add:
        power = int(expression.args[1])
        # SymEngine would expand a higher power too, so it counts as more terms than any limit.
        count = expanded_terms(expression.args[0], memo) ** min(power, EXPANSION_POWER_LIMIT) if power > 0 else 1.0
    else:
        count = 1.0
    memo[expression] = count
    return count


def terms_of(expression: se.Expr) -> tuple[se.Expr, ...]:
    """Return the terms of a sum."""
    return tuple(expression.args) if expression.is_Add else (expression,)


def term_of(product: se.Expr) -> Term:
    """Split a product into its number and its powers."""
    number: se.Expr = ONE
    powers: Powers = {}
    for factor in product.args if product.is_Mul else (product,):
        if factor.is_Number:
            number = factor
        elif factor.is_Pow and isinstance(factor.args[1], se.Integer):
            powers[factor.args[0]] = int(factor.args[1])
        else:
            powers[factor] = 1
    return Term(number, powers)


def _is_velocity(base: se.Expr) -> bool:
    return bool(base.is_Symbol and base.name.endswith("'"))


def _shorten_groups(terms: list[Term], memo: Shortened) -> list[Term]:
    """Group the terms by their factors other than sines and cosines; write each group in its shorter form."""
    groups: dict[frozenset[tuple[se.Expr, int]], list[tuple[se.Expr, Waves]]] = defaultdict(list)
    for term in terms:
        waves = tuple(item for item in term.powers.items() if _is_wave(*item))
        rest = frozenset(item for item in term.powers.items() if item not in waves)
        groups[rest].append((term.number, waves))
    shortened = []
    for rest, group in groups.items():
        if len(group) == 1:
            number, waves = group[0]
            shorter = [Term(number, dict(waves))]
        else:
            pattern = frozenset(group)
            if pattern not in memo:
                shortest = shortest_waves([(number, dict(waves)) for number, waves in group])
                memo[pattern] = [term_of(e) for e in terms_of(shortest) if e != 0]
            shorter = memo[pattern]
        shortened += [Term(wave.number, _joined(rest, wave.powers)) for wave in shorter]
    return shortened


def _joined(rest: Iterable[tuple[se.Expr, int]], waves: Powers) -> Powers:
    """Return the powers of the product of `rest` and `waves`; a negative power of a wave in `rest` may cancel."""
    powers = dict(rest)
    for base, power in waves.items():
        powers[base] = powers.get(base, 0) + power
    return {base: power for base, power in powers.items() if power}


def _is_wave(base: se.Expr, power: int) -> bool:
    return isinstance(base, (se.sin, se.cos)) and 0 < power <= WAVE_POWER_LIMIT


def collect(terms: list[Term], inside_parentheses: bool = False) -> se.Expr:
    """Extract common factors in a fixed order of preference, beginning with the one shared by most terms.

    Inside parentheses only factors common to all terms are extracted: a^2 + 2*a*b + b^2 is clearer than
    a^2 + b*(2*a + b).
    """
    if len(terms) < 2:
        return terms[0].expression() if terms else se.Integer(0)
    counts = Counter(base for term in terms for base, power in term.powers.items() if power > 0)
    most = max(counts.values(), default=0)
    if most < (len(terms) if inside_parentheses else 2):
        return se.Add(*[term.expression() for term in terms])
    leaders = [b for b, count in counts.items() if count == most]
    best = max(leaders, key=lambda b: (b.is_Symbol, b.name if b.is_Symbol else str(b)))
    inside = [term for term in terms if term.powers.get(best, 0) > 0]
    outside = [term for term in terms if term.powers.get(best, 0) <= 0]
    shared = min(term.powers[best] for term in inside)
    sign = -1 if all(term.number.is_negative for term in inside) else 1
    quotients = [Term(sign * term.number, _reduced(term.powers, best, shared)) for term in inside]
    return sign * best**shared * collect(quotients, inside_parentheses=True) + collect(outside)


def _reduced(powers: Powers, base: se.Expr, by: int) -> Powers:
    return {b: k - by if b == base else k for b, k in powers.items() if b != base or k > by}
