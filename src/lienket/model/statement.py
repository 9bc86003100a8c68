"""Statement: what the user says about a mechanical system, checked and frozen.

    Statement
      name
      free         FreeStatement: coordinates, energy or inertia, forces -- what A q'' = h follows from
      constraints  in the order in which they were added
      values       default numbers of parameters
      units        labels of coordinates and parameters

Nothing here is computed and nothing is ever filled in later; every room below takes a Statement, or
its free part, and makes a frozen result of its own. Two statements are equal if they say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..foundation.cached_hash import CachedHash, kept_hash
from ..foundation.frozen_dataclass import dataclass
from ..language.data_functions import DataFunction, sources_in
from ..language.engine.engine import Engine
from ..language.names import natural_order
from ..language.symbols import name_of, t
from ..language.traversal import symbols_in
from .constraint import Constraint
from .event import StatedEvent
from .force import Force


@dataclass(frozen=True)
class FreeStatement(CachedHash):
    """The system without its constraints.

    Either `kinetic` T(q, q', t) or `inertia` A(q, t) is given, the other is None. `forces` are the n
    generalized forces Q_i(q, q', t), zero where none acts. Shapes: n coordinates, A n x n.
    """

    coordinates: tuple[Any, ...]
    kinetic: Any
    inertia: Any
    potential: Any
    forces: tuple[Any, ...]
    loads: tuple[Force, ...]
    dissipation: Any

    __hash__ = kept_hash

    def expressions(self) -> list[Any]:
        """Every expression in it."""
        energies = [e for e in (self.kinetic, self.potential, self.dissipation) if e is not None]
        inertia = [] if self.inertia is None else list(self.inertia)
        return energies + inertia + list(self.forces) + [e for f in self.loads for e in (*f.at, *f.components)]

    def mapped(self, rewrite: Callable[[Any], Any]) -> FreeStatement:
        """The same with every expression rewritten."""
        return FreeStatement(
            self.coordinates,
            None if self.kinetic is None else rewrite(self.kinetic),
            None if self.inertia is None else self.inertia.applyfunc(rewrite),
            rewrite(self.potential),
            tuple(map(rewrite, self.forces)),
            tuple(Force(map(rewrite, f.at), map(rewrite, f.components), f.name) for f in self.loads),
            rewrite(self.dissipation),
        )


@dataclass(frozen=True)
class Statement(CachedHash):
    """A whole system as stated; see the module."""

    name: str
    free: FreeStatement
    constraints: tuple[Constraint, ...] = ()
    values: tuple[tuple[Any, Any], ...] = ()
    units: tuple[tuple[Any, str], ...] = ()
    events: tuple[StatedEvent, ...] = ()

    __hash__ = kept_hash

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The generalized coordinates q_i(t), in order."""
        return self.free.coordinates

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates, in order."""
        return tuple(name_of(x) for x in self.coordinates)

    @cached_property
    def parameters(self) -> tuple[Any, ...]:
        """Every parameter used or given a number, by name (m2 before m10)."""
        used = {s for e in self.expressions() for s in symbols_in(e) if "(" not in s.name}  # reactions are none
        declared = {s for s, _ in (*self.values, *self.units) if not isinstance(s, AppliedUndef)}
        return tuple(sorted((used | declared) - {t}, key=lambda s: natural_order(s.name)))

    @cached_property
    def given(self) -> tuple[DataFunction, ...]:
        """Every table and Python function used, by name."""
        found = {source.data for source in sources_in(self.expressions())}
        return tuple(sorted(found, key=lambda data: natural_order(data.name)))

    def expressions(self) -> list[Any]:
        """Every expression in it."""
        stated = self.free.expressions() + [e for c in self.every_constraint for e in c.every_expression()]
        return stated + [e for event in self.events for e in event.expressions]

    @property
    def every_constraint(self) -> tuple[Constraint, ...]:
        """The constraints, and those that events bring in."""
        return (*self.constraints, *(c for event in self.events for c in event.constraints))

    def with_events(self, events: tuple[StatedEvent, ...]) -> Statement:
        """The same system with other events."""
        return replace(self, events=events)

    def with_constraints(self, constraints: tuple[Constraint, ...]) -> Statement:
        """The same system under other constraints."""
        return replace(self, constraints=constraints)

    def normal(self) -> Statement:
        """The same system with every expression in normal form, so that what says the same is equal.

        The normal form is the engine's, in SymPy's order: like terms joined, comparisons turned to < and <=.
        A model file read back comes in the same form.
        """
        normal = Engine(self.coordinates).normal
        constraints = tuple(constraint.mapped(normal) for constraint in self.constraints)
        events = tuple(event.mapped(normal) for event in self.events)
        return replace(self, free=self.free.mapped(normal), constraints=constraints, events=events)


def velocity(coordinate: Any, order: int = 1) -> sp.Derivative:
    """Q' (or q'' for order 2) of a coordinate, as it stands in expressions."""
    return sp.Derivative(coordinate, (t, order)) if order > 1 else sp.Derivative(coordinate, t)
