"""ReactionProblem: the free system and its accepted constraint rows, the input of the methods for the reaction.

Laws that do not depend on the reaction, c(q, q', t), count as forces: with h + c in place of h every method gives
G^T lambda, and r = G^T lambda + c is the ideal reaction + A W c (theory 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

import sympy as sp

from ..elimination.chain import Chain
from ..elimination.linear_solve import is_regular, solve, tidied
from ..elimination.null_space_step import ZERO, Matrix, Vector, dot, product, transposed
from ..elimination.verdict import CONTRADICTORY
from ..elimination.with_forces import with_forces
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.expression import EngineSymbol
from ..model.laws.law_force import law_force


@dataclass(frozen=True, eq=False)
class ReactionProblem:
    """Matrices A (n x n), h (n), G (s x n) and g0 (s) of the accepted rows, D (n x k), all in the engine's symbols.

    `law_forces` are the forces c of the laws by constraint, n entries each; they are included in h.
    """

    chain: Chain
    law_forces: Mapping[str, Vector] = field(default_factory=dict)

    @cached_property
    def row_labels(self) -> list[tuple[str, int]]:
        """Constraint name and row number of each accepted row."""
        return [(name, number) for name, number, _ in self.chain.accepted]

    @cached_property
    def G(self) -> Matrix:
        """Matrix of the accepted rows, s x n."""
        by_name = {row.name: row for row in self.chain.rows}
        return [list(by_name[name].inside_G[number]) for name, number in self.row_labels]

    @cached_property
    def g0(self) -> Vector:
        """Column g0 of the accepted rows, s entries."""
        by_name = {row.name: row for row in self.chain.rows}
        return [by_name[name].inside_g0[number] for name, number in self.row_labels]

    @property
    def A(self) -> Matrix:
        """Inertia matrix, n x n."""
        return self.chain.A

    @property
    def h(self) -> Vector:
        """Right side including the forces of laws, n entries."""
        return self.chain.h

    @property
    def D(self) -> Matrix:
        """Basis of the free motions, n x k."""
        return self.chain.D

    @cached_property
    def motion(self) -> set[EngineSymbol]:
        """Symbols that change with the motion: t, q, q', q''."""
        engine = self.chain.engine
        return {engine.t, *engine.q, *engine.v, *engine.a}

    @cached_property
    def regular(self) -> bool:
        """Whether A^-1 exists."""
        return is_regular(self.A, self.chain.points)

    def solve(self, M: Matrix, B: Matrix) -> Matrix:
        """Solve M X = B."""
        return solve(M, B, self.chain.points, self.motion)

    def solve_vector(self, M: Matrix, b: Vector) -> Vector:
        """Solve M x = b."""
        return [row[0] for row in self.solve(M, [[x] for x in b])]

    @cached_property
    def mobility(self) -> Matrix:
        """Product A^-1 G^T, n x s."""
        return self.solve(self.A, transposed(self.G, len(self.h)))

    @cached_property
    def free_acceleration(self) -> Vector:
        """Acceleration of the free system, A^-1 h, n entries."""
        return self.solve_vector(self.A, self.h)

    @cached_property
    def S(self) -> Matrix:
        """Schur complement G A^-1 G^T, s x s."""
        return tidied(product(self.G, self.mobility))

    @cached_property
    def constraint_deficit(self) -> Vector:
        """Deficit -(G A^-1 h + g0), s entries: how far the free acceleration violates the constraints."""
        return tidied([[-(dot(J, self.free_acceleration) + c) for J, c in zip(self.G, self.g0, strict=True)]])[0]


def reaction_problem(chain: Chain) -> ReactionProblem:
    """Return the reaction problem of a chain; raise LienketError if its reactions have no formulas."""
    contradictions = [stage.verdict.sentence for stage in chain.stages if stage.verdict.status == CONTRADICTORY]
    if contradictions:
        raise LienketError("There is no motion: " + " ".join(contradictions))
    implicit = [row.name for row in chain.rows if row.nonlinear]
    if implicit:
        raise LienketError(
            f"The reactions cannot be written as formulas: {_listed(implicit)} is nonlinear in the accelerations. "
            "system.at(q, v) computes them numerically."
        )
    programs = [row.name for row in chain.rows if row.drives]
    if programs:
        raise LienketError(
            f"{_listed(programs)} is a program, kept by drives and not by a reaction, so reactions() has no formulas "
            "for it. system.at(q, v).drives gives the drives in numbers."
        )
    frictions = [row.name for row in chain.rows if row.law is not None and row.law.depends_on_reaction]
    if frictions:
        raise LienketError(
            f"{_listed(frictions)} has friction, which depends on the size of its own reaction, so there are no "
            "explicit formulas. system.at(q, v) gives accelerations and reactions in numbers, system.simulate the "
            "motion, and system.equations the equations for both."
        )
    return with_law_forces(chain)


def with_law_forces(chain: Chain) -> ReactionProblem:
    """Return the problem with the forces of laws in h; friction, which depends on a reaction, is left out."""
    coordinates = [chain.engine.outward(q) for q in chain.engine.q]
    forces = {row.name: dict(law_force(row, coordinates).push) for row in chain.rows if row.law is not None}
    columns = {name: [force.get(x, sp.S.Zero) for x in coordinates] for name, force in forces.items() if force}
    if not columns:
        return ReactionProblem(chain)
    chain = with_forces(chain, [sp.Add(*entries) for entries in zip(*columns.values(), strict=True)])
    return ReactionProblem(chain, {name: [chain.engine.inward(e) for e in c] for name, c in columns.items()})


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def negative(vector: Vector) -> Vector:
    """Return the vector with opposite signs."""
    return [-x if x != 0 else ZERO for x in vector]
