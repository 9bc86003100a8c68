"""How large a value could be: the sum of the absolute values of what was added up to make it.

    |x + y| <= size(x) + size(y)        |x y| <= size(x) size(y)        any other value: its absolute value

A value that is small beside its size is what rounding left of terms that cancel.
"""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Graph


def term_sizes(graph: Graph, roots: Sequence[int]) -> list[int]:
    """The sizes of the roots, as nodes."""
    known: dict[int, int] = {}
    todo = list(roots)
    while todo:
        x = todo[-1]
        operation, arguments = graph.operation[x], graph.arguments[x]
        inner = arguments if operation in ("sum", "product", "scale") else ()
        waiting = [a for a in inner if a not in known]
        if x in known or not waiting:
            todo.pop()
            if x not in known:
                known[x] = _size(graph, x, [known[a] for a in inner])
        else:
            todo.extend(waiting)
    return [known[x] for x in roots]


def _size(graph: Graph, x: int, inner: list[int]) -> int:
    operation = graph.operation[x]
    if operation == "sum":
        return graph.sum(inner)
    if operation == "scale":
        return graph.scale(abs(graph.data[x]), inner[0])
    if operation == "product":
        return graph.product(*inner)
    return graph.function("abs", x)
