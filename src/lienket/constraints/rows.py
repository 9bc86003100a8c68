"""ConstraintRows: the common form G q'' + g0 = 0 of every kind of constraint."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import EngineExpression, Expression
from ..model.laws import Law


@dataclass(frozen=True)
class ConstraintRows:
    """A constraint as s rows on the accelerations, G q'' + g0 = 0 (theory 3).

    G          s x n: derivative of the constraint with respect to q, q' or q'', whichever is its highest
    g0         s: the remaining terms of the constraint differentiated to acceleration level
    position   s expressions g(q, t) that must be zero; empty unless the constraint is holonomic
    velocity   s expressions in q, q', t that must be zero; empty for a constraint on accelerations
    b0         s: the part of `velocity` without q', so that G q' + b0 = 0; None where q' enters nonlinearly
    drives     programs only: (name, column of E) for each drive, n entries each (theory 10)
    law        non-ideal law as stated; None for an ideal constraint (theory 9)
    normal_factor  normal force of a contact per multiplier; None where it is not known
    nonlinear  G and g0 contain q'' and hold at a Newton iterate, G = dpsi/dq'', g0 = psi - G q''

    All entries are expressions in the engine's symbols. If `nonlinear` is false, G and g0 are free of q''.
    """

    name: str
    kind: str
    engine: Engine = field(compare=False)
    inside_G: tuple[tuple[EngineExpression, ...], ...]
    inside_g0: tuple[EngineExpression, ...]
    position: tuple[EngineExpression, ...] = ()
    velocity: tuple[EngineExpression, ...] = ()
    b0: tuple[EngineExpression, ...] | None = None
    drives: tuple[tuple[str, tuple[EngineExpression, ...]], ...] = ()
    nonlinear: bool = False
    law: Law | None = None
    normal_factor: Expression | None = None

    def __len__(self) -> int:
        return len(self.inside_g0)

    def expressions(self) -> list[EngineExpression]:
        """Return all entries of the rows and residuals."""
        entries = [e for J in self.inside_G for e in J]
        return [*entries, *self.inside_g0, *self.position, *self.velocity]

    @cached_property
    def G(self) -> sp.ImmutableMatrix:
        """Matrix G in SymPy, s x n."""
        return self.engine.matrix(self.inside_G)

    @cached_property
    def g0(self) -> sp.ImmutableMatrix:
        """Column g0 in SymPy, s x 1."""
        return self.engine.column(self.inside_g0)
