"""What many tests share: the numbers of the papers' examples, and evaluation independent of the package."""

import json
from pathlib import Path

import pytest
import sympy as sp

import lienket as lk

HERE = Path(__file__).parent
MODELS = HERE.parent / "examples" / "models"
CASES = {case["name"]: case for case in json.loads((HERE / "data" / "check_values.json").read_text())}


@pytest.fixture(scope="session")
def cases():
    """The check values by name; see tests/data/README.md."""
    return CASES


def evaluated(matrix, case, extra=None):
    """A SymPy matrix at the state and parameters of a case, by SymPy's own 30-digit evaluation, as nested lists."""
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
    """d/dt dT/dq' - dT/dq + dV/dq - Q, straight from the definition, by SymPy alone."""
    t = lk.t
    rows = []
    for x, force in zip(coordinates, Q, strict=True):
        v = sp.Derivative(x, t)
        rows.append(sp.diff(sp.diff(T, v), t) - sp.diff(T, x) + sp.diff(V, x) - force)
    return sp.Matrix(rows)


def residual(free, T, V, Q):
    """A q'' - h minus the Euler-Lagrange expressions: zero if the free system is right."""
    accelerations = sp.Matrix([sp.Derivative(x, (lk.t, 2)) for x in free.coordinates])
    return (free.A * accelerations - free.h - euler_lagrange(T, V, Q, free.coordinates)).expand()
