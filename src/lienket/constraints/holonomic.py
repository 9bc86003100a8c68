"""Holonomic constraints g(q, t) = 0, with or without time: G = dg/dq, g0 = q'^T g_qq q' + 2 g_qt q' + g_tt."""

from __future__ import annotations

from ..language.engine.engine import Engine
from ..model.constraint import Constraint
from .derivatives import gradient, rate, tidied
from .rows import ConstraintRows


def holonomic_rows(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Differentiate g twice: g' = G q' + g_t, g'' = G q'' + g0."""
    g = [engine.inward(e) for e in constraint.expressions]
    G = tidied([gradient(engine, e, engine.q) for e in g])
    (b0,) = tidied([[engine.derivative(e, engine.t) for e in g]])
    velocity = [sum((j * v for j, v in zip(row, engine.v, strict=True)), b) for row, b in zip(G, b0, strict=True)]
    (g0,) = tidied([[rate(engine, e) for e in velocity]])
    return ConstraintRows(
        constraint.name, constraint.kind, engine, tuple(G), g0, position=tuple(g), velocity=tuple(velocity), b0=b0
    )
