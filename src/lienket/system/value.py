"""StatementValue: the base of System that holds the statement and adds constraints and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from ..errors import UnknownName
from .lazy_statement import LazyStatement

if TYPE_CHECKING:
    from ..model.constraint import Constraint
    from ..model.event import Event, StatedEvent
    from ..model.force import Force
    from ..model.statement import Statement


class StatementValue(LazyStatement):
    """Immutable value object with a statement; equal to any other with an equal statement."""

    __slots__ = ()

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
        inputs: Iterable[Any] = (),
    ) -> None:
        from ..model.input.system import read_system

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
            inputs=inputs,
        )
        object.__setattr__(self, "_stated", statement)
        object.__setattr__(self, "_file", None)

    @classmethod
    def from_statement(cls, statement: Statement) -> Self:
        """Return the system of a checked statement.

        Parameters
        ----------
        statement : Statement
            Checked statement, such as that of another system.

        Returns
        -------
        System
            System with this statement.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> lk.System.from_statement(disc.statement) == disc
        True
        """
        return cls._of(statement, None)

    @classmethod
    def from_sympy(cls, method: Any, name: str = "from SymPy", *, values: Mapping[Any, Any] | None = None) -> Self:
        """Return a system that is stated with `sympy.physics.mechanics`.

        Parameters
        ----------
        method : LagrangesMethod, KanesMethod or System
            System in SymPy. Its constraints are named "holonomic 1", "nonholonomic 1" and so on; functions of time
            that are no coordinates become inputs.
        name : str
            Name of the system.
        values : mapping, optional
            Default numbers of parameters, by symbol or name.

        Returns
        -------
        System
            System with equal equations of motion.

        Raises
        ------
        ModelError
            With all faults of the statement.

        Examples
        --------
        >>> from sympy.physics.mechanics import LagrangesMethod
        >>> m, c, x = *lk.parameters("m c"), lk.coordinates("x")
        >>> lk.System.from_sympy(LagrangesMethod(m*der(x)**2/2 - c*x**2/2, [x]), "spring")
        System 'spring' in x
          T = m*x'^2/2
          V = c*x^2/2
        """
        from ..model.from_sympy import parts_of
        from ..model.input.system import read_system

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
                inputs=parts.inputs,
            )
        )

    # Statement

    @property
    def statement(self) -> Statement:
        """Complete checked statement of the system, immutable."""
        return self._statement

    @property
    def name(self) -> str:
        """Name of the system."""
        return self._statement.name

    @property
    def coordinates(self) -> tuple[Any, ...]:
        """Generalized coordinates q_i(t), in order."""
        return self._statement.coordinates

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Parameters that appear in the statement or have a default number, sorted by name."""
        return self._statement.parameters

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints in the order in which they were added."""
        return self._statement.constraints

    @property
    def values(self) -> dict[Any, Any]:
        """Default numbers by parameter."""
        return dict(self._statement.values)

    @property
    def units(self) -> dict[Any, str]:
        """Unit labels by coordinate or parameter."""
        return dict(self._statement.units)

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Inputs F(t): functions of time that are no coordinates, in order."""
        return tuple(F for F, _ in self._statement.inputs)

    def with_inputs(self, inputs: Mapping[Any, Any] | None) -> Self:
        """Return the system with values stated for some of its inputs; see docs/inputs.md.

        Parameters
        ----------
        inputs : mapping
            For an input, by name or symbol: a number, an expression of q, q', t and parameters (or its text), a table
            or function of time, a Python function of (t, q, v), `lk.Sampled`, or None for 0.

        Returns
        -------
        System
            System in which simulations and other numbers use these values.

        Raises
        ------
        ModelError
            With all faults of the inputs.

        Examples
        --------
        >>> x, F = lk.coordinates("x"), lk.inputs("F")
        >>> cart = lk.System("cart", [x], kinetic=der(x)**2/2, forces={x: F}, inputs=[F])
        >>> cart.with_inputs({"F": 3*lk.t}).at([0], [0], t=2.0).accelerations
        array([6.])
        """
        from ..model.input.inputs import with_inputs

        return self if inputs is None else type(self).from_statement(with_inputs(self._statement, inputs))

    # Constraints

    def constrain(self, name: str, statement: Any, *, law: Any = None) -> Self:
        """Return the system with one more constraint.

        Parameters
        ----------
        name : str
            Name of the constraint.
        statement : expression, equation or list of these
            Expression that must be zero; a list states several rows under one name. The highest derivative determines
            the kind; lk.Holonomic, lk.Velocity, lk.Acceleration or lk.Program state it explicitly.
        law : Coulomb, Viscous, Exerted or Unilateral, optional
            Force that a constraint that is not ideal exerts in addition to G^T lambda; see `lk.laws`.

        Returns
        -------
        System
            System with the constraint added last.

        Raises
        ------
        ModelError
            With all faults of the constraint.

        Examples
        --------
        >>> x, y = lk.coordinates("x y")
        >>> mass = lk.System("mass", [x, y], kinetic=der(x)**2 + der(y)**2)
        >>> [c.kind for c in mass.constrain("incline", y - x/2).constrain("speed", der(x) - 1).constraints]
        ['holonomic', 'velocity']
        """
        from ..language.engine.engine import Engine
        from ..language.faults import Faults
        from ..model.checks.inputs import check_input_uses
        from ..model.checks.statement import check_added
        from ..model.checks.units import check_units
        from ..model.input.constraint import read_constraint
        from ..model.input.later_values import settled

        faults = Faults()
        added = read_constraint(name, statement, self.coordinates, faults, law)
        extended = settled(self._statement.with_constraints((*self.constraints, added)), faults)
        check_added(extended, [added], faults)
        check_units(extended, faults)
        if not faults:
            check_input_uses(extended, faults)
        faults.raise_any(f"The system {self.name!r}")
        normal = added.mapped(Engine(self.coordinates).normal)
        return type(self).from_statement(extended.with_constraints((*self.constraints, normal)))

    def release(self, name: str) -> Self:
        """Return the system without one constraint.

        Parameters
        ----------
        name : str
            Name of the constraint.

        Returns
        -------
        System
            System with the other constraints.

        Raises
        ------
        UnknownName
            If there is no such constraint.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> [c.name for c in disc.release("contact").constraints]
        ['rolling']
        """
        names = [constraint.name for constraint in self.constraints]
        if name not in names:
            raise UnknownName("constraint", name, names)
        others = tuple(constraint for constraint in self.constraints if constraint.name != name)
        return type(self).from_statement(self._statement.with_constraints(others))

    # Events

    @property
    def events(self) -> tuple[StatedEvent, ...]:
        """Events that are detected in every run of the system."""
        return self._statement.events

    def watch(self, *events: Event | StatedEvent | Iterable[Event]) -> Self:
        """Return the system with more events, which every run detects and which may change the system.

        Parameters
        ----------
        *events : Event or list of Event
            Events to add.

        Returns
        -------
        System
            System with the events added.

        Raises
        ------
        ModelError
            With all faults of the events.

        Examples
        --------
        >>> x = lk.coordinates("x")
        >>> mass = lk.System("mass", [x], kinetic=der(x)**2, potential=x)
        >>> landing = lk.Event("landing", when=x, direction="falling", terminal=True)
        >>> [event.name for event in mass.watch(landing).events]
        ['landing']
        """
        from ..model.input.event import with_events

        return type(self).from_statement(with_events(events, self._statement))

    def under(self, names: Iterable[str]) -> Self:
        """Return the system with the named constraints only, without events.

        Parameters
        ----------
        names : iterable of str
            Names of constraints, including those that events add.

        Returns
        -------
        System
            System with these constraints, in their original order.

        Raises
        ------
        UnknownName
            If a name is unknown.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> [c.name for c in disc.under(["rolling"]).constraints]
        ['rolling']
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
        from ..model.summary import overview

        return overview(self._statement)


def _restored(kind: type[StatementValue], statement: Statement) -> StatementValue:
    """Return a system from its pickled statement, normalized again: SymPy swaps the sides of some comparisons."""
    return kind.from_statement(statement.normal())
