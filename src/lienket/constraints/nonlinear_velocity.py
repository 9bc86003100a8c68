"""Nonholonomic constraints phi(q, q', t) = 0 nonlinear in q': G = dphi/dq' (Chetaev), g0 = phi_q q' + phi_t.

The row is the derivative with respect to the velocities. Paper 000 prints dg/dq in step 4 of Algorithm 2 for every kind
of constraint; for a velocity constraint this gives a wrong row or a zero row (docs/errata.md).
"""

from __future__ import annotations

from ..language.engine.engine import Engine
from ..model.constraint import Constraint
from .derivatives import gradient, rate, tidied
from .rows import ConstraintRows


def nonlinear_velocity_rows(constraint: Constraint, engine: Engine) -> ConstraintRows:
    """Differentiate phi once: phi' = phi_q' q'' + phi_q q' + phi_t; virtual displacements satisfy G dq = 0."""
    phi = [engine.inward(e) for e in constraint.expressions]
    G = tidied([gradient(engine, e, engine.v) for e in phi])
    (g0,) = tidied([[rate(engine, e) for e in phi]])
    return ConstraintRows(constraint.name, constraint.kind, engine, tuple(G), g0, velocity=tuple(phi))
