"""Derivatives on the graph, which keep shared subexpressions: forward along a direction, reverse from a result.

    forward    y' = sum_k (dy/dx_k) x_k'        one sweep for each direction, all results at once
    reverse    x~ = sum_j y~_j (dy_j/dx)        one sweep for each weighted result, all inputs at once

Both use the partial derivatives of each node by its arguments. Cases (if, min, max) are always differentiated
forward, as a selection between x' and y': the reverse sweep would weight the other case by 0, and 0 times an infinite
derivative is NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .graph import COMPARISONS, Graph

CASES = frozenset(("select", "min", "max"))


def forward(graph: Graph, roots: Sequence[int], direction: Mapping[int, int]) -> list[int]:
    """Return the derivatives of the roots along a direction, {input: its rate}."""
    tangents = _tangents(graph, roots, direction)
    return [tangents.get(x, graph.zero) for x in roots]


def gradient(graph: Graph, root: int, inputs: Sequence[int]) -> list[int]:
    """Return the derivatives of one root by all the inputs."""
    return reverse(graph, [(root, graph.one)], inputs)


def reverse(graph: Graph, weighted: Iterable[tuple[int, int]], inputs: Sequence[int]) -> list[int]:
    """Return the derivatives of the sum of weight*root by the inputs, weights held constant."""
    bits = _bits(graph, inputs)
    adjoints: dict[int, list[int]] = {}
    for root, weight in weighted:
        adjoints.setdefault(root, []).append(weight)
    for x in reversed(graph.below(adjoints, bits)):
        if x not in adjoints or graph.operation[x] == "input":
            continue
        adjoint = graph.sum(adjoints.pop(x))
        for target, partial in _reverse_partials(graph, x, inputs, bits):
            adjoints.setdefault(target, []).append(graph.product(adjoint, partial))
    return [graph.sum(adjoints[x]) if x in adjoints else graph.zero for x in inputs]


def _reverse_partials(graph: Graph, x: int, inputs: Sequence[int], bits: int) -> Iterable[tuple[int, int]]:
    """Return (node, derivative of x by it): of the inputs for a case, of the arguments otherwise."""
    if graph.operation[x] in CASES:
        used = [y for y in inputs if graph.depends[y] & graph.depends[x]]
        return [(y, forward(graph, [x], {y: graph.one})[0]) for y in used]
    return [(a, partial) for a, partial in partials(graph, x, bits) if graph.depends[a] & bits]


def _tangents(graph: Graph, roots: Sequence[int], direction: Mapping[int, int]) -> dict[int, int]:
    """Return the derivatives along a direction of all nodes below the roots that depend on it."""
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
    """Return the derivative of select, min or max: that of the case taken."""
    *_, one, other = graph.arguments[x]
    if graph.operation[x] == "select":
        condition = graph.arguments[x][0]
    elif graph.operation[x] == "min":
        condition = graph.compare("less_equal", one, other)
    else:
        condition = graph.compare("less_equal", other, one)
    return graph.select(condition, tangents.get(one, graph.zero), tangents.get(other, graph.zero))


def _bits(graph: Graph, inputs: Iterable[int]) -> int:
    """Return the dependence bits of the inputs."""
    bits = 0
    for x in inputs:
        bits |= graph.depends[x]
    return bits


def partials(graph: Graph, x: int, bits: int | None = None) -> list[tuple[int, int]]:
    """Return (argument, derivative of x by it) for each argument.

    With `bits`, costly derivatives are omitted where the argument does not depend on these inputs.
    """
    operation, arguments = graph.operation[x], graph.arguments[x]
    if operation == "sum":
        return [(a, graph.one) for a in arguments]
    if operation == "scale":
        return [(arguments[0], graph.constant(graph.data[x]))]
    if operation == "product":
        one, other = arguments
        return [(one, other), (other, one)]
    if operation == "data_call":
        return _data_partials(graph, x, bits)
    if operation == "power":
        return _power_partials(graph, x, bits)
    if operation == "atan2":
        y, x_ = arguments
        below = graph.reciprocal(graph.add(graph.product(x_, x_), graph.product(y, y)))
        return [(y, graph.product(x_, below)), (x_, graph.scale(-1.0, graph.product(y, below)))]
    return [(arguments[0], _slope(graph, x, operation, arguments[0]))]


def _slope(graph: Graph, x: int, operation: str, a: int) -> int:
    """Return the derivative of a function of one argument."""
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
    """Return the derivatives y x^(y - 1) and log(x) x^y of x^y."""
    base, exponent = graph.arguments[x]
    pairs = []
    if bits is None or graph.depends[base] & bits:
        lower = graph.power(base, graph.add(exponent, graph.constant(-1.0)))
        pairs.append((base, graph.product(exponent, lower)))
    if graph.depends[exponent] if bits is None else graph.depends[exponent] & bits:
        pairs.append((exponent, graph.product(graph.function("log", base), x)))
    return pairs


def _data_partials(graph: Graph, x: int, bits: int | None) -> list[tuple[int, int]]:
    """Return the derivatives of a table or Python function by its arguments."""
    function, orders = graph.data[x]
    arguments = graph.arguments[x]
    pairs = []
    for k, a in enumerate(arguments):
        if graph.depends[a] if bits is None else graph.depends[a] & bits:
            raised = tuple(order + (i == k) for i, order in enumerate(orders))
            pairs.append((a, graph.data_call(function, raised, *arguments)))
    return pairs
