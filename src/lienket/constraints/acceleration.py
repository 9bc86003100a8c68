"""Acceleration constraints psi = J(q, q', t) q'' + psi0(q, q', t) = 0: G = J, g0 = psi0."""

from __future__ import annotations

from ..language.engine.engine import Engine
from ..model.constraint import Constraint
from .derivatives import gradient, tidied
from .rows import ConstraintRows


def acceleration_rows(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Return G = J and g0 = psi0 without differentiation; there are no position or velocity residuals."""
    psi = [engine.inward(e) for e in constraint.expressions]
    G = tidied([gradient(engine, e, engine.a) for e in psi])
    no_acceleration = dict.fromkeys(engine.a, 0)
    (g0,) = tidied([[e.subs(no_acceleration) for e in psi]])
    return ConstraintRows(constraint.name, constraint.kind, engine, tuple(G), g0)
