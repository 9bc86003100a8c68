"""Linear nonholonomic constraints b(q, t) q' + b0(q, t) = 0: G = b, g0 = b' q' + b0'."""

from __future__ import annotations

from ..language.engine.engine import Engine
from ..model.constraint import Constraint
from .derivatives import gradient, rate, tidied
from .rows import ConstraintRows


def linear_velocity_rows(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Differentiate phi once: phi' = b q'' + b' q' + b0'."""
    phi = [engine.inward(e) for e in constraint.expressions]
    G = tidied([gradient(engine, e, engine.v) for e in phi])
    (g0,) = tidied([[rate(engine, e) for e in phi]])
    at_rest = dict.fromkeys(engine.v, 0)
    (b0,) = tidied([[e.subs(at_rest) for e in phi]])
    return ConstraintRows(constraint.name, constraint.kind, engine, tuple(G), g0, velocity=tuple(phi), b0=b0)
