"""Kinetic energy T = T2 + T1 + T0 = q'^T A q'/2 + A1 q' + A0 and the inertia forces N that follow from it."""

from __future__ import annotations

import symengine as se

from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.simplify.tidy import tidy_all
from ..model.statement import FreeStatement

ZERO = se.Integer(0)


@dataclass(frozen=True)
class KineticEnergy:
    """Kinetic energy T and its parts in the engine's symbols: A (n x n), A1 (n entries), A0; momenta p_i = dT/dq'_i."""

    T: se.Expr
    momenta: tuple[se.Expr, ...]
    A: tuple[tuple[se.Expr, ...], ...]
    A1: tuple[se.Expr, ...]
    A0: se.Expr


def kinetic_energy(statement: FreeStatement, engine: Engine) -> KineticEnergy:
    """Return T and its parts; T = q'^T A q'/2 if the inertia matrix is stated instead of T (paper 004, eq. 1.2)."""
    v = engine.v
    n = len(v)
    if statement.inertia is not None:
        # Both triangles are read from the lower one: the stated halves may differ by rounding or in form.
        A = [[engine.inward(statement.inertia[max(i, j), min(i, j)]) for j in range(n)] for i in range(n)]
        T = se.Add(*[A[i][j] * v[i] * v[j] / 2 for i in range(n) for j in range(n)])
        momenta = [se.Add(*[A[i][j] * v[j] for j in range(n)]) for i in range(n)]
        return KineticEnergy(T, tuple(momenta), tuple(map(tuple, A)), (ZERO,) * n, ZERO)
    T = engine.inward(statement.kinetic)
    momenta = [engine.derivative(T, v_i) for v_i in v]
    A = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            A[i][j] = A[j][i] = _without_velocities(engine.derivative(momenta[i], v[j]), v)
    at_rest = dict.fromkeys(v, ZERO)
    A1 = tuple(p.subs(at_rest) for p in momenta)
    return KineticEnergy(T, tuple(momenta), tuple(map(tuple, A)), A1, T.subs(at_rest))


def _without_velocities(entry: se.Expr, v: list[se.Symbol]) -> se.Expr:
    """Return an entry of d2T/dq'dq', which does not depend on q', expanded if q' appears in it."""
    return se.expand(entry) if not entry.free_symbols.isdisjoint(v) else entry


def tidied(parts: KineticEnergy, engine: Engine) -> KineticEnergy:
    """Return T = q'^T A q'/2 + A1 q' + A0 rebuilt from its simplified parts."""
    v = engine.v
    n = len(v)
    lower = [(i, j) for i in range(n) for j in range(i + 1)]
    *entries, A0 = tidy_all([*(parts.A[i][j] for i, j in lower), *parts.A1, parts.A0])
    A1 = entries[len(lower) :]
    A = [[ZERO] * n for _ in range(n)]
    for (i, j), entry in zip(lower, entries, strict=False):
        A[i][j] = A[j][i] = entry
    squares = [A[i][i] * v[i] ** 2 / 2 + A1[i] * v[i] for i in range(n)]
    products = [A[i][j] * v[i] * v[j] for i, j in lower if i != j]
    momenta = [se.Add(A1[i], *[A[i][j] * v[j] for j in range(n)]) for i in range(n)]
    return KineticEnergy(se.Add(A0, *squares, *products), tuple(momenta), tuple(map(tuple, A)), tuple(A1), A0)


def inertia_forces(kinetic: KineticEnergy, engine: Engine) -> list[se.Expr]:
    """Return N = dT/dq - (d2T/dq'dq) q' - d2T/dq'dt, the velocity and time terms of the right side (theory 2)."""
    N = []
    for q_i, p_i in zip(engine.q, kinetic.momenta, strict=True):
        drift = [engine.derivative(p_i, q_j) * v_j for q_j, v_j in zip(engine.q, engine.v, strict=True)]
        N.append(engine.derivative(kinetic.T, q_i) - se.Add(*drift) - engine.derivative(p_i, engine.t))
    return N
