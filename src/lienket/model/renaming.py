"""Statements with other symbols: names in LaTeX replaced by their aliases, for files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import sympy as sp

from ..language.expression import Expression
from ..language.symbols import is_coordinate_like, name_of, t
from ..language.traversal import symbols_in
from .constraint import Constraint
from .event import StatedEvent
from .reaction_symbols import is_reaction, reaction, reaction_parts
from .statement import Statement

T = TypeVar("T")


def alias_symbols(statement: Statement) -> dict[Expression, Expression]:
    """Return a symbol with an identifier as its name for each coordinate and parameter with a name in LaTeX."""
    symbols: dict[Expression, Expression] = {}
    if not statement.aliases:
        return symbols
    for x in (*statement.functions_of_time, *statement.parameters):
        alias = statement.aliases.get(name_of(x))
        if alias is not None:
            symbols[x] = _like(x, alias)
    return symbols


def _like(symbol: Expression, name: str) -> Expression:
    """Return a coordinate or parameter of another name with the same assumptions."""
    if is_coordinate_like(symbol):
        return sp.Function(name, **symbol.func._kwargs)(t)
    return sp.Symbol(name, **symbol._assumptions_orig)


def renamed_expression(expression: Expression, symbols: Mapping[Expression, Expression]) -> Expression:
    """Return an expression with its symbols replaced, also those that reactions on a coordinate name."""
    if not symbols:
        return expression
    names = {name_of(old): name_of(new) for old, new in symbols.items()}
    reactions = {}
    for symbol in filter(is_reaction, symbols_in(expression)):
        constraint, coordinate, _ = reaction_parts(symbol)
        if coordinate in names:
            reactions[symbol] = reaction(constraint, names[coordinate])
    return expression.xreplace({**symbols, **reactions})


def renamed(statement: Statement, symbols: Mapping[Expression, Expression]) -> Statement:
    """Return the statement with its symbols replaced."""
    if not symbols:
        return statement

    def rewrite(expression: Expression) -> Expression:
        return renamed_expression(expression, symbols)

    def keys(pairs: tuple[tuple[Expression, T], ...]) -> tuple[tuple[Expression, T], ...]:
        return tuple((symbols.get(x, x), entry) for x, entry in pairs)

    def constraint(stated: Constraint) -> Constraint:
        mapped = stated.mapped(rewrite)
        law = None if mapped.law is None else mapped.law.renamed(symbols)
        return replace(mapped, drives=tuple((name, keys(factors)) for name, factors in mapped.drives), law=law)

    def event(stated: StatedEvent) -> StatedEvent:
        mapped = stated.mapped(rewrite)
        constraints = tuple(map(constraint, stated.constraints))
        return replace(mapped, sets=keys(mapped.sets), jumps=keys(mapped.jumps), constraints=constraints)

    free = replace(
        statement.free.mapped(rewrite), coordinates=tuple(symbols.get(x, x) for x in statement.free.coordinates)
    )
    return replace(
        statement,
        free=free,
        constraints=tuple(map(constraint, statement.constraints)),
        values=keys(statement.values),
        units=keys(statement.units),
        events=tuple(map(event, statement.events)),
        inputs=tuple((symbols.get(F, F), rewrite(e) if isinstance(e, sp.Basic) else e) for F, e in statement.inputs),
    )
