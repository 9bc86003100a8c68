"""Constraint statements: a name, a kind and expressions that must be zero.

A bare expression is classified by the highest derivative in it:

    y - r                   holonomic       no derivative
    der(x) + r*der(phi)     velocity        first derivatives, linear or not
    der(x, 2) - u           acceleration    second derivatives

Holonomic, Velocity or Acceleration state the kind explicitly, and the kind is then checked; a Program is a
constraint that drives realise. The room `constraints` turns the kinds into rows of the equations of motion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..foundation.cached_hash import CachedHash, cached_hash
from ..foundation.frozen_dataclass import dataclass
from ..language.symbols import t
from ..language.traversal import find
from .laws import Law

# Kinds by the order of the highest derivative: 0, 1 and 2.
LEVELS = ("holonomic", "velocity", "acceleration")


@dataclass(frozen=True)
class Holonomic:
    """Says that the expression (or each of a list) is a constraint g(q, t) = 0 on positions."""

    expression: Any


@dataclass(frozen=True)
class Velocity:
    """Says that the expression (or each of a list) is a constraint phi(q, q', t) = 0 on velocities."""

    expression: Any


@dataclass(frozen=True)
class Acceleration:
    """Says that the expression (or each of a list) is a constraint psi(q, q', q'', t) = 0 on accelerations."""

    expression: Any


@dataclass(frozen=True)
class Program:
    """Says that the expression = 0 is a program of motion which drives realise, instead of a reaction.

    drives    name of each drive -> {coordinate: factor}, its column of E in the generalized drive force E u (theory 10)
    weights   drive -> what its square costs where there are more drives than programs; 1 unless given
    bounds    drive -> (least, most), None for no bound: what it can do; then the program may be missed
    feedback  the rate w of a critically damped return to the program, e'' + 2 w e' + w^2 e = 0 for its error e, or the
              gains (k_p, k_d) of e'' + k_d e' + k_p e = 0; a program on velocities has one gain, e' + k e = 0

    Without bounds and feedback the program is kept exactly, from a start on it. With them a motion may begin off it.
    """

    expression: Any
    drives: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    weights: Mapping[str, Any] = field(default_factory=dict)
    bounds: Mapping[str, Any] = field(default_factory=dict)
    feedback: Any = None


@dataclass(frozen=True)
class ProgramControl:
    """Weights, bounds and feedback gains of a program.

    `weights` and `bounds` (least, most; None for no bound) are in the order of its drives. `gains` are (k_p, k_d), the
    factors of the error e and of e', or None. Bounds may be parameters.
    """

    weights: tuple[Any, ...] = ()
    bounds: tuple[tuple[Any, ...], ...] = ()
    gains: tuple[Any, Any] | None = None

    @property
    def may_deviate(self) -> bool:
        """Whether the motion may deviate from the program: its drives have bounds, or feedback returns it."""
        return bool(self.bounds) or self.gains is not None

    def expressions(self) -> list[Any]:
        """Return every expression of the weights, bounds and gains."""
        return [*self.weights, *(e for pair in self.bounds for e in pair if e is not None), *(self.gains or ())]

    def mapped(self, rewrite: Callable[[Any], Any]) -> ProgramControl:
        """Return a copy in which `rewrite` has been applied to every expression."""
        bounds = tuple(tuple(None if e is None else rewrite(e) for e in pair) for pair in self.bounds)
        gains = None if self.gains is None else (rewrite(self.gains[0]), rewrite(self.gains[1]))
        return ProgramControl(tuple(map(rewrite, self.weights)), bounds, gains)


@dataclass(frozen=True)
class Constraint(CachedHash):
    """A checked constraint statement: every expression = 0.

    `kind` is "holonomic", "velocity", "acceleration" or "program"; `level` the order of the highest
    derivative; `drives` (programs only) holds (name, ((coordinate, factor), ...)) for each drive, a column of E, and
    `following` the weights, bounds and gains of the drives. `law` is the law of a constraint that is not ideal.
    """

    name: str
    kind: str
    level: int
    expressions: tuple[Any, ...]
    drives: tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...] = ()
    following: ProgramControl = ProgramControl()
    law: Law | None = None

    __hash__ = cached_hash

    def mapped(self, rewrite: Callable[[Any], Any]) -> Constraint:
        """Return a copy in which `rewrite` has been applied to every expression."""
        drives = tuple((name, tuple((x, rewrite(e)) for x, e in factors)) for name, factors in self.drives)
        return replace(
            self,
            expressions=tuple(map(rewrite, self.expressions)),
            drives=drives,
            following=self.following.mapped(rewrite),
            law=None if self.law is None else self.law.mapped(rewrite),
        )

    def every_expression(self) -> list[Any]:
        """Return the expressions of the constraint, of its drives and of its law."""
        drives = [e for _, factors in self.drives for _, e in factors]
        law = [] if self.law is None else [e for e, _ in self.law.parts().values()]
        return [*self.expressions, *drives, *self.following.expressions(), *law]

    @property
    def rheonomic(self) -> bool:
        """Whether time appears in it explicitly."""
        return any(_explicit_time(e) for e in self.expressions)

    @property
    def affine(self) -> bool:
        """Whether the derivatives of its highest order enter linearly (always so for a holonomic one)."""
        highest = {d for e in self.expressions for d in find(e, sp.Derivative) if d.derivative_count == self.level}
        if self.level == 0:
            return True
        stand_in = {d: sp.Dummy() for d in highest}
        rows = [e.xreplace(stand_in) for e in self.expressions]
        return not any(row.diff(u).expand().has(*stand_in.values()) for row in rows for u in stand_in.values())


def _explicit_time(expression: Any) -> bool:
    """Return whether t appears outside coordinates and their derivatives."""
    motion = find(expression, sp.Derivative, AppliedUndef)
    return bool(expression.xreplace({x: sp.Dummy() for x in motion}).has(t))
