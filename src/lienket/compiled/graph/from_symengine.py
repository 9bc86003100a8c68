"""From the engine's expressions to the graph, everything at once so that all may share.

The pieces are taken level by level, the innermost first; of each level the sums and the products are first compared
with each other (see `common_parts`). Within a level they are ordered by their nodes, since the engine's own order hangs
on names: systems that differ in names only have the same graph.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import symengine as se

from ...language.engine.data_functions import decode_name
from ...language.engine.engine import ENGINE_FUNCTIONS
from .common_parts import share_common_parts
from .graph import Graph

_FUNCTIONS = {kind: name for name, kind in ENGINE_FUNCTIONS.items()} | {se.sign: "sign"}
_RELATIONS = {
    se.StrictLessThan: "less",
    se.LessThan: "less_equal",
    se.Equality: "equal",
    se.Unequality: "unequal",
}
_ANY_ORDER = (se.Add, se.Mul, se.Min, se.Max)
_ONE = se.Integer(1)


class Translator:
    """Translates the engine's expressions into one graph; what has been met before is not translated again.

    `known` are the nodes of symbols; `given` the user's functions by their names inside.
    """

    def __init__(self, graph: Graph, known: Mapping[Any, int], given: Mapping[str, Any]) -> None:
        self.graph = graph
        self._known: dict[Any, int] = dict(known)
        self._given = given

    def __call__(self, expressions: Iterable[Any]) -> list[int]:
        """The nodes of the expressions."""
        expressions = list(expressions)
        for unsorted in self._levels(expressions):
            level = [e for e, _ in sorted(unsorted, key=self._by_nodes)]
            for kind, make in (("sum", self._sums), ("product", self._products)):
                make([e for e in level if (e.is_Add if kind == "sum" else e.is_Mul)])
            for e in level:
                if not (e.is_Add or e.is_Mul):
                    self._known[e] = self._single(e)
        return [self._known[e] for e in expressions]

    def _by_nodes(self, piece: tuple[Any, Sequence[Any]]) -> tuple[Any, ...]:
        """A key that depends on what a piece is made of, and not on names."""
        e, arguments = piece
        kind = type(e).__name__
        if not arguments:
            return kind, () if e in (se.true, se.false) or e.is_Symbol else (float(e),)
        nodes = [self._known[a] for a in arguments]
        return kind, tuple(sorted(nodes) if isinstance(e, _ANY_ORDER) else nodes)

    def _levels(self, expressions: Iterable[Any]) -> list[list[tuple[Any, Sequence[Any]]]]:
        """The pieces not met before, with their arguments, by their height over the symbols and numbers."""
        height: dict[Any, int] = {}
        todo = [(e, e.args) for e in expressions]
        levels: dict[int, list[tuple[Any, Sequence[Any]]]] = defaultdict(list)
        while todo:
            e, arguments = todo[-1]
            if e in self._known or e in height:
                todo.pop()
                continue
            waiting = [a for a in arguments if a not in self._known and a not in height]
            if waiting:
                todo.extend((a, a.args) for a in waiting)
                continue
            todo.pop()
            height[e] = 1 + max((height.get(a, 0) for a in arguments), default=0)
            levels[height[e]].append((e, arguments))
        return [levels[k] for k in sorted(levels)]

    def _sums(self, sums: Sequence[Any]) -> None:
        graph = self.graph
        lists, signs = [], []
        for e in sums:
            terms: dict[int, float] = {}
            for a in e.args:
                c, base = graph.split(self._known[a])
                terms[base] = terms.get(base, 0.0) + c
            left = sorted((base, c) for base, c in terms.items() if c != 0.0)
            signs.append(math.copysign(1.0, left[0][1]) if left else 1.0)
            lists.append([(c * signs[-1], base) for base, c in left])

        def joined(common: frozenset[Any]) -> tuple[float, int]:
            return graph.split(graph.sum(graph.scale(c, base) for c, base in sorted(common, key=_by_base)))

        for e, items, sign in zip(sums, share_common_parts(lists, joined), signs, strict=True):
            self._known[e] = graph.scale(sign, graph.sum(graph.scale(c, base) for c, base in items))

    def _products(self, products: Sequence[Any]) -> None:
        """Factors above and below the line; a division comes once, at the end."""
        graph = self.graph
        numbers, above, below = [], [], []
        for e in products:
            number, factors = 1.0, (list[int](), list[int]())
            for a in e.args:
                base, exponent = a.args if a.is_Pow else (a, _ONE)
                under = isinstance(exponent, se.Integer) and int(exponent) < 0
                factor = graph.integer_power(self._known[base], -int(exponent)) if under else self._known[a]
                c, factor = graph.split(factor)
                number = number * c if not under else number / c if c else math.nan
                if factor != graph.one:
                    factors[under].append(factor)
            numbers.append(number)
            above.append(_distinct(graph, factors[0]))
            below.append(_distinct(graph, factors[1]))

        def joined(common: frozenset[int]) -> int:
            return graph.products(sorted(common))

        made = share_common_parts([*above, *below], joined)
        for e, number, over, beneath in zip(products, numbers, made[: len(above)], made[len(above) :], strict=True):
            found = graph.scale(number, graph.products(over))
            self._known[e] = graph.divide(found, graph.products(beneath)) if beneath else found

    def _single(self, e: Any) -> int:
        graph, known = self.graph, self._known
        arguments = e.args
        kind = type(e)
        if e.is_Number or not arguments:
            if e.is_Symbol:
                raise KeyError(str(e))
            return graph.constant(float(e)) if e not in (se.true, se.false) else graph.constant(float(bool(e)))
        if e.is_Pow:
            base, exponent = arguments
            if base == se.E:
                return graph.function("exp", known[exponent])
            return graph.power(known[base], known[exponent])
        if kind in _RELATIONS:
            return graph.compare(_RELATIONS[kind], *(known[a] for a in arguments))
        if kind is se.Piecewise:
            return self._cases([known[a] for a in arguments])
        if kind in _FUNCTIONS:
            nodes = [known[a] for a in arguments]
            first, *rest = sorted(nodes) if kind in _ANY_ORDER else nodes
            if not rest:
                return graph.function(_FUNCTIONS[kind], first)
            for other in rest:
                first = graph.function(_FUNCTIONS[kind], first, other)
            return first
        if kind in (se.cot, se.sec, se.csc):
            below = graph.function("cos" if kind is se.sec else "sin", known[arguments[0]])
            over = graph.function("cos", known[arguments[0]]) if kind is se.cot else graph.one
            return graph.divide(over, below)
        if isinstance(e, se.FunctionSymbol):
            name, orders = decode_name(e)
            return graph.given(self._given[name], orders, *(known[a] for a in arguments))
        raise TypeError(f"no graph node for {e} of class {kind}")

    def _cases(self, pairs: list[int]) -> int:
        """The nest of selections of (value, condition, value, condition, ...); the last condition is true."""
        found = pairs[-2]
        for value, condition in reversed(list(zip(pairs[:-2:2], pairs[1:-2:2], strict=True))):
            found = self.graph.select(condition, value, found)
        return found


def _by_base(term: tuple[float, int]) -> int:
    return term[1]


def _distinct(graph: Graph, factors: list[int]) -> list[int]:
    """The factors in order, repeated ones multiplied."""
    found: dict[int, int] = {}
    for x in sorted(factors):
        found[x] = found.get(x, 0) + 1
    return [graph.integer_power(x, count) for x, count in found.items()]
