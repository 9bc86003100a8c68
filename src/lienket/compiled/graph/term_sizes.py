"""Term sizes: the sum of the absolute values of the terms of each value, a scale for its rounding error.

    |x + y| <= size(x) + size(y)        |x y| <= |x| size(y) + |y| size(x)        any other value: its absolute value

A value much smaller than its size consists of rounding errors of terms that cancel. A product has the error
|x| error(y) + |y| error(x): where y = 0, a factor x multiplies value and size alike, so that the relative size of a
residual does not depend on factors of its formula. A factor without sums, size(x) = |x|, adds no error of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Graph


def term_sizes(graph: Graph, roots: Sequence[int]) -> list[int]:
    """Return the sizes of the roots, as nodes."""
    sizes: dict[int, int] = {}
    single: set[int] = set()  # values without sums: size(x) = |x|
    todo = list(roots)
    while todo:
        x = todo[-1]
        operation, arguments = graph.operation[x], graph.arguments[x]
        inner = arguments if operation in ("sum", "product", "scale") else ()
        waiting = [a for a in inner if a not in sizes]
        if x in sizes or not waiting:
            todo.pop()
            if x not in sizes:
                sizes[x] = _size(graph, x, sizes, single)
                if operation != "sum" and all(a in single for a in inner):
                    single.add(x)
        else:
            todo.extend(waiting)
    return [sizes[x] for x in roots]


def _size(graph: Graph, x: int, sizes: dict[int, int], single: set[int]) -> int:
    """Return the size of a node from the sizes of its arguments."""
    operation, arguments = graph.operation[x], graph.arguments[x]
    if operation == "sum":
        return graph.sum(sizes[a] for a in arguments)
    if operation == "scale":
        return graph.scale(abs(graph.data[x]), sizes[arguments[0]])
    if operation == "product":
        one, other = arguments
        if one in single or other in single:
            return graph.product(sizes[one], sizes[other])
        parts = ((graph.function("abs", one), sizes[other]), (graph.function("abs", other), sizes[one]))
        return graph.sum(graph.product(*part) for part in parts)
    return graph.function("abs", x)
