"""Whether two nodes are the same polynomial: multiplied out, in everything that is neither a sum nor a product."""

from __future__ import annotations

from .graph import Graph

Polynomial = dict[tuple[int, ...], float]
LARGEST = 2000  # terms; larger ones are not compared
ROUNDING = 1e-12


def same(graph: Graph, x: int, y: int) -> bool:
    """Whether x = y identically; False also where they are too large to tell."""
    difference = expanded(graph, graph.subtract(x, y))
    if difference is None:
        return False
    sizes = [expanded(graph, z) for z in (x, y)]
    largest = max((abs(c) for p in sizes if p for c in p.values()), default=0.0)
    return all(abs(c) <= ROUNDING * largest for c in difference.values())


def expanded(graph: Graph, x: int) -> Polynomial | None:
    """The coefficients by sorted factors; None if there are too many."""
    operation = graph.operation[x]
    if operation == "constant":
        return {(): graph.data[x]} if graph.data[x] else {}
    if operation not in ("sum", "product", "scale"):
        return {(x,): 1.0}
    parts = [expanded(graph, a) for a in graph.arguments[x]]
    found: Polynomial = {}
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if operation == "scale":
        return {factors: c * graph.data[x] for factors, c in known[0].items()}
    if operation == "sum":
        for part in known:
            for factors, c in part.items():
                found[factors] = found.get(factors, 0.0) + c
        return found if len(found) <= LARGEST else None
    one, other = known
    if len(one) * len(other) > LARGEST:
        return None
    for f, c in one.items():
        for g, d in other.items():
            factors = tuple(sorted(f + g))
            found[factors] = found.get(factors, 0.0) + c * d
    return found
