"""The elimination as vector code and as single operations against numpy.linalg.solve; results in vectors."""

import math

import numpy as np
import pytest
import sympy as sp
from compiling import code

import lienket as lk
from lienket import der
from lienket.compiled.emit import simd_packing, stores
from lienket.compiled.emit.llvm_module import module
from lienket.compiled.functions.catalogue import plan, straight_plan
from lienket.compiled.functions.plan import Plan
from lienket.compiled.functions.saddle_elimination import eliminate, structure
from lienket.compiled.functions.saddle_layout import SaddleLayout
from lienket.compiled.graph.graph import Graph
from lienket.compiled.graph.interpreter import interpret
from lienket.compiled.machine.function import CompiledFunction, FunctionInfo
from lienket.compiled.machine.object_code import LoadedCode, object_code
from lienket.compiled.mechanics.equations import Mechanics
from lienket.compiled.mechanics.statement_nodes import statement_nodes
from lienket.compiled.model import CompiledModel

SIZES = [(n, s) for n in range(1, 31) for s in range(min(n, 7) + 1)]


class Inputs:
    """A graph whose A (lower half), h, G and g0 are its inputs."""

    def __init__(self, n, s):
        self.n, self.s, self.graph = n, s, Graph()
        self.graph.input()  # time
        make = self.graph.input
        half = [[make() for _ in range(i + 1)] for i in range(n)]
        self.A = [[half[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        self.h = [make() for _ in range(n)]
        self.G = [[make() for _ in range(n)] for _ in range(s)]
        self.g0 = [make() for _ in range(s)]

    @property
    def count(self):
        return len(self.graph.inputs) - 1

    def numbers(self, A, h, G, g0):
        lower = [A[i, j] for i in range(self.n) for j in range(i + 1)]
        return np.array([*lower, *h, *np.ravel(G), *g0])

    def dense(self, level=1):
        layout = SaddleLayout(self.n, self.s)
        entries = layout.entries(self.graph, self.A, self.h, self.G, self.g0)
        slots = [("t", 0), *(("q", k) for k in range(self.count))]
        function_plan = Plan("f", (), (), layout, tuple(entries))
        loaded = LoadedCode(object_code(module(self.graph, slots, [function_plan], self.count, 0), level))
        return CompiledFunction(
            FunctionInfo("f", (("out", (self.n + self.s,)),), 0, 1, 0.0, (self.count, 0, 0)), loaded, 0, False
        )

    def scalar(self):
        order = structure(self.graph, self.A, self.G)
        solution = eliminate(self.graph, self.A, self.h, self.G, self.g0, order)
        return code(self.graph, [*solution.accelerations, *solution.multipliers], self.count, solution.conditions)


def called(function, numbers):
    numbers, empty = np.ascontiguousarray(numbers), np.zeros(0)
    return function(0.0, numbers, numbers, empty, empty)


def drawn(rng, n, s):
    """Return a well-conditioned definite A, rows G far from dependent, and random right-hand sides."""
    M = np.eye(n) + 0.3 * rng.normal(size=(n, n)) / math.sqrt(n)
    G = np.linalg.qr(rng.normal(size=(n, n)))[0][:s] + 0.1 * rng.normal(size=(s, n)) / math.sqrt(n)
    return M @ M.T, rng.normal(size=n), G, rng.normal(size=s)


def solved(A, h, G, g0):
    s = len(g0)
    K = np.block([[A, -G.T], [G, np.zeros((s, s))]])
    return np.linalg.solve(K, np.concatenate([h, -g0]))


def check(function, inputs, rng, times=3):
    for _ in range(times):
        numbers = drawn(rng, inputs.n, inputs.s)
        status, solution = called(function, inputs.numbers(*numbers))
        expected = solved(*numbers)
        assert status == 0
        assert np.max(np.abs(solution - expected)) <= 1e-11 * np.max(np.abs(expected))


@pytest.mark.parametrize(
    "n", [n if n < 6 or n in (8, 9, 16, 17, 30) else pytest.param(n, marks=pytest.mark.slow) for n in range(1, 31)]
)
def test_vector_elimination_solves_every_size(n):
    rng = np.random.default_rng(n)
    for s in range(min(n, 7) + 1):
        inputs = Inputs(n, s)
        check(inputs.dense(level=int((n + s) % 4 == 0)), inputs, rng)  # the optimizing code generator is slow


@pytest.mark.parametrize(("n", "s"), [size for size in SIZES if size[0] + size[1] <= 8] + [(10, 4), (14, 0), (12, 7)])
def test_single_operations_solve_every_small_size(n, s):
    inputs = Inputs(n, s)
    check(inputs.scalar(), inputs, np.random.default_rng(100 * n + s))


@pytest.mark.parametrize("way", ["dense", "scalar"])
@pytest.mark.parametrize(("n", "s"), [(3, 2), (4, 3), (6, 2), (7, 5)])
def test_singular_systems_are_not_trusted(way, n, s):
    """Equal rows, a vanishing row, a massless or negative inertia and NaN never give status 0 with finite results."""
    inputs, rng = Inputs(n, s), np.random.default_rng(7)
    function = getattr(inputs, way)()
    A, h, G, g0 = drawn(rng, n, s)
    assert called(function, inputs.numbers(A, h, G, g0))[0] == 0
    for k in range(1, s):
        equal = G.copy()
        equal[k] = equal[0]
        assert called(function, inputs.numbers(A, h, equal, g0))[0] == 1
        empty = G.copy()
        empty[k] = 0.0
        assert called(function, inputs.numbers(A, h, empty, g0))[0] == 1
    for i in range(n):
        massless = A.copy()
        massless[i] = massless[:, i] = 0.0
        assert called(function, inputs.numbers(massless, h, G, g0))[0] == 1
        negative = A.copy()
        negative[i, i] = -negative[i, i]
        assert called(function, inputs.numbers(negative, h, G, g0))[0] == 1
    for bad in (math.nan, math.inf):
        for entry in range(n * (n + 1) // 2):
            numbers = inputs.numbers(A, h, G, g0)
            numbers[entry] = bad
            status, solution = called(function, numbers)
            assert status == 1 or not np.all(np.isfinite(solution))


# Realistic terms: chains of n links, in absolute angles (dense A), held at the end or at each second joint


def chain(n, held=0):
    angles = lk.coordinates(" ".join(f"a{k}" for k in range(n)))
    m, l, g = lk.parameters("m l g")
    x, y, T, V = sp.Integer(0), sp.Integer(0), 0, 0
    ends = []
    for k, angle in enumerate(angles):
        x, y = x + l * (1 + sp.Rational(k, 10)) * sp.sin(angle), y - l * (1 + sp.Rational(k, 10)) * sp.cos(angle)
        T += m * (der(x) ** 2 + der(y) ** 2) / 2
        V += m * g * y
        ends.append((x, y))
    system = lk.System("chain", angles, kinetic=T, potential=V, values={"m": 1, "l": 0.5, "g": 9.81})
    for k in range(held):
        system = system.constrain(f"hold {k}", ends[n - 1 - 2 * k][k % 2] - l * (k + 1))
    return system


def graph_of(system):
    return Mechanics(statement_nodes(system.statement.free, system.constraints, system.parameters, {}))


def states(system, seed, count=5):
    rng = np.random.default_rng(seed)
    n = len(system.coordinates)
    s = sum(len(c.expressions) for c in system.constraints)
    for _ in range(count):
        parameters = np.array([float(system.values[p]) for p in system.parameters])
        yield 0.3, rng.uniform(-2, 2, n), rng.uniform(-2, 2, n), parameters, rng.uniform(-2, 2, n + s)


@pytest.mark.parametrize("name", ["terms", "derivatives", "surface", "numbers", "energy"])
@pytest.mark.parametrize(("n", "held"), [(5, 0), (6, 2), (8, 1), (9, 3)])
def test_vectors_of_results_are_the_results(monkeypatch, name, n, held):
    """Results stored in vectors of four equal the interpretation of the graph, entry by entry."""
    monkeypatch.setattr(stores, "RESULTS_FOR_VECTORS", 4)
    monkeypatch.setattr(simd_packing, "OPERATION_RATIO_FOR_VECTORS", math.inf)
    system = chain(n, held)
    mechanics = graph_of(system)
    function_plan = plan(mechanics, name)
    s, graph = held, mechanics.graph
    groups = (("q", n), ("v", n), ("p", len(system.parameters)), ("x", n + s))
    slots = [("t", 0), *((letter, k) for letter, count in groups for k in range(count))]
    text = module(graph, slots, [function_plan], n, n + s)
    if name != "energy":
        assert text.count("store <4 x double>") > 2
    blocks = tuple((block.name, block.shape) for block in function_plan.blocks)
    function = CompiledFunction(
        FunctionInfo(name, blocks, 0, 1, 0.0, (n, len(system.parameters), n + s)),
        LoadedCode(object_code(text)),
        0,
        False,
    )
    for t, q, v, parameters, inputs in states(system, 10 * n + held):
        _, numbers = function(t, q, v, parameters, inputs)
        plain = np.array(interpret(graph, [x for _, x in function_plan.outputs], [t, *q, *v, *parameters, *inputs]))
        start = 0
        for _, shape in blocks:
            stop = start + math.prod(shape)
            scale = np.max(np.abs(plain[start:stop]), initial=0.0)
            assert np.all(
                np.abs(numbers[start:stop] - plain[start:stop]) <= 1e-13 * scale + 1e-12 * np.abs(plain[start:stop])
            )
            start = stop


@pytest.mark.parametrize(("n", "held"), [(16, 0), (15, 2), (17, 3), (20, 5)])
def test_motion_of_long_chains_is_vector_code_and_right(n, held):
    system = chain(n, held)
    mechanics = graph_of(system)
    assert plan(mechanics, "motion").dense is not None and straight_plan(mechanics, "motion").dense is None
    model = CompiledModel(system.statement.free, system.constraints, system.parameters)
    trusted = 0
    for t, q, v, parameters, inputs in states(system, n):
        status, solution = model.motion(t, q, v, parameters, inputs)
        terms = model.function("terms").named(model.function("terms")(t, q, v, parameters, inputs)[1])
        expected = solved(*(terms[part] for part in ("A", "h", "G", "g0")))
        if status == 0:
            trusted += 1
            assert np.max(np.abs(solution - expected)) <= 1e-10 * np.max(np.abs(expected))
    assert trusted >= 4
