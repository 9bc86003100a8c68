"""Kinetic energy as a sum of squares of velocities, for which Lagrange's equations have a shorter form.

Let T = sum_k w_k e_k^2 + rest, with constant w_k and e_k = dx_k/dt the rate of some position x_k(q, t). Then
d(de/dq'_i)/dt = de/dq_i (Lagrange's central identity), and the left side of his equations is

    d(dT/dq'_i)/dt - dT/dq_i = sum_k 2 w_k (de_k/dt) de_k/dq'_i + (left side of the rest, by definition)

so that half of the terms, which cancel, are never formed: these are Newton's equations projected on the coordinates.
"""

from __future__ import annotations

from ..graph.derivative import forward, gradient
from ..graph.equality import Comparison
from ..graph.graph import Graph
from .statement_nodes import StatementNodes


def as_squares(nodes: StatementNodes, kinetic: int) -> tuple[list[tuple[int, int]], int]:
    """Return the pairs (e_k, w_k) in the kinetic energy, and the rest of it."""
    graph = nodes.graph
    varying = sum(graph.depends[x] for x in (nodes.t, *nodes.q, *nodes.v))
    squares: list[tuple[int, int]] = []
    rest: list[int] = []
    comparison = Comparison(graph)
    todo = [(kinetic, graph.one)]
    while todo:  # T = sum of weight*x over `todo`, plus the squares and the rest so far
        x, weight = todo.pop()
        operation, arguments = graph.operation[x], graph.arguments[x]
        constant = [a for a in arguments if not graph.depends[a] & varying]
        if operation == "sum":
            todo += [(a, weight) for a in arguments]
        elif operation == "scale":
            todo.append((arguments[0], graph.scale(graph.data[x], weight)))
        elif operation == "product" and constant:
            other = arguments[1] if constant[0] == arguments[0] else arguments[0]
            todo.append((other, graph.product(weight, constant[0])))
        elif operation == "product" and arguments[0] == arguments[1] and _is_rate(nodes, arguments[0], comparison):
            squares.append((arguments[0], weight))
        else:
            rest.append(graph.product(weight, x))
    return (_joined(graph, squares), graph.sum(rest)) if squares else ([], kinetic)


def _joined(graph: Graph, squares: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return one pair for each e, weights added up."""
    weights: dict[int, list[int]] = {}
    for e, weight in squares:
        weights.setdefault(e, []).append(weight)
    return [(e, graph.sum(ws)) for e, ws in sorted(weights.items())]


def _is_rate(nodes: StatementNodes, e: int, comparison: Comparison) -> bool:
    """Return whether d(de/dq')/dt - de/dq = 0 identically: equal nodes, or equal up to order and form."""
    graph = nodes.graph
    bits = graph.depends[e]
    pairs = [(q, v) for q, v in zip(nodes.q, nodes.v, strict=True) if bits & (graph.depends[q] | graph.depends[v])]
    positions, velocities = [q for q, _ in pairs], [v for _, v in pairs]  # both derivatives by all others are 0
    velocity_bits = sum(graph.depends[v] for v in velocities)
    factors = gradient(graph, e, velocities)
    if any(graph.depends[b] & velocity_bits for b in factors):
        return False  # not linear in the velocities
    rates, by_q = forward(graph, factors, {nodes.t: graph.one, **dict(pairs)}), gradient(graph, e, positions)
    return all(x == y or comparison.equal(x, y) for x, y in zip(rates, by_q, strict=True))
