"""Degree of the kinetic energy in the velocities, which must be at most two: T = T2 + T1 + T0."""

from __future__ import annotations

import math
from collections.abc import Set

import sympy as sp

from ...language.expression import Expression

EXPANSION_TERM_LIMIT = 2000  # [terms] largest expansion carried out to decide the degree of T


def terms_beyond_quadratic(kinetic: Expression, velocities: Set[Expression]) -> list[Expression]:
    """Return the terms of T in which the velocities are not at most quadratic; empty for a proper kinetic energy.

    An upper bound of the degree, computed without expanding, decides nearly every case; where it does not,
    the terms in question are expanded, so that ((v+1)^3 - v^3)*m passes and m*v^4 does not.
    """
    memo: dict[Expression, float] = {}
    suspects = [term for term in sp.Add.make_args(kinetic) if degree_bound(term, velocities, memo) > 2]
    if not suspects:
        return []
    if sum(term_bound(term) for term in suspects) > EXPANSION_TERM_LIMIT:
        return suspects  # too large to expand here; the user can state T expanded
    expanded = sp.expand(sp.Add(*suspects))
    return [term for term in sp.Add.make_args(expanded) if degree_bound(term, velocities, memo) > 2]


def term_bound(expression: Expression) -> float:
    """Return an upper bound of the number of terms after expansion."""
    if expression.is_Add:
        return sum(term_bound(a) for a in expression.args)
    if expression.is_Mul:
        return math.prod(term_bound(a) for a in expression.args)
    if expression.is_Pow and expression.exp.is_Integer and expression.base.is_Add:
        return min(term_bound(expression.base) ** min(abs(int(expression.exp)), 64), 1e30)
    return 1


def degree_bound(expression: Expression, velocities: Set[Expression], memo: dict[Expression, float]) -> float:
    """Return an upper bound of the degree in the velocities; infinity for a non-polynomial."""
    if expression in velocities:
        return 1
    if not expression.args or isinstance(expression, sp.Derivative):
        return 0
    degree = memo.get(expression)
    if degree is not None:
        return degree
    inner = [degree_bound(a, velocities, memo) for a in expression.args]
    if expression.is_Add:
        degree = max(inner)
    elif expression.is_Mul:
        degree = sum(inner)
    elif not any(inner):
        degree = 0
    elif expression.is_Pow and expression.exp.is_Integer and expression.exp.is_positive:
        degree = inner[0] * int(expression.exp)
    elif isinstance(expression, sp.Piecewise) and not any(
        degree_bound(branch.cond, velocities, memo) for branch in expression.args
    ):
        degree = max(degree_bound(branch.expr, velocities, memo) for branch in expression.args)
    else:
        degree = math.inf
    memo[expression] = degree
    return degree
