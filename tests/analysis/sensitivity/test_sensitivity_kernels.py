"""Tangent kernels: equal to plain NumPy, to their transpose and to differences of the map that they differentiate."""

import numpy as np
import plain_tangent
import pytest
import sympy as sp
from starting import four_bar, model

import lienket as lk
from lienket import der
from lienket.analysis.sensitivity.run_derivatives import carry_back, carry_forward

x, y, phi = lk.coordinates("x y phi")
m, l, g, J, W = lk.parameters("m l g J W")


def pendulum(rods=1):
    system = lk.System(
        "pendulum",
        [x, y],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2,
        potential=m * g * y,
        values={m: 2, l: 1, g: 9.81},
    )
    for k in range(rods):
        system = system.constrain(f"rod {k}", (k + 1) * (x**2 + y**2 - l**2))
    return system, {"x": 0.6, "x'": 0.3}, {"y": -0.8}


def edge():
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
    system = lk.System("edge", [x, y, phi], kinetic=kinetic, potential=-m * g * x, values={m: 2, J: 0.3, g: 3})
    return system.constrain("edge", der(x) * sp.sin(phi) - der(y) * sp.cos(phi)), {"phi": 0.2, "phi'": 1.5}, None


def linkage():
    system = four_bar(*lk.parameters("a b c d"))
    return system, {"alpha": 0.8, "alpha'": 2.0}, {"beta": 0.5, "gamma": 1.5}


def wire():
    system = lk.System("bead", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y)
    system = system.constrain("wire", y * sp.cos(W * lk.t) - x * sp.sin(W * lk.t))
    return system, {"x": 0.5, "x'": 0.2}, None


def massless():
    system = lk.System("tied", [x, y], kinetic=m * der(x) ** 2 / 2, potential=g * y**2 / 2 + l * x**4)
    return system.constrain("tie", y - x - J * x**2), {"x": 0.5, "x'": 0.2}, None


CASES = {
    "pendulum": pendulum, "redundant": lambda: pendulum(2), "edge": edge, "linkage": linkage, "wire": wire,
    "appell": lambda: (model("appell_hamel"), {"x'": 0.3, "y'": 0.5}, {"z'": -0.5}), "massless": massless,
}  # fmt: skip
VALUES = {"a": 1.0, "b": 2.0, "c": 1.5, "d": 2.2, "m": 1.3, "g": 4.0, "W": 1.2, "l": 0.7, "J": 0.2}


def made(name, method, until=1.0, rtol=1e-7):
    system, start, guess = CASES[name]()
    values = {p.name: VALUES[p.name] for p in system.parameters if p not in system.values}
    return system.simulate(values, start, until, method, rtol, 1e-9, guess=guess)._run


def columns_of(run, seed=0):
    """Return columns of all parameters and three start values, with random tangents, projected where A is regular."""
    p, n = len(run.problem.parameters), run.problem.n
    columns = np.array([*range(p), -1, -1, -1], dtype=np.int64)
    d = np.random.default_rng(seed).normal(size=(2 * n, len(columns)))
    model = plain_tangent.Model(run)
    y = np.concatenate([run.q[0], run.v[0]])
    if np.linalg.matrix_rank(model.blocks("surface", run.t[0], y)["A"]) == n:  # the plain projection needs A^-1
        d = model.projected(run.t[0], y, d, columns)
    return columns, d


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("name", [name for name in CASES if name != "massless"])
def test_kernels_agree_with_plain_numpy(name, method):
    run = made(name, method, 0.6, 1e-6)
    columns, d = columns_of(run)
    plain = plain_tangent.carry(run, columns, d)
    carried = carry_forward(run, columns, d, along=True)
    np.testing.assert_allclose(carried.tangents, plain, atol=1e-11 * np.max(np.abs(plain)), rtol=0)
    last = carry_forward(run, columns, d, along=False)
    np.testing.assert_array_equal(last.tangents[0], carried.tangents[-1])


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("name", CASES)
def test_adjoint_is_the_transpose(name, method):
    run = made(name, method)
    columns, d = columns_of(run)
    weights = np.random.default_rng(1).normal(size=(2 * run.problem.n, 2))
    ahead = weights.T @ carry_forward(run, columns, d, along=False).tangents[0]
    back = carry_back(run, weights)
    p = len(run.problem.parameters)
    adjoint = back.tangents[0].T @ d + np.hstack([back.gradient.T, np.zeros((2, len(columns) - p))])
    np.testing.assert_allclose(adjoint, ahead, atol=1e-12 * np.max(np.abs(ahead)), rtol=0)


def test_runs_longer_than_one_kernel_call(monkeypatch):
    from lienket.analysis.sensitivity import run_derivatives

    run = made("pendulum", "dop853", 5.0, 1e-10)
    columns, d = columns_of(run)
    whole, back = carry_forward(run, columns, d, along=True), carry_back(run, np.eye(4))
    monkeypatch.setattr(run_derivatives, "STEPS_PER_CALL", 7)
    np.testing.assert_array_equal(carry_forward(run, columns, d, along=True).tangents, whole.tangents)
    np.testing.assert_array_equal(carry_back(run, np.eye(4)).gradient, back.gradient)


def test_sensitivity_is_the_derivative_of_the_discrete_steps():
    """In a few fixed steps the motion is wrong by percents, yet the derivatives are those of the computed motion."""
    k = lk.parameters("k")
    system = lk.System("hard spring", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**4 / 4, values={k: 3, m: 1})
    options = {"until": 6.0, "method": "dop853", "step": 1.0, "rtol": 1e3, "atol": 1e3}

    def end(k, x, v):
        run = system.simulate({"k": k}, {"x": x, "x'": v}, **options)
        return np.array([run.q[-1, 0], run.v[-1, 0]])

    e, point = 1e-4, np.array([3.0, 1.1, 0.2])
    shifts = [[end(*(point + s * e * unit)) for s in (-2, -1, 1, 2)] for unit in np.eye(3)]
    expected = np.array([(a - 8 * b + 8 * c - d) / (12 * e) for a, b, c, d in shifts]).T
    result = system.sensitivity(start={"x": 1.1, "x'": 0.2}, by=["k", "x", "x'"], **options)
    exact = system.sensitivity(start={"x": 1.1, "x'": 0.2}, by=["k", "x", "x'"], until=6.0)
    size = np.max(np.abs(expected))
    np.testing.assert_allclose(result.values, expected, atol=1e-9 * size)
    assert np.max(np.abs(exact.values - expected)) > 1e-2 * size  # these steps do not approximate the motion


def test_andrews_squeezer_by_many_parameters():
    """For one output and all parameters the adjoint is chosen, and it agrees with the forward derivatives."""
    system = model("andrews_squeezer")
    by = [p.name for p in system.parameters]
    n = len(system.coordinates)
    first = str(system.coordinates[0].func)
    options = {"start": {first: -0.0617138900142764496358948458001}, "until": 0.005, "by": by, "of": [f"{first}'"]}
    back, ahead = (system.sensitivity(mode=mode, **options) for mode in ("auto", "forward"))
    assert len(by) > 2 * n + 4
    assert (back.audit.mode, ahead.audit.mode) == ("adjoint", "forward")
    np.testing.assert_allclose(back.values, ahead.values, rtol=1e-8, atol=1e-10 * np.max(np.abs(ahead.values)))
    assert ahead.audit.residual < 1e-10
