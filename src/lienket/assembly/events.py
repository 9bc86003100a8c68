"""Events: from what is stated to numbers: conditions compiled for each structure, actions by their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from ..errors import LienketError, UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.names import key_name
from ..language.symbols import name_of
from ..model.event import StatedEvent
from ..model.statement import Statement
from .contacts import contact_actions, contact_events, paradox_explainer, static_to_sliding_ratio
from .models import compiled_model, problem
from .state import state

if TYPE_CHECKING:
    from ..simulation.events.watch import Action, Change, EventPlan, Structure

Array = Any
KEYS = ("release", "set", "velocities", "add")


@dataclass(frozen=True)
class EventState:
    """What a function of the user's is told: time, positions and velocities, parameters, constraints that act."""

    t: float
    q: dict[str, float]
    v: dict[str, float]
    values: dict[str, float]
    constraints: tuple[str, ...]


def watch_of(
    statement: Statement,
    parameters: Array,
    outputs: tuple[tuple[str, Any], ...],
    chattering: int,
    begin: tuple[int, ...] | None = None,
) -> EventPlan:
    """The events of a statement in numbers, its contacts' after them; each structure is compiled when it is needed.

    `begin` are the places of the constraints that act at first, all of the statement's own unless it is said.
    """
    from ..simulation.events.watch import EventPlan, Structure

    touching, every = contact_events(statement), statement.every_constraint
    events = (*statement.events, *(event.stated for event in touching))
    holding = static_to_sliding_ratio(statement)
    conditions = _conditions(events, holding)

    def structure(active: tuple[int, ...]) -> Structure:
        chosen = tuple(every[i] for i in active)
        given = (statement.free, chosen, statement.parameters)
        looked = compiled_model(*given, conditions)
        acting = {c.name for c in chosen}
        armed = np.array([_armed(e, acting) for e in statement.events] + [e.armed(acting) for e in touching])
        return Structure(
            active,
            problem(statement, parameters, outputs, active),
            looked.function("outputs"),
            looked.outputs_need_accelerations,
            armed,
            not any(event.contact.sticking in acting for event in touching),
        )

    def verdict(structure: Structure, t: float, q: Array, v: Array, numbers: Array) -> tuple[str, bool]:
        under = replace(statement, constraints=tuple(every[i] for i in structure.active), events=())
        values = {p: x for p, x in zip(statement.parameters, numbers, strict=True) if p in under.parameters}
        try:
            found = state(under, q, v, t, values, None)
        except LienketError as error:
            return str(error), False
        bad = [x for x in found.verdicts.values() if x.status != "independent"]
        return " ".join(x.sentence for x in bad), not any(x.status == "contradictory" for x in bad)

    return EventPlan(
        tuple(event.name for event in events),
        tuple(event.direction for event in events),
        (*_actions(statement, len(events)), *contact_actions(statement, len(conditions) - len(holding))),
        tuple(c.name for c in every),
        tuple(range(len(statement.constraints))) if begin is None else begin,
        structure,
        verdict,
        problem(statement, parameters, outputs, tuple(range(len(every)))),
        chattering,
        paradox_explainer(statement),
    )


def _conditions(events: tuple[StatedEvent, ...], grips: list[Any]) -> tuple[tuple[str, Any], ...]:
    """All conditions, then what actions set, one after another, then the grips of contacts."""
    found = [event.condition for event in events]
    found += [e for event in events for _, e in (*event.sets, *event.jumps)]
    found += grips
    return tuple((f"{k}", e) for k, e in enumerate(found))


def _armed(event: StatedEvent, acting: set[str]) -> bool:
    """What releases is looked for while all that acts, what adds while some of it does not."""
    if any(name not in acting for name in event.release):
        return False
    return not event.add or any(name not in acting or name in event.release for name in event.add)


def _actions(statement: Statement, place: int) -> tuple[Action, ...]:
    """What events do; the numbers they set begin at a place among those of the conditions' function."""
    from ..simulation.events.watch import Action

    every = [c.name for c in statement.every_constraint]
    parameters, coordinates = list(statement.parameters), list(statement.coordinates)
    found = []
    for event in statement.events:
        sets = [(parameters.index(x), place + k) for k, (x, _) in enumerate(event.sets)]
        place += len(sets)
        jumps = [(coordinates.index(x), place + k) for k, (x, _) in enumerate(event.jumps)]
        place += len(jumps)
        release = tuple(every.index(name) for name in event.release)
        add = tuple(every.index(name) for name in event.add)
        do = None if event.do is None else _user_action(event.do, event.name, statement, every)
        found.append(Action(release, tuple(sets), tuple(jumps), add, event.terminal, do))
    return tuple(found)


def _user_action(function: Any, name: str, statement: Statement, every: list[str]) -> Any:
    """The user's function as one of numbers."""
    from ..simulation.events.watch import Change

    names, parameters = statement.names, [p.name for p in statement.parameters]

    def do(t: float, q: Array, v: Array, numbers: Array, active: tuple[int, ...]) -> Change:
        moment = EventState(
            t,
            dict(zip(names, map(float, q), strict=True)),
            dict(zip(names, map(float, v), strict=True)),
            dict(zip(parameters, map(float, numbers), strict=True)),
            tuple(every[i] for i in active),
        )
        said = function(moment)
        if said is None:
            return Change()
        if not isinstance(said, Mapping) or not set(said) <= set(KEYS):
            raise LienketError(f"The function of the event {name!r} must return None or a mapping of {KEYS}.")
        try:
            return Change(
                _places(said.get("release", ()), every, "constraint"),
                _numbers(said.get("set", {}), parameters, "parameter"),
                _numbers(said.get("velocities", {}), [name + "'" for name in names], "velocity"),
                _places(said.get("add", ()), every, "constraint"),
            )
        except (TypeError, ValueError, AttributeError, LienketError) as error:
            raise LienketError(f"What the function of the event {name!r} returned cannot be done: {error}") from None

    return do


def _places(said: Any, known: list[str], what: str) -> tuple[int, ...]:
    listed = [said] if isinstance(said, str) else list(said)
    for name in listed:
        if name not in known:
            raise UnknownName(what, str(name), known)
    return tuple(known.index(name) for name in listed)


def _numbers(said: Mapping[Any, Any], known: list[str], what: str) -> tuple[tuple[int, float], ...]:
    found = []
    for key, value in said.items():
        name = name_of(key) if isinstance(key, sp.Derivative) else key_name(key)
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"{name} cannot become {number}")
        found.append((_places(name, known, what)[0], number))
    return tuple(found)
