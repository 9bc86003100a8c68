"""Constraints as they are stated: a name, a kind and expressions that must be zero.

A bare expression is classified by the highest derivative in it:

    y - r                   holonomic       no derivative
    der(x) + r*der(phi)     velocity        first derivatives, linear or not
    der(x, 2) - u           acceleration    second derivatives

The kind can be said explicitly with Holonomic, Velocity or Acceleration, which is then checked; a
Program is a constraint that drives realise. What the kinds mean for the equations of motion is the
business of `constraints/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from .hashed import Hashed, kept_hash
from .symbols import t
from .walk import found

LEVELS = ("holonomic", "velocity", "acceleration")
"""Kinds by the order of the highest derivative, 0, 1 and 2."""


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

    `drives` maps the name of each drive to {coordinate: factor}, its column of E in the generalized
    drive force E u (theory 10).
    """

    expression: Any
    drives: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Constraint(Hashed):
    """A checked constraint statement: every expression = 0.

    `kind` is "holonomic", "velocity", "acceleration" or "program"; `level` the order of the highest
    derivative; `drives` (programs only) holds (name, ((coordinate, factor), ...)) for each drive, a column of E.
    """

    name: str
    kind: str
    level: int
    expressions: tuple[Any, ...]
    drives: tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...] = ()

    __hash__ = kept_hash

    def rewritten(self, rewrite: Callable[[Any], Any]) -> Constraint:
        """The same with every expression rewritten."""
        drives = tuple((name, tuple((x, rewrite(e)) for x, e in factors)) for name, factors in self.drives)
        return replace(self, expressions=tuple(map(rewrite, self.expressions)), drives=drives)

    @property
    def rheonomic(self) -> bool:
        """Whether time stands in it explicitly."""
        return any(_explicit_time(e) for e in self.expressions)

    @property
    def affine(self) -> bool:
        """Whether the derivatives of its highest order enter linearly (always so for a holonomic one)."""
        highest = {d for e in self.expressions for d in found(e, sp.Derivative) if d.derivative_count == self.level}
        if self.level == 0:
            return True
        stand_in = {d: sp.Dummy() for d in highest}
        rows = [e.xreplace(stand_in) for e in self.expressions]
        return not any(row.diff(u).expand().has(*stand_in.values()) for row in rows for u in stand_in.values())


def _explicit_time(expression: Any) -> bool:
    motion = found(expression, sp.Derivative, AppliedUndef)
    return bool(expression.xreplace({x: sp.Dummy() for x in motion}).has(t))
