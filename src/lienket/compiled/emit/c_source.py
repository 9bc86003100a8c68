"""Output of a plan as plain C, one function of straight-line code, for use without this package.

    long long name(double t, const double *q, const double *v, const double *parameters, const double *inputs,
                   double *out)

It needs only C99 and the mathematical library. Its results equal those of the machine code up to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...language.data_functions import PythonFunction, Table
from ..functions.plan import Plan
from ..graph.graph import COMPARISONS, Graph
from .tables import table_c

if TYPE_CHECKING:
    from .llvm import DataCalls


_SIGNS = {"less": "<", "less_equal": "<=", "equal": "==", "unequal": "!="}
_LIBRARY = {"power": "pow", "abs": "fabs"}
_POINTERS = {"q": "q", "v": "v", "p": "parameters", "x": "inputs"}
_HELPERS = {
    "sign": "(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }",
    "min": "(double x, double y) { return x != x ? x : x < y ? x : y; }",
    "max": "(double x, double y) { return x != x ? x : x > y ? x : y; }",
}


def c_source(graph: Graph, slots: Sequence[tuple[str, int]], plan: Plan) -> str:
    """Return a complete source file; `slots` are (argument, index) of each input of the graph."""
    outputs, below = plan.outputs, graph.below(plan.roots)
    calls = {graph.data[x]: f"given_{k}" for k, x in enumerate(below) if graph.operation[x] == "data_call"}
    used = {graph.operation[x] for x in below}
    lines = [f" * out[{first}..]: {name} {shape}" for first, name, shape in _layout(plan)]
    return "\n".join(
        [
            "/* " + plan.name + ", results row by row:",
            *lines,
            " * It returns 0 if the results can be trusted, 2 if only digits may be lost, otherwise 1. */",
            "#include <math.h>",
            "",
            *(f"static double lk_{name}{body}" for name, body in _HELPERS.items() if name in used),
            *(_data_function(name, *key) for key, name in calls.items()),
            f"long long {plan.name}(double t, const double *q, const double *v, const double *parameters,",
            "                 const double *inputs, double *out)",
            "{",
            *(f"    {_kind(graph, x)} n{x} = {_expression(graph, slots, x, calls)};" for x in below),
            *(f"    out[{k}] = n{x};" for k, x in outputs),
            "    (void)t; (void)q; (void)v; (void)parameters; (void)inputs; (void)out;",
            f"    return {_failed(plan.conditions)} ? 1 : {_failed(plan.digits)} ? 2 : 0;",
            "}",
            "",
        ]
    )


def _failed(conditions: Sequence[int]) -> str:
    """Return the C expression that is 1 if a condition fails, otherwise 0."""
    return "!(" + (" && ".join(f"n{x}" for x in conditions) or "1") + ")"


def _layout(plan: Plan) -> list[tuple[int, str, str]]:
    """Return (first index in `out`, name, shape) of each block."""
    rows, first = [], 0
    for block in plan.blocks:
        rows.append((first, block.name, " x ".join(map(str, block.shape)) or "1"))
        first += len(block.nodes)
    return rows


def _kind(graph: Graph, x: int) -> str:
    """Return the C type of a node."""
    return "const int" if graph.operation[x] in COMPARISONS else "const double"


def _data_function(name: str, function: Table | PythonFunction, orders: tuple[int, ...]) -> str:
    """Return the definition of a table, or the declaration of a Python function, which the user provides in C."""
    if isinstance(function, Table):
        return table_c(name, function, orders[0], _number)
    listed = ", ".join(["double"] * function.arguments)
    return f"/* {function.name}, derivative {orders}: to be provided */\nextern double {name}({listed});"


def _expression(graph: Graph, slots: Sequence[tuple[str, int]], x: int, calls: DataCalls) -> str:
    """Return the C expression of a node; `calls` are the names of tables and Python functions."""
    operation, data = graph.operation[x], graph.data[x]
    names = [f"n{a}" for a in graph.arguments[x]]
    if operation == "constant":
        return _number(data)
    if operation == "input":
        argument, index = slots[data]
        return "t" if argument == "t" else f"{_POINTERS[argument]}[{index}]"
    if operation == "scale":
        return f"-{names[0]}" if data == -1.0 else f"{_number(data)} * {names[0]}"
    if operation == "sum":
        return " + ".join(names)
    if operation == "product":
        return " * ".join(names)
    if operation == "reciprocal":
        return f"1.0 / {names[0]}"
    if operation in COMPARISONS:
        return f"{names[0]} {_SIGNS[operation]} {names[1]}"
    if operation == "select":
        one, other = (f"n{a}" for a in graph.arguments[graph.arguments[x][0]])
        return f"isunordered({one}, {other}) ? NAN : {names[0]} ? {names[1]} : {names[2]}"
    if operation == "data_call":
        return f"{calls[data]}({', '.join(names)})"
    if operation in _HELPERS:
        return f"lk_{operation}({', '.join(names)})"
    return f"{_LIBRARY.get(operation, operation)}({', '.join(names)})"


def _number(value: float) -> str:
    """Return a number with the digits that reproduce the double exactly."""
    if value != value:
        return "NAN"
    text = repr(value).replace("inf", "INFINITY")
    return f"({text})" if text.startswith("-") else text
