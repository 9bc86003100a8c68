"""Random formulas, each in three forms: on the graph, as a Python function of numbers, and in SymPy."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from lienket.compiled.graph.graph import Graph

INPUTS = 4
SYMBOLS = sp.symbols(f"x:{INPUTS}", real=True)


@dataclass(frozen=True)
class Tree:
    """A formula: its operation, its operands, and a number or an index; without simplification."""

    operation: str
    parts: tuple = ()
    data: Any = None

    def value(self, x):
        """Return its value by Python's arithmetic, and the sum of the magnitudes of all intermediate values.

        The value is None where rounding decides a case.
        """
        parts = [part.value(x) for part in self.parts]
        if any(value is None for value, _ in parts):
            return None, 0.0
        if self.operation == "select" and abs(parts[0][0] - parts[1][0]) < 1e-9 * (1.0 + parts[0][1] + parts[1][1]):
            return None, 0.0
        value = _VALUES[self.operation](self.data, x, *(v for v, _ in parts))
        return value, abs(value) + sum(size for _, size in parts)

    def node(self, graph, inputs):
        """Return its node on a graph."""
        return _NODES[self.operation](graph, self.data, inputs, *(part.node(graph, inputs) for part in self.parts))

    def sympy(self):
        """Return the formula in SymPy."""
        return _SYMPY[self.operation](self.data, *(part.sympy() for part in self.parts))


def new_graph(factor_depth=2):
    """Return a graph with time and a few inputs, and the nodes of these."""
    graph = Graph(factor_depth)
    graph.input()
    return graph, [graph.input() for _ in range(INPUTS)]


def _root(g, a):
    return g.function("sqrt", g.add(g.one, g.product(a, a)))


def _below(g, a):
    return g.add(g.constant(2.0), g.function("sin", a))


_VALUES = {
    "constant": lambda c, x: c,
    "input": lambda k, x: x[k],
    "add": lambda _, x, a, b: a + b,
    "subtract": lambda _, x, a, b: a - b,
    "multiply": lambda _, x, a, b: a * b,
    "divide": lambda _, x, a, b: a / (2.0 + math.sin(b)),
    "power": lambda k, x, a: math.sin(a) ** k,
    "sin": lambda _, x, a: math.sin(a),
    "cos": lambda _, x, a: math.cos(a),
    "root": lambda _, x, a: math.sqrt(1.0 + a * a),
    "exp": lambda _, x, a: math.exp(math.sin(a)),
    "atan2": lambda _, x, a, b: math.atan2(a, math.sqrt(1.0 + b * b)),
    "min": lambda _, x, a, b: min(a, b),
    "max": lambda _, x, a, b: max(a, b),
    "select": lambda _, x, a, b, c, d: c if a < b else d,
}
_NODES = {
    "constant": lambda g, c, x: g.constant(c),
    "input": lambda g, k, x: x[k],
    "add": lambda g, _, x, a, b: g.add(a, b),
    "subtract": lambda g, _, x, a, b: g.subtract(a, b),
    "multiply": lambda g, _, x, a, b: g.product(a, b),
    "divide": lambda g, _, x, a, b: g.divide(a, _below(g, b)),
    "power": lambda g, k, x, a: g.power(g.function("sin", a), g.constant(k)),
    "sin": lambda g, _, x, a: g.function("sin", a),
    "cos": lambda g, _, x, a: g.function("cos", a),
    "root": lambda g, _, x, a: _root(g, a),
    "exp": lambda g, _, x, a: g.function("exp", g.function("sin", a)),
    "atan2": lambda g, _, x, a, b: g.function("atan2", a, _root(g, b)),
    "min": lambda g, _, x, a, b: g.function("min", a, b),
    "max": lambda g, _, x, a, b: g.function("max", a, b),
    "select": lambda g, _, x, a, b, c, d: g.select(g.compare("less", a, b), c, d),
}
_SYMPY = {
    "constant": lambda c: sp.Rational(c),
    "input": lambda k: SYMBOLS[k],
    "add": lambda _, a, b: a + b,
    "subtract": lambda _, a, b: a - b,
    "multiply": lambda _, a, b: a * b,
    "divide": lambda _, a, b: a / (2 + sp.sin(b)),
    "power": lambda k, a: sp.sin(a) ** k,
    "sin": lambda _, a: sp.sin(a),
    "cos": lambda _, a: sp.cos(a),
    "root": lambda _, a: sp.sqrt(1 + a**2),
    "exp": lambda _, a: sp.exp(sp.sin(a)),
    "atan2": lambda _, a, b: sp.atan2(a, sp.sqrt(1 + b**2)),
}
SMOOTH = tuple(_SYMPY)
_ARITY = {"divide": 2, "add": 2, "subtract": 2, "multiply": 2, "atan2": 2, "min": 2, "max": 2, "select": 4}


def trees(operations=tuple(_VALUES), leaves=12):
    """Return a strategy for formulas of these operations with up to about `leaves` leaves."""
    numbers = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0, 3.0])
    leaf = st.one_of(
        st.builds(lambda c: Tree("constant", (), c), numbers),
        *[st.builds(lambda k: Tree("input", (), k), st.integers(0, INPUTS - 1))] * 3,
    )

    def larger(smaller):
        def made(name):
            data = st.integers(0, 5) if name == "power" else st.none()
            return st.builds(lambda parts, k: Tree(name, parts, k), st.tuples(*[smaller] * _ARITY.get(name, 1)), data)

        return st.one_of(*(made(name) for name in operations if name not in ("constant", "input")))

    return st.recursive(leaf, larger, max_leaves=leaves)


def points(seed, count=3):
    """Return random inputs."""
    return np.random.default_rng(seed).uniform(-1.5, 1.5, (count, INPUTS))
