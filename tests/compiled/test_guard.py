"""The guard: near singular positions emitted code agrees with the robust kernel or reports that it is not trusted."""

import numpy as np
import pytest
from compiling import code
from random_cases import share_of
from sympy import Rational, cos, sin

import lienket as lk
from lienket import der
from lienket.compiled.emit.llvm_module import module
from lienket.compiled.functions.digit_guard import digit_conditions
from lienket.compiled.functions.plan import Plan
from lienket.compiled.functions.saddle_elimination import eliminate, structure
from lienket.compiled.functions.saddle_layout import SaddleLayout
from lienket.compiled.graph.graph import Graph
from lienket.compiled.machine.function import CompiledFunction, FunctionInfo
from lienket.compiled.machine.object_code import LoadedCode, object_code
from lienket.compiled.model import CompiledModel
from lienket.kernels.native.calls import accelerations_many, solve

AGREE = 1e-9
SLOPE = 0.7


def difference(A, h, G, actual, expected):
    """Return the difference of a and lambda relative to the largest of a, free a and reactions, in the metric of A."""
    L = np.linalg.cholesky(A)
    n = h.shape[1]
    lengths = np.linalg.norm(np.linalg.solve(L, np.swapaxes(G, 1, 2)), axis=1)  # |G_i| in the metric of A^-1
    free = np.linalg.norm(np.linalg.solve(L, h[:, :, None])[:, :, 0], axis=1)
    turned = np.swapaxes(L, 1, 2)

    def size(x):
        return np.linalg.norm((turned @ x[:, :n, None])[:, :, 0], axis=1), np.abs(x[:, n:]) * lengths

    a, reactions = size(expected)
    largest = np.maximum(np.maximum(a, free), np.max(reactions, axis=1, initial=0.0))
    da, dr = size(actual - expected)
    return np.maximum(da, np.max(dr, axis=1, initial=0.0)) / largest


class Matrices:
    """Systems whose A, h, G, g0 are inputs; where `pattern` is False the entry is structurally zero."""

    def __init__(self, n, s, pattern_A, pattern_G, dense):
        graph = Graph()
        graph.input()
        count = 0

        def entry(there=True):
            nonlocal count
            count += there
            return graph.input() if there else graph.zero

        A = [[graph.zero] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                A[i][j] = A[j][i] = entry(i == j or pattern_A[i, j])
        G = [[entry(pattern_G[k, j]) for j in range(n)] for k in range(s)]
        h, g0 = [entry() for _ in range(n)], [entry() for _ in range(s)]
        self.there = [(i, j) for i in range(n) for j in range(i + 1) if i == j or pattern_A[i, j]]
        self.pattern_G, self.count = pattern_G, count
        if dense:
            layout = SaddleLayout(n, s)
            plan = Plan("f", (), (), layout, tuple(layout.entries(graph, A, h, G, g0)))
            slots = [("t", 0), *(("q", k) for k in range(count))]
            loaded = LoadedCode(object_code(module(graph, slots, [plan], count, 0)))
            self.motion = CompiledFunction(
                FunctionInfo("f", (("out", (n + s,)),), 0, 1, 0.0, (count, 0, 0)), loaded, 0, False
            )
        else:
            order = structure(graph, A, G)
            self.motion = None
            if order is not None:
                solution = eliminate(graph, A, h, G, g0, order)
                roots = [*solution.accelerations, *solution.multipliers]
                self.motion = code(graph, roots, count, solution.conditions, digit_conditions(graph, solution, A))

    def flat(self, A, h, G, g0):
        entries = [A[:, i, j] for i, j in self.there]
        entries += [G[:, k, j] for k, j in np.argwhere(self.pattern_G)]
        return np.ascontiguousarray(np.concatenate([np.array(entries).T, h, g0], axis=1))


def drawn(rng, n, s, pattern_A, pattern_G, count):
    """Return systems with nearly singular inertia, nearly dependent rows and masses over six orders of magnitude."""
    A = np.where(pattern_A, rng.normal(size=(count, n, n)), 0.0)
    if pattern_A.all():
        near = rng.random(count) < 0.5
        A[near, :, -1] = A[near, :, 0] * rng.normal() + 10.0 ** rng.uniform(-9, 0, (near.sum(), 1)) * A[near, :, -1]
        A = np.swapaxes(A, 1, 2) @ A
    else:
        A = (A + np.swapaxes(A, 1, 2)) / 2
        A[:, range(n), range(n)] = 0.0
        heavier = np.sum(np.abs(A), axis=2) * (1 + 10.0 ** rng.uniform(-9, 1, (count, 1))) + 1e-9
        A[:, range(n), range(n)] = heavier
    G = np.where(pattern_G, rng.normal(size=(count, s, n)), 0.0)
    if s > 1:
        i, j = rng.choice(s, 2, replace=False)
        near = rng.random(count) < 0.7
        close = G[near, j] * rng.normal() + 10.0 ** rng.uniform(-10, 0, (near.sum(), 1)) * G[near, i]
        G[near, i] = np.where(pattern_G[i], close, 0.0)
    masses = 10.0 ** rng.uniform(-3, 3, (count, n))
    A = A * masses[:, :, None] * masses[:, None, :]
    return A, rng.normal(size=(count, n)) * masses, G * masses[:, None, :], rng.normal(size=(count, s))


def compared_with_robust(motion, A, h, G, g0, states):
    """Return the number of trusted states and their largest difference from the robust kernel."""
    t, nothing = np.zeros(len(states)), np.zeros((len(states), 0))
    status, out = motion.many(t, states, states, np.zeros(0), nothing)
    trusted = np.flatnonzero(status == 0)
    expected = np.empty((len(trusted), out.shape[1]))
    for row, k in enumerate(trusted):
        robust = solve(A[k], h[k], G[k], g0[k])
        assert robust.status in (1, 2), "trusted where the robust kernel sees redundant rows or no solution"
        expected[row] = np.concatenate([robust.a, robust.multipliers])
    if not len(trusted):
        return 0, 0.0
    return len(trusted), np.max(difference(A[trusted], h[trusted], G[trusted], out[trusted], expected))


@pytest.mark.cases
@pytest.mark.parametrize("dense", [False, True], ids=["written out", "vector code"])
def test_hostile_matrices(dense):
    """50 000 states (see `random_cases`) of systems with nearly singular inertia and nearly dependent rows."""
    rng = np.random.default_rng(7 + dense)
    seen = trusted = 0
    while seen < share_of(50_000):
        n = int(rng.integers(2, 11 if not dense else 18))
        s = int(rng.integers(0, min(n, 8) + 1))
        full = dense or rng.random() < 0.5
        pattern_A = np.ones((n, n), bool) if full else rng.random((n, n)) < 0.3
        pattern_G = np.ones((s, n), bool) if full else rng.random((s, n)) < 0.5
        pattern_A |= pattern_A.T
        system = Matrices(n, s, pattern_A, pattern_G, dense)
        if system.motion is None:
            continue
        A, h, G, g0 = drawn(rng, n, s, pattern_A, pattern_G, 1000)
        count, worst = compared_with_robust(system.motion, A, h, G, g0, system.flat(A, h, G, g0))
        assert worst <= AGREE, (n, s, full)
        seen, trusted = seen + 1000, trusted + count
    assert 0.2 * seen < trusted < 0.9 * seen  # many states are near singular, and enough are still trusted


def four_bar():
    """Return a parallelogram on a slope; when it is flat the rows of its loop are dependent."""
    a, b, c = lk.coordinates("a b c")
    m, r, d = lk.parameters("m r d")
    T = m * r**2 * (der(a) ** 2 / 6 + der(c) ** 2 / 6) + m * (r**2 * der(a) ** 2 + d**2 * der(b) ** 2 / 3) / 2
    T += m * r * d * cos(a - b) * der(a) * der(b) / 2
    loop = [f(a) * r + f(b) * d - f(c) * r - f(SLOPE) * d for f in (cos, sin)]
    return lk.System("four-bar", [a, b, c], kinetic=T, potential=m * 9.81 * r * sin(a)).constrain("loop", loop)


def two_rods():
    """Return a particle on two rods, nearly in line."""
    x, y = lk.coordinates("x y")
    m, r, d = lk.parameters("m r d")
    free = lk.System("two rods", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * 9.81 * y)
    return free.constrain("left", x**2 + y**2 - r**2).constrain("right", (x - d) ** 2 + y**2 - r**2)


def light_cart():
    """Return a cart a million times lighter than its pendulum: at a = 0 the inertia matrix is nearly singular."""
    x, a = lk.coordinates("x a")
    m, r = lk.parameters("m r")
    T = m * der(x) ** 2 / 2 * (1 + Rational(1, 10**6)) + m * r * cos(a) * der(x) * der(a) + m * r**2 * der(a) ** 2 / 2
    return lk.System("cart", [x, a], kinetic=T, potential=-m * 9.81 * r * cos(a))


@pytest.mark.parametrize("make", [four_bar, two_rods, light_cart])
def test_mechanisms_through_their_singular_positions(make):
    """States at distances from 1 to 1e-12 on both sides of the singular position."""
    system = make()
    model = CompiledModel(system.statement.free, system.constraints, system.parameters)
    rng = np.random.default_rng(1)
    count = 10_000
    away = np.where(rng.random(count) < 0.5, 1, -1) * 10.0 ** rng.uniform(-12, 0, count)
    q = np.zeros((count, model.n))
    if make is four_bar:
        q[:] = SLOPE
        q[:, 0] += away
        q[:, 2] += away
    elif make is two_rods:
        q[:, 0], q[:, 1] = 0.5, away
    else:
        q[:, 1] = away
    v = rng.normal(size=q.shape)
    t, inputs = np.zeros(count), np.zeros((count, model.n + model.s))
    parameters = np.ones(model.parameters)
    status, out = model.motion.many(t, q, v, parameters, inputs)
    terms = model.function("terms")
    A, h, G, _ = terms.parts(terms.many(t, q, v, parameters, inputs)[1])
    a, multipliers, how = accelerations_many(0, terms.address, t, q, v, parameters, model.s, inputs[0])
    trusted = (status == 0) & (how > 0)
    assert np.all(how[status == 0] > 0)
    expected = np.hstack([a, multipliers])
    assert np.max(difference(A[trusted], h[trusted], G[trusted], out[trusted], expected[trusted])) <= AGREE
    assert not np.any(trusted[np.abs(away) < 1e-5])
    assert np.all(status[np.abs(away) > 0.3] % 2 == 0)  # its pivots are large; digits may be in doubt in slow motions
