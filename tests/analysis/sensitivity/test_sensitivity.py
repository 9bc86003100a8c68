"""Sensitivities of motions with closed solutions, which are differentiated by hand."""

import re
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from starting import four_bar, model

import lienket as lk
from lienket import der

k, m, c, g = lk.parameters("k m c g")
x, y = lk.coordinates("x y")


def oscillator(damping=0):
    values = {k: 40, m: 0.5} | ({c: 1000} if damping else {})
    return lk.System(
        "oscillator", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2, dissipation=damping * der(x) ** 2 / 2,
        values=values,
    )  # fmt: skip


def differentiated(expressions, by, numbers):
    """Return the derivatives of SymPy expressions at the given numbers, computed with 30 digits."""
    return np.array([[float(sp.diff(e, s).evalf(30, subs=numbers)) for s in by] for e in expressions])


def close(actual, expected, tolerance=1e-8):
    np.testing.assert_allclose(actual, expected, atol=tolerance * max(1.0, np.max(np.abs(expected))), rtol=0)


def test_oscillator_by_stiffness_mass_and_start():
    a, v, t = sp.symbols("a v t")
    w = sp.sqrt(k / m)
    position = a * sp.cos(w * t) + v / w * sp.sin(w * t)
    result = oscillator().sensitivity(start={"x": 0.3, "x'": -1.0}, until=2, by=["k", "m", "x", "x'"], along=True)
    numbers = {k: 40, m: sp.Rational(1, 2), a: sp.Rational(3, 10), v: -1, t: 2}
    close(result.values, differentiated([position, sp.diff(position, t)], [k, m, a, v], numbers))
    exact = sp.lambdify(t, sp.diff(position, k).subs({k: 40, m: sp.Rational(1, 2), a: sp.Rational(3, 10), v: -1}))
    close(result.along["x", "k"], exact(result.trajectory.t))
    assert result["x", "k"] == result.along["x", "k"][-1]


def test_projectile():
    T = 1.3
    ball = lk.System("ball", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y)
    result = ball.sensitivity(
        {m: 3, g: 9.81}, {"y": 2.0, "x'": 4.0, "y'": 5.0}, T, by=["g", "m", "x", "y", "x'", "y'"], of=["x", "y", "y'"]
    )
    expected = [[0, 0, 1, 0, T, 0], [-(T**2) / 2, 0, 0, 1, 0, T], [-T, 0, 0, 0, 0, 1]]
    close(result.values, expected, 1e-12)


def test_period_of_the_pendulum_by_its_length():
    """The period T is proportional to sqrt(l) at any amplitude: dT/dl = T/(2 l); the angle is 0 at T/4."""
    (l,) = (lk.parameters("l"),)
    phi = lk.coordinates("phi")
    system = lk.System("pendulum", [phi], kinetic=l**2 * der(phi) ** 2 / 2, potential=-g * l * sp.cos(phi))
    amplitude, L = 2.0, 0.9
    # 4 sqrt(l/g) K(sin(amplitude/2)), and at phi = 0 the speed is 2 sqrt(g/l) sin(amplitude/2).
    from scipy.special import ellipk

    period = 4 * np.sqrt(L / 9.81) * ellipk(np.sin(amplitude / 2) ** 2)
    result = system.sensitivity({l: L, g: 9.81}, {"phi": amplitude}, period / 4, by=["l", "g"])
    angle, rate = result.trajectory.q[-1, 0], result.trajectory.v[-1, 0]
    assert angle == pytest.approx(0, abs=1e-9)
    # phi(T/4, l) = 0 for all l: phi_l + phi' (T/4)_l = 0.
    assert -4 * result["phi", "l"] / rate == pytest.approx(period / (2 * L), rel=1e-8)
    assert -4 * result["phi", "g"] / rate == pytest.approx(-period / (2 * 9.81), rel=1e-8)
    assert abs(rate) == pytest.approx(2 * np.sqrt(9.81 / L) * np.sin(amplitude / 2), rel=1e-9)


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_knife_edge_on_an_inclined_plane(mode):
    """With phi = w t and the speed u along the edge at the start, x down the slope,

    x = g sin(w t)^2/(2 w^2) + u sin(w t)/w,    y = g (w t - sin(2 w t)/2)/(2 w^2) + u (1 - cos(w t))/w.
    """
    J = lk.parameters("J")
    phi = lk.coordinates("phi")
    edge = lk.System(
        "edge", [x, y, phi], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2, potential=-m * g * x,
        values={m: 2, J: 0.3, g: 3.0},
    ).constrain("edge", der(x) * sp.sin(phi) - der(y) * sp.cos(phi))  # fmt: skip
    result = edge.sensitivity(
        start={"x": 0, "y": 0, "phi": 0, "x'": 0.7, "phi'": 1.5}, until=2, by=["m", "J", "g", "phi'", "x'"], mode=mode
    )
    w, u, t = sp.symbols("w u t")
    positions = [
        g * sp.sin(w * t) ** 2 / (2 * w**2) + u * sp.sin(w * t) / w,
        g * (w * t - sp.sin(2 * w * t) / 2) / (2 * w**2) + u * (1 - sp.cos(w * t)) / w,
        w * t,
    ]
    numbers = {g: 3, w: sp.Rational(3, 2), u: sp.Rational(7, 10), t: 2}
    expected = differentiated([*positions, *(sp.diff(p, t) for p in positions)], [m, J, g, w, u], numbers)
    close(result.values, expected)


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_bead_on_a_turning_wire(method):
    """A rheonomic constraint: r'' = W^2 r, so r = r0 cosh(W t) + r0' sinh(W t)/W; y'(0) = r0 W follows."""
    W = lk.parameters("W")
    bead = lk.System("bead", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, values={W: 1.2})
    bead = bead.constrain("wire", y * sp.cos(W * lk.t) - x * sp.sin(W * lk.t))
    result = bead.sensitivity(start={"x": 0.5, "x'": 0.2}, until=1.7, by=["W", "x", "x'"], method=method, rtol=1e-11)
    r0, u, t = sp.symbols("r0 u t")
    r = r0 * sp.cosh(W * t) + u * sp.sinh(W * t) / W
    positions = [r * sp.cos(W * t), r * sp.sin(W * t)]
    numbers = {W: sp.Rational(6, 5), r0: sp.Rational(1, 2), u: sp.Rational(1, 5), t: sp.Rational(17, 10)}
    close(result.values, differentiated([*positions, *(sp.diff(p, t) for p in positions)], [W, r0, u], numbers))
    assert result.audit.residual < 1e-10


@pytest.mark.parametrize("method", ["radau5", "auto"])
@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_stiff_damper(method, mode):
    """Eigenvalues -2000 and -0.04: the fast part decays at once, then x follows exp(-k t/c)."""
    system = oscillator(c)
    options = {
        "start": {"x": 0.3, "x'": 0.0},
        "until": 20,
        "by": ["k", "m", "c", "x", "x'"],
        "rtol": 1e-9,
        "atol": 1e-12,
    }
    result = system.sensitivity(method=method, mode=mode, **options)
    a, v, t = sp.symbols("a v t")
    root = sp.sqrt(c**2 - 4 * k * m)
    p, q = (-c + root) / (2 * m), (-c - root) / (2 * m)
    position = ((v - q * a) * sp.exp(p * t) - (v - p * a) * sp.exp(q * t)) / (p - q)
    numbers = {k: 40, m: sp.Rational(1, 2), c: 1000, a: sp.Rational(3, 10), v: 0, t: 20}
    expected = differentiated([position, sp.diff(position, t)], [k, m, c, a, v], numbers)
    close(result.values, expected, 1e-7)
    methods = {phase.method for phase in result.trajectory.audit.phases}
    assert methods == ({"radau5"} if method == "radau5" else {"dop853", "radau5"})


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_relaxation_oscillations_across_a_jump(mode):
    """Van der Pol, x'' = mu (1 - x^2) x' - x: slow motion on two branches with fast jumps between them."""
    system = lk.System(
        "van der Pol", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2, forces={x: k * (1 - x**2) * der(x)}
    )
    result = system.sensitivity({"k": 1000.0}, {"x": 2.0}, 1500.0, by=["k", "x"], rtol=1e-9, mode=mode)
    assert [phase.method for phase in result.trajectory._run.phases] == ["dop853", "radau5"]
    expected = differences(
        system, {"k": 1000.0}, {"x": 2.0}, ["k", "x"], lambda run: [run.q[-1, 0], run.v[-1, 0]], e=1e-3, until=1500.0,
        method="radau5", rtol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(result.values, expected, rtol=2e-5)


def test_a_stiff_damper_on_a_rod():
    """Sensitivities of an implicit run agree with those of an explicit run in many short steps."""
    l = lk.parameters("l")
    system = lk.System(
        "in oil", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y,
        dissipation=c * (der(x) ** 2 + der(y) ** 2) / 2, values={m: 0.5, c: 200, l: 1, g: 9.81},
    ).constrain("rod", x**2 + y**2 - l**2)  # fmt: skip
    options = {"start": {"x": 0.9, "x'": 0.5}, "guess": {"y": -0.4}, "until": 5, "by": ["m", "c", "l", "g", "x", "x'"]}
    slow, quick = (system.sensitivity(method=method, **options) for method in ("dop853", "radau5"))
    assert slow.trajectory._run.statistics.steps > 2 * quick.trajectory._run.statistics.steps
    for row, other in zip(slow.values, quick.values, strict=True):
        np.testing.assert_allclose(other, row, rtol=1e-6, atol=1e-8 * np.max(np.abs(row)))
    assert quick.audit.ok and slow.audit.ok


def test_a_coordinate_without_mass():
    """A spring whose massless end s is tied to the mass is the oscillator with s = x + d."""
    d = lk.parameters("d")
    s = lk.coordinates("s")
    system = lk.System(
        "tied", [x, s], kinetic=m * der(x) ** 2 / 2, potential=k * s**2 / 2, values={k: 40, m: 0.5, d: 0.1}
    )
    system = system.constrain("tie", s - x - d)
    options = {"start": {"x": 0.3, "x'": 0.2}, "until": 1.5, "by": ["k", "m", "d", "x", "x'"]}
    a, v, t = sp.symbols("a v t")
    w = sp.sqrt(k / m)
    position = (a + d) * sp.cos(w * t) + v / w * sp.sin(w * t)
    numbers = {k: 40, m: sp.Rational(1, 2), d: sp.Rational(1, 10), a: sp.Rational(3, 10), v: sp.Rational(1, 5)}
    numbers[t] = sp.Rational(3, 2)
    # m x'' = -lambda on the mass, k s = lambda on the massless end s.
    expected = differentiated([position - d, position, k * position], [k, m, d, a, v], numbers)
    for mode in ("forward", "adjoint"):
        close(system.sensitivity(of=["x", "s", "tie[0]"], mode=mode, **options).values, expected, 1e-8)


def differences(system, values, start, names, of, e=1e-4, **options):
    """Return differences of fourth order of of(trajectory) over whole simulations."""

    def end(name, shift):
        moved = {key: v + shift * (key == name) for key, v in start.items()}
        numbers = {key: v + shift * (key == name) for key, v in values.items()}
        return np.asarray(of(system.simulate(numbers, moved, **{"rtol": 1e-13, "atol": 1e-14} | options)))

    return np.array(
        [(8 * (end(x, e) - end(x, -e)) - (end(x, 2 * e) - end(x, -2 * e))) / (12 * e) for x in names]
    ).T  # fmt: skip


def test_four_bar_linkage_with_all_its_lengths():
    system = four_bar(*lk.parameters("a b c d"))
    values, start = {"a": 1.0, "b": 2.0, "c": 1.5, "d": 2.2}, {"alpha": 0.8, "alpha'": 2.0}
    guess, by = {"beta": 0.5, "gamma": 1.5}, ["a", "b", "c", "d", "alpha", "alpha'"]
    result = system.sensitivity(values, start, 1.5, by=by, guess=guess)
    expected = differences(
        system, values, start, by, lambda run: np.concatenate([run.q[-1], run.v[-1]]), until=1.5, guess=guess
    )
    close(result.values, expected)
    assert result.audit.ok and result.audit.moved < 1e-5


def test_derivatives_stay_tangent_along_the_way():
    l = lk.parameters("l")
    system = lk.System("pendulum", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y)
    system = system.constrain("rod", x**2 + y**2 - l**2)
    result = system.sensitivity(
        {m: 1, g: 9.81, l: 2}, {"x": 1.0}, 30, by=["l", "g", "x"], guess={"y": -1.7}, along=True, rtol=1e-8, atol=1e-10
    )
    q, v, along = result.trajectory.q, result.trajectory.v, result.along
    for name, own in (("l", 2.0), ("g", 0.0), ("x", 0.0)):  # x dx + y dy = l dl, and its rate
        dx, dy, du, dw = (along[of, name] for of in ("x", "y", "x'", "y'"))
        size = np.abs(q[:, 0] * dx) + np.abs(q[:, 1] * dy) + own + 1e-300
        assert np.max(np.abs(q[:, 0] * dx + q[:, 1] * dy - own) / size) < 1e-10
        rate = v[:, 0] * dx + v[:, 1] * dy + q[:, 0] * du + q[:, 1] * dw
        size = np.abs(v[:, 0] * dx) + np.abs(v[:, 1] * dy) + np.abs(q[:, 0] * du) + np.abs(q[:, 1] * dw)
        assert np.max(np.abs(rate) / (size + 1e-300)) < 1e-10
    assert result.audit.residual < 1e-10
    assert along.path.shape == (len(result.trajectory.t), 4, 3)


def test_a_nonlinear_nonholonomic_constraint():
    """Appell and Hamel: z' follows from k and the start values x' and y'."""
    system = model("appell_hamel")
    values, start = {"m": 1.4, "k": 0.75, "g": 9.81}, {"x": 0.0, "y": 0.0, "z": 1.0, "x'": 0.8, "y'": 0.5}
    by, guess = ["m", "k", "g", "x'", "y'", "z"], {"z'": -0.5}
    result = system.sensitivity(values, start, 0.3, by=by, guess=guess)
    expected = differences(
        system, values, start, by, lambda run: np.concatenate([run.q[-1], run.v[-1]]), until=0.3, guess=guess
    )
    close(result.values, expected)


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_a_constraint_on_accelerations(mode, method):
    """Under x'' + k x' = y'' the multiplier drives x and y apart: (1 + 1) x'' = -k x' - g."""
    system = lk.System("asked", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y, values={g: 3, k: 2})
    system = system.constrain("asked", lk.Acceleration(der(x, 2) + k * der(x) - der(y, 2)))
    options = {"start": {"x'": 0.7}, "until": 1.5, "by": ["g", "k", "x'", "y"], "rtol": 1e-11}
    result = system.sensitivity(of=["x'", "y", "asked[0]"], mode=mode, method=method, **options)
    # x'' = lambda, y'' = -g - lambda: x'' = -(g + k x')/2, x' = (u + g/k) exp(-k t/2) - g/k, y' = -g t - (x' - u)
    u, t, y0, s = sp.symbols("u t y0 s")
    rate = (u + g / k) * sp.exp(-k * t / 2) - g / k
    position = y0 + sp.integrate((-g * t - rate + u).subs(t, s), (s, 0, t))
    numbers = {g: 3, k: 2, u: sp.Rational(7, 10), t: sp.Rational(3, 2), y0: 0}
    close(result.values, differentiated([rate, position, -(g + k * rate) / 2], [g, k, u, y0], numbers))


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_a_system_without_parameters(mode, method):
    free = lk.System("free", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)
    result = free.sensitivity(start={"x": 1.0}, until=1.0, by=["x", "x'"], mode=mode, method=method, rtol=1e-11)
    close(result.values, [[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]])


def test_a_python_function_with_its_derivative():
    def stiff(s):
        return s**3

    law = lk.function("stiff", stiff, derivatives=[lambda s: 3 * s**2])
    system = lk.System("hard", [x], kinetic=m * der(x) ** 2 / 2, forces={x: -k * law(x)}, values={k: 3, m: 1})
    same = lk.System("hard", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**4 / 4, values={k: 3, m: 1})
    options = {"start": {"x": 1.1}, "until": 2, "by": ["k", "m", "x"]}
    close(system.sensitivity(**options).values, same.sensitivity(**options).values, 1e-9)


def test_sixty_coordinates_and_more():
    """A chain of masses and springs moves by exp(J t); its derivative by the stiffness is a block of a doubled exp."""
    from scipy.linalg import expm

    n = 64
    q = lk.coordinates(" ".join(f"q{i}" for i in range(n)))
    potential = k * sum((a - b) ** 2 for a, b in zip((0, *q), (*q, 0), strict=True)) / 2
    chain = lk.System("chain", q, kinetic=sum(der(a) ** 2 for a in q) / 2, potential=potential, values={k: 4})
    chain = chain.constrain("tied", q[0] - q[-1])
    result = chain.sensitivity(start={"q5": 1.0, "q9'": -2.0}, until=2, by=["k", "q5"])
    K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    tie = (np.eye(n)[0] - np.eye(n)[-1]) / np.sqrt(2)
    P = np.eye(n) - np.outer(tie, tie)
    one, none = np.eye(n), np.zeros((n, n))
    J, by_k = np.block([[none, one], [-4 * P @ K, none]]), np.block([[none, none], [-P @ K, none]])
    whole = expm(2 * np.block([[J, np.zeros((2 * n, 2 * n))], [by_k, J]]))
    start = np.zeros(2 * n)
    start[5], start[n + 9] = 1.0, -2.0
    expected = np.column_stack([whole[2 * n :, : 2 * n] @ start, whole[: 2 * n, 5]])
    close(result.values, expected)
    back = chain.sensitivity(start={"q5": 1.0, "q9'": -2.0}, until=2, by=["k", "q5"], of=["q7"], mode="adjoint")
    np.testing.assert_allclose(back.values[0], result.values[7], rtol=1e-10)


def test_the_document_runs_as_it_is_written():
    text = (Path(__file__).parents[3] / "docs" / "sensitivity.md").read_text()
    names = {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(block, names)  # noqa: S102 -- our own text
    s = names["s"]
    assert s.values.shape == (3, 4)
    assert s.along["x", "l"][-1] == s["x", "l"]
