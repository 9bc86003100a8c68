"""Setting: the free system and its accepted constraint rows, as the methods for the reaction take them.

Laws that do not depend on the reaction, c(q, q', t), count as forces: with h + c in place of h every method gives
G^T lambda, and r = G^T lambda + c is the ideal reaction + A W c (theory 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import sympy as sp

from ..elimination.chain import Chain
from ..elimination.linear_solve import is_regular, solve, tidied
from ..elimination.null_space_step import ZERO, Matrix, Vector, dot, product, transposed
from ..elimination.verdict import CONTRADICTORY
from ..elimination.with_forces import with_forces
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..model.laws import Coulomb
from .laws import law_force


@dataclass(frozen=True, eq=False)
class ReactionProblem:
    """A (n x n), h (n), G (s x n) and g0 (s) of the accepted rows, D (n x k), all in the engine's symbols.

    `pushes` are c of the laws by constraint, n each; h has them in it.
    """

    chain: Chain
    pushes: Mapping[str, Vector] = field(default_factory=dict)

    @cached_property
    def places(self) -> list[tuple[str, int]]:
        """Name and row number of each accepted row."""
        return [(name, number) for name, number, _ in self.chain.accepted]

    @cached_property
    def G(self) -> Matrix:
        """The accepted rows."""
        by_name = {row.name: row for row in self.chain.rows}
        return [list(by_name[name].inside_G[number]) for name, number in self.places]

    @cached_property
    def g0(self) -> Vector:
        """The g0 of the accepted rows."""
        by_name = {row.name: row for row in self.chain.rows}
        return [by_name[name].inside_g0[number] for name, number in self.places]

    @property
    def A(self) -> Matrix:
        """The inertia matrix."""
        return self.chain.A

    @property
    def h(self) -> Vector:
        """The right side, with what laws exert."""
        return self.chain.h

    @property
    def D(self) -> Matrix:
        """The motions left free."""
        return self.chain.D

    @cached_property
    def motion(self) -> set[Any]:
        """The symbols that change with the motion."""
        engine = self.chain.engine
        return {engine.t, *engine.q, *engine.v, *engine.a}

    @cached_property
    def regular(self) -> bool:
        """Whether A^-1 exists."""
        return is_regular(self.A, self.chain.points)

    def solve(self, M: Matrix, B: Matrix) -> Matrix:
        """The solution X of M X = B."""
        return solve(M, B, self.chain.points, self.motion)

    def solve_vector(self, M: Matrix, b: Vector) -> Vector:
        """The solution x of M x = b."""
        return [row[0] for row in self.solve(M, [[x] for x in b])]

    @cached_property
    def mobility(self) -> Matrix:
        """A^-1 G^T, n x s."""
        return self.solve(self.A, transposed(self.G, len(self.h)))

    @cached_property
    def free_acceleration(self) -> Vector:
        """A^-1 h, n."""
        return self.solve_vector(self.A, self.h)

    @cached_property
    def S(self) -> Matrix:
        """G A^-1 G^T, s x s."""
        return tidied(product(self.G, self.mobility))

    @cached_property
    def constraint_deficit(self) -> Vector:
        """-(G A^-1 h + g0), s: what the constraints ask of the free system."""
        return tidied([[-(dot(J, self.free_acceleration) + c) for J, c in zip(self.G, self.g0, strict=True)]])[0]


def reaction_problem(chain: Chain) -> ReactionProblem:
    """The setting of a chain whose reactions can be written as formulas; LienketError says why where they cannot."""
    against = [stage.verdict.sentence for stage in chain.stages if stage.verdict.status == CONTRADICTORY]
    if against:
        raise LienketError("There is no motion: " + " ".join(against))
    implicit = [row.name for row in chain.rows if row.nonlinear]
    if implicit:
        raise LienketError(
            f"The reactions cannot be written as formulas: {_listed(implicit)} is nonlinear in the accelerations. "
            "system.at(q, v) solves it in numbers."
        )
    programs = [row.name for row in chain.rows if row.drives]
    if programs:
        raise LienketError(
            f"{_listed(programs)} is a program, kept by drives and not by a reaction, for which there are no formulas "
            "here. system.at(q, v).drives gives the drives in numbers."
        )
    frictions = [row.name for row in chain.rows if isinstance(row.law, Coulomb)]
    if frictions:
        raise LienketError(
            f"{_listed(frictions)} has friction, which follows the size of its own reaction, so that there are no "
            "formulas here. system.at(q, v) gives accelerations and reactions in numbers, system.simulate the motion, "
            "and system.equations the equations for both."
        )
    return under_laws(chain)


def under_laws(chain: Chain) -> ReactionProblem:
    """The chain with what its laws push among the forces; friction that follows a reaction is left out."""
    coordinates = [chain.engine.outward(q) for q in chain.engine.q]
    exerted = {row.name: dict(law_force(row, coordinates).push) for row in chain.rows if row.law is not None}
    columns = {name: [push.get(x, sp.S.Zero) for x in coordinates] for name, push in exerted.items() if push}
    if not columns:
        return ReactionProblem(chain)
    chain = with_forces(chain, [sp.Add(*entries) for entries in zip(*columns.values(), strict=True)])
    return ReactionProblem(chain, {name: [chain.engine.inward(e) for e in c] for name, c in columns.items()})


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def negative(vector: Vector) -> Vector:
    """The vector with its signs changed."""
    return [-x if x != 0 else ZERO for x in vector]
