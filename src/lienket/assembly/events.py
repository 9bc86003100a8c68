"""Events in numbers: conditions compiled for each set of active constraints, actions by indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LienketError, UnknownName
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from ..language.names import name_among
from ..simulation.events.watch import Action, Change, EventPlan, Structure
from .contacts.modes import contact_actions, contact_events, contacts_of, load_sharing, paradox_explainer
from .numeric_system import CONDITIONS, NumericEvent, NumericSystem, Outputs
from .state import state_under

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..language.expression import Expression


CHANGE_KEYS = ("release", "set", "velocities", "add")


class NumbersByName(dict[str, float]):
    """Numbers by name, which a symbol or the alias of a name in LaTeX finds too."""

    def __missing__(self, key: str | Expression) -> float:
        name = name_among(key, list(self))
        if name not in self:
            raise KeyError(key)
        return self[name]


@dataclass(frozen=True)
class NoConditions:
    """The function of all conditions of a run without events."""

    address: int = 0
    size: int = 0


@dataclass(frozen=True)
class EventState:
    """State passed to a user's event function: time, positions, velocities, parameters, active constraints."""

    t: float
    q: NumbersByName
    v: NumbersByName
    values: NumbersByName
    constraints: tuple[str, ...]


def event_plan(
    system: NumericSystem, parameters: Array, outputs: Outputs | None, chattering: int, begin: tuple[int, ...]
) -> EventPlan:
    """Return the events of a system in numbers, followed by those of its contacts.

    A structure (a set of active constraints) is compiled when it is first needed. `begin` are the indices of the
    constraints active at the start.
    """
    of_contacts, every = contact_events(system), tuple(range(len(system.constraints)))
    sticking = {c.tangential for c in system.contacts}
    count = len(system.events) + len(of_contacts)

    def structure(active: tuple[int, ...]) -> Structure:
        monitor = system.model(active, CONDITIONS) if system.values else None
        armed = [_armed(event, active) for event in system.events] + [event.armed(active) for event in of_contacts]
        problem = system.problem(parameters, active, outputs)
        of_rows = {name: bool(np.any(problem.level[rows] == 0)) for name, rows in problem.model.rows.items()}
        return Structure(
            active,
            problem,
            NoConditions() if monitor is None else monitor.function("outputs"),
            False if monitor is None else monitor.outputs_need_accelerations,
            np.array(armed),
            sticking.isdisjoint(active),
            frozenset(k for k in active if of_rows.get(system.constraints[k].name, False)),
        )

    def verdict(structure: Structure, t: float, q: Array, v: Array, numbers: Array) -> tuple[str, bool]:
        try:
            at_event = state_under(system, structure.active, t, q, v, numbers)
            dependent = [x for x in at_event.verdicts.values() if x.status != "independent"]
        except LienketError as error:
            return str(error), False
        return " ".join(x.sentence for x in dependent), not any(x.status == "contradictory" for x in dependent)

    events = [(event.name, event.direction) for event in system.events] + [(event.name, -1) for event in of_contacts]
    return EventPlan(
        tuple(name for name, _ in events),
        tuple(direction for _, direction in events),
        (*(_action(event, system) for event in system.events), *contact_actions(system, _first_ratio(system, count))),
        tuple(c.name for c in system.constraints),
        begin,
        structure,
        verdict,
        system.problem(parameters, every, outputs),
        chattering,
        paradox_explainer(system),
        load_sharing(system),
        contacts_of(system).system.quantity_function if system.contacts else None,
    )


def _first_ratio(system: NumericSystem, conditions: int) -> int:
    """Return the index of the first static-to-sliding ratio: after conditions and the values that events set."""
    return conditions + sum(len(event.sets) + len(event.jumps) for event in system.events)


def _armed(event: NumericEvent, active: tuple[int, ...]) -> bool:
    """Return whether an event is monitored while the constraints with the indices `active` act.

    An event that releases constraints is armed while all of them act; one that adds constraints, while at least one
    of them does not.
    """
    if any(k not in active for k in event.release):
        return False
    return not event.add or any(k not in active or k in event.release for k in event.add)


def _action(event: NumericEvent, system: NumericSystem) -> Action:
    """Return the action of an event."""
    do = None if event.do is None else _user_action(event.do, event.name, system)
    return Action(event.release, event.sets, event.jumps, event.add, event.terminal, do, of_time=event.of_time)


def _user_action(function: Callable[[EventState], Any], name: str, system: NumericSystem) -> Any:
    """Return the user's function as a function of numbers that returns a Change."""
    names, parameters = system.names, system.symbols.parameters
    every = [c.name for c in system.constraints]

    def do(t: float, q: Array, v: Array, numbers: Array, active: tuple[int, ...]) -> Change:
        event_state = EventState(
            t,
            NumbersByName(zip(names, map(float, q), strict=True)),
            NumbersByName(zip(names, map(float, v), strict=True)),
            NumbersByName(zip(parameters, map(float, numbers), strict=True)),
            tuple(every[i] for i in active),
        )
        changes = function(event_state)
        if changes is None:
            return Change()
        if not isinstance(changes, Mapping) or not set(changes) <= set(CHANGE_KEYS):
            raise LienketError(
                f"The function of the event {name!r} must return None or a mapping with keys among "
                f"{', '.join(CHANGE_KEYS)}."
            )
        try:
            return Change(
                _indices(changes.get("release", ()), every, "constraint"),
                _numbers(changes.get("set", {}), parameters, "parameter"),
                _numbers(changes.get("velocities", {}), [name + "'" for name in names], "velocity"),
                _indices(changes.get("add", ()), every, "constraint"),
            )
        except (TypeError, ValueError, AttributeError, LienketError) as error:
            raise LienketError(
                f"The changes returned by the function of the event {name!r} cannot be applied: {error}"
            ) from None

    return do


def _indices(keys: str | Iterable[Any], names: Sequence[str], kind: str) -> tuple[int, ...]:
    """Return the indices of one or several names; raise UnknownName for a name that does not exist."""
    listed = [keys] if isinstance(keys, str) else list(keys)
    for name in listed:
        if name not in names:
            raise UnknownName(kind, str(name), names)
    return tuple(names.index(name) for name in listed)


def _numbers(values: Mapping[Any, Any], names: Sequence[str], kind: str) -> tuple[tuple[int, float], ...]:
    """Return the pairs (index, number) of a mapping by name or symbol."""
    pairs = []
    for key, value in values.items():
        name = name_among(key, names)
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"{name} cannot be set to {number}")
        pairs.append((_indices(name, names, kind)[0], number))
    return tuple(pairs)
