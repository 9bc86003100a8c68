"""Machine code of every example against SymPy's derivatives of its statement, evaluated with 30 digits."""

from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from compiling import by_sympy, ideal

import lienket as lk
from lienket.compiled.model import CompiledModel
from lienket.compiled.plain_evaluator import PlainEvaluator
from lienket.compiled.state_numbers import Evaluator
from lienket.constraints import lower
from lienket.free_system import derive

MODELS = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))
STATES = 100


class Stated:
    """A system with its derivatives by SymPy alone, in plain symbols: t, q, v, parameters, a, lambda."""

    def __init__(self, system):
        self.system = system
        n = len(system.coordinates)
        self.q, self.v, self.a = (sp.symbols(f"{letter}_1:{n + 1}", real=True) for letter in "qva")
        self.model = CompiledModel(system.statement.free, system.constraints, system.parameters)
        self.multipliers = sp.symbols(f"l_1:{self.model.s + 1}", real=True)
        names = {lk.t: sp.Symbol("time", real=True)}
        names |= {p: sp.Symbol(f"p_{p}", real=True) for p in system.parameters}
        for x, q, v, a in zip(system.coordinates, self.q, self.v, self.a, strict=True):
            names |= {x: q, sp.Derivative(x, lk.t): v, sp.Derivative(x, (lk.t, 2)): a}
        self.t = names[lk.t]
        self.parameters = [names[p] for p in system.parameters]
        self.plain = lambda e: e.xreplace({k: s for k, s in names.items() if isinstance(k, sp.Derivative)}).xreplace(
            names
        )
        self.symbols = [self.t, *self.q, *self.v, *self.parameters, *self.a, *self.multipliers]

    def rate(self, e):
        moved = [e.diff(x) * y for x, y in zip((*self.q, *self.v), (*self.v, *self.a), strict=True)]
        return e.diff(self.t) + sum(moved)

    def lagrange(self):
        """Return the left side minus the applied forces of each equation, with q''."""
        free = self.system.statement.free
        T = self.plain(free.kinetic) if free.kinetic is not None else None
        if T is None:
            A = free.inertia.applyfunc(self.plain)
            T = (sp.Matrix([self.v]) * A * sp.Matrix(self.v))[0] / 2
        V, R = self.plain(free.potential), self.plain(free.dissipation)
        rows = []
        for q, v, force in zip(self.q, self.v, free.forces, strict=True):
            applied = self.plain(force) - V.diff(q) - R.diff(v)
            for load in free.loads:
                pairs = zip(load.at, load.components, strict=True)
                applied += sum(self.plain(r).diff(q) * self.plain(F) for r, F in pairs)
            rows.append(self.rate(T.diff(v)) - T.diff(q) - applied)
        return rows

    def constraints(self):
        """Yield each constraint with (position, velocity, acceleration) of each row; None for missing levels."""
        for c in self.system.constraints:
            for e in map(self.plain, c.expressions):
                levels = [e, None, None] if c.level == 0 else [None, e, None] if c.level == 1 else [None, None, e]
                for k in range(c.level, 2):
                    levels[k + 1] = self.rate(levels[k])
                yield c, levels


def states(stated, seed=0):
    rng = np.random.default_rng(seed)
    numbers = dict(stated.system.statement.values)
    defaults = [float(numbers[p]) if p in numbers else None for p in stated.system.parameters]
    points = rng.uniform(0.2, 1.3, (STATES, len(stated.symbols)))
    start = 1 + 2 * stated.model.n
    for k, value in enumerate(defaults):
        if value is not None:
            points[:, start + k] = value * rng.uniform(0.9, 1.1, STATES)
    return points


def split(stated, points):
    n, p, s = stated.model.n, len(stated.parameters), stated.model.s
    ends = np.cumsum([1, n, n, p, n + s])
    parts = np.split(points, ends[:-1], axis=1)
    drives = np.zeros((len(points), len(stated.model.drives)))  # drives are zero here; tests of programs cover them
    return [np.ascontiguousarray(part) for part in (*parts[:-1], np.hstack([parts[-1], drives]))]


def evaluated(stated, name, points):
    t, q, v, parameters, inputs = split(stated, points)
    function = stated.model.function(name) if name != "motion" else stated.model.motion
    rows = [function(t[k, 0], q[k], v[k], parameters[k].copy(), inputs[k])[1] for k in range(len(points))]
    return function.named(np.array(rows))


def agree(actual, expected):
    """Assert 1e-12 relative to each entry, at least to its median over the states and 1e-3 of the largest median."""
    expected = np.asarray(expected).reshape(actual.shape)
    usual = np.median(np.abs(expected), axis=0)
    usual = np.maximum(usual, 1e-3 * np.max(usual, initial=0.0))
    assert np.all(np.abs(actual - expected) <= 1e-12 * np.maximum(np.abs(expected), usual))


@pytest.fixture(scope="module", params=MODELS, ids=lambda path: path.stem)
def stated(request):
    return Stated(ideal(lk.load(request.param)))


def test_terms_energy_and_residuals(stated):
    n, s = stated.model.n, stated.model.s
    points = states(stated)
    rows = stated.lagrange()
    A = [row.diff(a) for row in rows for a in stated.a]
    at_rest = dict.fromkeys(stated.a, 0)
    h = [-row.xreplace(at_rest) for row in rows]
    levels = [level for _, level in stated.constraints()]
    G = [level[2].diff(a) for level in levels for a in stated.a]
    g0 = [level[2].xreplace(at_rest) for level in levels]
    parts = np.split(by_sympy([*A, *h, *G, *g0], stated.symbols, points), np.cumsum([n * n, n, s * n]), axis=1)
    terms = evaluated(stated, "terms", points)
    for name, part in zip(("A", "h", "G", "g0"), parts, strict=True):
        agree(terms[name], part)
    residuals = [level[k] if level[k] is not None else sp.Integer(0) for k in (0, 1) for level in levels]
    if s:
        position, velocity = np.split(by_sympy(residuals, stated.symbols, points), 2, axis=1)
        surface = evaluated(stated, "surface", points)
        agree(surface["position"], position)
        agree(surface["velocity"], velocity)


def test_derivatives_of_the_balance(stated):
    """Derivatives of A a - h - G^T lambda and G a + g0 by q, v, t and the parameters."""
    points = states(stated, seed=1)
    rows, multipliers = stated.lagrange(), iter(stated.multipliers)
    kept = []
    for c, levels in stated.constraints():
        weight = next(multipliers)
        kept.append(levels[2])
        if not c.drives:
            highest = (stated.q, stated.v, stated.a)[c.level]
            rows = [row - weight * levels[c.level].diff(x) for row, x in zip(rows, highest, strict=True)]
    balance = [*rows, *kept]
    derivatives = evaluated(stated, "derivatives", points) | evaluated(stated, "parameter_derivatives", points)
    by = {"by_q": stated.q, "by_v": stated.v, "by_t": (stated.t,), "by_parameters": stated.parameters}
    agree(derivatives["balance"], by_sympy(balance, stated.symbols, points))
    for name, symbols in by.items():
        expected = by_sympy([e.diff(x) for e in balance for x in symbols], stated.symbols, points)
        agree(derivatives[name], expected)


def test_plain_and_compiled_numbers_agree(stated):
    """Term-by-term evaluation of the algebra agrees with compiled code; sizes bound the residuals they scale."""
    system = stated.system
    free = derive(system.statement.free)
    rows = [lower(c, free.engine.fork()) for c in system.constraints]
    plain, fast = PlainEvaluator(free, rows, system.parameters), Evaluator(stated.model)
    assert plain.nonlinear == fast.nonlinear
    for point in states(stated, seed=2)[:20]:
        t, q, v, parameters, inputs = (part[0] for part in split(stated, point[None]))
        one, other = (f(t[0], q, v, parameters, inputs[: len(q)]) for f in (plain, fast))
        for name in ("A", "h", "Q", "storing"):
            scale = np.max(np.abs(getattr(one, name)), initial=1e-300)
            np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-11, atol=1e-12 * scale)
        for a, b in zip(one.rows, other.rows, strict=True):
            assert (a.name, a.kind, a.drives) == (b.name, b.kind, b.drives)
            for name in ("G", "g0", "position", "velocity", "E"):
                np.testing.assert_allclose(getattr(b, name), getattr(a, name), rtol=1e-11, atol=1e-11)
            assert np.all(b.sizes[2] >= np.abs(b.g0) * (1 - 1e-12))


def test_emitted_elimination_solves_the_equations(stated):
    """A a = h + G^T lambda and G a + g0 = 0 at all states of status 0, which are more than 80 %."""
    if stated.model.motion is None:
        assert any(c.drives for c in stated.system.constraints)  # the one example with a program
        return
    points = states(stated, seed=3)
    t, q, v, parameters, inputs = split(stated, points)
    terms, trusted = evaluated(stated, "terms", points), 0
    for k in range(STATES):
        status, out = stated.model.motion(t[k, 0], q[k], v[k], parameters[k].copy(), inputs[k])
        A, h, G, g0 = (terms[name][k] for name in ("A", "h", "G", "g0"))
        a, multipliers = np.split(out, [stated.model.n])
        if status == 0:
            trusted += 1
            forces = np.abs(A) @ np.abs(a) + np.abs(h) + np.abs(G.T) @ np.abs(multipliers)
            assert np.all(np.abs(A @ a - h - G.T @ multipliers) <= 1e-11 * forces)
            assert np.all(np.abs(G @ a + g0) <= 1e-12 * (np.sum(np.abs(G), axis=1) * np.max(np.abs(a)) + np.abs(g0)))
    assert trusted > 0.8 * STATES


def test_energy(stated):
    points = states(stated, seed=4)
    free = stated.system.statement.free
    energy = evaluated(stated, "energy", points)
    agree(energy["potential"], by_sympy([stated.plain(free.potential)], stated.symbols, points)[:, 0])
    if free.kinetic is not None:
        T = stated.plain(free.kinetic)
        stored = sum(T.diff(v) * v for v in stated.v) - T
        agree(energy["kinetic"], by_sympy([T], stated.symbols, points)[:, 0])
        agree(energy["stored"], by_sympy([stored], stated.symbols, points)[:, 0])
