"""Whether two nodes are the same whatever the inputs are: the same up to the order of terms and factors, or when
multiplied out, as polynomials in everything that is neither a sum nor a product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph import Graph

Polynomial = dict[tuple[int, ...], float]
"""Coefficients by sorted factors."""
LARGEST = 200  # terms; larger polynomials are not compared
ROUNDING = 1e-12


class Comparison:
    """Compares nodes of a graph; what has been worked out is kept."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._forms: dict[int, Any] = {}
        self._numbers: dict[Any, int] = {}  # of forms met so far
        self._polynomials: dict[int, Polynomial | None] = {}

    def same(self, x: int, y: int) -> bool:
        """Whether x = y identically; False also where they are too large to tell."""
        if self._worked_out(x, self._forms, self._form) == self._worked_out(y, self._forms, self._form):
            return True
        one, other = (self._worked_out(z, self._polynomials, self._multiplied) for z in (x, y))
        if one is None or other is None:
            return False
        largest = max(map(abs, (*one.values(), *other.values())), default=0.0)
        return all(abs(one.get(f, 0.0) - other.get(f, 0.0)) <= ROUNDING * largest for f in one.keys() | other.keys())

    def _worked_out(self, root: int, known: dict[int, Any], work: Callable[[int, list[Any]], Any]) -> Any:
        """What `work` makes of a node and of what it made of its arguments."""
        todo = [root]
        while todo:
            x = todo[-1]
            waiting = [a for a in self._graph.arguments[x] if a not in known]
            if x not in known and waiting:
                todo.extend(waiting)
                continue
            todo.pop()
            if x not in known:
                known[x] = work(x, [known[a] for a in self._graph.arguments[x]])
        return known[root]

    def _form(self, x: int, parts: list[tuple[float, tuple[Any, ...]]]) -> tuple[float, tuple[Any, ...]]:
        """(number, form): terms and factors of nested sums and products in one list each, sorted."""
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

    def _number(self, form: Any) -> int:
        return self._numbers.setdefault(form, len(self._numbers))

    def _multiplied(self, x: int, parts: list[Polynomial | None]) -> Polynomial | None:
        operation = self._graph.operation[x]
        if operation == "constant":
            return {(): self._graph.data[x]} if self._graph.data[x] else {}
        if operation not in ("sum", "product", "scale"):
            return {(x,): 1.0}
        there = [part for part in parts if part is not None]
        if len(there) < len(parts):
            return None
        if operation == "scale":
            return {factors: c * self._graph.data[x] for factors, c in there[0].items()}
        found: Polynomial = {}
        if operation == "sum":
            for part in there:
                for factors, c in part.items():
                    found[factors] = found.get(factors, 0.0) + c
            return found if len(found) <= LARGEST else None
        one, other = there
        if len(one) * len(other) > LARGEST:
            return None
        for f, c in one.items():
            for g, d in other.items():
                factors = tuple(sorted(f + g))
                found[factors] = found.get(factors, 0.0) + c * d
        return found
