"""Translation of the engine's expressions to the graph, all at once so that they share subexpressions.

Subexpressions are translated level by level, the innermost first; in each level common parts of the sums and of the
products are found first (see `common_parts`). Within a level they are ordered by their nodes, since the engine's order
depends on names: systems that differ only in names have equal graphs.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import symengine as se

from ...language.engine.data_functions import decode_name
from ...language.engine.engine import ENGINE_FUNCTIONS
from .common_parts import share_common_parts
from .graph import Graph

if TYPE_CHECKING:
    from ...language.data_functions import DataFunction


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
    """Translator of the engine's expressions to one graph; each subexpression is translated once.

    `symbols` are the nodes of symbols; `functions` the user's functions by their names in the engine.
    """

    def __init__(self, graph: Graph, symbols: Mapping[se.Symbol, int], functions: Mapping[str, DataFunction]) -> None:
        self.graph = graph
        self._nodes: dict[se.Expr, int] = dict(symbols)
        self._data_functions = functions

    def __call__(self, expressions: Iterable[se.Expr]) -> list[int]:
        """Return the nodes of the expressions."""
        expressions = list(expressions)
        for unsorted in self._levels(expressions):
            level = [e for e, _ in sorted(unsorted, key=self._by_nodes)]
            for kind, make in (("sum", self._sums), ("product", self._products)):
                make([e for e in level if (e.is_Add if kind == "sum" else e.is_Mul)])
            for e in level:
                if not (e.is_Add or e.is_Mul):
                    self._nodes[e] = self._single(e)
        return [self._nodes[e] for e in expressions]

    def _by_nodes(self, item: tuple[se.Expr, Sequence[se.Expr]]) -> tuple[str, tuple[float, ...]]:
        """Return a sorting key of (expression, arguments) that depends on nodes and not on names."""
        e, arguments = item
        kind = type(e).__name__
        if not arguments:
            return kind, () if e in (se.true, se.false) or e.is_Symbol else (float(e),)
        nodes = [self._nodes[a] for a in arguments]
        return kind, tuple(sorted(nodes) if isinstance(e, _ANY_ORDER) else nodes)

    def _levels(self, expressions: Iterable[se.Expr]) -> list[list[tuple[se.Expr, Sequence[se.Expr]]]]:
        """Return the untranslated subexpressions with their arguments, by their height above symbols and numbers."""
        height: dict[se.Expr, int] = {}
        todo = [(e, e.args) for e in expressions]
        levels: dict[int, list[tuple[se.Expr, Sequence[se.Expr]]]] = defaultdict(list)
        while todo:
            e, arguments = todo[-1]
            if e in self._nodes or e in height:
                todo.pop()
                continue
            waiting = [a for a in arguments if a not in self._nodes and a not in height]
            if waiting:
                todo.extend((a, a.args) for a in waiting)
                continue
            todo.pop()
            height[e] = 1 + max((height.get(a, 0) for a in arguments), default=0)
            levels[height[e]].append((e, arguments))
        return [levels[k] for k in sorted(levels)]

    def _sums(self, sums: Sequence[se.Expr]) -> None:
        """Translate the sums of one level."""
        graph = self.graph
        lists, signs = [], []
        for e in sums:
            terms: dict[int, float] = {}
            for a in e.args:
                c, base = graph.split(self._nodes[a])
                terms[base] = terms.get(base, 0.0) + c
            left = sorted((base, c) for base, c in terms.items() if c != 0.0)
            signs.append(math.copysign(1.0, left[0][1]) if left else 1.0)
            lists.append([(c * signs[-1], base) for base, c in left])

        def joined(common: frozenset[tuple[float, int]]) -> tuple[float, int]:
            return graph.split(graph.sum(graph.scale(c, base) for c, base in sorted(common, key=_by_base)))

        for e, items, sign in zip(sums, share_common_parts(lists, joined), signs, strict=True):
            self._nodes[e] = graph.scale(sign, graph.sum(graph.scale(c, base) for c, base in items))

    def _products(self, products: Sequence[se.Expr]) -> None:
        """Translate the products of one level as numerator and denominator, with one division at the end."""
        graph = self.graph
        numbers, numerators, denominators = [], [], []
        for e in products:
            number, factors = 1.0, (list[int](), list[int]())
            for a in e.args:
                base, exponent = a.args if a.is_Pow else (a, _ONE)
                under = isinstance(exponent, se.Integer) and int(exponent) < 0
                factor = graph.integer_power(self._nodes[base], -int(exponent)) if under else self._nodes[a]
                c, factor = graph.split(factor)
                number = number * c if not under else number / c if c else math.nan
                if factor != graph.one:
                    factors[under].append(factor)
            numbers.append(number)
            numerators.append(_distinct(graph, factors[0]))
            denominators.append(_distinct(graph, factors[1]))

        def joined(common: frozenset[int]) -> int:
            return graph.products(sorted(common))

        shared, count = share_common_parts([*numerators, *denominators], joined), len(products)
        for e, number, above, below in zip(products, numbers, shared[:count], shared[count:], strict=True):
            numerator = graph.scale(number, graph.products(above))
            self._nodes[e] = graph.divide(numerator, graph.products(below)) if below else numerator

    def _single(self, e: se.Expr) -> int:
        """Return the node of an expression that is neither a sum nor a product."""
        graph, nodes_of = self.graph, self._nodes
        arguments = e.args
        kind = type(e)
        if e.is_Number or not arguments:
            if e.is_Symbol:
                raise KeyError(str(e))
            return graph.constant(float(e)) if e not in (se.true, se.false) else graph.constant(float(bool(e)))
        if e.is_Pow:
            base, exponent = arguments
            if base == se.E:
                return graph.function("exp", nodes_of[exponent])
            return graph.power(nodes_of[base], nodes_of[exponent])
        if kind in _RELATIONS:
            return graph.compare(_RELATIONS[kind], *(nodes_of[a] for a in arguments))
        if kind is se.Piecewise:
            return self._cases([nodes_of[a] for a in arguments])
        if kind in _FUNCTIONS:
            nodes = [nodes_of[a] for a in arguments]
            first, *rest = sorted(nodes) if kind in _ANY_ORDER else nodes
            if not rest:
                return graph.function(_FUNCTIONS[kind], first)
            for other in rest:
                first = graph.function(_FUNCTIONS[kind], first, other)
            return first
        if kind in (se.cot, se.sec, se.csc):
            below = graph.function("cos" if kind is se.sec else "sin", nodes_of[arguments[0]])
            over = graph.function("cos", nodes_of[arguments[0]]) if kind is se.cot else graph.one
            return graph.divide(over, below)
        if isinstance(e, se.FunctionSymbol):
            name, orders = decode_name(e)
            return graph.data_call(self._data_functions[name], orders, *(nodes_of[a] for a in arguments))
        raise TypeError(f"the expression {e} of class {kind} has no operation on the graph")

    def _cases(self, pairs: list[int]) -> int:
        """Return nested selections for (value, condition, value, condition, ...); the last condition is true."""
        result = pairs[-2]
        for value, condition in reversed(list(zip(pairs[:-2:2], pairs[1:-2:2], strict=True))):
            result = self.graph.select(condition, value, result)
        return result


def _by_base(term: tuple[float, int]) -> int:
    """Return the base of a term (number, base), by which terms are sorted."""
    return term[1]


def _distinct(graph: Graph, factors: list[int]) -> list[int]:
    """Return the factors in increasing order, repeated ones as powers."""
    counts: dict[int, int] = {}
    for x in sorted(factors):
        counts[x] = counts.get(x, 0) + 1
    return [graph.integer_power(x, count) for x, count in counts.items()]
