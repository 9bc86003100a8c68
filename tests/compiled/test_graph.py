"""The graph: equal expressions are one node, simplifications keep every value, shared nodes do not change."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases
from trees import INPUTS, new_graph, points, trees

from lienket.compiled.graph.graph import Graph
from lienket.compiled.graph.interpreter import interpret

MANY = random_cases(300)
SOME = random_cases(100)


def sin(g, x):
    return g.function("sin", x)


def cos(g, x):
    return g.function("cos", x)


def square(g, x):
    return g.product(x, x)


def c(g, value):
    return g.constant(value)


# Each pair is one formula written in two ways, which must give one node.
SAME = {
    "x + 0": (lambda g, x, y, z: g.add(x, g.zero), lambda g, x, y, z: x),
    "0 + x": (lambda g, x, y, z: g.add(g.zero, x), lambda g, x, y, z: x),
    "1 x": (lambda g, x, y, z: g.product(g.one, x), lambda g, x, y, z: x),
    "0 x": (lambda g, x, y, z: g.product(x, g.zero), lambda g, x, y, z: g.zero),
    "x - x": (lambda g, x, y, z: g.subtract(x, x), lambda g, x, y, z: g.zero),
    "2 x + 3 x": (lambda g, x, y, z: g.add(g.scale(2.0, x), g.scale(3.0, x)), lambda g, x, y, z: g.scale(5.0, x)),
    "2 x - 2 x": (lambda g, x, y, z: g.add(g.scale(2.0, x), g.scale(-2.0, x)), lambda g, x, y, z: g.zero),
    "2 x + 2 y": (
        lambda g, x, y, z: g.add(g.scale(2.0, x), g.scale(2.0, y)),
        lambda g, x, y, z: g.scale(2.0, g.add(x, y)),
    ),
    "y - x": (lambda g, x, y, z: g.subtract(y, x), lambda g, x, y, z: g.scale(-1.0, g.subtract(x, y))),
    "x + y": (lambda g, x, y, z: g.add(y, x), lambda g, x, y, z: g.add(x, y)),
    "x y": (lambda g, x, y, z: g.product(y, x), lambda g, x, y, z: g.product(x, y)),
    "(-x) y": (
        lambda g, x, y, z: g.product(g.scale(-1.0, x), y),
        lambda g, x, y, z: g.scale(-1.0, g.product(x, y)),
    ),
    "(x + y) + z - y": (
        lambda g, x, y, z: g.sum((x, y, z, g.scale(-1.0, y))),
        lambda g, x, y, z: g.add(x, z),
    ),
    "sin(-x)": (lambda g, x, y, z: sin(g, g.scale(-1.0, x)), lambda g, x, y, z: g.scale(-1.0, sin(g, x))),
    "cos(-x)": (lambda g, x, y, z: cos(g, g.scale(-1.0, x)), lambda g, x, y, z: cos(g, x)),
    "sin(y - x)": (
        lambda g, x, y, z: sin(g, g.subtract(y, x)),
        lambda g, x, y, z: g.scale(-1.0, sin(g, g.subtract(x, y))),
    ),
    "x / x": (lambda g, x, y, z: g.divide(x, x), lambda g, x, y, z: g.one),
    "6 x / (2 x)": (lambda g, x, y, z: g.divide(g.scale(6.0, x), g.scale(2.0, x)), lambda g, x, y, z: c(g, 3.0)),
    "1 / (1 / x)": (lambda g, x, y, z: g.reciprocal(g.reciprocal(x)), lambda g, x, y, z: x),
    "x^0": (lambda g, x, y, z: g.power(x, g.zero), lambda g, x, y, z: g.one),
    "x^1": (lambda g, x, y, z: g.power(x, g.one), lambda g, x, y, z: x),
    "x^2": (lambda g, x, y, z: g.power(x, c(g, 2.0)), lambda g, x, y, z: square(g, x)),
    "x^-1": (lambda g, x, y, z: g.power(x, c(g, -1.0)), lambda g, x, y, z: g.reciprocal(x)),
    "x^(1/2)": (lambda g, x, y, z: g.power(x, c(g, 0.5)), lambda g, x, y, z: g.function("sqrt", x)),
    "sin^2 + cos^2": (lambda g, x, y, z: g.add(square(g, sin(g, x)), square(g, cos(g, x))), lambda g, x, y, z: g.one),
    "y (sin^2 + cos^2) z, multiplied out": (
        lambda g, x, y, z: g.add(g.products((y, square(g, sin(g, x)), z)), g.products((y, square(g, cos(g, x)), z))),
        lambda g, x, y, z: g.product(y, z),
    ),
    "3 sin^2 + 3 cos^2 + y": (
        lambda g, x, y, z: g.sum((g.scale(3.0, square(g, sin(g, x))), y, g.scale(3.0, square(g, cos(g, x))))),
        lambda g, x, y, z: g.add(c(g, 3.0), y),
    ),
    "x y + x z": (
        lambda g, x, y, z: g.add(g.product(x, y), g.product(x, z)),
        lambda g, x, y, z: g.product(x, g.add(y, z)),
    ),
    "x + x z": (lambda g, x, y, z: g.add(x, g.product(x, z)), lambda g, x, y, z: g.product(x, g.add(g.one, z))),
    "min(x, x)": (lambda g, x, y, z: g.function("min", x, x), lambda g, x, y, z: x),
    "if(x < y, z, z)": (lambda g, x, y, z: g.select(g.compare("less", x, y), z, z), lambda g, x, y, z: z),
    "if(1 < 2, x, y)": (lambda g, x, y, z: g.select(g.compare("less", g.one, c(g, 2.0)), x, y), lambda g, x, y, z: x),
}  # fmt: skip


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_equal_formulas_are_one_node(pair):
    graph, (x, y, z, _) = new_graph()
    one, other = (make(graph, x, y, z) for make in pair)
    assert one == other


def test_different_formulas_are_different_nodes():
    """No simplification is applied where it does not hold."""
    graph, (x, y, z, _) = new_graph()
    s, k = sin(graph, x), cos(graph, y)
    assert graph.add(square(graph, s), square(graph, k)) != graph.one  # different angles
    assert graph.add(square(graph, s), graph.scale(2.0, square(graph, cos(graph, x)))) != graph.one
    assert graph.subtract(x, y) != graph.subtract(y, x)
    assert graph.divide(x, y) != graph.divide(y, x)
    assert graph.function("atan2", x, y) != graph.function("atan2", y, x)
    assert graph.function("sqrt", square(graph, x)) != x  # x may be negative
    assert graph.select(graph.compare("less", x, y), x, z) != graph.select(graph.compare("less", y, x), x, z)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("sin", (2.0,), math.sin(2.0)), ("cos", (2.0,), math.cos(2.0)), ("tan", (1.0,), math.tan(1.0)),
        ("exp", (1.0,), math.e), ("log", (5.0,), math.log(5.0)), ("sqrt", (2.0,), math.sqrt(2.0)),
        ("abs", (-3.0,), 3.0), ("sign", (-3.0,), -1.0), ("sign", (0.0,), 0.0), ("atan2", (1.0, -1.0), 3 * math.pi / 4),
        ("min", (1.0, 2.0), 1.0), ("max", (1.0, 2.0), 2.0), ("power", (2.0, 0.3), 2.0**0.3),
        ("tanh", (0.5,), math.tanh(0.5)), ("acos", (0.5,), math.acos(0.5)), ("sinh", (-0.5,), math.sinh(-0.5)),
    ],
)  # fmt: skip
def test_numbers_are_computed_at_once(name, arguments, expected):
    graph = Graph()
    node = graph.function(name, *map(graph.constant, arguments))
    assert graph.operation[node] == "constant" and graph.data[node] == expected


def test_sums_and_products_of_numbers():
    graph = Graph()
    two, three = graph.constant(2.0), graph.constant(3.0)
    pairs = [
        (graph.add(two, three), 5.0),
        (graph.product(two, three), 6.0),
        (graph.divide(two, three), 2 / 3),
        (graph.power(two, three), 8.0),
        (graph.power(three, graph.constant(-2.0)), 1 / 9),
        (graph.subtract(two, two), 0.0),
        (graph.compare("less", two, three), 1.0),
    ]
    for node, expected in pairs:
        assert graph.operation[node] == "constant" and graph.data[node] == expected


@pytest.mark.parametrize(("name", "bad"), [("log", -1.0), ("sqrt", -1.0), ("asin", 2.0), ("acos", 2.0), ("log", 0.0)])
def test_values_outside_the_domain_are_nan(name, bad):
    graph = Graph()
    (value,) = interpret(graph, [graph.function(name, graph.constant(bad))], [])
    assert math.isnan(value)


def test_minus_zero_is_zero():
    graph = Graph()
    assert graph.constant(-0.0) == graph.zero


@pytest.mark.parametrize(
    "exponent", [-7.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 13.0, 64.0, 65.0, 0.3, -40.5]
)
def test_powers_by_value(exponent):
    graph, (x, *_) = new_graph()
    for base in (0.3, 1.0, 1.7):
        (value,) = interpret(graph, [graph.power(x, graph.constant(exponent))], [0.0, base, 0, 0, 0])
        assert value == pytest.approx(base**exponent, rel=1e-13)


def agree(graph, node, tree, seed):
    for x in points(seed):
        expected, size = tree.value(x)
        if expected is None:
            continue  # rounding decides a case
        (value,) = interpret(graph, [node], [0.0, *x])
        assert abs(value - expected) <= 1e-12 * (1.0 + size)


@MANY
@given(trees(), st.integers(0, 2**32 - 1), st.integers(0, 3))
def test_the_graph_keeps_every_value(tree, seed, factor_depth):
    graph, inputs = new_graph(factor_depth)
    agree(graph, tree.node(graph, inputs), tree, seed)


@MANY
@given(trees())
def test_nodes_come_after_their_arguments_and_are_unique(tree):
    graph, inputs = new_graph()
    node = tree.node(graph, inputs)
    assert all(a < x for x in range(len(graph)) for a in graph.arguments[x])
    contents = [(graph.operation[x], graph.arguments[x], repr(graph.data[x])) for x in range(len(graph))]
    assert len(contents) == len(set(contents))
    before = len(graph)
    assert tree.node(graph, inputs) == node and len(graph) == before  # building it again adds no node


@SOME
@given(trees(), trees(leaves=5), st.integers(0, INPUTS - 1), st.integers(0, 2**32 - 1))
def test_replacing_an_input_is_evaluating_at_its_value(tree, other, k, seed):
    """Substituting g(x) for x_k on the graph equals evaluating with the value of g as x_k."""
    graph, inputs = new_graph()
    node, by = tree.node(graph, inputs), other.node(graph, inputs)
    (changed,) = graph.substitute([node], {inputs[k]: by})
    for x in points(seed):
        moved, inner = x.copy(), other.value(x)
        moved[k] = inner[0] or 0.0
        expected, size = tree.value(moved) if inner[0] is not None else inner
        if expected is None:
            continue
        (value,) = interpret(graph, [changed], [0.0, *x])
        assert abs(value - expected) <= 1e-9 * (1.0 + size) * (1.0 + inner[1])


def test_replacing_nothing_gives_the_same_nodes():
    graph, (x, y, z, _) = new_graph()
    roots = [graph.add(sin(graph, x), graph.product(y, z)), graph.select(graph.compare("less", x, y), z, x)]
    assert graph.substitute(roots, {}) == roots
    assert graph.substitute(roots, {x: x}) == roots


def test_operations_are_counted_once_each():
    graph, (x, y, z, w) = new_graph()
    product = graph.product(x, y)
    total = graph.sum((product, z, w))
    assert graph.operations([x]) == 0
    assert graph.operations([product]) == 1
    assert graph.operations([total]) == 3  # a product and two additions
    assert graph.operations([total, product]) == 3
    assert graph.operations([graph.scale(-1.0, product)]) == 1  # a sign costs nothing
    assert graph.operations([graph.scale(2.0, product)]) == 2
    assert graph.operations([graph.divide(sin(graph, x), y)]) == 3
