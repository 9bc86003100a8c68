"""Shared by many tests: check values of the papers' examples, and evaluation independent of the package."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import lienket as lk

HERE = Path(__file__).parent
MODELS = HERE.parent / "examples" / "models"
OTHER = {
    "digging_machine",
    "slider_pendulum",
    "hammer_crusher",
    "belt",
    "crane",
    "slider_crank_friction",
    "thrown_body",
}
IDEAL = sorted(p.stem for p in MODELS.glob("*.toml") if p.stem not in OTHER)
"""Names of the example models whose constraints are all ideal; the others have no constraints, or programs, or laws."""
CASES = {case["name"]: case for case in json.loads((HERE / "data" / "check_values.json").read_text())}


def pytest_configure(config):
    """Keep compiled kernels beside pytest's own cache, from one session to the next and for all workers."""
    if hasattr(config, "cache"):
        directory = config.cache.mkdir("lienket")
        directory.chmod(0o700)  # not writable by others, whatever the umask
        os.environ.setdefault("LIENKET_CACHE_DIR", str(directory))


@pytest.fixture(scope="session")
def cases():
    """Return the check values by name; see tests/data/README.md."""
    return CASES


def evaluated(matrix, case, extra=None):
    """Return a SymPy matrix at the state of a case, in 30 digits by SymPy's own evaluation, as nested lists."""
    state, coordinates = case["state"], [lk.coordinates(name) for name in case["coordinates"]]
    point = {}
    for x, q, v in zip(coordinates, state["q"], state["qd"], strict=True):
        point[sp.Derivative(x, lk.t)] = sp.Float(v, 30)
        point[x] = sp.Float(q, 30)
    point[lk.t] = sp.Float(state.get("t", 0.0), 30)
    for name, value in (case["parameters"] | (extra or {})).items():
        point[sp.Symbol(name)] = sp.Float(value, 30)
    rows = [[float(e.xreplace(point).evalf(30)) for e in row] for row in sp.Matrix(matrix).tolist()]
    return rows if len(rows[0]) > 1 else [row[0] for row in rows]


def euler_lagrange(T, V, Q, coordinates):
    """Return d/dt dT/dq' - dT/dq + dV/dq - Q, straight from the definition, by SymPy alone."""
    t = lk.t
    rows = []
    for x, force in zip(coordinates, Q, strict=True):
        v = sp.Derivative(x, t)
        rows.append(sp.diff(sp.diff(T, v), t) - sp.diff(T, x) + sp.diff(V, x) - force)
    return sp.Matrix(rows)


def residual(free, T, V, Q):
    """Return A q'' - h minus the Euler-Lagrange expressions: zero if the free system is right."""
    accelerations = sp.Matrix([sp.Derivative(x, (lk.t, 2)) for x in free.coordinates])
    return (free.A * accelerations - free.h - euler_lagrange(T, V, Q, free.coordinates)).expand()


class AtRandom:
    """A system at a random state, not necessarily on its constraints, with a number for every parameter."""

    def __init__(self, system, seed):
        rng = np.random.default_rng(seed)
        n = len(system.coordinates)
        self.system = system
        self.q, self.v = rng.uniform(0.2, 1.3, n), rng.uniform(-1, 1, n)
        self.t = float(rng.uniform(0, 1))
        defaults = {p: float(v) for p, v in system.values.items()}
        self.values = {p: defaults.get(p, 0.0) or float(rng.uniform(0.5, 2)) for p in system.parameters}

    def state(self):
        return self.system.at(self.q, self.v, self.t, self.values)

    def number(self, matrix, **extra):
        """Return a SymPy matrix at the state as floats, evaluated in 30 digits."""
        point = {sp.Symbol(k): v for k, v in extra.items()} | self.values | {lk.t: self.t}
        moving = {}
        for x, q, v in zip(self.system.coordinates, self.q, self.v, strict=True):
            moving |= {x: sp.Float(q, 30), sp.Derivative(x, lk.t): sp.Float(v, 30)}
        exact = {k: sp.Float(v, 30) for k, v in point.items()}
        rows = [[e.xreplace(moving).xreplace(exact) for e in row] for row in sp.Matrix(matrix).tolist()]
        return np.array([[float(e.evalf(30)) for e in row] for row in rows])


@pytest.fixture
def at_random():
    return AtRandom
