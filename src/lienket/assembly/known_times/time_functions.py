"""Formulas of time alone in a statement whose crossings are known times: they end steps of a run.

    if(t < a, ...)                        the difference of both sides passes 0
    sign(u), abs(u), min(u, v), max(u, v) u, or u - v, passes 0
    a linear table read at u(t)           u passes one of its points; of a smooth table held outside, its ends
    an event's condition u(t)             u passes 0
    tan(u), atan2(u, v), asin(u), u^0.5   cos u; u; the derivative of u passes 0, where the function may have a corner

u and v contain time and parameters only, whose numbers are those of the run.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import combinations
from typing import Any, cast

import sympy as sp
from sympy.core.function import AppliedUndef

from ...language.data_functions import DataCall, Table
from ...language.expression import Expression, Node
from ...language.functions import BY_CLASS, RELATIONS
from ...language.short_text import short_text
from ...language.symbols import t
from ...language.traversal import subexpressions, symbols_in
from ...model.statement import Statement
from ...simulation.known_times.time_function import HARMLESS, NEGATIVE, NEITHER, POSITIVE, TimeFunction

_SIGN_OF = {relation: sign for sign, relation in RELATIONS.items()}
_SIDES = {"<": POSITIVE, ">=": POSITIVE, "<=": NEGATIVE, ">": NEGATIVE, "==": NEITHER, "!=": NEITHER}
_KINKED = (sp.Piecewise, sp.sign, sp.Abs, sp.Min, sp.Max, sp.tan, sp.atan2, sp.asin, sp.acos, DataCall)

Crossing = tuple[Expression, tuple[float, ...], int]  # formula, levels, side
ZERO = (0.0,)


def time_functions(statement: Statement) -> tuple[TimeFunction, ...]:
    """Return the formulas of time and parameters of a statement without inputs whose crossings are known times."""
    parameters = {symbol: k for k, symbol in enumerate(statement.parameters)}
    found: dict[Crossing, None] = {}
    for node in _distinct(statement):
        for crossing in crossings_at(node):
            if of_time_alone(crossing[0], parameters):
                found[crossing] = None
    for event in statement.events:
        if of_time_alone(event.condition, parameters):
            found[event.condition, ZERO, HARMLESS] = None
    return tuple(TimeFunction(steps_of(e, parameters), short_text(e), levels, side) for e, levels, side in found)


def _distinct(statement: Statement) -> Iterator[Node]:
    """Yield every distinct subexpression of what acts on the motion, and of the conditions of events."""
    expressions = statement.free.expressions() + [event.condition for event in statement.events]
    expressions += [e for c in statement.every_constraint for e in c.every_expression()]
    yield from subexpressions(sp.Tuple(*expressions))


def crossings_at(node: Node) -> Iterator[Crossing]:
    """Yield the formulas whose crossings may be jumps or corners of a function, with their levels and sides."""
    if node.is_Pow and not node.exp.is_integer:
        yield node.base, ZERO, HARMLESS
        yield _slope(node.base), ZERO, HARMLESS
    if not isinstance(node, _KINKED):
        return
    if isinstance(node, sp.Piecewise):
        for _, condition in node.args:
            if isinstance(condition, sp.Rel):
                yield condition.lhs - condition.rhs, ZERO, _SIDES[_SIGN_OF[condition.func]]
    elif isinstance(node, DataCall):
        yield from _of_table(node)
    elif isinstance(node, (sp.Min, sp.Max)):
        for u, v in combinations(node.args, 2):
            yield u - v, ZERO, HARMLESS
    elif isinstance(node, (sp.asin, sp.acos)):
        yield _slope(node.args[0]), ZERO, HARMLESS
    elif isinstance(node, sp.tan):
        yield sp.cos(node.args[0]), ZERO, NEITHER
    else:
        yield node.args[0], ZERO, HARMLESS if isinstance(node, sp.Abs) else NEITHER


def _of_table(call: DataCall) -> Iterator[Crossing]:
    """Yield the argument of a table with the points at which it has a corner or a jump.

    Between its points a table is a polynomial. Records read smoothly have jumps of higher derivatives alone at them,
    which the step size control handles (`model.time_tables`).
    """
    table, (order,) = call.source.data, call.source.orders[:1]
    if not isinstance(table, Table):
        return
    smoothness = {"linear": 0, "pchip": 1, "cubic": 2}[table.kind]
    if order >= smoothness:
        yield call.arguments[0], tuple(map(float, table.x)), HARMLESS if order == 0 else POSITIVE
    elif table.outside == "hold":
        yield call.arguments[0], (float(table.x[0]), float(table.x[-1])), HARMLESS if order == 0 else POSITIVE


def _slope(e: Expression) -> Expression:
    """Return the derivative by time of a smooth formula of time alone, else 0: that of a kink has no formula here."""
    return sp.S.Zero if not e.has(t) or e.has(AppliedUndef, *_KINKED) else e.diff(t)


def of_time_alone(e: Expression, parameters: Container[Any]) -> bool:
    """Return whether a formula depends on time and otherwise on parameters only."""
    if not e.has(t) or e.has(AppliedUndef, sp.Derivative):
        return False
    if not all(symbol == t or symbol in parameters for symbol in symbols_in(e)):
        return False
    return all(isinstance(call.source.data, Table) for call in e.atoms(DataCall))


def steps_of(expression: Expression, parameters: dict[Any, int]) -> tuple[tuple[Any, ...], ...]:
    """Return the steps of a TimeFunction, arguments first."""
    steps: list[tuple[Any, ...]] = []
    places: dict[Node, int] = {}

    def place(node: Node) -> int:
        """Return the number of the step with the value of a node."""
        if node not in places:
            steps.append(_step(node, place, parameters, steps))
            places[node] = len(steps) - 1
        return places[node]

    place(expression)
    return tuple(steps)


def _step(node: Node, place: Any, parameters: dict[Any, int], steps: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the step of a node, whose arguments `place` puts before it."""
    if node == t:
        return ("t",)
    if node in parameters:
        return ("parameter", parameters[node])
    if node.is_number and not node.has(DataCall):
        return ("number", float(node))
    if node.is_Add or node.is_Mul:
        return ("add" if node.is_Add else "mul", *map(place, node.args))
    if node.is_Pow or node.func is sp.exp:
        return ("exp", place(node.exp)) if node.func is sp.exp else ("power", place(node.base), place(node.exp))
    if isinstance(node, sp.Piecewise):
        *cases, (last, _) = node.args
        otherwise = place(last)
        for value, condition in reversed(cases[1:]):
            steps.append(("if", *_comparison(condition, place), place(value), otherwise))
            otherwise = len(steps) - 1
        value, condition = cases[0]
        return ("if", *_comparison(condition, place), place(value), otherwise)
    if isinstance(node, DataCall):
        table, (order,) = cast(Table, node.source.data), node.source.orders
        outside = "error" if order and table.outside == "hold" else table.outside
        return ("table", place(node.arguments[0]), table.x, _differentiated(table, order), outside)
    return (BY_CLASS[node.func].name, *map(place, node.args))


def _comparison(condition: Any, place: Any) -> tuple[str, int]:
    """Return the sign of a comparison and the step with the difference of its sides."""
    return _SIGN_OF[condition.func], place(condition.lhs - condition.rhs)


def _differentiated(table: Table, order: int) -> tuple[tuple[float, ...], ...]:
    """Return the coefficients of a derivative of a table, highest power first."""
    c = table.pieces()
    for _ in range(order):
        degree = len(c) - 1
        c = c[:-1] * [[degree - m] for m in range(degree)] if degree else 0 * c
    return tuple(tuple(map(float, row)) for row in c)
