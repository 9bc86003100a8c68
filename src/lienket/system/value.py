"""StatementValue: the base of System that holds the statement and adds constraints and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from ..errors import UnknownName
from ..language.engine.engine import Engine
from ..language.faults import Faults
from ..model.checks.statement import check_added
from ..model.checks.units import check_units
from ..model.constraint import Constraint
from ..model.event import Event, StatedEvent
from ..model.force import Force
from ..model.input.constraint import read_constraint
from ..model.input.event import with_events
from ..model.input.system import read_system
from ..model.statement import Statement
from ..model.summary import overview


class StatementValue:
    """Immutable value object with a statement; equal to any other with an equal statement."""

    __slots__ = ("_statement",)
    _statement: Statement

    def __init__(
        self,
        name: str,
        coordinates: Iterable[Any],
        *,
        kinetic: Any = None,
        inertia: Any = None,
        potential: Any = 0,
        forces: Mapping[Any, Any] | None = None,
        loads: Iterable[Force] = (),
        dissipation: Any = 0,
        values: Mapping[Any, Any] | None = None,
        units: Mapping[Any, str] | None = None,
    ) -> None:
        statement = read_system(
            name,
            coordinates,
            kinetic=kinetic,
            inertia=inertia,
            potential=potential,
            forces=forces,
            loads=loads,
            dissipation=dissipation,
            values=values,
            units=units,
        )
        object.__setattr__(self, "_statement", statement)

    @classmethod
    def from_statement(cls, statement: Statement) -> Self:
        """The system of a statement that has been checked."""
        system = object.__new__(cls)
        object.__setattr__(system, "_statement", statement)
        return system

    @classmethod
    def from_sympy(cls, method: Any, name: str = "from SymPy", *, values: Mapping[Any, Any] | None = None) -> Self:
        """The same system stated with `sympy.physics.mechanics`: a LagrangesMethod, KanesMethod or System.

        Its constraints come along, named "holonomic 1", "nonholonomic 1" and so on.
        """
        from ..model.from_sympy import parts_of

        parts = parts_of(method)
        return cls.from_statement(
            read_system(
                name,
                parts.coordinates,
                kinetic=parts.kinetic,
                potential=parts.potential,
                forces=parts.forces,
                values=values,
                constraints=[(label, expression) for label, _, expression in parts.constraints],
            )
        )

    # Statement

    @property
    def statement(self) -> Statement:
        """Everything that is stated, frozen."""
        return self._statement

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._statement.name

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """The generalized coordinates q_i(t), in order."""
        return self._statement.coordinates

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Every parameter that is used or has been given a number, by name."""
        return self._statement.parameters

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints in the order in which they were added."""
        return self._statement.constraints

    @property
    def values(self) -> dict[Any, Any]:
        """The default numbers, by parameter."""
        return dict(self._statement.values)

    @property
    def units(self) -> dict[Any, str]:
        """The units, by coordinate or parameter."""
        return dict(self._statement.units)

    # Constraints

    def constrain(self, name: str, statement: Any, *, law: Any = None) -> Self:
        """This system under one more constraint.

        `statement` is an expression that must be zero (or an equation, or a list of them for several
        rows under one name); its kind follows from its highest derivative, or is said by
        lk.Holonomic, lk.Velocity, lk.Acceleration or lk.Program. `law` says what it exerts that is not
        ideal: lk.Coulomb(...) or one of lk.laws.
        """
        faults = Faults()
        added = read_constraint(name, statement, self.coordinates, faults, law)
        extended = self._statement.with_constraints((*self.constraints, added))
        check_added(extended, [added], faults)
        check_units(extended, faults)
        faults.raise_any(f"The system {self.name!r}")
        normal = added.mapped(Engine(self.coordinates).normal)
        return type(self).from_statement(self._statement.with_constraints((*self.constraints, normal)))

    def release(self, name: str) -> Self:
        """This system without the constraint of that name."""
        names = [constraint.name for constraint in self.constraints]
        if name not in names:
            raise UnknownName("constraint", name, names)
        others = tuple(constraint for constraint in self.constraints if constraint.name != name)
        return type(self).from_statement(self._statement.with_constraints(others))

    # Events

    @property
    def events(self) -> tuple[StatedEvent, ...]:
        """What is looked for during a run."""
        return self._statement.events

    def watch(self, *events: Event | StatedEvent | Iterable[Event]) -> Self:
        """This system with `events` (lk.Event, or lists of them) that are looked for in its runs and may change it."""
        return type(self).from_statement(with_events(events, self._statement))

    def under(self, names: Iterable[str]) -> Self:
        """Return the system with the constraints of these names only, without events.

        `names` may include constraints that events add.
        """
        chosen = set(names)
        every = self._statement.every_constraint
        for name in chosen - {c.name for c in every}:
            raise UnknownName("constraint", name, [c.name for c in every])
        constraints = tuple(c for c in every if c.name in chosen)
        return type(self).from_statement(self._statement.with_constraints(constraints).with_events(()))

    # Value object

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a System never changes; create a new one with another {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a System never changes; {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return self._statement == other._statement if isinstance(other, StatementValue) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._statement)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> Any:
        return _restored, (type(self), self._statement)

    def __repr__(self) -> str:
        return overview(self._statement)


def _restored(kind: type[StatementValue], statement: Statement) -> StatementValue:
    """Return a system from its pickled statement, normalized again: SymPy swaps the sides of some comparisons."""
    return kind.from_statement(statement.normal())
