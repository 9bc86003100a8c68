"""Sparse results: every entry is written whatever the memory held before, and the code stays short."""

import ctypes
import itertools

import numpy as np
import pytest
from compiling import code

import lienket as lk
from lienket import der
from lienket.compiled.emit.llvm_module import module
from lienket.compiled.emit.stores import FENCE, STORES_FOR_FENCES, STORES_PER_FENCE
from lienket.compiled.functions.plan import Plan
from lienket.compiled.functions.saddle_layout import SaddleLayout
from lienket.compiled.graph.graph import Graph
from lienket.compiled.graph.interpreter import interpret
from lienket.compiled.machine.function import CompiledFunction, FunctionInfo
from lienket.compiled.machine.object_code import LoadedCode, object_code
from lienket.compiled.model import CompiledModel

CLEARED = "call void @llvm.memset"


def rope(count):
    """Return particles in space, each at a fixed distance from the next."""
    m, l = lk.parameters("m l")
    points = [lk.coordinates(f"x{i} y{i} z{i}") for i in range(count)]
    T = sum(m * der(c) ** 2 / 2 for point in points for c in point)
    system = lk.System("rope", [c for point in points for c in point], kinetic=T, potential=sum(p[2] for p in points))
    for i, (one, other) in enumerate(itertools.pairwise(points)):
        system = system.constrain(f"rod {i}", sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) - l**2)
    return system.statement


def into(function, filled, *arrays):
    """Return the memory, filled with a value before, after a call of the function."""
    out = np.full(function.size + 1, filled)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*arrays, out)]
    assert function._one(0.5, *pointers) == 0
    return out


@pytest.mark.parametrize("name", ["terms", "surface", "derivatives", "numbers"])
@pytest.mark.parametrize("count", [12, 40], ids=["few", "in portions"])
def test_every_result_overwrites_the_memory(name, count):
    stated = rope(count)
    model = CompiledModel(stated.free, stated.constraints, stated.parameters)
    plan = model._build.plan(name)
    text = model._build.text(plan, model.input_slots, model.n, model.inputs)
    stores = text.count("store ") - 1  # one is in the loop over states
    assert text.count(CLEARED) == 1
    assert stores < len(plan.outputs) / 2
    assert text.count(FENCE) == (stores // STORES_PER_FENCE if stores > STORES_FOR_FENCES else 0)
    random = np.random.default_rng(count)
    arrays = [random.uniform(0.5, 2.0, k) for k in (model.n, model.n, model.parameters, model.n + model.s)]
    values = interpret(model._build.mechanics.graph, [x for _, x in plan.outputs], [0.5, *np.concatenate(arrays)])
    for filled in (np.nan, 7.0):
        out = into(model.function(name), filled, *arrays)
        np.testing.assert_allclose(out[:-1], values, rtol=1e-12, atol=1e-12)
        np.testing.assert_equal(out[-1], filled)  # nothing is written beyond the results


def test_zeros_among_vectors_of_four():
    """Vectors of similar results, single numbers and zeros mix at any offset."""
    graph = Graph()
    graph.input()  # time
    x = [graph.input() for _ in range(12)]
    alike = [graph.sum([graph.product(a, b), graph.product(a, a)]) for a, b in itertools.pairwise(x)]
    zeros = [graph.zero] * 401
    roots = [*zeros, *alike, *zeros, x[0], graph.zero, x[5], graph.constant(3.0), *zeros]
    points = np.random.default_rng(1).uniform(-1, 1, (5, 12))
    function = code(graph, roots, 12)
    for point in points:
        out = into(function, np.nan, point, point, np.zeros(0), np.zeros(0))
        np.testing.assert_allclose(out[:-1], interpret(graph, roots, [0.5, *point]), rtol=1e-14)


@pytest.mark.parametrize("n", [47, 60])
def test_a_sparse_matrix_solved_by_vector_code(n):
    """K with a diagonal A and one full row is solved as a dense matrix."""
    graph = Graph()
    graph.input()  # time
    a, h, g = ([graph.input() for _ in range(n)] for _ in range(3))
    A = [[a[i] if i == j else graph.zero for j in range(n)] for i in range(n)]
    layout = SaddleLayout(n, 1)
    plan = Plan("f", (), (), layout, tuple(layout.entries(graph, A, h, [g], [graph.one])))
    text = module(graph, [("t", 0), *(("q", k) for k in range(3 * n))], [plan], 3 * n, 0)
    assert CLEARED in text
    facts = FunctionInfo("f", (("out", (n + 1,)),), 0, 1, 0.0, (3 * n, 0, 0))
    function = CompiledFunction(facts, LoadedCode(object_code(text)), 0, False)
    q = np.random.default_rng(n).uniform(0.5, 2.0, 3 * n)
    D, right, row = np.diag(q[:n]), q[n : 2 * n], q[2 * n :]
    K = np.block([[D, -row[:, None]], [row[None], np.zeros((1, 1))]])
    expected = np.linalg.solve(K, [*right, -1.0])
    for _ in range(2):
        out = into(function, np.nan, q, q, np.zeros(0), np.zeros(0))
        np.testing.assert_allclose(out[:-1], expected, rtol=1e-11)
