"""Every constraint, whatever its kind, to its rows G q'' + g0 = 0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import symengine as se

from ..language.engine.engine import Engine
from ..language.engine.zero_test import vanishes
from ..model.constraint import Constraint
from .acceleration import acceleration_rows
from .holonomic import holonomic_rows
from .linear_velocity import linear_velocity_rows
from .nonlinear_acceleration import nonlinear_acceleration_rows
from .nonlinear_velocity import nonlinear_velocity_rows
from .rows import ConstraintRows

# By the level of the statement: how it is lowered if its highest derivative enters linearly, and if not.
_LOWERED = (
    (holonomic_rows, holonomic_rows),
    (linear_velocity_rows, nonlinear_velocity_rows),
    (acceleration_rows, nonlinear_acceleration_rows),
)


def lower(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """The rows of a constraint with its law; those of a program carry the columns of its drives."""
    linear, nonlinear = _LOWERED[constraint.level]
    make = linear if _is_affine(constraint, engine) else nonlinear
    rows = make(constraint, engine)
    if not constraint.drives and constraint.law is None:
        return rows
    drives = tuple((name, _column(factors, engine)) for name, factors in constraint.drives)
    return replace(rows, drives=drives, law=constraint.law)


def _is_affine(constraint: Constraint, engine: Engine) -> bool:
    """Whether the derivatives of the highest order enter linearly."""
    if constraint.level == 0:
        return True
    highest = engine.v if constraint.level == 1 else engine.a
    first = (engine.derivative(engine.inward(e), x) for e in constraint.expressions for x in highest)
    bent = (d for d in first if not d.free_symbols.isdisjoint(highest))
    return all(vanishes(engine.derivative(d, x)) for d in bent for x in highest)


def _column(factors: Iterable[tuple[Any, Any]], engine: Engine) -> tuple[Any, ...]:
    by_symbol = {engine.inward(x): engine.inward(factor) for x, factor in factors}
    return tuple(by_symbol.get(q, se.Integer(0)) for q in engine.q)
