"""Kinetic energy as squares of velocities, for which Lagrange's equations have a shorter form.

Let T = sum_k w_k e_k^2 + rest, with constant w_k and e_k = dx_k/dt the rate of some position x_k(q, t). Then
d(de/dq'_i)/dt = de/dq_i (Lagrange's central identity), and the left side of his equations is

    d(dT/dq'_i)/dt - dT/dq_i = sum_k 2 w_k (de_k/dt) de_k/dq'_i + (the same of the rest, by definition)

so that half of the terms, which cancel, are never formed. This is how Newton would write it.
"""

from __future__ import annotations

from ..graph.derivative import forward, gradient
from ..graph.equality import Comparison
from ..graph.graph import Graph
from .statement_nodes import StatementNodes


def as_squares(stated: StatementNodes, kinetic: int) -> tuple[list[tuple[int, int]], int]:
    """The pairs (e_k, w_k) found in the kinetic energy, and the rest of it."""
    graph = stated.graph
    moving = sum(graph.depends[x] for x in (stated.t, *stated.q, *stated.v))
    found: list[tuple[int, int]] = []
    rest: list[int] = []
    comparison = Comparison(graph)
    todo = [(kinetic, graph.one)]
    while todo:  # T = sum of weight*x over what is left to look at, plus what has been found
        x, weight = todo.pop()
        operation, arguments = graph.operation[x], graph.arguments[x]
        constant = [a for a in arguments if not graph.depends[a] & moving]
        if operation == "sum":
            todo += [(a, weight) for a in arguments]
        elif operation == "scale":
            todo.append((arguments[0], graph.scale(graph.data[x], weight)))
        elif operation == "product" and constant:
            other = arguments[1] if constant[0] == arguments[0] else arguments[0]
            todo.append((other, graph.product(weight, constant[0])))
        elif operation == "product" and arguments[0] == arguments[1] and _is_rate(stated, arguments[0], comparison):
            found.append((arguments[0], weight))
        else:
            rest.append(graph.product(weight, x))
    return (_joined(graph, found), graph.sum(rest)) if found else ([], kinetic)


def _joined(graph: Graph, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One pair for each e."""
    weights: dict[int, list[int]] = {}
    for e, weight in found:
        weights.setdefault(e, []).append(weight)
    return [(e, graph.sum(ws)) for e, ws in sorted(weights.items())]


def _is_rate(stated: StatementNodes, e: int, comparison: Comparison) -> bool:
    """Whether d(de/dq')/dt - de/dq = 0 identically: the same nodes, or the same up to order and form."""
    graph = stated.graph
    own = graph.depends[e]
    pairs = [(q, v) for q, v in zip(stated.q, stated.v, strict=True) if own & (graph.depends[q] | graph.depends[v])]
    positions, velocities = [q for q, _ in pairs], [v for _, v in pairs]  # by the others both derivatives are 0
    moving = sum(graph.depends[v] for v in velocities)
    factors = gradient(graph, e, velocities)
    if any(graph.depends[b] & moving for b in factors):
        return False  # not linear in the velocities
    turned, driven = forward(graph, factors, {stated.t: graph.one, **dict(pairs)}), gradient(graph, e, positions)
    return all(x == y or comparison.same(x, y) for x, y in zip(turned, driven, strict=True))
