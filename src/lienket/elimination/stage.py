"""Stage: the system after one more constraint is eliminated."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import sympy as sp

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.simplify.quotient import tidy_quotients
from ..model.laws import Law
from .null_space_step import Matrix, Vector
from .pivot import vanishing_part
from .verdict import Verdict


@dataclass(frozen=True, eq=False)
class Stage:
    """One constraint and what it left (theory 4 and 5; paper 000, Algorithms 1 and 2).

    J, g0    s x n and s: the rows of the constraint, J q'' + g0 = 0
    beta     s x m: these rows on the freedoms before it, beta = J D_before
    H        m x m': beta H = 0, full column rank; D = D_before H
    D        n x m': the motions left free, G D = 0 for every row so far
    C, f     D^T A (m' x n) and D^T h (m'): C q'' = f is the reduced form, C q'' = f + D^T c under laws that exert c
    gamma    n: one acceleration that satisfies every row so far, G gamma + g0 = 0; q'' = D sigma + gamma
    d        n: one velocity that does, G d + b0 = 0; q' = D pi' + d. None where velocities enter
             a constraint nonlinearly or not at all
    freedom  m', the freedoms left
    verdict  independent, redundant or contradictory
    pivots   for each row accepted: its number and the entry of beta that was divided by
    changes  names of earlier constraints whose reactions this one changes

    A row without news, which vanishes on the constraints, is written as 0. What is asked for comes tidied, if small.
    """

    engine: Engine
    rows: ConstraintRows
    verdict: Verdict
    inside_beta: Matrix
    inside_H: Matrix
    inside_D: Matrix
    inside_C: Matrix
    inside_f: Vector
    inside_gamma: Vector
    inside_d: Vector | None
    pivots: tuple[tuple[int, int, Any], ...]  # row number, column, entry of beta
    changes: tuple[str, ...]
    satisfied: bool = True  # a state was found that satisfies this constraint and all before it
    programs: tuple[str, ...] = ()  # names of the programs so far

    @property
    def name(self) -> str:
        """The name of the constraint."""
        return self.rows.name

    @property
    def kind(self) -> str:
        """One of "holonomic", "velocity", "acceleration" and "program"."""
        return self.rows.kind

    @property
    def law(self) -> Law | None:
        """What the constraint exerts that is not ideal, as it was stated; None if nothing."""
        return self.rows.law

    @property
    def freedom(self) -> int:
        """The freedoms left."""
        return len(self.inside_D[0])

    @property
    def J(self) -> sp.ImmutableMatrix:
        """The rows of the constraint on the accelerations, J q'' + g0 = 0, s x n."""
        return self.rows.G

    @property
    def g0(self) -> sp.ImmutableMatrix:
        """What stands beside J q'', s x 1."""
        return self.rows.g0

    @cached_property
    def beta(self) -> sp.ImmutableMatrix:
        """G D_before, s x m."""
        return self._matrix(self.inside_beta, len(self.inside_H))

    @cached_property
    def H(self) -> sp.ImmutableMatrix:
        """Beta H = 0, m x m'."""
        return self._matrix(self.inside_H, self.freedom)

    @cached_property
    def D(self) -> sp.ImmutableMatrix:
        """G D = 0, n x m'."""
        return self._matrix(self.inside_D, self.freedom)

    @cached_property
    def C(self) -> sp.ImmutableMatrix:
        """D^T A, m' x n."""
        self._check_ideal()
        return self._matrix(self.inside_C, len(self.inside_D))

    @cached_property
    def f(self) -> sp.ImmutableMatrix:
        """D^T h, m' x 1."""
        self._check_ideal()
        return self.engine.column(tidy_quotients(self.inside_f))

    @cached_property
    def gamma(self) -> sp.ImmutableMatrix:
        """G gamma + g0 = 0, n x 1."""
        return self.engine.column(tidy_quotients(self.inside_gamma))

    @cached_property
    def d(self) -> sp.ImmutableMatrix | None:
        """G d + b0 = 0, n x 1."""
        return None if self.inside_d is None else self.engine.column(self.inside_d)

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        """Expressions that were divided by and vanish in some configurations: there D as written fails, not the system.

        Factors that cannot vanish, numbers and parameters, are left out.
        """
        engine = self.engine
        motion = {engine.t, *engine.q, *engine.v, *engine.a}
        factors = (vanishing_part(p, motion) for _, _, p in self.pivots)
        return tuple(engine.outward(p) for p in factors if p is not None)

    def _check_ideal(self) -> None:
        """Raise an error if a program is among the constraints so far."""
        if self.programs:
            raise LienketError(
                f"C q'' = f holds only for reactions with D^T r = 0. {', '.join(map(repr, self.programs))} is a "
                "program: its drives do not satisfy D^T r = 0. Use equations('multipliers')."
            )

    def _matrix(self, rows: Matrix, width: int) -> sp.ImmutableMatrix:
        entries = [self.engine.outward(e) for e in tidy_quotients([e for row in rows for e in row])]
        return sp.ImmutableMatrix(len(rows), width, entries)
