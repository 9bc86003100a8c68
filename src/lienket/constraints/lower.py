"""Lowering of constraints of every kind to rows G q'' + g0 = 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import symengine as se

from ..language.engine.engine import Engine
from ..language.engine.zero_test import vanishes
from ..language.expression import Coordinate, Expression
from ..model.constraint import Constraint
from .acceleration import acceleration_rows
from .holonomic import holonomic_rows
from .linear_velocity import linear_velocity_rows
from .nonlinear_acceleration import nonlinear_acceleration_rows
from .nonlinear_velocity import nonlinear_velocity_rows
from .rows import ConstraintRows

# By the level of the constraint: the function for highest derivatives that enter linearly, and nonlinearly.
_ROWS_BY_LEVEL = (
    (holonomic_rows, holonomic_rows),
    (linear_velocity_rows, nonlinear_velocity_rows),
    (acceleration_rows, nonlinear_acceleration_rows),
)


def lower(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Return the rows of a constraint with its law; the rows of a program carry the columns of its drives."""
    linear, nonlinear = _ROWS_BY_LEVEL[constraint.level]
    rows_of = linear if _is_affine(constraint, engine) else nonlinear
    rows = rows_of(constraint, engine)
    if not constraint.drives and constraint.law is None:
        return rows
    drives = tuple((name, _column(factors, engine)) for name, factors in constraint.drives)
    return replace(rows, drives=drives, law=constraint.law, normal_factor=constraint.normal_factor)


def _is_affine(constraint: Constraint, engine: Engine) -> bool:
    """Return whether the derivatives of the highest order enter linearly."""
    if constraint.level == 0:
        return True
    highest = engine.v if constraint.level == 1 else engine.a
    first = (engine.derivative(engine.inward(e), x) for e in constraint.expressions for x in highest)
    candidates = (d for d in first if not d.free_symbols.isdisjoint(highest))
    return all(vanishes(engine.derivative(d, x)) for d in candidates for x in highest)


def _column(factors: Iterable[tuple[Coordinate, Expression]], engine: Engine) -> tuple[se.Expr, ...]:
    """Return the column of E of a drive, n entries."""
    by_symbol = {engine.inward(x): engine.inward(factor) for x, factor in factors}
    return tuple(by_symbol.get(q, se.Integer(0)) for q in engine.q)
