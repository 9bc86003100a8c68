"""Events in numbers: conditions compiled for each set of active constraints, actions by indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LienketError, UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.names import name_among
from ..model.event import StatedEvent
from ..model.statement import Statement
from .contacts import contact_actions, contact_events, paradox_explainer, static_to_sliding_ratio
from .models import compiled_model, problem
from .state import state

if TYPE_CHECKING:
    from ..simulation.events.watch import Action, Change, EventPlan, Structure

Array = Any
CHANGE_KEYS = ("release", "set", "velocities", "add")


class NumbersByName(dict[str, float]):
    """Numbers by name, which a symbol or the alias of a name in LaTeX finds too."""

    def __missing__(self, key: Any) -> float:
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
    statement: Statement,
    parameters: Array,
    outputs: tuple[tuple[str, Any], ...],
    chattering: int,
    begin: tuple[int, ...] | None = None,
) -> EventPlan:
    """Return the events of a statement in numbers, followed by those of its contacts.

    A structure (a set of active constraints) is compiled when it is first needed. `begin` are the indices of the
    constraints active at the start; by default all constraints of the statement.
    """
    from ..simulation.events.watch import EventPlan, Structure

    of_contacts, every = contact_events(statement), statement.every_constraint
    events = (*statement.events, *(event.stated for event in of_contacts))
    ratios = static_to_sliding_ratio(statement)
    conditions = _conditions(events, ratios)

    def structure(active: tuple[int, ...]) -> Structure:
        chosen = tuple(every[i] for i in active)
        monitor = compiled_model(statement.free, chosen, statement.parameters, conditions)
        acting = {c.name for c in chosen}
        armed = np.array([_armed(e, acting) for e in statement.events] + [e.armed(acting) for e in of_contacts])
        return Structure(
            active,
            problem(statement, parameters, outputs, active),
            monitor.function("outputs") if conditions else NoConditions(),
            monitor.outputs_need_accelerations if conditions else False,
            armed,
            not any(event.contact.sticking in acting for event in of_contacts),
        )

    def verdict(structure: Structure, t: float, q: Array, v: Array, numbers: Array) -> tuple[str, bool]:
        active = replace(statement, constraints=tuple(every[i] for i in structure.active), events=())
        values = {p: x for p, x in zip(statement.parameters, numbers, strict=True) if p in active.parameters}
        try:
            at_event = state(active, q, v, t, values, None)
        except LienketError as error:
            return str(error), False
        dependent = [x for x in at_event.verdicts.values() if x.status != "independent"]
        return " ".join(x.sentence for x in dependent), not any(x.status == "contradictory" for x in dependent)

    return EventPlan(
        tuple(event.name for event in events),
        tuple(event.direction for event in events),
        (*_actions(statement, len(events)), *contact_actions(statement, len(conditions) - len(ratios))),
        tuple(c.name for c in every),
        tuple(range(len(statement.constraints))) if begin is None else begin,
        structure,
        verdict,
        problem(statement, parameters, outputs, tuple(range(len(every)))),
        chattering,
        paradox_explainer(statement),
    )


def _conditions(events: tuple[StatedEvent, ...], ratios: list[Any]) -> tuple[tuple[str, Any], ...]:
    """Return all event functions, then the values that actions set, then the static-to-sliding ratios."""
    expressions = [event.condition for event in events]
    expressions += [e for event in events for _, e in (*event.sets, *event.jumps)]
    expressions += ratios
    return tuple((f"{k}", e) for k, e in enumerate(expressions))


def _armed(event: StatedEvent, acting: set[str]) -> bool:
    """Return whether an event is monitored while the constraints `acting` are active.

    An event that releases constraints is armed while all of them act; one that adds constraints, while at least one
    of them does not.
    """
    if any(name not in acting for name in event.release):
        return False
    return not event.add or any(name not in acting or name in event.release for name in event.add)


def _actions(statement: Statement, index: int) -> tuple[Action, ...]:
    """Return the actions of events; the values they set begin at `index` among the values of the conditions."""
    from ..simulation.events.watch import Action

    every = [c.name for c in statement.every_constraint]
    parameters, coordinates = list(statement.parameters), list(statement.coordinates)
    actions = []
    for event in statement.events:
        sets = [(parameters.index(x), index + k) for k, (x, _) in enumerate(event.sets)]
        index += len(sets)
        jumps = [(coordinates.index(x), index + k) for k, (x, _) in enumerate(event.jumps)]
        index += len(jumps)
        release = tuple(every.index(name) for name in event.release)
        add = tuple(every.index(name) for name in event.add)
        do = None if event.do is None else _user_action(event.do, event.name, statement, every)
        actions.append(Action(release, tuple(sets), tuple(jumps), add, event.terminal, do))
    return tuple(actions)


def _user_action(function: Any, name: str, statement: Statement, every: list[str]) -> Any:
    """Return the user's function as a function of numbers that returns a Change."""
    from ..simulation.events.watch import Change

    names, parameters = statement.names, [p.name for p in statement.parameters]

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


def _indices(keys: Any, names: list[str], kind: str) -> tuple[int, ...]:
    """Return the indices of one or several names; raise UnknownName for a name that does not exist."""
    listed = [keys] if isinstance(keys, str) else list(keys)
    for name in listed:
        if name not in names:
            raise UnknownName(kind, str(name), names)
    return tuple(names.index(name) for name in listed)


def _numbers(values: Mapping[Any, Any], names: list[str], kind: str) -> tuple[tuple[int, float], ...]:
    """Return the pairs (index, number) of a mapping by name or symbol."""
    pairs = []
    for key, value in values.items():
        name = name_among(key, names)
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"{name} cannot be set to {number}")
        pairs.append((_indices(name, names, kind)[0], number))
    return tuple(pairs)
