"""Methods of System that return another system: with or without a constraint, with events or inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import UnknownName

if TYPE_CHECKING:
    from ..model.event import Event, StatedEvent
    from ..model.laws.law import Law
    from . import System


def constrain(self: System, name: str, statement: Any, *, law: Law | None = None) -> System:
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
    from ..errors import Faults
    from ..language.engine.engine import Engine
    from ..model.checks.inputs import check_input_uses
    from ..model.checks.statement import check_added
    from ..model.checks.units import check_units
    from ..model.input.constraint import read_constraint
    from ..model.input.later_values import settled
    from ..model.normal_force import with_normal_factors

    faults = Faults()
    added = read_constraint(name, statement, self.coordinates, faults, law)
    extended = settled(self._statement.with_constraints((*self.constraints, added)), faults)
    check_added(extended, [added], faults)
    check_units(extended, faults)
    if not faults:
        check_input_uses(extended, faults)
        (added,) = with_normal_factors([added], extended, faults)
    faults.raise_any(f"The system {self.name!r}")
    normal = added.mapped(Engine(self.coordinates).normal)
    return type(self).from_statement(extended.with_constraints((*self.constraints, normal)))


def release(self: System, name: str) -> System:
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


def watch(self: System, *events: Event | StatedEvent | Iterable[Event]) -> System:
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


def under(self: System, names: Iterable[str]) -> System:
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


def with_inputs(self: System, inputs: Mapping[Any, Any] | None) -> System:
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
    if inputs is None:
        return self
    from ..model.input.inputs import with_inputs

    return type(self).from_statement(with_inputs(self._statement, inputs))
