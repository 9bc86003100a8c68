"""Term sizes: the sum of the absolute values of the terms of each value, a scale for its rounding error.

    |x + y| <= size(x) + size(y)        |x y| <= size(x) size(y)        any other value: its absolute value

A value much smaller than its size consists of rounding errors of terms that cancel.
"""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Graph


def term_sizes(graph: Graph, roots: Sequence[int]) -> list[int]:
    """Return the sizes of the roots, as nodes."""
    sizes: dict[int, int] = {}
    todo = list(roots)
    while todo:
        x = todo[-1]
        operation, arguments = graph.operation[x], graph.arguments[x]
        inner = arguments if operation in ("sum", "product", "scale") else ()
        waiting = [a for a in inner if a not in sizes]
        if x in sizes or not waiting:
            todo.pop()
            if x not in sizes:
                sizes[x] = _size(graph, x, [sizes[a] for a in inner])
        else:
            todo.extend(waiting)
    return [sizes[x] for x in roots]


def _size(graph: Graph, x: int, inner: list[int]) -> int:
    """Return the size of a node from the sizes of its arguments."""
    operation = graph.operation[x]
    if operation == "sum":
        return graph.sum(inner)
    if operation == "scale":
        return graph.scale(abs(graph.data[x]), inner[0])
    if operation == "product":
        return graph.product(*inner)
    return graph.function("abs", x)
