"""Lagrange's equations of the free system, A q'' = h with h = Q + N (theory 2; paper 000, eq. 2.1)."""

from __future__ import annotations

import math
from dataclasses import field
from functools import cached_property

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import Coordinate, EngineExpression, Expression
from ..language.simplify.tidy import TIDY_LIMIT, expansion, tidy_small
from ..mechanism.formulas import with_formulas
from ..model.statement import FreeStatement
from .generalized_forces import generalized_forces
from .kinetic_energy import KineticEnergy, inertia_forces, kinetic_energy, tidied
from .matrix_form import MatrixForm, matrix_form
from .printed import PrintedEquations


@dataclass(frozen=True, repr=False)
class FreeSystem(PrintedEquations):
    """System without its constraints, A q'' = h = Q + N, made by `System.free`.

    A (n x n) is the inertia matrix, Q (n) the generalized forces of everything applied, N (n) the velocity and time
    terms dT/dq - (d2T/dq'dq) q' - d2T/dq'dt. All are exact SymPy matrices. Small expressions are simplified; `tidied`
    simplifies large ones too.

    Attributes
    ----------
    statement : FreeStatement
        Coordinates, energies and forces as stated.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> disc.free.A.tolist()
    [[m, 0, 0], [0, m, 0], [0, 0, J]]
    >>> disc.free.h.T.tolist()
    [[Fx, Fy - g*m, M]]
    """

    statement: FreeStatement
    engine: Engine = field(compare=False)
    kinetic: KineticEnergy
    inside_Q: tuple[EngineExpression, ...]
    inside_N: tuple[EngineExpression, ...]

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Generalized coordinates q_i(t), n."""
        return self.statement.coordinates

    @cached_property
    def A(self) -> sp.ImmutableMatrix:
        """Inertia matrix (n x n), symmetric; it may be singular."""
        return self.engine.matrix(self.kinetic.A)

    @cached_property
    def Q(self) -> sp.ImmutableMatrix:
        """Generalized forces of everything applied, including potential and dissipation (n x 1)."""
        return self.engine.column(self.inside_Q)

    @cached_property
    def N(self) -> sp.ImmutableMatrix:
        """Velocity and time terms on the right side (n x 1)."""
        return self.engine.column(self.inside_N)

    @cached_property
    def h(self) -> sp.ImmutableMatrix:
        """Right side h = Q + N of A q'' = h (n x 1)."""
        return self.engine.column(self.inside_h)

    @cached_property
    def inside_h(self) -> tuple[EngineExpression, ...]:
        """Right side h in the engine's symbols."""
        return tuple(q + n for q, n in zip(self.inside_Q, self.inside_N, strict=True))

    @cached_property
    def momenta(self) -> sp.ImmutableMatrix:
        """Generalized momenta p = dT/dq' = A q' + A1^T (n x 1)."""
        return self.engine.column(tidy_small(self.kinetic.momenta))

    @cached_property
    def lagrangian(self) -> Expression:
        """Lagrangian L = T - V as stated."""
        return self.engine.outward(self.kinetic.T) - self.statement.potential

    @cached_property
    def energy(self) -> Expression:
        """Energy T + V as stated."""
        return self.engine.outward(self.kinetic.T) + self.statement.potential

    @cached_property
    def jacobi_energy(self) -> Expression:
        """Jacobi energy p^T q' - L = T2 - T0 + V.

        It is constant if nothing depends on time explicitly and no other force does work.
        """
        work = sum((p * v for p, v in zip(self.kinetic.momenta, self.engine.v, strict=True)), start=0)
        return self.engine.outward(tidy_small([work - self.kinetic.T])[0]) + self.statement.potential

    def matrix_form(self, kind: str = "paper") -> MatrixForm:
        """Return the matrix form A q'' + q* D q0 = Q + remainder of paper 004.

        Parameters
        ----------
        kind : {"paper", "christoffel"}
            Definition of the n^2 x n^2 matrix D: that of the paper, or its symmetric part.

        Returns
        -------
        MatrixForm
            The matrices A, q*, D, q0, Q and the remainder.

        Raises
        ------
        LienketError
            If there is no such kind.

        Examples
        --------
        >>> form = lk.load("examples/models/slider_crank.toml").free.matrix_form("christoffel")
        >>> form.D.shape
        (4, 4)
        """
        return matrix_form(self.engine, self.kinetic, self.inside_Q, kind)

    def tidied(self) -> FreeSystem:
        """Return the equations with every entry simplified, whatever its size.

        Entries are expanded, identities of sine and cosine are applied and common factors are collected.

        Returns
        -------
        FreeSystem
            Equal equations in shorter form.

        Examples
        --------
        >>> lk.load("examples/models/rolling_disc.toml").free.tidied().N.T.tolist()
        [[0, 0, 0]]
        """
        return _derive(self.statement, limit=math.inf)


def derive(statement: FreeStatement) -> FreeSystem:
    """Derive A, Q and N of a free system, exactly, in one pass of symbolic derivatives."""
    return _derive(statement, TIDY_LIMIT)


def _derive(statement: FreeStatement, limit: float) -> FreeSystem:
    """Derive A, Q and N, simplifying each group of entries with at most `limit` expanded terms."""
    engine = Engine(statement.coordinates)
    statement = with_formulas(statement)
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
