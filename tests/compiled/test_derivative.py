"""Derivatives on the graph, forward and reverse, against SymPy's with 30 digits."""

import math

import numpy as np
import pytest
import sympy as sp
from compiling import by_sympy, engine_expression
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases
from trees import INPUTS, SMOOTH, SYMBOLS, new_graph, points, trees

from lienket.compiled.graph.derivative import forward, gradient, reverse
from lienket.compiled.graph.from_symengine import Translator
from lienket.compiled.graph.graph import Graph
from lienket.compiled.graph.interpreter import interpret
from lienket.language.functions import FUNCTIONS

SOME = random_cases(80)
x, y = sp.symbols("x y", real=True)
DOMAIN = {"asin": (-0.95, 0.95), "acos": (-0.95, 0.95), "log": (0.1, 30), "tan": (-1.4, 1.4)}
TWO = {"atan2", "min", "max"}


class Formulas:
    """Expressions of x and y on a graph, with forward and reverse derivatives."""

    def __init__(self, *expressions):
        self.graph = Graph()
        self.graph.input()
        self.inputs = [self.graph.input(), self.graph.input()]
        nodes = {engine_expression(s): node for s, node in zip((x, y), self.inputs, strict=True)}
        self.roots = Translator(self.graph, nodes, {})([engine_expression(e) for e in expressions])

    def both(self, root):
        """Return the derivatives by x and y in forward and in reverse mode."""
        g = self.graph
        return [forward(g, [root], {a: g.one})[0] for a in self.inputs], gradient(g, root, self.inputs)

    def values(self, nodes, where):
        return np.array([interpret(self.graph, nodes, [0.0, *map(float, point)]) for point in where])


def check(e, where, rtol=1e-12):
    """Compare first and second derivatives of an expression, forward, reverse and mixed, with SymPy's."""
    f = Formulas(e)
    one, other = f.both(f.roots[0])
    first = [sp.diff(e, s) for s in (x, y)]
    expected = by_sympy(first, [x, y], where)
    for derivatives in (one, other):
        np.testing.assert_allclose(f.values(derivatives, where), expected, rtol=rtol, atol=1e-14)
    seconds = by_sympy([sp.diff(d, s) for d in first for s in (x, y)], [x, y], where)
    for start in (one, other):
        for way in (0, 1):
            again = [node for d in start for node in f.both(d)[way]]
            np.testing.assert_allclose(f.values(again, where), seconds, rtol=100 * rtol, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"abs", "sign", "min", "max"}))
def test_every_smooth_function(name):
    low, high = DOMAIN.get(name, (-3, 3))
    where = np.random.default_rng(sum(map(ord, name))).uniform(low, high, (25, 2))
    check(FUNCTIONS[name].sympy(*((x, y) if name in TWO else (x,))), where)


@pytest.mark.parametrize(
    "e",
    [
        sp.sqrt(x), x**3, x**-2, x ** sp.Rational(3, 2), x ** sp.Rational(-1, 2), x ** sp.Rational(1, 3), x**y, 2**x,
        x**y * y**x, 1 / (x * y), x / (y + 1) + y / (x + 1), sp.sin(x * y) / x, sp.exp(-x * y) * sp.cos(20 * y),
        sp.log(x + y) ** 2, sp.tan(x / 4) * y, sp.asin(x / 8) * sp.acos(y / 8), sp.atan2(x * y, x - 4 * y), x**17 * y,
        (x + y) ** 5 / (x - 4 * y) ** 3, sp.sin(sp.cos(sp.sin(x * y))), sp.tanh(x) * sp.sinh(y) / sp.cosh(x * y),
        sp.sqrt(x**2 + y**2), sp.sqrt(1 + sp.sqrt(x)), sp.sin(x) ** 2 + sp.cos(x) ** 2 * y, sp.pi * x - sp.E * y,
    ],
    ids=str,
)  # fmt: skip
def test_every_form(e):
    check(e, np.random.default_rng(5).uniform(0.3, 1.9, (25, 2)))


@SOME
@given(trees(SMOOTH, leaves=6), st.integers(0, 2**32 - 1))
def test_random_formulas(tree, seed):
    """Forward and reverse agree with each other and with SymPy."""
    graph, inputs = new_graph()
    node = tree.node(graph, inputs)
    backward = gradient(graph, node, inputs)
    onward = [forward(graph, [node], {a: graph.one})[0] for a in inputs]
    where = points(seed, 2)
    expected = by_sympy([sp.diff(tree.sympy(), s) for s in SYMBOLS], SYMBOLS, where)
    for derivatives in (backward, onward):
        numbers = [interpret(graph, derivatives, [0.0, *point]) for point in where]
        np.testing.assert_allclose(numbers, expected, rtol=1e-9, atol=1e-9)


@SOME
@given(trees(SMOOTH, leaves=8), st.integers(0, 2**32 - 1))
def test_a_direction_is_the_sum_of_the_derivatives_times_its_parts(tree, seed):
    """The forward derivative along (d_1, ..., d_n) is sum_k d_k df/dx_k."""
    graph, inputs = new_graph()
    node = tree.node(graph, inputs)
    rates = [graph.function("cos", a) for a in inputs]
    (along,) = forward(graph, [node], dict(zip(inputs, rates, strict=True)))
    total = graph.sum(map(graph.product, gradient(graph, node, inputs), rates))
    for point in points(seed, 2):
        one, other = interpret(graph, [along, total], [0.0, *point])
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)


@SOME
@given(st.lists(trees(SMOOTH, leaves=4), min_size=2, max_size=3), st.integers(0, 2**32 - 1))
def test_reverse_from_several_results_adds_up(some, seed):
    graph, inputs = new_graph()
    nodes = [tree.node(graph, inputs) for tree in some]
    weights = [graph.function("sin", inputs[k]) for k in range(len(nodes))]
    together = reverse(graph, list(zip(nodes, weights, strict=True)), inputs)
    each = [gradient(graph, node, inputs) for node in nodes]
    (point,) = points(seed, 1)
    factors = np.array(interpret(graph, weights, [0.0, *point]))
    apart = np.array([interpret(graph, row, [0.0, *point]) for row in each])
    np.testing.assert_allclose(interpret(graph, together, [0.0, *point]), factors @ apart, rtol=1e-9, atol=1e-9)


@SOME
@given(trees(leaves=8), st.integers(0, 2**32 - 1))
def test_with_cases_both_ways_agree(tree, seed):
    graph, inputs = new_graph()
    node = tree.node(graph, inputs)
    onward = [forward(graph, [node], {a: graph.one})[0] for a in inputs]
    backward = gradient(graph, node, inputs)
    for point in points(seed, 2):
        one, other = (interpret(graph, derivatives, [0.0, *point]) for derivatives in (onward, backward))
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


# Cases: the derivative is that of the branch taken


CASES = [
    (sp.Piecewise((sp.sqrt(x), x > 0), (x**2, True)), [-2.0, -0.5, 4.0], [-4.0, -1.0, 0.25], [2.0, 2.0, -1 / 32]),
    (sp.Piecewise((sp.log(x), x > 1), (x - 1, True)), [-2.0, 0.0, 2.0], [1.0, 1.0, 0.5], [0.0, 0.0, -0.25]),
    (sp.Piecewise((1 / x, x > 0), (x, True)), [0.0, -1.0, 2.0], [1.0, 1.0, -0.25], [0.0, 0.0, 0.25]),
    (x * sp.Piecewise((sp.sqrt(x), x > 0), (x**2, True)), [-2.0, 4.0], [12.0, 3.0], [-12.0, 3 / 8]),
    (sp.sin(sp.Piecewise((x ** sp.Rational(3, 2), x > 0), (0, True))), [-1.0], [0.0], [0.0]),
    (sp.Min(x, 1), [0.0, 2.0], [1.0, 0.0], [0.0, 0.0]),
    (sp.Max(x**2, x), [0.5, 2.0, -1.0], [1.0, 4.0, -2.0], [0.0, 2.0, 2.0]),
    (sp.Max(0, sp.Min(x, 1)) ** 2, [-1.0, 0.5, 3.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]),
    (sp.Abs(x), [-2.0, 3.0], [-1.0, 1.0], [0.0, 0.0]),
    (sp.Abs(x) ** 3, [-2.0, 3.0], [-12.0, 27.0], [12.0, 18.0]),
    (sp.sign(x) * x**2, [-2.0, 3.0], [4.0, 6.0], [-2.0, 2.0]),
]  # fmt: skip


@pytest.mark.parametrize(("e", "where", "first", "second"), CASES, ids=[str(e) for e, *_ in CASES])
def test_cases_by_hand(e, where, first, second):
    f = Formulas(e)
    where = [(a, 0.0) for a in where]
    for derivatives in f.both(f.roots[0]):
        np.testing.assert_allclose(f.values([derivatives[0]], where)[:, 0], first, rtol=1e-14, atol=0)
        for again in f.both(derivatives[0]):
            np.testing.assert_allclose(f.values([again[0]], where)[:, 0], second, rtol=1e-14, atol=0)


def test_at_equal_arguments_min_and_max_have_one_of_the_slopes():
    f = Formulas(sp.Min(x, 3 * y), sp.Max(x, 3 * y))
    for root in f.roots:
        for derivatives in f.both(root):
            (slopes,) = f.values(derivatives, [(3.0, 1.0)])
            assert tuple(slopes) in ((1.0, 0.0), (0.0, 3.0))


def test_derivative_of_an_independent_expression_is_zero():
    f = Formulas(sp.sin(x) * 3, sp.Integer(7))
    for root, expected in zip(f.roots, (False, True), strict=True):
        for derivatives in f.both(root):
            assert (derivatives[0] == f.graph.zero) is expected
            assert derivatives[1] == f.graph.zero


def test_a_gradient_costs_a_few_times_its_function():
    """In reverse mode n derivatives of a sum of n coupled terms cost a small multiple of the sum, not n times."""
    graph = Graph()
    inputs = [graph.input() for _ in range(100)]
    total = graph.sum(graph.function("sin", a) for a in inputs)
    root = graph.function("exp", graph.product(total, total))
    assert graph.operations([root, *gradient(graph, root, inputs)]) <= 5 * graph.operations([root])
    assert len(inputs) > INPUTS and math.isfinite(interpret(graph, [root], [0.01] * 100)[0])
