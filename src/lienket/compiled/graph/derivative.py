"""Derivatives on the graph, so that what is shared stays shared: forward along a direction, reverse from a result.

    forward    y' = sum_k (dy/dx_k) x_k'        one sweep for each direction, all results at once
    reverse    x~ = sum_j y~_j (dy_j/dx)        one sweep for each weighted result, all inputs at once

Both follow from the partial derivatives of each node by its arguments. Cases (if, min, max) are always taken
forward, x' or y' whole: a weight 0 on the case that is not taken would still meet its infinities.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .graph import COMPARISONS, Graph

CASES = frozenset(("select", "min", "max"))


def forward(graph: Graph, roots: Sequence[int], direction: Mapping[int, int]) -> list[int]:
    """The derivatives of the roots along a direction, {input: its rate}."""
    tangents = _tangents(graph, roots, direction)
    return [tangents.get(x, graph.zero) for x in roots]


def gradient(graph: Graph, root: int, inputs: Sequence[int]) -> list[int]:
    """The derivatives of one root by all the inputs."""
    return reverse(graph, [(root, graph.one)], inputs)


def reverse(graph: Graph, weighted: Iterable[tuple[int, int]], inputs: Sequence[int]) -> list[int]:
    """The derivatives of the sum of weight*root, weights held constant, by the inputs."""
    bits = _bits(graph, inputs)
    adjoints: dict[int, list[int]] = {}
    for root, weight in weighted:
        adjoints.setdefault(root, []).append(weight)
    for x in reversed(graph.below(adjoints, bits)):
        if x not in adjoints or graph.operation[x] == "input":
            continue
        own = graph.sum(adjoints.pop(x))
        for target, partial in _reverse_partials(graph, x, inputs, bits):
            adjoints.setdefault(target, []).append(graph.product(own, partial))
    return [graph.sum(adjoints[x]) if x in adjoints else graph.zero for x in inputs]


def _reverse_partials(graph: Graph, x: int, inputs: Sequence[int], bits: int) -> Iterable[tuple[int, int]]:
    if graph.operation[x] in CASES:
        concerned = [y for y in inputs if graph.depends[y] & graph.depends[x]]
        return [(y, forward(graph, [x], {y: graph.one})[0]) for y in concerned]
    return [(a, partial) for a, partial in partials(graph, x, bits) if graph.depends[a] & bits]


def _tangents(graph: Graph, roots: Sequence[int], direction: Mapping[int, int]) -> dict[int, int]:
    moving = {x: rate for x, rate in direction.items() if rate != graph.zero}
    bits = _bits(graph, moving)
    tangents = dict(moving)
    for x in graph.below(roots, bits):
        if x in tangents or graph.operation[x] in COMPARISONS:
            continue
        if graph.operation[x] in CASES:
            tangents[x] = _case_tangent(graph, x, tangents)
            continue
        terms = [graph.product(partial, tangents[a]) for a, partial in partials(graph, x, bits) if a in tangents]
        tangents[x] = graph.sum(terms)
    return tangents


def _case_tangent(graph: Graph, x: int, tangents: Mapping[int, int]) -> int:
    *_, one, other = graph.arguments[x]
    if graph.operation[x] == "select":
        condition = graph.arguments[x][0]
    elif graph.operation[x] == "min":
        condition = graph.compare("less_equal", one, other)
    else:
        condition = graph.compare("less_equal", other, one)
    return graph.select(condition, tangents.get(one, graph.zero), tangents.get(other, graph.zero))


def _bits(graph: Graph, inputs: Iterable[int]) -> int:
    bits = 0
    for x in inputs:
        bits |= graph.depends[x]
    return bits


def partials(graph: Graph, x: int, bits: int | None = None) -> list[tuple[int, int]]:
    """(argument, derivative of x by it) for each place of an argument; with `bits` only where it depends on them."""
    operation, arguments = graph.operation[x], graph.arguments[x]
    if operation == "sum":
        return [(a, graph.one) for a in arguments]
    if operation == "scale":
        return [(arguments[0], graph.constant(graph.data[x]))]
    if operation == "product":
        one, other = arguments
        return [(one, other), (other, one)]
    if operation == "given":
        return _given_partials(graph, x, bits)
    if operation == "power":
        return _power_partials(graph, x, bits)
    if operation == "atan2":
        y, x_ = arguments
        below = graph.reciprocal(graph.add(graph.product(x_, x_), graph.product(y, y)))
        return [(y, graph.product(x_, below)), (x_, graph.scale(-1.0, graph.product(y, below)))]
    return [(arguments[0], _slope(graph, x, operation, arguments[0]))]


def _slope(graph: Graph, x: int, operation: str, a: int) -> int:
    """The derivative of a function of one argument."""
    one = graph.one

    def from_one(c: float, y: int) -> int:
        return graph.add(one, graph.scale(c, graph.product(y, y)))

    if operation == "reciprocal":
        return graph.scale(-1.0, graph.product(x, x))
    if operation == "sqrt":
        return graph.scale(0.5, graph.reciprocal(x))
    if operation in ("sin", "cos", "sinh", "cosh"):
        partner = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}[operation]
        return graph.scale(-1.0 if operation == "cos" else 1.0, graph.function(partner, a))
    if operation == "tan":
        return from_one(1.0, x)
    if operation == "tanh":
        return from_one(-1.0, x)
    if operation in ("asin", "acos"):
        root = graph.reciprocal(graph.function("sqrt", from_one(-1.0, a)))
        return root if operation == "asin" else graph.scale(-1.0, root)
    if operation == "atan":
        return graph.reciprocal(from_one(1.0, a))
    if operation == "exp":
        return x
    if operation == "log":
        return graph.reciprocal(a)
    if operation == "abs":
        return graph.function("sign", a)
    if operation == "sign":
        return graph.zero
    raise AssertionError(f"no derivative of {operation}")


def _power_partials(graph: Graph, x: int, bits: int | None) -> list[tuple[int, int]]:
    base, exponent = graph.arguments[x]
    found = []
    if bits is None or graph.depends[base] & bits:
        lower = graph.power(base, graph.add(exponent, graph.constant(-1.0)))
        found.append((base, graph.product(exponent, lower)))
    if graph.depends[exponent] if bits is None else graph.depends[exponent] & bits:
        found.append((exponent, graph.product(graph.function("log", base), x)))
    return found


def _given_partials(graph: Graph, x: int, bits: int | None) -> list[tuple[int, int]]:
    function, orders = graph.data[x]
    arguments = graph.arguments[x]
    found = []
    for k, a in enumerate(arguments):
        if graph.depends[a] if bits is None else graph.depends[a] & bits:
            raised = tuple(order + (i == k) for i, order in enumerate(orders))
            found.append((a, graph.given(function, raised, *arguments)))
    return found
