"""Stage: the system after one more constraint is eliminated."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

import sympy as sp

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import EngineExpression, Expression
from ..language.simplify.quotient import tidy_quotients
from ..model.laws import Law
from .null_space_step import Matrix, Vector
from .pivot import vanishing_part
from .verdict import Verdict

Pivot = tuple[int, int, EngineExpression]  # row number, column, entry of beta


@dataclass(frozen=True)
class Stage:
    """Result of eliminating one constraint (theory 4 and 5; paper 000, Algorithms 1 and 2).

    With n coordinates, s rows of the constraint, and m degrees of freedom before it and m' after it. Entries that
    vanish on the constraints are written as 0; small expressions are simplified.

    Attributes
    ----------
    verdict : Verdict
        Independent, redundant or contradictory, with respect to the constraints before it.
    pivots : tuple of (int, int, expression)
        For each accepted row: its number, the eliminated column, and the entry of beta that was divided by.
    changes : tuple of str
        Names of earlier constraints whose reactions this one changes.
    satisfied : bool
        Whether a state was found that satisfies this constraint and all before it.
    programs : tuple of str
        Names of the programs among the constraints so far.

    Examples
    --------
    >>> rolling = lk.load("examples/models/rolling_disc.toml").stages()["rolling"]
    >>> rolling.freedom, rolling.D.T.tolist()
    (1, [[-r, 0, 1]])
    >>> rolling.C.tolist(), rolling.f.tolist()
    ([[-m*r, 0, J]], [[-Fx*r + M]])
    """

    engine: Engine = field(compare=False)
    rows: ConstraintRows
    verdict: Verdict
    inside_beta: Matrix
    inside_H: Matrix
    inside_D: Matrix
    inside_C: Matrix
    inside_f: Vector
    inside_gamma: Vector
    inside_d: Vector | None
    pivots: tuple[Pivot, ...]
    changes: tuple[str, ...]
    satisfied: bool = True  # a state was found that satisfies this constraint and all before it
    programs: tuple[str, ...] = ()  # names of the programs so far

    @property
    def name(self) -> str:
        """Name of the constraint."""
        return self.rows.name

    @property
    def kind(self) -> str:
        """Kind of the constraint: "holonomic", "velocity", "acceleration" or "program"."""
        return self.rows.kind

    @property
    def law(self) -> Law | None:
        """Law of the constraint as stated, such as friction; None if it is ideal."""
        return self.rows.law

    @property
    def freedom(self) -> int:
        """Degrees of freedom m' that remain."""
        return len(self.inside_D[0])

    @property
    def J(self) -> sp.ImmutableMatrix:
        """Rows of the constraint on the accelerations, J q'' + g0 = 0 (s x n)."""
        return self.rows.G

    @property
    def g0(self) -> sp.ImmutableMatrix:
        """Terms g0 in J q'' + g0 = 0 (s x 1)."""
        return self.rows.g0

    @cached_property
    def beta(self) -> sp.ImmutableMatrix:
        """Rows of the constraint on the motions that were free before it, beta = J D_before (s x m)."""
        return self._matrix(self.inside_beta, len(self.inside_H))

    @cached_property
    def H(self) -> sp.ImmutableMatrix:
        """Basis of the null space of beta, beta H = 0 (m x m'), of full column rank."""
        return self._matrix(self.inside_H, self.freedom)

    @cached_property
    def D(self) -> sp.ImmutableMatrix:
        """Basis of the motions left free, D = D_before H (n x m'): G D = 0 for all rows G so far."""
        return self._matrix(self.inside_D, self.freedom)

    @cached_property
    def C(self) -> sp.ImmutableMatrix:
        """Matrix C = D^T A of the reduced form C q'' = f (m' x n).

        Reading it raises a LienketError if a program is among the constraints so far.
        """
        self._check_ideal()
        return self._matrix(self.inside_C, len(self.inside_D))

    @cached_property
    def f(self) -> sp.ImmutableMatrix:
        """Right side f = D^T h of the reduced form C q'' = f (m' x 1); laws that exert c add D^T c.

        Reading it raises a LienketError if a program is among the constraints so far.
        """
        self._check_ideal()
        return self.engine.column(tidy_quotients(self.inside_f))

    @cached_property
    def gamma(self) -> sp.ImmutableMatrix:
        """An acceleration that satisfies all rows so far, G gamma + g0 = 0 (n x 1).

        All accelerations that satisfy them are q'' = D sigma + gamma.
        """
        return self.engine.column(tidy_quotients(self.inside_gamma))

    @cached_property
    def d(self) -> sp.ImmutableMatrix | None:
        """A velocity that satisfies all rows so far, G d + b0 = 0 (n x 1), or None.

        All velocities that satisfy them are q' = D pi' + d. None if a constraint is nonlinear in the velocities or does
        not restrict them.
        """
        return None if self.inside_d is None else self.engine.column(self.inside_d)

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """Divisors that vanish in some configurations: there D as written is not defined, but the system is.

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
