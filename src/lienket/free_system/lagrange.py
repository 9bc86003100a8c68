"""Lagrange's equations of the free system, A q'' = h with h = Q + N (theory 2; paper 000, eq. 2.1)."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.simplify.tidy import TIDY_LIMIT, expansion, tidy_small
from ..model.statement import FreeStatement
from .generalized_forces import generalized_forces
from .kinetic_energy import KineticEnergy, inertia_forces, kinetic_energy, tidied
from .matrix_form import MatrixForm, matrix_form
from .printed import PrintedEquations


@dataclass(frozen=True, eq=False, repr=False)
class FreeSystem(PrintedEquations):
    """A q'' = h = Q + N.

    A (n x n) is the inertia matrix, Q (n) the generalized forces of everything applied, N (n) the
    velocity and time terms dT/dq - (d2T/dq'dq) q' - d2T/dq'dt, h = Q + N. All are exact SymPy
    matrices; small systems come tidied (see `tidied`), large ones as derived.
    """

    statement: FreeStatement
    engine: Engine
    kinetic: KineticEnergy
    inside_Q: tuple[Any, ...]
    inside_N: tuple[Any, ...]

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The generalized coordinates q_i(t)."""
        return self.statement.coordinates

    @cached_property
    def A(self) -> sp.ImmutableMatrix:
        """The inertia matrix, n x n, symmetric; it may be singular."""
        return self.engine.matrix(self.kinetic.A)

    @cached_property
    def Q(self) -> sp.ImmutableMatrix:
        """The generalized forces of everything applied, potential and dissipation included, n x 1."""
        return self.engine.column(self.inside_Q)

    @cached_property
    def N(self) -> sp.ImmutableMatrix:
        """The velocity and time terms on the right side, n x 1."""
        return self.engine.column(self.inside_N)

    @cached_property
    def h(self) -> sp.ImmutableMatrix:
        """All non-reaction forces on the right side, h = Q + N, n x 1."""
        return self.engine.column(self.inside_h)

    @cached_property
    def inside_h(self) -> tuple[Any, ...]:
        """Right side h in the engine's symbols."""
        return tuple(q + n for q, n in zip(self.inside_Q, self.inside_N, strict=True))

    @cached_property
    def momenta(self) -> sp.ImmutableMatrix:
        """The generalized momenta p = dT/dq' = A q' + A1^T, n x 1."""
        return self.engine.column(tidy_small(self.kinetic.momenta))

    @cached_property
    def lagrangian(self) -> Any:
        """L = T - V, as stated."""
        return self.engine.outward(self.kinetic.T) - self.statement.potential

    @cached_property
    def energy(self) -> Any:
        """T + V, as stated."""
        return self.engine.outward(self.kinetic.T) + self.statement.potential

    @cached_property
    def jacobi_energy(self) -> Any:
        """p^T q' - L = T2 - T0 + V, constant if nothing depends on time and no other force works."""
        work = sum((p * v for p, v in zip(self.kinetic.momenta, self.engine.v, strict=True)), start=0)
        return self.engine.outward(tidy_small([work - self.kinetic.T])[0]) + self.statement.potential

    def matrix_form(self, kind: str = "paper") -> MatrixForm:
        """A q'' + q* D q0 = Q with the n^2 x n^2 matrix D of paper 004 ("paper") or its symmetric
        choice ("christoffel").
        """
        return matrix_form(self.engine, self.kinetic, self.inside_Q, kind)

    def tidied(self) -> FreeSystem:
        """The same equations with every entry expanded, identities of sine and cosine applied and common
        factors collected, however large they are.
        """
        return _derive(self.statement, limit=math.inf)


def derive(statement: FreeStatement) -> FreeSystem:
    """Derive A, Q and N of a free system, exactly, in one pass of symbolic derivatives."""
    return _derive(statement, TIDY_LIMIT)


def _derive(statement: FreeStatement, limit: float) -> FreeSystem:
    """Derive A, Q and N, simplifying each group of entries with at most `limit` expanded terms."""
    engine = Engine(statement.coordinates)
    kinetic = kinetic_energy(statement, engine)
    Q = tidy_small(generalized_forces(statement, engine), limit)
    small = expansion([*(a for row in kinetic.A for a in row), *kinetic.A1, kinetic.A0]) <= limit
    if small:
        # N is derived from the simplified parts of T: most terms that would cancel later are gone already.
        kinetic = tidied(kinetic, engine)
    N = inertia_forces(kinetic, engine)
    if small:
        N = tidy_small(N, limit)
    return FreeSystem(statement, engine, kinetic, tuple(Q), tuple(N))
