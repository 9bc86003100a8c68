"""Algebra of the nodes of a graph: the formulas of bodies and joints, written once for all scalars, become nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Expression
from ..graph.derivative import forward
from ..graph.graph import Graph


class Scalar:
    """Node of a graph with arithmetic; results that are 0 or 1 are Python's integers."""

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph, self.node = graph, node

    def __add__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.add(self.node, _node(self.graph, other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.subtract(self.node, _node(self.graph, other)))

    def __rsub__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.subtract(_node(self.graph, other), self.node))

    def __mul__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.product(self.node, _node(self.graph, other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.divide(self.node, _node(self.graph, other)))

    def __rtruediv__(self, other: Any) -> Any:
        return _scalar(self.graph, self.graph.divide(_node(self.graph, other), self.node))

    def __neg__(self) -> Any:
        return _scalar(self.graph, self.graph.scale(-1.0, self.node))

    def __float__(self) -> float:
        factor, base = self.graph.split(self.node)
        if base != self.graph.one:
            raise TypeError("this node is no number")
        return factor


def _scalar(graph: Graph, node: int) -> Any:
    """Return a node as a scalar."""
    if node == graph.zero:
        return 0
    return 1 if node == graph.one else Scalar(graph, node)


def _node(graph: Graph, x: Any) -> int:
    """Return the node of a scalar or a number."""
    return x.node if isinstance(x, Scalar) else graph.constant(float(x))


@dataclass(frozen=True, eq=False)
class Groups:
    """Inputs of a graph: t, q, v, a (n each) and multipliers (s)."""

    graph: Graph
    t: int
    q: tuple[int, ...]
    v: tuple[int, ...]
    a: tuple[int, ...]
    multipliers: tuple[int, ...]


class GraphAlgebra:
    """Scalars are nodes; `translate` returns the node of an expression."""

    def __init__(self, groups: Groups, translate: Callable[[Expression], int]) -> None:
        self.groups, self.graph, self._translate = groups, groups.graph, translate
        self._numbers: dict[Expression, Any] = {}
        self.q, self.v, self.a = (self._scalars(group) for group in (groups.q, groups.v, groups.a))
        self.multipliers = self._scalars(groups.multipliers)

    def node(self, x: Any) -> int:
        """Return the node of a scalar."""
        return _node(self.graph, x)

    def scalar(self, node: int) -> Any:
        """Return a node as a scalar."""
        return _scalar(self.graph, node)

    def nodes(self, scalars: Sequence[Any]) -> list[int]:
        """Return the nodes of scalars."""
        return [_node(self.graph, x) for x in scalars]

    def number(self, expression: Expression) -> Any:
        """Return an expression of parameters, coordinates, velocities and time."""
        if expression not in self._numbers:
            exact = expression.is_Integer and abs(expression) <= 1
            self._numbers[expression] = int(expression) if exact else _scalar(self.graph, self._translate(expression))
        return self._numbers[expression]

    def rate(self, x: Any) -> Any:
        """Return the partial derivative by time."""
        return self._along(x, {self.groups.t: self.graph.one})

    def total_rate(self, x: Any, accelerations: bool = False) -> Any:
        """Return the derivative by time along q', with `accelerations` also along q''."""
        groups = self.groups
        direction = {groups.t: self.graph.one, **dict(zip(groups.q, groups.v, strict=True))}
        if accelerations:
            direction |= dict(zip(groups.v, groups.a, strict=True))
        return self._along(x, direction)

    def _along(self, x: Any, direction: dict[int, int]) -> Any:
        if not isinstance(x, Scalar):
            return 0
        return _scalar(self.graph, forward(self.graph, [x.node], direction)[0])

    def row_of_largest(self, sizes: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """Return the row whose size is the largest."""
        best, found = self.node(sizes[0]), self.nodes(rows[0])
        for size, row in zip(map(self.node, sizes[1:]), rows[1:], strict=True):
            larger = self.graph.compare("less", best, size)
            found = [self.graph.select(larger, self.node(x), y) for x, y in zip(row, found, strict=True)]
            best = self.graph.select(larger, size, best)
        return [self.scalar(x) for x in found]

    def sin(self, x: Any) -> Any:
        """Return the sine."""
        return self._function("sin", x)

    def cos(self, x: Any) -> Any:
        """Return the cosine."""
        return self._function("cos", x)

    def sqrt(self, x: Any) -> Any:
        """Return the square root."""
        return self._function("sqrt", x)

    def atan2(self, y: Any, x: Any) -> Any:
        """Return the angle of the point (x, y)."""
        return self._function("atan2", y, x)

    def largest(self, scalars: Sequence[Any]) -> Any:
        """Return the largest of some scalars, 0 without any."""
        found: Any = scalars[0] if scalars else 0
        for x in scalars[1:]:
            found = self._function("max", found, x)
        return found

    def _function(self, name: str, *arguments: Any) -> Any:
        return _scalar(self.graph, self.graph.function(name, *(_node(self.graph, x) for x in arguments)))

    def _scalars(self, nodes: Sequence[int]) -> list[Any]:
        return [Scalar(self.graph, x) for x in nodes]
