"""Friction on constraints of the catalogue: the normal force is the force between the points, whatever the factor.

Two bodies that turn are joined by a row of the catalogue with friction. The force between the points and the
accelerations are solved here from the distance that the row means, the virtual work of the force N in its direction and
of the friction mu N along the slip. No contact point is stated, and models are saved and loaded again.
"""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import catalogue, der

x, y, phi, X, Y, psi = Q = lk.coordinates("x y phi X Y psi")
V = [der(s) for s in Q]
NAMES = sp.symbols(f"q:{len(Q)} v:{len(Q)}")


def rotated(angle, arm):
    return (arm * sp.cos(angle), arm * sp.sin(angle))


def case(rng):
    """Return a row of the catalogue, the distance that it measures (its rate, if it is on velocities), and the slip."""
    arm, other = (float(r) for r in rng.uniform(0.2, 1.0, size=2))
    a = tuple(p + r for p, r in zip((x, y), rotated(phi, arm), strict=True))
    b = tuple(p + r for p, r in zip((X, Y), rotated(psi, other), strict=True))
    between = tuple(q - p for p, q in zip(a, b, strict=True))
    speed = [sp.diff(e, lk.t) for e in between]
    L, scale = float(rng.uniform(0.5, 2)), float(10 ** rng.uniform(-2, 2))
    kind = ("rod", "distance", "slot", "pin", "fixed_point", "knife_edge", "rolling")[rng.integers(7)]
    if kind in ("rod", "distance"):
        length = sp.sqrt(between[0] ** 2 + between[1] ** 2)
        row = (catalogue.rod if kind == "rod" else catalogue.distance)(a, b, L)
        return row, length - L, (between[0] * speed[1] - between[1] * speed[0]) / length
    if kind == "slot":  # the point b in a slot of the first body, whose direction has any length
        d = (sp.cos(phi), sp.sin(phi))
        row = catalogue.slot(b, a, tuple(scale * e for e in d))[0]
        return row, d[0] * between[1] - d[1] * between[0], d[0] * speed[0] + d[1] * speed[1]
    if kind == "pin":
        return catalogue.pin(b, a)[1], between[1], speed[0]
    v = [sp.diff(e, lk.t) for e in b]
    if kind == "fixed_point":
        return catalogue.fixed_point(b, (L, 0))[0], b[0] - L, v[1]
    if kind == "knife_edge":
        n, d = (sp.sin(psi), -sp.cos(psi)), (sp.cos(psi), sp.sin(psi))
        return catalogue.knife_edge(b, psi), n[0] * v[0] + n[1] * v[1], d[0] * v[0] + d[1] * v[1]
    return catalogue.rolling((X, Y), psi, L, (scale, 0)), der(X) + L * der(psi), der(Y)


def compiled(expressions):
    """Return the function (q, v) -> numbers of expressions without accelerations."""
    at_rest = {sp.diff(s, lk.t, 2): 0 for s in Q}
    to_v, to_q = dict(zip(V, NAMES[6:], strict=True)), dict(zip(Q, NAMES[:6], strict=True))
    rows = [sp.sympify(e).xreplace(at_rest).xreplace(to_v).xreplace(to_q) for e in expressions]
    function = sp.lambdify(NAMES, rows)
    return lambda q, v: np.array(function(*q, *v), dtype=float)


def direct(measured, slip, A, h, mu, state):
    """Return the accelerations and N at a state on the row near the given one, and this state.

    A a = h + G^T N - mu |N| sign(slip) tau, with the gradient G of what the row measures in metres, or in metres per
    second: the virtual work of a unit force at its points.
    """
    q, v = state
    holonomic = not measured.has(sp.Derivative)
    rate = sp.diff(measured, lk.t) if holonomic else measured
    gradient = [sp.diff(rate, s) for s in V]
    values = compiled([measured, rate, sp.diff(rate, lk.t), slip, *gradient, *(sp.diff(slip, s) for s in V)])
    for _ in range(60 if holonomic else 0):
        found = values(q, v)
        q = q - found[4:10] * found[0] / (found[4:10] @ found[4:10])
    found = values(q, v)
    v = v - found[4:10] * found[1] / (found[4:10] @ found[4:10])
    _, _, g0, s = (found := values(q, v))[:4]
    G, tau = found[4:10], found[10:]
    for sense in (1, -1):
        force = G - mu * sense * np.sign(s) * tau
        N = -(G @ np.linalg.solve(A, h) + g0) / (G @ np.linalg.solve(A, force))
        if N * sense >= 0:
            return np.linalg.solve(A, h + force * N), N, (q, v)
    raise AssertionError("no motion")


@pytest.mark.parametrize("seed", attack_cases(4))
def test_friction_of_the_catalogue_is_that_of_the_force_between_its_points(seed, tmp_path):
    rng = np.random.default_rng([71, seed])
    row, measured, slip = case(rng)
    A, h, mu = np.diag(rng.uniform(0.5, 3, size=6)), rng.normal(size=6) * 5, float(rng.uniform(0.02, 0.15))
    expected, N, (q, v) = direct(measured, slip, A, h, mu, (rng.normal(size=6), rng.normal(size=6)))
    T = sum(float(A[i, i]) * V[i] ** 2 for i in range(6)) / 2
    system = lk.System("bodies", list(Q), kinetic=T, forces=dict(zip(Q, map(float, h), strict=True)))
    factors = [1, float(10 ** rng.uniform(-3, 3)), -3, 1 + x**2 / 4, 2 + sp.cos(phi), sp.exp(sp.sin(psi))]
    factor = factors[rng.integers(len(factors))]
    scaled = factor * row if rng.random() < 0.5 else row / (1 / sp.sympify(factor))
    joined = system.constrain("joint", scaled, law=lk.Coulomb(mu, slip=slip))
    state = joined.at(q, v)
    assert state.accelerations == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert abs(state.contacts["joint"].normal) == pytest.approx(abs(N), rel=1e-8, abs=1e-9)
    assert abs(state.contacts["joint"].friction) == pytest.approx(mu * abs(N), rel=1e-8, abs=1e-9)
    assert not state.audit.notes
    numbers = joined.compile().evaluate(t=0.0, q=q, v=v)
    assert numbers.accelerations == pytest.approx(expected, rel=1e-8, abs=1e-8)
    lk.save(joined, tmp_path / "joined.toml")
    again = lk.load(tmp_path / "joined.toml")
    assert again.statement == joined.statement
    same = again.at(q, v)
    assert np.array_equal(same.accelerations, state.accelerations) and not same.audit.notes
