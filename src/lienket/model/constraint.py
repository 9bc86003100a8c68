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
from ..language.expression import Expression
from ..language.symbols import t
from ..language.traversal import find
from .laws import Law
from .laws.law_force import Column

# Kinds by the order of the highest derivative: 0, 1 and 2.
LEVELS = ("holonomic", "velocity", "acceleration")


@dataclass(frozen=True)
class Holonomic:
    """Constraint g(q, t) = 0 on positions, with the kind stated explicitly.

    Parameters
    ----------
    expression : expression or list of expressions
        Expression that must be zero; one row for each entry of a list.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2)
    >>> mass.constrain("law", lk.Holonomic(x - 1)).constraints[0].kind
    'holonomic'
    """

    expression: Any


@dataclass(frozen=True)
class Velocity:
    """Constraint phi(q, q', t) = 0 on velocities, with the kind stated explicitly.

    Parameters
    ----------
    expression : expression or list of expressions
        Expression that must be zero; one row for each entry of a list.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2)
    >>> mass.constrain("law", lk.Velocity(der(x) - 1)).constraints[0].kind
    'velocity'
    """

    expression: Any


@dataclass(frozen=True)
class Acceleration:
    """Constraint psi(q, q', q'', t) = 0 on accelerations, with the kind stated explicitly.

    Parameters
    ----------
    expression : expression or list of expressions
        Expression that must be zero; one row for each entry of a list.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2)
    >>> mass.constrain("law", lk.Acceleration(der(x, 2) - 1)).constraints[0].kind
    'acceleration'
    """

    expression: Any


@dataclass(frozen=True)
class Program:
    """Program of motion, expression = 0, which drives realise instead of a reaction.

    Without bounds and feedback the program is satisfied exactly and the start must satisfy it. With them a motion may
    start off the program.

    Parameters
    ----------
    expression : expression or list of expressions
        Expression that must be zero.
    drives : mapping
        {name: {coordinate: factor}}, the column of E of each drive in the generalized force E u (theory 10).
    weights : mapping
        Weight of the square of each drive if there are more drives than programs; 1 by default.
    bounds : mapping
        (least, most) of each drive, None for no bound; at a bound the motion may deviate from the program.
    feedback : number, expression or pair, optional
        Rate w of the critically damped error e'' + 2 w e' + w^2 e = 0, or gains (k_p, k_d) of
        e'' + k_d e' + k_p e = 0; one gain k of e' + k e = 0 for a program on velocities.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2)
    >>> driven = mass.constrain("law", lk.Program(x - lk.t**2, drives={"F": {x: 1}}))
    >>> driven.simulate(times=[0, 1]).drives["F"].round(9)
    array([4., 4.])
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

    weights: tuple[Expression, ...] = ()
    bounds: tuple[tuple[Expression | None, ...], ...] = ()
    gains: tuple[Expression, Expression] | None = None

    @property
    def may_deviate(self) -> bool:
        """Whether the motion may deviate from the program: its drives have bounds, or feedback returns it."""
        return bool(self.bounds) or self.gains is not None

    def expressions(self) -> list[Expression]:
        """Return every expression of the weights, bounds and gains."""
        return [*self.weights, *(e for pair in self.bounds for e in pair if e is not None), *(self.gains or ())]

    def mapped(self, rewrite: Callable[[Expression], Expression]) -> ProgramControl:
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
    `holds` is the name of the contact whose slip the row keeps at zero, None for every constraint that a user states.
    `normal_factor` is the normal force of a contact per multiplier (`normal_force`); None where it is not known.
    `of_mechanism`: a joint, an element or unit Euler parameters of the mechanism has made it.
    """

    name: str
    kind: str
    level: int
    expressions: tuple[Expression, ...]
    drives: tuple[tuple[str, Column], ...] = ()
    following: ProgramControl = ProgramControl()
    law: Law | None = None
    holds: str | None = None
    normal_factor: Expression | None = None
    of_mechanism: bool = False

    __hash__ = cached_hash

    def mapped(self, rewrite: Callable[[Expression], Expression]) -> Constraint:
        """Return a copy in which `rewrite` has been applied to every expression."""
        drives = tuple((name, tuple((x, rewrite(e)) for x, e in factors)) for name, factors in self.drives)
        return replace(
            self,
            expressions=tuple(map(rewrite, self.expressions)),
            drives=drives,
            following=self.following.mapped(rewrite),
            law=None if self.law is None else self.law.mapped(rewrite),
            normal_factor=None if self.normal_factor is None else rewrite(self.normal_factor),
        )

    def every_expression(self) -> list[Expression]:
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


def _explicit_time(expression: Expression) -> bool:
    """Return whether t appears outside coordinates and their derivatives."""
    motion = find(expression, sp.Derivative, AppliedUndef)
    return bool(expression.xreplace({x: sp.Dummy() for x in motion}).has(t))
