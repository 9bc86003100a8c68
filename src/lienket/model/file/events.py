"""Events in model files: conversion of entries to events, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import sympy as sp

from ...errors import ExpressionError
from ...language.expression import Expression, Symbol
from ...language.names import key_name
from ...language.symbols import name_of
from ...language.text import write_expression
from ...language.traversal import symbols_in
from ..event import DIRECTIONS, Event, StatedEvent
from ..reaction_symbols import is_reaction, multiplier, reaction, reaction_parts
from .schema import ConstraintEntry, EventEntry, Formula

if TYPE_CHECKING:
    from ...language.data_functions import DataFunction
    from ..constraint import Constraint
    from .reading import Formulas


_DIRECTION_NAMES = {sign: word for word, sign in DIRECTIONS.items()}


def read_event(
    entry: EventEntry,
    names: dict[str, Expression | DataFunction],
    read: Formulas,
    read_entry: Callable[[ConstraintEntry], object],
) -> Event:
    """Return the event of an entry; `read(formula, where, names)` reads formulas, `read_entry(entry)` constraints."""
    where = f"[[events]] {entry.name!r}"
    symbols = dict(names)
    reactions: dict[Symbol, Symbol] = {}

    def formula(text: Formula, key: str) -> Any:
        expression = read(text, f"{where}, {key}", symbols)
        return expression.xreplace(reactions) if isinstance(expression, sp.Basic) else expression

    for name, constraint in entry.reactions.items():
        if name in symbols:
            read.faults.add(where, f"the name {name} is already in use")
        parts = [constraint] if isinstance(constraint, str) else constraint
        if len(parts) not in (1, 2) or not isinstance(parts[0], str) or (isinstance(parts[-1], int) and parts[-1] < 0):
            read.faults.add(where, f"reactions.{name} must be a constraint, or a constraint and a coordinate or a row")
            parts = ["?"]
        if isinstance(parts[-1], str) and len(parts) == 2 and parts[1] in names:
            parts = [parts[0], key_name(names[parts[1]])]
        symbols[name] = sp.Symbol(name, real=True)  # formulas cannot name reactions; they are substituted afterwards
        reactions[symbols[name]] = (multiplier if isinstance(parts[-1], int) else reaction)(*parts)
    constraints = {c.name: read_entry(c) for c in entry.constraints}
    add: Any = constraints
    if entry.add:
        add = tuple(entry.add)
        if constraints:
            read.faults.add(where, "it has both `add` and `constraints`", "Use one of them.")
    return Event(
        entry.name,
        formula(entry.when, "when"),
        entry.direction,
        entry.terminal,
        tuple(entry.release),
        {names.get(name, name): formula(e, f"set {name}") for name, e in entry.set.items()},
        {_velocity(name, names): formula(e, f"velocities {name}") for name, e in entry.velocities.items()},
        add,
    )


def _velocity(name: str, names: dict[str, Any]) -> str:
    """Return the name of a velocity in the file, "x'", with the symbol of its coordinate."""
    bare = name.removesuffix("'")
    return key_name(names[bare]) + "'" if bare in names and bare != name else name


def write_event(
    event: StatedEvent, constraint: Callable[[Constraint], dict[str, Any]], taken: set[str]
) -> dict[str, Any]:
    """Return the entry of an event; `constraint` writes constraints, `taken` holds the names of symbols."""
    if event.do is not None:
        raise ExpressionError(f"the event {event.name!r} calls a Python function, which a file cannot hold")
    local_names: dict[Symbol, str] = {}
    for symbol in sorted((s for e in event.expressions for s in symbols_in(e) if is_reaction(s)), key=str):
        local_names.setdefault(symbol, _unused_name(taken | set(local_names.values())))
    placeholders = {symbol: sp.Symbol(name) for symbol, name in local_names.items()}

    def formula(expression: Expression) -> str:
        return write_expression(expression.xreplace(placeholders))

    entry: dict[str, Any] = {"name": event.name, "when": formula(event.condition)}
    if event.direction:
        entry["direction"] = _DIRECTION_NAMES[event.direction]
    if event.terminal:
        entry["terminal"] = True
    if event.release:
        entry["release"] = list(event.release)
    if event.sets:
        entry["set"] = {x.name: formula(e) for x, e in event.sets}
    if event.jumps:
        entry["velocities"] = {name_of(x) + "'": formula(e) for x, e in event.jumps}
    if event.constraints:
        entry["constraints"] = [constraint(c) for c in event.constraints]
    elif event.add:
        entry["add"] = list(event.add)
    if local_names:
        entry["reactions"] = {name: _reaction_entry(symbol) for symbol, name in local_names.items()}
    return entry


def _reaction_entry(symbol: Symbol) -> str | list[str | int]:
    """Return the constraint of a reaction symbol, with its coordinate or row if it has one."""
    constraint, coordinate, row = reaction_parts(symbol)
    if row is not None:
        return [constraint, row]
    return constraint if coordinate is None else [constraint, coordinate]


def _unused_name(taken: set[str]) -> str:
    """Return the first of R1, R2, ... that is not taken."""
    k = 1
    while f"R{k}" in taken:
        k += 1
    return f"R{k}"
