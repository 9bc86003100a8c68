"""Constraints psi(q, q', q'', t) = 0 nonlinear in q'': G = dpsi/dq'' and g0 = psi - G q'' at a Newton iterate."""

from __future__ import annotations

from ..language.engine.engine import Engine
from ..model.constraint import Constraint
from .derivatives import gradient
from .rows import ConstraintRows


def nonlinear_acceleration_rows(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Linearize psi at an iterate q''; at the solution, G q'' + g0 = psi = 0 and r = G^T lambda."""
    psi = [engine.inward(e) for e in constraint.expressions]
    G = tuple(gradient(engine, e, engine.a) for e in psi)
    g0 = tuple(e - sum((j * a for j, a in zip(row, engine.a, strict=True)), 0) for e, row in zip(psi, G, strict=True))
    return ConstraintRows(constraint.name, constraint.kind, engine, G, g0, nonlinear=True)
