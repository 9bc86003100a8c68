"""Statements whose inputs are replaced by what they are: only coordinates, parameters and time are left in formulas.

    stated for the input F(t)             replaces F(t)                    F'(t)
    nothing, a number, lk.Sampled(...)    the parameter F                  0
    an expression e(q, q', t)             e                                de/dt
    a table, a Python function            its value at t, or at t, q, q'   its derivative

A number is the value of a parameter, so that another number needs no other code. All rooms that compute numbers work
with the closed statement; formulas for the reader keep F(t).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import sympy as sp

from ..errors import LienketError
from ..language.expression import Expression
from ..language.input_functions import InputValue, Sampled
from ..language.symbols import name_of, t
from ..language.traversal import find_cached
from .constraint import Constraint
from .event import StatedEvent
from .statement import FreeStatement, Statement

CLOSED_STATEMENTS_CACHED = 128  # [statements] whose closed form is cached

Pairs = tuple[tuple[Any, Any], ...]


def is_number(stated: InputValue) -> bool:
    """Return whether an input is the value of a parameter: a number, a sampled function, or nothing."""
    return not isinstance(stated, sp.Basic)


def replacements(statement: Statement) -> Pairs:
    """Return (input, what replaces it in formulas) of each input."""
    return tuple((F, sp.Symbol(name_of(F)) if is_number(stated) else stated) for F, stated in statement.inputs)


@lru_cache(maxsize=CLOSED_STATEMENTS_CACHED)
def closed(statement: Statement) -> Statement:
    """Return the statement without inputs; itself if it has none."""
    if not statement.inputs:
        return statement
    pairs = replacements(statement)
    free, constraints, events = _closed_parts(statement.free, statement.constraints, statement.events, pairs)
    numbers = [(sp.Symbol(name_of(F)), _number(stated)) for F, stated in statement.inputs if is_number(stated)]
    symbols = dict(pairs)
    units = [(symbols.get(x, x), unit) for x, unit in statement.units if symbols.get(x, x).is_Atom or x not in symbols]
    return replace(
        statement,
        free=free,
        constraints=constraints,
        events=events,
        values=tuple(sorted((*statement.values, *numbers), key=lambda pair: name_of(pair[0]))),
        units=tuple(units),
        inputs=(),
    )


def closed_unsampled(statement: Statement, question: str) -> Statement:
    """Return the statement without inputs for a question that sampled functions do not permit, which it names."""
    names = [repr(name_of(F)) for F, stated in statement.inputs if isinstance(stated, Sampled)]
    if names:
        what = f"The input {names[0]} is" if len(names) == 1 else f"The inputs {', '.join(names)} are"
        raise LienketError(
            f"{what} sampled, and {question} takes no sampled functions. State a number or an expression instead: "
            f"inputs={{{names[0]}: 0}}."
        )
    return closed(statement)


def closing(statement: Statement, expressions: Iterable[Expression]) -> Callable[[Expression], Expression]:
    """Return the function that replaces the inputs of a statement in any of the expressions."""
    return _closing(replacements(statement), expressions)


def without_sampled(statement: Statement) -> Statement:
    """Return the statement with nothing stated for its sampled inputs, for files: their numbers are in the rows."""
    stated = tuple((F, None if isinstance(e, Sampled) else e) for F, e in statement.inputs)
    return replace(statement, inputs=stated)


def _number(stated: float | Sampled | None) -> sp.Number:
    return sp.Integer(0) if stated is None or isinstance(stated, Sampled) else sp.Float(stated)


@lru_cache(maxsize=CLOSED_STATEMENTS_CACHED)
def _closed_parts(
    free: FreeStatement, constraints: tuple[Constraint, ...], events: tuple[StatedEvent, ...], pairs: Pairs
) -> tuple[FreeStatement, tuple[Constraint, ...], tuple[StatedEvent, ...]]:
    """Return the parts of a statement with their inputs replaced; independent of the numbers of inputs."""
    stated = Statement("", free, constraints, events=events)
    close = _closing(pairs, stated.expressions())
    return free.mapped(close), tuple(c.mapped(close) for c in constraints), tuple(e.mapped(close) for e in events)


def _closing(pairs: Pairs, expressions: Iterable[Expression]) -> Callable[[Expression], Expression]:
    """Return the function that replaces inputs, and those of their derivatives that occur in the expressions."""
    table = dict(pairs)
    for derivative in {d for e in expressions for d in find_cached(e, sp.Derivative) if d.expr in dict(pairs)}:
        table[derivative] = sp.diff(table[derivative.expr], t, int(derivative.derivative_count))
    return lambda e: e.xreplace(table) if table else e
