"""Statement: the user's description of a mechanical system, checked and frozen.

    Statement
      name
      free         FreeStatement: coordinates, energy or inertia, forces, or bodies and joints; A q'' = h follows
                   from it
      constraints  in the order in which they were added
      values       default numbers of parameters
      units        labels of coordinates and parameters
      events       conditions and the changes they cause during a run
      inputs       functions of time that are no coordinates, each with what is stated for it: None, a number, an
                   expression of q, q' and t, or lk.Sampled
      signs        internal parameters of contacts, directions and senses, that `with_contact_modes` has added
      later        ("values" or "units", name, entry) for names that nothing uses yet; a later constraint may bring them

Nothing here is computed and no field is filled in later; every other room takes a Statement, or its free part, and
returns a frozen result. Two statements with equal contents are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import sympy as sp
from sympy.core.function import AppliedUndef

from ..foundation.cached_hash import CachedHash, cached_hash
from ..foundation.frozen_dataclass import dataclass
from ..language.data_functions import DataFunction, sources_in
from ..language.engine.engine import Engine
from ..language.expression import Coordinate, Expression, Symbol
from ..language.input_functions import InputValue
from ..language.names import natural_order
from ..language.symbols import name_of, t
from ..language.traversal import symbols_in
from ..language.written_names import aliases
from .bodies import Description
from .constraint import Constraint
from .event import StatedEvent
from .force import Force
from .reaction_symbols import is_reaction


@dataclass(frozen=True)
class FreeStatement(CachedHash):
    """The system without its constraints.

    Either `kinetic` T(q, q', t) or `inertia` A(q, t) is given, the other is None; with `mechanism` both are, since
    bodies and joints state the system (`mechanism.formulas` has its energies). `forces` are the n generalized forces
    Q_i(q, q', t), zero where none acts. Shapes: n coordinates, A n x n.
    """

    coordinates: tuple[Coordinate, ...]
    kinetic: Expression | None
    inertia: sp.ImmutableMatrix | None
    potential: Expression
    forces: tuple[Expression, ...]
    loads: tuple[Force, ...]
    dissipation: Expression
    mechanism: Description | None = None

    __hash__ = cached_hash

    def expressions(self) -> list[Expression]:
        """Return every expression of the energies, the inertia matrix, the forces and the loads."""
        energies = [e for e in (self.kinetic, self.potential, self.dissipation) if e is not None]
        inertia = [] if self.inertia is None else list(self.inertia)
        loads = [e for f in self.loads for e in (*f.at, *f.components)]
        mechanism = [] if self.mechanism is None else self.mechanism.expressions()
        return energies + inertia + list(self.forces) + loads + mechanism

    def mapped(self, rewrite: Callable[[Expression], Expression]) -> FreeStatement:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return FreeStatement(
            self.coordinates,
            None if self.kinetic is None else rewrite(self.kinetic),
            None if self.inertia is None else self.inertia.applyfunc(rewrite),
            rewrite(self.potential),
            tuple(map(rewrite, self.forces)),
            tuple(Force(map(rewrite, f.at), map(rewrite, f.components), f.name) for f in self.loads),
            rewrite(self.dissipation),
            None if self.mechanism is None else self.mechanism.mapped(rewrite),
        )


@dataclass(frozen=True)
class Statement(CachedHash):
    """The statement of a whole system; the module docstring lists the fields."""

    name: str
    free: FreeStatement
    constraints: tuple[Constraint, ...] = ()
    values: tuple[tuple[Expression, Expression], ...] = ()
    units: tuple[tuple[Expression, str], ...] = ()
    events: tuple[StatedEvent, ...] = ()
    later: tuple[tuple[str, str, Expression | str], ...] = ()
    inputs: tuple[tuple[Coordinate, InputValue], ...] = ()
    signs: tuple[sp.Symbol, ...] = ()

    __hash__ = cached_hash

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Generalized coordinates q_i(t), in order."""
        return self.free.coordinates

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates, in order."""
        return tuple(name_of(x) for x in self.coordinates)

    @property
    def functions_of_time(self) -> tuple[Coordinate, ...]:
        """Coordinates, then inputs."""
        return (*self.coordinates, *(F for F, _ in self.inputs))

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """Every parameter that is used or has a number, sorted by name (m2 before m10)."""
        used = {s for e in self.expressions() for s in symbols_in(e) if not is_reaction(s)}
        declared = {s for s, _ in (*self.values, *self.units) if not isinstance(s, AppliedUndef)}
        return tuple(sorted((used | declared) - {t}, key=lambda s: natural_order(s.name)))

    @cached_property
    def aliases(self) -> dict[str, str]:
        r"""Identifier for each coordinate and parameter with a name in LaTeX: m_1 for m_{1}, theta for \theta."""
        names = [*map(name_of, self.functions_of_time), *(p.name for p in self.parameters)]
        return aliases(names, [data.name for data in self.data_functions])

    @cached_property
    def data_functions(self) -> tuple[DataFunction, ...]:
        """Every table and Python function used, sorted by name."""
        functions = {source.data for source in sources_in(self.expressions())}
        return tuple(sorted(functions, key=lambda data: natural_order(data.name)))

    def expressions(self) -> list[Expression]:
        """Return every expression of the free system, the constraints, the events and the inputs."""
        stated = self.free.expressions() + [e for c in self.every_constraint for e in c.every_expression()]
        stated += [e for _, e in self.inputs if isinstance(e, sp.Basic)]
        return stated + [e for event in self.events for e in event.expressions]

    @property
    def every_constraint(self) -> tuple[Constraint, ...]:
        """Constraints of the system and those that events add."""
        return (*self.constraints, *(c for event in self.events for c in event.constraints))

    def with_events(self, events: tuple[StatedEvent, ...]) -> Statement:
        """Return the statement with its events replaced by `events`."""
        return replace(self, events=events)

    def with_constraints(self, constraints: tuple[Constraint, ...]) -> Statement:
        """Return the statement with its constraints replaced by `constraints`."""
        return replace(self, constraints=constraints)

    def normal(self) -> Statement:
        """Return the statement with every expression in normal form, so that equivalent statements compare equal.

        The normal form is the engine's, in SymPy's order: like terms joined, comparisons turned to < and <=. Statements
        read from model files have this form too.
        """
        normal = Engine(self.coordinates).normal
        constraints = tuple(constraint.mapped(normal) for constraint in self.constraints)
        events = tuple(event.mapped(normal) for event in self.events)
        return replace(self, free=self.free.mapped(normal), constraints=constraints, events=events)
