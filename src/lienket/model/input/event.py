"""Reader of events: checks a user's events and returns StatedEvent objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import sympy as sp

from ...errors import Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.expression import Expression
from ...language.names import name_among, name_problem
from ...language.short_text import short_text
from ...language.symbols import name_of, t
from ...language.traversal import find, symbols_in
from ..checks.inputs import check_input_uses
from ..checks.statement import check_added, check_motion
from ..contact import contacts
from ..event import DIRECTIONS, Event, StatedEvent
from ..reaction_symbols import check_reactions, is_reaction, with_full_names
from ..statement import Statement
from .constraint import read_constraint
from .later_values import settled

_RISING = (sp.StrictGreaterThan, sp.GreaterThan)
_FALLING = (sp.StrictLessThan, sp.LessThan)


def with_events(events: Iterable[object], statement: Statement) -> Statement:
    """Return the statement with these events added; raises a ModelError that lists all faults."""
    faults = Faults()
    extended = _extended(events, statement, faults)
    faults.raise_any(f"The system {statement.name!r}")
    normal = Engine(statement.coordinates).normal
    return extended.with_events(tuple(event.mapped(normal) for event in extended.events))


def _extended(added: Iterable[object], statement: Statement, faults: Faults) -> Statement:
    """Return the statement with the events added, and report their faults."""
    events = list(statement.events)
    for event in [x for entry in added for x in (entry if isinstance(entry, (list, tuple)) else [entry])]:
        if not isinstance(event, (Event, StatedEvent)):
            faults.add("events", f"an lk.Event is expected, not {short_text(repr(event))}")
            continue
        stated = event if isinstance(event, StatedEvent) else _read_event(event, statement, faults)
        stated = stated.mapped(lambda e: with_full_names(e, statement.names))
        if any(other.name == stated.name for other in events):
            faults.add(f"event {stated.name!r}", "there is another event with this name")
        events.append(stated)
    extended = settled(statement.with_events(tuple(events)), faults)
    names = [c.name for c in extended.every_constraint]
    for name in {x for x in names if names.count(x) > 1}:
        faults.add("events", f"there are two constraints {name!r}", "Rename one of them, or `add` it by its name.")
    _check_references(extended, faults)
    if not faults:
        check_input_uses(extended, faults)
    return extended


def _read_event(event: Event, statement: Statement, faults: Faults) -> StatedEvent:
    """Return the checked event; its references to constraints are checked later."""
    where = f"event {event.name!r}"
    if not isinstance(event.name, str) or not event.name.strip() or not event.name.isprintable():
        faults.add("events", f"the name of an event must be a printable text, not {event.name!r}")
    condition, direction = _condition(event, where, faults)
    if not isinstance(event.terminal, bool):
        faults.add(where, f"`terminal` must be True or False, not {short_text(repr(event.terminal))}")
    if event.do is not None and (event.set or event.velocities):
        faults.add(where, "it has `do` and also `set` or `velocities`", "Return them from the function.")
    added = event.add if isinstance(event.add, Mapping) else {}
    constraints = tuple(read_constraint(name, entry, statement.coordinates, faults) for name, entry in added.items())
    for contact in contacts(constraints):
        what = f"{contact.name!r} is a contact, and an event cannot add a contact"
        faults.add(
            where, what, "State it as a constraint of the system; a unilateral contact opens and closes by itself."
        )
    names = tuple(added) if added else _constraint_names(event.add, where, faults)
    return StatedEvent(
        str(event.name),
        condition,
        direction,
        bool(event.terminal),
        _constraint_names(event.release, where, faults),
        _pairs(event.set, {p.name: p for p in statement.parameters}, "parameter", f"{where}, set", faults),
        _pairs(
            event.velocities, {name_of(x) + "'": x for x in statement.coordinates}, "velocity", f"{where}, velocities",
            faults,
        ),
        names,
        constraints,
        _function(event.do, where, faults),
    )  # fmt: skip


def _condition(event: Event, where: str, faults: Faults) -> tuple[Expression, int]:
    """Return the expression whose root is the event, and the sign of its change there (0 for any)."""
    when, direction = event.when, event.direction
    if direction is not None and direction not in DIRECTIONS:
        faults.add(
            where,
            f"there is no direction {direction!r}{did_you_mean(str(direction), DIRECTIONS)}",
            f"Known: {', '.join(DIRECTIONS)}.",
        )
        direction = None
    if isinstance(when, (*_RISING, *_FALLING)):
        if direction not in (None, "rising"):
            faults.add(where, "an event with an inequality happens when it becomes true", "Leave the direction out.")
        return as_expression(when.lhs - when.rhs, where, faults), 1 if isinstance(when, _RISING) else -1
    faults_before = len(faults)
    expression = as_expression(when, where, faults, equation=True)
    if not expression.free_symbols and len(faults) == faults_before:
        faults.add(where, f"its condition is {short_text(expression)}, which is constant")
    return expression, DIRECTIONS[direction or "any"]


def _constraint_names(names: object, where: str, faults: Faults) -> tuple[str, ...]:
    """Return the names in a text or a collection of texts."""
    given = names or ()
    listed = [names] if isinstance(names, str) or not isinstance(given, Collection) else list(given)
    for name in listed:
        if not isinstance(name, str):
            faults.add(where, f"the name of a constraint is expected, not {short_text(repr(name))}")
    return tuple(name for name in listed if isinstance(name, str))


def _pairs(
    entries: object, by_name: dict[str, Expression], what: str, where: str, faults: Faults
) -> tuple[tuple[Expression, Expression], ...]:
    """Return (symbol, expression) for each entry of a mapping by name."""
    if not isinstance(entries, Mapping):
        faults.add(where, f"a mapping from each {what} to its new value is expected")
        return ()
    pairs = []
    for key, value in entries.items():
        name = name_among(key, list(by_name))
        if name not in by_name:
            faults.add(where, f"{name} is not a {what} of this system{did_you_mean(name, list(by_name))}")
            continue
        pairs.append((by_name[name], as_expression(value, f"{where} {name}", faults)))
    return tuple(pairs)


def _function(do: object, where: str, faults: Faults) -> Any:
    """Return the function `do`; None and a fault if it cannot be called."""
    if do is not None and not callable(do):
        faults.add(where, "`do` must be a function of the state")
        return None
    return do


def _too_high(derivative: sp.Derivative) -> bool:
    """Return whether a derivative is above the acceleration."""
    return bool(derivative.derivative_count > 2)


def _check_references(statement: Statement, faults: Faults) -> None:
    """Report unknown constraints and symbols, once all events and constraints have been read."""
    constraint_names = [c.name for c in statement.every_constraint]
    names = statement.names
    for event in statement.events:
        where = f"event {event.name!r}"
        for name in (*event.release, *event.add):
            if name not in constraint_names:
                faults.add(where, f"there is no constraint {name!r}{did_you_mean(name, constraint_names)}")
        for expression in event.expressions:
            check_motion(where, expression, 2, statement, faults)
            for symbol in sorted(symbols_in(expression) - {t}, key=str):
                if not is_reaction(symbol) and name_problem(symbol.name):
                    faults.add(where, name_problem(symbol.name))
            for high in sorted(filter(_too_high, find(expression, sp.Derivative)), key=str):
                faults.add(
                    where, f"it contains {name_of(high)}, but derivatives above the acceleration are not allowed"
                )
            check_reactions(where, expression, statement.every_constraint, names, faults)
    stated_by_events = [c for event in statement.events for c in event.constraints]
    by_name = {c.name: c for c in statement.every_constraint}  # equal names have been reported already
    check_added(statement.with_constraints(tuple(by_name.values())), stated_by_events, faults)
