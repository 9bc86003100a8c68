"""Whether expressions vanish or constraints repeat each other identically, decided at random points.

Simplification may take hours: an identity holds at every point, and anything else that is analytic fails at
each random one with probability one. The expressions are SymPy's and may hold functions that the formula
language does not know, so they are evaluated by SymPy itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import Application, AppliedUndef

POINTS = 3  # random points at which an identity is tried
DIGITS = 30  # far more than a double has, so that cancellation there is not mistaken for a value
ROUNDING = 1e-12  # what may be left of an identity, relative to its terms, if the model contains floats
ENTIRE = (sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh, sp.exp, AppliedUndef)  # analytic without branches


def _random_points(expressions: Iterable[Any]) -> list[dict[Any, Any]]:
    """Values for all functions of time, their derivatives and symbols; the same in every run.

    Their size is between 1/2 and 3/2. Constants are positive, what depends on time has either sign.
    """
    found: set[Any] = set().union(*(e.atoms(AppliedUndef, sp.Derivative, sp.Subs, sp.Symbol) for e in expressions))
    atoms = sorted(found, key=sp.default_sort_key)
    draw = random.Random(1788)
    return [
        {a: sp.Float(draw.uniform(0.5, 1.5) * (1 if a.is_Symbol else draw.choice((-1, 1))), DIGITS) for a in atoms}
        for _ in range(POINTS)
    ]


def vanishes_identically(expression: Any) -> bool:
    """Whether an analytic expression is identically zero; of others only 0 itself is taken for zero.

    max(0, x - l), the force of a stop, is zero at many points and must not be lost for that.
    """
    if not all(isinstance(function, ENTIRE) for function in expression.atoms(Application)):
        return False
    if not all(power.exp.is_Integer or power.base.is_number for power in expression.atoms(sp.Pow)):
        return False
    for point in _random_points([expression]):
        value = abs(expression.xreplace(point).evalf(DIGITS))
        if not value.is_finite or value > ROUNDING * _size(expression, point):
            return False
    return True


def _size(expression: Any, point: dict[Any, Any]) -> Any:
    """|expression| with all sums taken over absolute values: what rounding has to be compared with."""
    if expression.is_Add:
        return sp.Add(*(_size(term, point) for term in expression.args))
    if expression.is_Mul:
        return sp.Mul(*(_size(factor, point) for factor in expression.args))
    if expression.is_Pow and expression.exp.is_Integer and expression.exp.is_positive:
        return _size(expression.base, point) ** expression.exp
    return abs(expression.xreplace(point).evalf(DIGITS))


def independent(constraints: Sequence[Any], known: Sequence[Any], rates: Sequence[Any]) -> list[Any]:
    """The constraints, linear in `rates`, that are no linear combination of the `known` ones.

    A combination is recognized as it is written: one that holds only where the holonomic constraints are
    fulfilled counts as a constraint of its own.
    """
    import numpy as np

    if not constraints or not known:
        return list(constraints)
    still = dict.fromkeys(rates, sp.S.Zero)
    rows = [[*(e.diff(rate) for rate in rates), e.xreplace(still)] for e in (*known, *constraints)]
    found: set[int] = set()
    for point in _random_points(entry for row in rows for entry in row):
        values = np.array([[complex(entry.xreplace(point)) for entry in row] for row in rows])
        values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(float).tiny)
        base = values[: len(known)]
        rank = np.linalg.matrix_rank(base, tol=1e-9)
        for number, row in enumerate(values[len(known) :]):
            if np.linalg.matrix_rank(np.vstack([base, row]), tol=1e-9) > rank:
                found.add(number)
    return [constraint for number, constraint in enumerate(constraints) if number in found]


def nonzero(forces: dict[Any, Any]) -> dict[Any, Any]:
    """The forces that do not vanish identically."""
    return {q: force for q, force in forces.items() if not vanishes_identically(force)}
