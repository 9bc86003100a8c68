"""Sensitivities against differences of motions that are integrated with 25 digits outside the package."""

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from extended import derivatives, moved

import lienket as lk
from lienket import der

m, l, g = lk.parameters("m l g")


def pendulum():
    phi = lk.coordinates("phi")
    kinetic, potential = m * (l * der(phi)) ** 2 / 2, -m * g * l * sp.cos(phi)
    return lk.System("pendulum", [phi], kinetic=kinetic, potential=potential, values={m: 2, l: 0.7, g: 9.81})


def rod_pendulum(rods=1):
    x, y = lk.coordinates("x y")
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2
    system = lk.System("pendulum", [x, y], kinetic=kinetic, potential=m * g * y, values={m: 2, l: 0.7, g: 9.81})
    for k in range(rods):
        system = system.constrain(f"rod {k}", (k + 1) * (x**2 + y**2 - l**2))
    return system


def angle_end(l, g, phi, w, until=3, steps=15):
    return moved(lambda t, y: [y[1], -g / l * mp.sin(y[0])], [phi, w], until, steps)


def close(actual, expected, tolerance=1e-8):
    np.testing.assert_allclose(actual, expected, atol=tolerance * max(1.0, np.max(np.abs(expected))), rtol=0)


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_pendulum(method):
    by = ["l", "g", "phi", "phi'"]
    result = pendulum().sensitivity(start={"phi": 1.2, "phi'": 0.4}, until=3, by=by, method=method, rtol=1e-11)
    expected = derivatives(
        lambda l, g, phi, w: angle_end(l, g, phi, w),
        {"l": 0.7, "g": 9.81, "phi": 1.2, "w": 0.4},
        ["l", "g", "phi", "w"],
    )
    close(result.values, expected)


def test_double_pendulum():
    l1, l2, m1, m2 = lk.parameters("l1 l2 m1 m2")
    a, b = lk.coordinates("a b")
    x1, y1 = l1 * sp.sin(a), -l1 * sp.cos(a)
    x2, y2 = x1 + l2 * sp.sin(b), y1 - l2 * sp.cos(b)
    kinetic = sum(
        mass * sum(sp.diff(c, lk.t) ** 2 for c in point) / 2 for mass, point in ((m1, (x1, y1)), (m2, (x2, y2)))
    )
    values = {"l1": 1.0, "l2": 0.8, "m1": 1.5, "m2": 0.6, "g": 9.81}
    system = lk.System("double", [a, b], kinetic=kinetic, potential=g * (m1 * y1 + m2 * y2), values=values)
    start = {"a": 0.9, "b": -0.5, "a'": 0.2, "b'": 1.0}
    by = ["l1", "l2", "m2", "a", "b'"]
    result = system.sensitivity(start=start, until=1.2, by=by)

    def end(l1, l2, m1, m2, g, a, u):
        def f(t, y):  # the textbook's equations, solved for both accelerations
            a, b, u, w = y
            c, s = mp.cos(a - b), mp.sin(a - b)
            M = [[(m1 + m2) * l1, m2 * l2 * c], [l1 * c, l2]]
            r = [-m2 * l2 * s * w**2 - (m1 + m2) * g * mp.sin(a), l1 * s * u**2 - g * mp.sin(b)]
            whole = M[0][0] * M[1][1] - M[0][1] * M[1][0]
            return [
                u, w, (r[0] * M[1][1] - M[0][1] * r[1]) / whole, (M[0][0] * r[1] - M[1][0] * r[0]) / whole,
            ]  # fmt: skip

        return moved(f, [a, mp.mpf("-0.5"), mp.mpf("0.2"), u], mp.mpf("1.2"), 16)

    expected = derivatives(
        end, {"l1": 1, "l2": "0.8", "m1": "1.5", "m2": "0.6", "g": "9.81", "a": "0.9", "u": 1},
        ["l1", "l2", "m2", "a", "u"],
    )  # fmt: skip
    close(result.values, expected)


def rod_end(m, l, g, x, u, until=2, steps=14):
    """Return the end of the pendulum in x and y, started below from x and x': x'' = -2 x mu, y'' = -g - 2 y mu."""

    def f(t, s):
        x, y, u, v = s
        mu = (u**2 + v**2 - g * y) / (2 * (x**2 + y**2))
        return [u, v, -2 * x * mu, -g - 2 * y * mu]

    y = -mp.sqrt(l**2 - x**2)
    end = moved(f, [x, y, u, -x * u / y], until, steps)
    mu = (end[2] ** 2 + end[3] ** 2 - g * end[1]) / (2 * (end[0] ** 2 + end[1] ** 2))
    return [*end, -2 * end[0] * mu, -m * mu]  # m x'' = lambda 2 x


@pytest.mark.parametrize("method", ["dop853", "radau5"])
def test_cartesian_pendulum_with_its_rod_its_acceleration_and_its_multiplier(method):
    by, of = ["m", "l", "g", "x", "x'"], ["x", "y", "x'", "y'", "x''", "rod 0[0]"]
    options = {"start": {"x": 0.42, "x'": 0.3}, "guess": {"y": -0.5}, "until": 2, "rtol": 1e-11}
    result = rod_pendulum().sensitivity(by=by, of=of, method=method, **options)
    point = {"m": 2, "l": "0.7", "g": "9.81", "x": "0.42", "u": "0.3"}
    close(result.values, derivatives(rod_end, point, ["m", "l", "g", "x", "u"]))
    assert result.audit.residual < 1e-10


def test_redundant_rods_change_nothing():
    by = ["m", "l", "g", "x", "x'"]
    options = {"start": {"x": 0.42, "x'": 0.3}, "guess": {"y": -0.5}, "until": 2, "by": by}
    one, two = (rod_pendulum(rods).sensitivity(**options) for rods in (1, 2))
    close(one.values, two.values, 1e-9)
    close(two.values, rod_pendulum(2).sensitivity(**options, mode="adjoint").values, 1e-11)


def test_redundant_coordinates_against_minimal_ones():
    """In x, y and in the angle the motion has equal derivatives; phi(0) = asin(x/l), phi'(0) = x'/(l cos(phi))."""
    x, u, L = 0.42, 0.3, 0.7
    phi = np.arcsin(x / L)
    w = u / (L * np.cos(phi))
    outputs = {"x": l * sp.sin(lk.coordinates("phi")), "y": -l * sp.cos(lk.coordinates("phi"))}
    minimal = pendulum().sensitivity(
        start={"phi": phi, "phi'": w}, until=2, by=["l", "g", "phi", "phi'"], of=["x", "y"], outputs=outputs
    )
    full = rod_pendulum().sensitivity(
        start={"x": x, "x'": u}, guess={"y": -0.5}, until=2, by=["l", "g", "x", "x'"], of=["x", "y"]
    )
    # The start in the angle, differentiated by l, g, x, x'.
    root = np.sqrt(L**2 - x**2)  # l cos(phi)
    angle = np.array([-x / (L * root), 0, 1 / root, 0])
    rate = np.array([-u * L / root**3, 0, u * x / root**3, 1 / root])
    own = np.zeros((2, 4))
    own[:, :2] = minimal.values[:, :2]
    close(full.values, own + np.outer(minimal.values[:, 2], angle) + np.outer(minimal.values[:, 3], rate))
