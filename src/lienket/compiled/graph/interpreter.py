"""Plain version of the machine code: the graph evaluated node by node with Python floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ...language.data_functions import PythonFunction, Table
from .graph import Graph

_ONE_ARGUMENT = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")
_OPERATIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in _ONE_ARGUMENT},
    "sum": lambda *terms: sum(terms[1:], terms[0]),
    "product": lambda x, y: x * y,
    "reciprocal": lambda x: 1.0 / x,
    "power": math.pow,
    "atan2": math.atan2,
    "abs": abs,
    "sign": lambda x: float((x > 0) - (x < 0)) if x == x else math.nan,
    "min": lambda x, y: min(x, y) if x == x and y == y else math.nan,
    "max": lambda x, y: max(x, y) if x == x and y == y else math.nan,
    "less": lambda x, y: math.nan if x != x or y != y else float(x < y),
    "less_equal": lambda x, y: math.nan if x != x or y != y else float(x <= y),
    "equal": lambda x, y: math.nan if x != x or y != y else float(x == y),
    "unequal": lambda x, y: math.nan if x != x or y != y else float(x != y),
    "select": lambda c, x, y: math.nan if c != c else x if c else y,
}


def interpret(graph: Graph, roots: Iterable[int], inputs: Sequence[float]) -> list[float]:
    """Return the values of the roots for the inputs; NaN where a formula has no value."""
    roots = list(roots)
    values: dict[int, float] = {}
    for x in graph.below(roots):
        operation, data = graph.operation[x], graph.data[x]
        arguments = [values[a] for a in graph.arguments[x]]
        if operation == "constant":
            values[x] = data
        elif operation == "input":
            values[x] = float(inputs[data])
        elif operation == "scale":
            values[x] = data * arguments[0]
        elif operation == "data_call":
            values[x] = _data_value(data, arguments)
        else:
            try:
                values[x] = _OPERATIONS[operation](*arguments)
            except (ValueError, OverflowError, ZeroDivisionError):
                values[x] = math.nan
    return [values[x] for x in roots]


def _data_value(data: tuple[Table | PythonFunction, tuple[int, ...]], arguments: list[float]) -> float:
    """Return the value of a table or Python function, or of its derivative."""
    function, orders = data
    if isinstance(function, Table):
        return float(function.value(arguments[0], orders[0]))
    call = function.callable_of(orders)
    return math.nan if call is None else float(call(*arguments))
