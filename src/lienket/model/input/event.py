"""An event as the user says it becomes a checked StatedEvent; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import sympy as sp

from ...errors import did_you_mean
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.faults import Faults, short_text
from ...language.names import key_name
from ...language.symbols import name_of
from ...language.traversal import find
from ..checks.statement import check_added, check_motion
from ..contacts import contacts
from ..event import DIRECTIONS, Event, StatedEvent
from ..reaction_symbols import check_reactions
from ..statement import Statement
from .constraint import read_constraint

_RISING = (sp.StrictGreaterThan, sp.GreaterThan)
_FALLING = (sp.StrictLessThan, sp.LessThan)


def with_events(said: Iterable[Any], statement: Statement) -> Statement:
    """The statement with these events beside its own; raises ModelError with all that is wrong."""
    faults = Faults()
    extended = _extended(said, statement, faults)
    faults.raise_any(f"The system {statement.name!r}")
    normal = Engine(statement.coordinates).normal
    return extended.with_events(tuple(event.mapped(normal) for event in extended.events))


def _extended(said: Iterable[Any], statement: Statement, faults: Faults) -> Statement:
    events = list(statement.events)
    for event in [x for one in said for x in (one if isinstance(one, (list, tuple)) else [one])]:
        if not isinstance(event, (Event, StatedEvent)):
            faults.add("events", f"an lk.Event is needed, not {short_text(repr(event))}")
            continue
        made = event if isinstance(event, StatedEvent) else _stated(event, statement, faults)
        if any(other.name == made.name for other in events):
            faults.add(f"event {made.name!r}", "there is another event of that name")
        events.append(made)
    extended = statement.with_events(tuple(events))
    known = [c.name for c in extended.every_constraint]
    for name in {x for x in known if known.count(x) > 1}:
        faults.add("events", f"there are two constraints {name!r}", "Give one another name, or `add` it by its name.")
    _check(extended, faults)
    return extended


def _stated(event: Event, statement: Statement, faults: Faults) -> StatedEvent:
    where = f"event {event.name!r}"
    if not isinstance(event.name, str) or not event.name.strip() or not event.name.isprintable():
        faults.add("events", f"the name of an event is a printable text, not {event.name!r}")
    condition, direction = _condition(event, where, faults)
    if not isinstance(event.terminal, bool):
        faults.add(where, f"`terminal` is True or False, not {short_text(repr(event.terminal))}")
    if event.do is not None and (event.set or event.velocities):
        faults.add(where, "it has `do` and also `set` or `velocities`", "Let the function return them.")
    added = event.add if isinstance(event.add, Mapping) else {}
    constraints = tuple(read_constraint(name, said, statement.coordinates, faults) for name, said in added.items())
    for contact in contacts(constraints):
        what = f"{contact.name!r} is a contact, and those are there from the beginning"
        faults.add(where, what, "Make it a constraint of the system; a unilateral one opens and closes by itself.")
    names = tuple(added) if added else _names(event.add, where, faults)
    return StatedEvent(
        str(event.name),
        condition,
        direction,
        bool(event.terminal),
        _names(event.release, where, faults),
        _pairs(event.set, {p.name: p for p in statement.parameters}, "parameter", f"{where}, set", faults),
        _pairs(
            event.velocities, {name_of(x) + "'": x for x in statement.coordinates}, "velocity", f"{where}, velocities",
            faults,
        ),
        names,
        constraints,
        _function(event.do, where, faults),
    )  # fmt: skip


def _condition(event: Event, where: str, faults: Faults) -> tuple[Any, int]:
    """What passes through zero, and the sign it then has."""
    said, direction = event.when, event.direction
    if direction is not None and direction not in DIRECTIONS:
        faults.add(where, f"there is no direction {direction!r}", f"Known: {', '.join(DIRECTIONS)}.")
        direction = None
    if isinstance(said, (*_RISING, *_FALLING)):
        if direction not in (None, "rising"):
            faults.add(where, "an inequality happens when it becomes true", "Leave the direction out.")
        return as_expression(said.lhs - said.rhs, where, faults), 1 if isinstance(said, _RISING) else -1
    before = len(faults)
    expression = as_expression(said, where, faults, equation=True)
    if not expression.free_symbols and len(faults) == before:
        faults.add(where, f"its condition is {short_text(expression)}, which never changes")
    return expression, DIRECTIONS[direction or "any"]


def _names(said: Any, where: str, faults: Faults) -> tuple[str, ...]:
    listed = [said] if isinstance(said, str) else list(said or ()) if isinstance(said or (), Collection) else [said]
    for name in listed:
        if not isinstance(name, str):
            faults.add(where, f"the name of a constraint is needed, not {short_text(repr(name))}")
    return tuple(name for name in listed if isinstance(name, str))


def _pairs(said: Any, known: dict[str, Any], what: str, where: str, faults: Faults) -> tuple[tuple[Any, Any], ...]:
    if not isinstance(said, Mapping):
        faults.add(where, f"a mapping from each {what} to its new number is needed")
        return ()
    found = []
    for key, value in said.items():
        name = name_of(key) if isinstance(key, sp.Derivative) else key_name(key)
        if name not in known:
            faults.add(where, f"{name} is no {what} of this system{did_you_mean(name, list(known))}")
            continue
        found.append((known[name], as_expression(value, f"{where} {name}", faults)))
    return tuple(found)


def _function(do: Any, where: str, faults: Faults) -> Any:
    if do is not None and not callable(do):
        faults.add(where, "`do` must be a function of the state")
        return None
    return do


def _too_high(derivative: Any) -> bool:
    return bool(derivative.derivative_count > 2)


def _check(statement: Statement, faults: Faults) -> None:
    """What must hold once all events and constraints are known."""
    known = [c.name for c in statement.every_constraint]
    names = statement.names
    for event in statement.events:
        where = f"event {event.name!r}"
        for name in (*event.release, *event.add):
            if name not in known:
                faults.add(where, f"there is no constraint {name!r}{did_you_mean(name, known)}")
        for expression in event.expressions:
            check_motion(where, expression, 2, statement.coordinates, faults)
            for high in sorted(filter(_too_high, find(expression, sp.Derivative)), key=str):
                faults.add(where, f"it contains {name_of(high)}, and accelerations are the highest there are")
            check_reactions(where, expression, statement.every_constraint, names, faults)
    own = [c for event in statement.events for c in event.constraints]
    once = {c.name: c for c in statement.every_constraint}  # two of a name have had their fault already
    check_added(statement.with_constraints(tuple(once.values())), own, faults)
