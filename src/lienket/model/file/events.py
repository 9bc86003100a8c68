"""Events in model files: entries become events, and events entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from ...errors import ExpressionError
from ...language.symbols import name_of
from ...language.text import write_expression
from ...language.traversal import symbols_in
from ..event import DIRECTIONS, Event, StatedEvent
from ..reaction_symbols import is_reaction, multiplier, reaction, reaction_parts
from .schema import EventEntry

_WORDS = {sign: word for word, sign in DIRECTIONS.items()}


def read_event(entry: EventEntry, names: dict[str, Any], read: Any, said: Callable[[Any], Any]) -> Event:
    """The event of an entry; `read(formula, where, names)` reads formulas, `said(entry)` constraints."""
    where = f"[[events]] {entry.name!r}"
    known = dict(names)
    put: dict[Any, Any] = {}

    def formula(text: Any, place: str) -> Any:
        found = read(text, f"{where}, {place}", known)
        return found.xreplace(put) if isinstance(found, sp.Basic) else found

    for name, of in entry.reactions.items():
        if name in known:
            read.faults.add(where, f"{name} is already the name of something else")
        parts = [of] if isinstance(of, str) else of
        if len(parts) not in (1, 2) or not isinstance(parts[0], str) or (isinstance(parts[-1], int) and parts[-1] < 0):
            read.faults.add(where, f"reactions.{name} is a constraint, or a constraint and a coordinate or a row")
            parts = ["?"]
        known[name] = sp.Symbol(name, real=True)  # formulas have no word for reactions; they are put in afterwards
        put[known[name]] = (multiplier if isinstance(parts[-1], int) else reaction)(*parts)
    constraints = {c.name: said(c) for c in entry.constraints}
    add: Any = constraints
    if entry.add:
        add = tuple(entry.add)
        if constraints:
            read.faults.add(where, "it has both `add` and constraints of its own", "State them in one of the ways.")
    return Event(
        entry.name,
        formula(entry.when, "when"),
        entry.direction,
        entry.terminal,
        tuple(entry.release),
        {name: formula(e, f"set {name}") for name, e in entry.set.items()},
        {name: formula(e, f"velocities {name}") for name, e in entry.velocities.items()},
        add,
    )


def write_event(event: StatedEvent, constraint: Callable[[Any], dict[str, Any]], taken: set[str]) -> dict[str, Any]:
    """The entry of an event; `constraint` makes those of constraints, `taken` are names of symbols."""
    if event.do is not None:
        raise ExpressionError(f"the event {event.name!r} calls a Python function, which a file cannot hold")
    local: dict[Any, str] = {}
    for symbol in sorted((s for e in event.expressions for s in symbols_in(e) if is_reaction(s)), key=str):
        local.setdefault(symbol, _unused(taken | set(local.values())))
    put = {symbol: sp.Symbol(name) for symbol, name in local.items()}

    def written(expression: Any) -> str:
        return write_expression(expression.xreplace(put))

    entry: dict[str, Any] = {"name": event.name, "when": written(event.condition)}
    if event.direction:
        entry["direction"] = _WORDS[event.direction]
    if event.terminal:
        entry["terminal"] = True
    if event.release:
        entry["release"] = list(event.release)
    if event.sets:
        entry["set"] = {x.name: written(e) for x, e in event.sets}
    if event.jumps:
        entry["velocities"] = {name_of(x) + "'": written(e) for x, e in event.jumps}
    if event.constraints:
        entry["constraints"] = [constraint(c) for c in event.constraints]
    elif event.add:
        entry["add"] = list(event.add)
    if local:
        entry["reactions"] = {name: _of(symbol) for symbol, name in local.items()}
    return entry


def _of(symbol: Any) -> Any:
    constraint, coordinate, row = reaction_parts(symbol)
    if row is not None:
        return [constraint, row]
    return constraint if coordinate is None else [constraint, coordinate]


def _unused(taken: set[str]) -> str:
    k = 1
    while f"R{k}" in taken:
        k += 1
    return f"R{k}"
