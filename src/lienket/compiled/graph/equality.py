"""Identical equality of two nodes: equality up to the order of terms and factors, or as expanded polynomials.

The variables of the polynomials are all nodes that are neither sums nor products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph import Graph

Polynomial = dict[tuple[int, ...], float]
"""Coefficients by sorted factors."""
TERM_LIMIT = 200  # [1] terms of a polynomial beyond which nodes are not compared
COEFFICIENT_TOLERANCE = 1e-12  # [1] difference of coefficients, relative to the largest, that counts as rounding


class Comparison:
    """Comparison of nodes of a graph, with the normal forms computed so far."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._forms: dict[int, Any] = {}
        self._numbers: dict[Any, int] = {}  # of the forms so far
        self._polynomials: dict[int, Polynomial | None] = {}

    def equal(self, x: int, y: int) -> bool:
        """Return whether x = y identically; False also for polynomials beyond TERM_LIMIT."""
        if self._from_leaves(x, self._forms, self._form) == self._from_leaves(y, self._forms, self._form):
            return True
        one, other = (self._from_leaves(z, self._polynomials, self._expanded) for z in (x, y))
        if one is None or other is None:
            return False
        largest = max(map(abs, (*one.values(), *other.values())), default=0.0)
        return all(
            abs(one.get(f, 0.0) - other.get(f, 0.0)) <= COEFFICIENT_TOLERANCE * largest
            for f in one.keys() | other.keys()
        )

    def _from_leaves(self, root: int, results: dict[int, Any], work: Callable[[int, list[Any]], Any]) -> Any:
        """Return work(node, results of its arguments) for the root, computed from the leaves upwards."""
        todo = [root]
        while todo:
            x = todo[-1]
            waiting = [a for a in self._graph.arguments[x] if a not in results]
            if x not in results and waiting:
                todo.extend(waiting)
                continue
            todo.pop()
            if x not in results:
                results[x] = work(x, [results[a] for a in self._graph.arguments[x]])
        return results[root]

    def _form(self, x: int, parts: list[tuple[float, tuple[Any, ...]]]) -> tuple[float, tuple[Any, ...]]:
        """Return (number, form): terms and factors of nested sums and products in one sorted list each."""
        operation, data = self._graph.operation[x], self._graph.data[x]
        if operation == "constant":
            return data, ("one",)
        if operation == "scale":
            return data * parts[0][0], parts[0][1]
        if operation == "product":
            inner = [form[1] if form[0] == "product" else ((self._number(form), 1),) for _, form in parts]
            counts: dict[int, int] = {}
            for factor, count in (pair for pairs in inner for pair in pairs):
                counts[factor] = counts.get(factor, 0) + count
            return parts[0][0] * parts[1][0], ("product", tuple(sorted(counts.items())))
        if operation == "sum":
            terms: dict[int, float] = {}
            for c, form in parts:
                for number, d in form[1] if form[0] == "sum" else ((self._number(form), 1.0),):
                    terms[number] = terms.get(number, 0.0) + c * d
            return 1.0, ("sum", tuple(sorted(terms.items())))
        return 1.0, (operation, data, tuple((c, self._number(form)) for c, form in parts))

    def _number(self, form: tuple[object, ...]) -> int:
        """Return the number of a form, a new one for a new form."""
        return self._numbers.setdefault(form, len(self._numbers))

    def _expanded(self, x: int, parts: list[Polynomial | None]) -> Polynomial | None:
        """Return a node as an expanded polynomial, or None beyond TERM_LIMIT terms."""
        operation = self._graph.operation[x]
        if operation == "constant":
            return {(): self._graph.data[x]} if self._graph.data[x] else {}
        if operation not in ("sum", "product", "scale"):
            return {(x,): 1.0}
        polynomials = [part for part in parts if part is not None]
        if len(polynomials) < len(parts):
            return None
        if operation == "scale":
            return {factors: c * self._graph.data[x] for factors, c in polynomials[0].items()}
        result: Polynomial = {}
        if operation == "sum":
            for part in polynomials:
                for factors, c in part.items():
                    result[factors] = result.get(factors, 0.0) + c
            return result if len(result) <= TERM_LIMIT else None
        one, other = polynomials
        if len(one) * len(other) > TERM_LIMIT:
            return None
        for f, c in one.items():
            for g, d in other.items():
                factors = tuple(sorted(f + g))
                result[factors] = result.get(factors, 0.0) + c * d
        return result
