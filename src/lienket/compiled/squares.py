"""Kinetic energy as squares of velocities, for which Lagrange's equations have a shorter form.

Let T = sum_k w_k e_k^2 + rest, with constant w_k and e_k = dx_k/dt the rate of some position x_k(q, t). Then
d(de/dq'_i)/dt = de/dq_i (Lagrange's central identity), and the left side of his equations is

    d(dT/dq'_i)/dt - dT/dq_i = sum_k 2 w_k (de_k/dt) de_k/dq'_i + (the same of the rest, by definition)

so that half of the terms, which cancel, are never formed. This is how Newton would write it.
"""

from __future__ import annotations

from random import Random

from .derivative import forward, gradient
from .graph import Graph
from .interpret import interpret
from .stated import Stated

POINTS = 3
EQUAL = 1e-10
BENT = frozenset(("select", "min", "max", "abs", "sign", "given"))


def squares(stated: Stated, kinetic: int) -> tuple[list[tuple[int, int]], int]:
    """The pairs (e_k, w_k) found in the kinetic energy, and the rest of it."""
    graph = stated.graph
    moving = sum(graph.depends[x] for x in (stated.t, *stated.q, *stated.v))
    speed = sum(graph.depends[v] for v in stated.v)
    found: list[tuple[int, int]] = []
    taken: dict[int, int] = {}
    todo = [(kinetic, graph.one)]
    while todo:
        x, weight = todo.pop()
        operation, arguments = graph.operation[x], graph.arguments[x]
        if not graph.depends[x] & speed:
            continue
        if operation == "sum":
            todo += [(a, weight) for a in arguments]
        elif operation == "scale":
            todo.append((arguments[0], graph.scale(graph.data[x], weight)))
        elif operation == "product":
            one, other = arguments
            if one == other and _is_rate(stated, one):
                found.append((one, weight))
                taken[x] = graph.zero
            for a, b in ((one, other), (other, one)):
                if not graph.depends[a] & moving:
                    todo.append((b, graph.product(weight, a)))
                    break
    if not found:
        return [], kinetic
    return _joined(graph, found), graph.replaced([kinetic], taken)[0]


def _joined(graph: Graph, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One pair for each e."""
    weights: dict[int, list[int]] = {}
    for e, weight in found:
        weights.setdefault(e, []).append(weight)
    return [(e, graph.sum(ws)) for e, ws in sorted(weights.items())]


def _is_rate(stated: Stated, e: int) -> bool:
    """Whether d(de/dq')/dt - de/dq = 0 identically: the same nodes, or the same numbers wherever one looks."""
    graph = stated.graph
    along = {stated.t: graph.one, **dict(zip(stated.q, stated.v, strict=True))}
    factors = gradient(graph, e, stated.v)
    if any(graph.depends[b] & graph.depends[v] for b in factors for v in stated.v):
        return False  # not linear in the velocities
    turned, driven = forward(graph, factors, along), gradient(graph, e, stated.q)
    open_pairs = [pair for pair in zip(turned, driven, strict=True) if pair[0] != pair[1]]
    if not open_pairs:
        return True
    if any(graph.operation[x] in BENT for x in graph.below([e])):
        return False  # what holds at some points need not hold in every case
    random = Random(1)  # noqa: S311 - any points do
    return all(_equal(graph, open_pairs, random) for _ in range(POINTS))


def _equal(graph: Graph, pairs: list[tuple[int, int]], random: Random) -> bool:
    point = [random.uniform(0.3, 1.7) for _ in graph.inputs]
    values = interpret(graph, [x for pair in pairs for x in pair], point)
    return all(abs(x - y) <= EQUAL * (1 + abs(x) + abs(y)) for x, y in zip(values[::2], values[1::2], strict=True))
