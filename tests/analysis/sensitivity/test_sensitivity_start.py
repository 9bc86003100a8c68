"""Derivatives of a consistent start by start values and parameters: row 0 of the sensitivities along a run."""

import numpy as np
import pytest
import sympy as sp
from starting import four_bar

import lienket as lk
from lienket import der

x, y, phi = lk.coordinates("x y phi")
m, l, g, W = lk.parameters("m l g W")


def pendulum():
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2
    system = lk.System("pendulum", [x, y], kinetic=kinetic, potential=m * g * y, values={m: 2, l: 1, g: 9.81})
    return system.constrain("rod", x**2 + y**2 - l**2)


def start_of(system, start, by, **options):
    """Return the sensitivities along a short run; their row 0 is the derivative of the start."""
    return system.sensitivity(start=start, until=0.01, by=by, along=True, **options).along


def test_remaining_start_values_follow_from_the_constraints():
    """y = -sqrt(l^2 - x^2), y' = -x x'/y."""
    along = start_of(pendulum(), {"x": 0.6, "x'": 0.5}, ["x", "x'", "l", "m"], guess={"y": -0.8})
    expected = {
        ("x", "x"): 1, ("y", "x"): 0.75, ("x", "l"): 0, ("y", "l"): -1.25, ("y", "m"): 0,
        ("x'", "x'"): 1, ("y'", "x'"): 0.75, ("x'", "x"): 0, ("x", "x'"): 0,
        # y' = x u/sqrt(l^2 - x^2) has the derivatives u l^2/r^3 by x and -x u l/r^3 by l, with r = 0.8
        ("y'", "x"): 0.5 / 0.512, ("y'", "l"): -0.6 * 0.5 / 0.512,
    }  # fmt: skip
    for key, value in expected.items():
        assert along[key][0] == pytest.approx(value, abs=1e-12), key


def test_derivative_of_a_complete_start_is_projected():
    """dq = (1 - n n^T) e_x with the normal n = (0.6, -0.8); the derivative by l is n."""
    along = start_of(pendulum(), ([0.6, -0.8], [0.0, 0.0]), ["x", "l", "x'"])
    np.testing.assert_allclose([along["x", "x"][0], along["y", "x"][0]], [0.64, 0.48], atol=1e-14)
    np.testing.assert_allclose([along["x", "l"][0], along["y", "l"][0]], [0.6, -0.8], atol=1e-14)
    np.testing.assert_allclose([along["x'", "x'"][0], along["y'", "x'"][0]], [0.64, 0.48], atol=1e-14)


def test_consistent_start_is_accepted_as_start():
    system = pendulum()
    start = system.consistent({"x": 0.6}, guess={"y": -0.8})
    along = start_of(system, start, ["x"])
    np.testing.assert_allclose([along["x", "x"][0], along["y", "x"][0]], [0.64, 0.48], atol=1e-14)


def test_missing_start_values_are_those_of_the_guess():
    """The start is the point of the line y = x nearest to the guess: x and y move by half of the guess's change."""
    line = lk.System("line", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, values={m: 1}).constrain(
        "line", y - x
    )
    along = start_of(line, None, ["x", "y'"], guess={"x": 1.0})
    np.testing.assert_allclose([along["x", "x"][0], along["y", "x"][0]], 0.5)
    np.testing.assert_allclose([along["x'", "y'"][0], along["y'", "y'"][0]], 0.5)


def test_velocities_nearest_to_their_guess_move_with_metric_and_constraint():
    """A rheonomic row gives v = -A^-1 G^T S^-1 g_t, where A and G depend on q and on parameters."""
    kinetic = m * (der(x) ** 2 + (1 + x**2) * der(y) ** 2) / 2 + W * der(x) * der(y) / 5
    system = lk.System("driven", [x, y, phi], kinetic=kinetic + der(phi) ** 2 / 2)
    system = system.constrain("drive", x * y - l * sp.sin(W * lk.t) - sp.Rational(1, 2) + phi / 3)
    values, start = {"m": 1.5, "W": 1.3, "l": 0.7}, {"x": 0.9, "phi": 0.1, "phi'": 0.2}
    by, guess = ["m", "W", "l", "x", "phi", "phi'"], {"y'": 0.4}
    along = start_of(system, start, by, values=values, guess=guess)
    e = 1e-4
    for name in by:

        def shifted_start(shift, name=name):
            numbers = {k: v + shift * (k == name) for k, v in values.items()}
            moved = {k: v + shift * (k == name) for k, v in start.items()}
            state = system.consistent(moved, numbers, guess=guess)
            return np.concatenate([state.q, state.v])

        expected = (8 * (shifted_start(e) - shifted_start(-e)) - (shifted_start(2 * e) - shifted_start(-2 * e))) / (
            12 * e
        )
        here = np.array([along[of, name][0] for of in ("x", "y", "phi", "x'", "y'", "phi'")])
        np.testing.assert_allclose(here, expected, atol=1e-10)


def test_four_bar_closes_with_any_crank_and_lengths():
    """The angles of coupler and rocker follow from the loop: b e^(i beta) - c e^(i gamma) = d - a e^(i alpha)."""
    system = four_bar(*lk.parameters("a b c d"))
    values, by = {"a": 1.0, "b": 2.0, "c": 1.5, "d": 2.2}, ["a", "b", "c", "d", "alpha"]
    result = system.sensitivity(
        values, {"alpha": 0.8, "alpha'": 1.0}, 0.01, by=by, guess={"beta": 0.5, "gamma": 1.5}, along=True
    )
    alpha, beta, gamma = np.exp(1j * result.trajectory.q[0])
    # Differentiated: i b e^(i beta) dbeta - i c e^(i gamma) dgamma = r
    right = np.array([-alpha, -beta, gamma, 1.0, -1j * alpha])
    M = np.array([[(2j * beta).real, (-1.5j * gamma).real], [(2j * beta).imag, (-1.5j * gamma).imag]])
    expected = np.linalg.solve(M, np.array([right.real, right.imag]))
    here = np.array([[result.along[of, name][0] for name in by] for of in ("beta", "gamma")])
    np.testing.assert_allclose(here, expected, atol=1e-12)


def test_a_parameter_that_contradicts_redundant_constraints_has_no_derivative():
    L = lk.parameters("L")
    system = pendulum().constrain("second rod", x**2 + y**2 - L**2)
    with pytest.raises(lk.LienketError, match=r"no derivative by l: .* 'second rod'"):
        system.sensitivity({L: 1}, {"x": 0.6}, 0.1, by=["l"], guess={"y": -0.8})
