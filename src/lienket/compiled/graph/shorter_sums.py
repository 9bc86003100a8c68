"""Shorter sums: sin^2 + cos^2 = 1, and common factors moved in front of the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graph import Graph

FACTOR_NESTING_LIMIT = 6  # [1] nested products searched for squares of sines: x^64 by repeated squaring has six


def pythagoras(graph: Graph, terms: list[tuple[int, float]]) -> list[int] | None:
    """Replace one pair c x sin^2 + c x cos^2 by c x; return the terms, or None if there is no such pair."""
    cosines: dict[tuple[float, int, tuple[int, ...]], int] = {}
    sines = []
    for k, (base, c) in enumerate(terms):
        if not graph.has_sine_factor[base]:
            continue
        factors = _leaves(graph, base, FACTOR_NESTING_LIMIT)
        for x in set(factors):
            if factors.count(x) > 1 and graph.operation[x] in ("sin", "cos"):
                rest = list(factors)
                rest.remove(x)
                rest.remove(x)
                key = (c, graph.arguments[x][0], tuple(sorted(rest)))
                if graph.operation[x] == "cos":
                    cosines[key] = k
                else:
                    sines.append((key, k))
    for key, k in sines:
        if key in cosines:
            others = [graph.scale(c, base) for i, (base, c) in enumerate(terms) if i not in (k, cosines[key])]
            return [*others, graph.scale(key[0], graph.products(key[2]))]
    return None


def _leaves(graph: Graph, base: int, depth: int) -> list[int]:
    """Return the factors of nested products."""
    if depth == 0 or graph.operation[base] != "product":
        return [base]
    return [x for a in graph.arguments[base] for x in _leaves(graph, a, depth - 1)]


def common_factor(graph: Graph, bases: list[int]) -> int | None:
    """Return a factor common to all bases, the most recent node if there are several, or None."""
    depth = graph.factor_depth
    common = _factors(graph, bases[0], depth) if depth else set()
    for base in bases[1:]:
        if not common:
            return None
        common &= _factors(graph, base, depth)
    return max(common) if common else None


def _factors(graph: Graph, base: int, depth: int) -> set[int]:
    """Return the base itself and all factors of nested products down to the depth."""
    if depth == 0 or graph.operation[base] != "product":
        return {base}
    return {base}.union(*(_factors(graph, x, depth - 1) for x in graph.arguments[base]))


def divide_out(graph: Graph, base: int, factor: int) -> int:
    """Return base/factor for a factor of nested products."""
    if base == factor:
        return graph.one
    x, y = graph.arguments[base]
    if factor in _factors(graph, x, graph.factor_depth):
        return graph.product(divide_out(graph, x, factor), y)
    return graph.product(x, divide_out(graph, y, factor))
