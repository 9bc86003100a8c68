"""Tests at random points whether expressions vanish identically and whether constraints are linearly dependent.

Simplification may take hours: an identity holds at every point, and any other analytic expression fails at
each random point with probability one. The expressions are SymPy's and may contain functions that the formula
language does not know, so they are evaluated by SymPy itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

import sympy as sp
from sympy.core.function import Application, AppliedUndef

from ...language.expression import Expression

IDENTITY_TEST_POINTS = 3  # [points] random points at which an identity is tested
# [decimal digits] precision of the evaluation, far above double precision, so that cancellation leaves no residue
EVALUATION_DIGITS = 30
# [1] residue of an identity, relative to its terms, attributed to floating-point numbers in the model
IDENTITY_TOLERANCE = 1e-12
RANK_TOLERANCE = 1e-9  # [1] singular value of normalized rows below which they count as dependent
ENTIRE = (sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh, sp.exp, AppliedUndef)  # analytic without branches


def _random_points(expressions: Iterable[Expression]) -> list[dict[Expression, Expression]]:
    """Return values for all functions of time, their derivatives and symbols; identical in every run.

    Their absolute values lie between 1/2 and 3/2. Constants are positive, quantities that depend on time have either
    sign.
    """
    unsorted: set[Expression] = set().union(
        *(e.atoms(AppliedUndef, sp.Derivative, sp.Subs, sp.Symbol) for e in expressions)
    )
    atoms = sorted(unsorted, key=sp.default_sort_key)
    draw = random.Random(1788)
    return [
        {
            a: sp.Float(draw.uniform(0.5, 1.5) * (1 if a.is_Symbol else draw.choice((-1, 1))), EVALUATION_DIGITS)
            for a in atoms
        }
        for _ in range(IDENTITY_TEST_POINTS)
    ]


def vanishes_identically(expression: Expression) -> bool:
    """Return whether an analytic expression is identically zero; among others only 0 itself counts as zero.

    The force of a stop, max(0, x - l), is zero at many points and must not be dropped for that.
    """
    if not all(isinstance(function, ENTIRE) for function in expression.atoms(Application)):
        return False
    if not all(power.exp.is_Integer or power.base.is_number for power in expression.atoms(sp.Pow)):
        return False
    for point in _random_points([expression]):
        value = abs(expression.xreplace(point).evalf(EVALUATION_DIGITS))
        if not value.is_finite or value > IDENTITY_TOLERANCE * _sum_of_sizes(expression, point):
            return False
    return True


def _sum_of_sizes(expression: Expression, point: dict[Expression, Expression]) -> Expression:
    """Return |expression| with all sums taken over absolute values: the reference size of rounding errors."""
    if expression.is_Add:
        return sp.Add(*(_sum_of_sizes(term, point) for term in expression.args))
    if expression.is_Mul:
        return sp.Mul(*(_sum_of_sizes(factor, point) for factor in expression.args))
    if expression.is_Pow and expression.exp.is_Integer and expression.exp.is_positive:
        return _sum_of_sizes(expression.base, point) ** expression.exp
    return abs(expression.xreplace(point).evalf(EVALUATION_DIGITS))


def independent(
    constraints: Sequence[Expression], earlier: Sequence[Expression], rates: Sequence[Expression]
) -> list[Expression]:
    """Return the constraints, linear in `rates`, that are not linear combinations of the `earlier` ones.

    Only a combination that holds identically is recognized: one that holds only where the holonomic constraints are
    fulfilled counts as independent.
    """
    import numpy as np

    if not constraints or not earlier:
        return list(constraints)
    at_rest = dict.fromkeys(rates, sp.S.Zero)
    rows = [[*(e.diff(rate) for rate in rates), e.xreplace(at_rest)] for e in (*earlier, *constraints)]
    independent_rows: set[int] = set()
    for point in _random_points(entry for row in rows for entry in row):
        values = np.array([[complex(entry.xreplace(point)) for entry in row] for row in rows])
        values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(float).tiny)
        base = values[: len(earlier)]
        rank = np.linalg.matrix_rank(base, tol=RANK_TOLERANCE)
        for index, row in enumerate(values[len(earlier) :]):
            if np.linalg.matrix_rank(np.vstack([base, row]), tol=RANK_TOLERANCE) > rank:
                independent_rows.add(index)
    return [constraint for index, constraint in enumerate(constraints) if index in independent_rows]


def nonzero(forces: dict[Expression, Expression]) -> dict[Expression, Expression]:
    """Return the forces that do not vanish identically."""
    return {q: force for q, force in forces.items() if not vanishes_identically(force)}
