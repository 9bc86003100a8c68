"""Kinetic energy T = T2 + T1 + T0 = q'^T A q'/2 + A1 q' + A0 and what Lagrange's equations make of it."""

from __future__ import annotations

from typing import Any

import symengine as se

from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.simplify.tidy import tidy_all
from ..model.statement import FreeStatement

ZERO = se.Integer(0)


@dataclass(frozen=True)
class KineticEnergy:
    """T and its parts in the engine's symbols: A (n rows of n), A1 (n entries), A0; p_i = dT/dq'_i."""

    T: Any
    momenta: tuple[Any, ...]
    A: tuple[tuple[Any, ...], ...]
    A1: tuple[Any, ...]
    A0: Any


def kinetic_energy(statement: FreeStatement, engine: Engine) -> KineticEnergy:
    """T as stated, or q'^T A q'/2 where the inertia matrix alone is given (paper 004, eq. 1.2), split into parts."""
    v = engine.v
    n = len(v)
    if statement.inertia is not None:
        # The lower half stands for both: they may differ by rounding, or in form.
        A = [[engine.inward(statement.inertia[max(i, j), min(i, j)]) for j in range(n)] for i in range(n)]
        T = se.Add(*[A[i][j] * v[i] * v[j] / 2 for i in range(n) for j in range(n)])
        momenta = [se.Add(*[A[i][j] * v[j] for j in range(n)]) for i in range(n)]
        return KineticEnergy(T, tuple(momenta), tuple(map(tuple, A)), (ZERO,) * n, ZERO)
    T = engine.inward(statement.kinetic)
    momenta = [engine.derivative(T, v_i) for v_i in v]
    A = [[ZERO] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            A[i][j] = A[j][i] = _free_of(engine.derivative(momenta[i], v[j]), v)
    at_rest = dict.fromkeys(v, ZERO)
    A1 = tuple(p.subs(at_rest) for p in momenta)
    return KineticEnergy(T, tuple(momenta), tuple(map(tuple, A)), A1, T.subs(at_rest))


def _free_of(entry: Any, v: list[Any]) -> Any:
    """d2T/dq'dq' does not depend on q'; where it only seems to, expanding shows it."""
    return se.expand(entry) if not entry.free_symbols.isdisjoint(v) else entry


def tidied(parts: KineticEnergy, engine: Engine) -> KineticEnergy:
    """T = q'^T A q'/2 + A1 q' + A0 put together again from its parts, each tidied."""
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


def inertia_forces(kinetic: KineticEnergy, engine: Engine) -> list[Any]:
    """N = dT/dq - (d2T/dq'dq) q' - d2T/dq'dt, the velocity and time terms on the right side (theory 2)."""
    found = []
    for q_i, p_i in zip(engine.q, kinetic.momenta, strict=True):
        drift = [engine.derivative(p_i, q_j) * v_j for q_j, v_j in zip(engine.q, engine.v, strict=True)]
        found.append(engine.derivative(kinetic.T, q_i) - se.Add(*drift) - engine.derivative(p_i, engine.t))
    return found
