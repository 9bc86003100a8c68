"""Generalized forces Q of all applied forces: stated forces, potential, dissipation, forces at points."""

from __future__ import annotations

import symengine as se

from ..language.engine.engine import Engine
from ..model.statement import FreeStatement


def generalized_forces(statement: FreeStatement, engine: Engine) -> list[se.Expr]:
    """Return Q = forces - dV/dq - dR/dq' + sum (dr/dq)^T F, n entries, for potential V and dissipation function R."""
    V = engine.inward(statement.potential)
    R = engine.inward(statement.dissipation)
    points = [
        (engine.inward(r), engine.inward(F))
        for load in statement.loads
        for r, F in zip(load.at, load.components, strict=True)
    ]
    Q = []
    for q_i, v_i, force in zip(engine.q, engine.v, statement.forces, strict=True):
        work = [engine.derivative(r, q_i) * F for r, F in points]
        Q.append(se.Add(engine.inward(force), -engine.derivative(V, q_i), -engine.derivative(R, v_i), *work))
    return Q
