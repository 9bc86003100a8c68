"""Eigenvalues of mechanisms against closed forms, equal in minimal and in redundant coordinates."""

from itertools import pairwise

import mechanisms
import numpy as np
import pytest
from mechanisms import GRAVITY, same_spectrum
from scipy.linalg import eigvalsh

import lienket as lk
from lienket import der


def frequencies(linear):
    return np.sort(linear.frequencies)[::2]


def test_a_pendulum_swings_and_falls():
    below = mechanisms.pendulum().linearize([0.0])
    w = np.sqrt(GRAVITY / 0.7)
    assert below.states == ("theta", "theta'")
    assert below.eigenvalues == pytest.approx([1j * w, -1j * w], abs=1e-14)
    assert below.stable and below.steady and not below.asymptotically_stable
    above = mechanisms.pendulum().linearize({"theta": np.pi})
    assert above.eigenvalues == pytest.approx([w, -w], abs=1e-14)
    assert not above.stable
    assert "unstable" in str(above)


def test_a_double_pendulum_has_its_closed_form():
    """det(K - w^2 M) = 0 with M = [(m1 + m2) l1^2, m2 l1 l2; ., m2 l2^2], K = g diag((m1 + m2) l1, m2 l2)."""
    m1, m2, l1, l2 = 1.3, 0.6, 0.8, 0.5
    M = np.array([[(m1 + m2) * l1**2, m2 * l1 * l2], [m2 * l1 * l2, m2 * l2**2]])
    w2 = eigvalsh(GRAVITY * np.diag([(m1 + m2) * l1, m2 * l2]), M)
    s, p = GRAVITY * (m1 + m2) / m1 * (1 / l1 + 1 / l2), GRAVITY**2 * (m1 + m2) / (m1 * l1 * l2)
    assert w2 == pytest.approx([(s - np.sqrt(s**2 - 4 * p)) / 2, (s + np.sqrt(s**2 - 4 * p)) / 2], rel=1e-12)
    assert frequencies(mechanisms.double_pendulum().linearize([0, 0])) == pytest.approx(np.sqrt(w2), rel=1e-12)
    plane = mechanisms.double_pendulum_in_the_plane().linearize([0, -0.8, 0, -1.3])
    assert frequencies(plane) == pytest.approx(np.sqrt(w2), rel=1e-12)
    assert plane.states == ("x1", "x2", "x1'", "x2'")


def test_a_chain_of_masses_has_the_frequencies_of_a_string_of_beads():
    """n equal masses between n + 1 equal springs with fixed ends: w_j = 2 sqrt(k/m) sin(j pi/(2 (n + 1)))."""
    n, k, m = 12, 3.0, 0.7
    x = lk.coordinates(" ".join(f"x{i}" for i in range(n)))
    ends = [0, *x, 0]
    V = k * sum((b - a) ** 2 for a, b in pairwise(ends)) / 2
    chain = lk.System("beads", x, kinetic=m * sum(der(e) ** 2 for e in x) / 2, potential=V)
    expected = 2 * np.sqrt(k / m) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))
    linear = chain.linearize(np.zeros(n))
    assert frequencies(linear) == pytest.approx(expected, rel=1e-13)
    # The mode j has the amplitudes sin(i j pi/(n + 1)).
    slowest = linear.mode_shapes[:n, np.argmin(linear.frequencies)]
    shape = np.sin(np.arange(1, n + 1) * np.pi / (n + 1))
    assert slowest / slowest[0] == pytest.approx(shape / shape[0], rel=1e-10)


def test_damping_of_an_oscillator():
    x = lk.coordinates("x")
    m, c, k = lk.parameters("m c k")
    damped = lk.System(
        "damped", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2, dissipation=c * der(x) ** 2 / 2
    )
    linear = damped.linearize([0], values={m: 2, c: 1.2, k: 50})
    assert linear.frequencies == pytest.approx([5, 5], rel=1e-14)
    assert linear.damping == pytest.approx([1.2 / (2 * np.sqrt(2 * 50))] * 2, rel=1e-13)
    assert linear.asymptotically_stable


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("speed", [0.5, 0.985, 0.995, 3.0])
def test_a_rolling_disc_is_upright_above_its_critical_speed(speed, redundant):
    """(A + m r^2) lambda^2 = m g r - C (C + m r^2) Omega^2/A; a thin disc becomes stable at v^2 = g r/3.

    The linear equations are (A + m r^2) lean'' + (C + m r^2) Omega yaw' = m g r lean and A yaw'' = C Omega lean'
    (Neimark and Fufaev 1972; Greenwood 2003); integrating the second gives the equation above.
    """
    r = 0.3
    A, C = r**2 / 4, r**2 / 2
    linear = mechanisms.rolling_disc(redundant).linearize(*mechanisms.disc_state(speed, redundant))
    square = (GRAVITY * r - C * (C + r**2) * (speed / r) ** 2 / A) / (A + r**2)
    assert np.sqrt(GRAVITY * r / 3) == pytest.approx(0.990454, abs=1e-6)
    assert len(linear.states) == 8  # 5 positions and 3 velocities
    polynomial = np.poly(linear.A)
    assert polynomial[2] == pytest.approx(-square, rel=1e-9)
    expected = np.zeros((8, 8))
    expected[0, 1], expected[1, 0] = 1, square
    assert same_spectrum(linear.A, expected)
    assert linear.stable == (speed**2 > GRAVITY * r / 3)
    assert linear.steady


@pytest.mark.parametrize("speed", [0.7, 2.0])
def test_a_rolling_disc_has_one_spectrum_in_both_sets_of_coordinates(speed):
    first, second = (mechanisms.rolling_disc(r).linearize(*mechanisms.disc_state(speed, r)) for r in (False, True))
    assert same_spectrum(first.A, second.A)


def test_a_pendulum_has_one_spectrum_in_both_sets_of_coordinates_while_it_moves():
    angle, rate, l = 0.7, 1.9, 0.7
    first = mechanisms.pendulum().linearize([angle], [rate])
    q, v = l * np.array([np.sin(angle), -np.cos(angle)]), l * rate * np.array([np.cos(angle), np.sin(angle)])
    second = mechanisms.pendulum_in_the_plane().linearize(q, v)
    # Away from steady motion the frozen matrices depend on the coordinates, as x = l sin(theta) is not linear.
    assert not first.steady and not second.steady
    hanging = [mechanisms.pendulum().linearize([0]), mechanisms.pendulum_in_the_plane().linearize([0, -l])]
    assert same_spectrum(hanging[0].A, hanging[1].A)


def test_swinging_through_the_lowest_point_is_no_steady_motion():
    linear = mechanisms.pendulum().linearize([0.0], [1.0])
    assert linear.rates == pytest.approx([1, 0], abs=1e-15)
    assert not linear.steady
    assert "frozen" in str(linear)


def assembled_four_bar(coordinates, angles):
    a, b, c, d = mechanisms.FOUR_BAR
    p, s, w = angles
    if coordinates == "angles":
        return angles
    tip = np.array([a * np.cos(p), a * np.sin(p)])
    middle = tip + b / 2 * np.array([np.cos(s), np.sin(s)])
    rocker = np.array([d + c / 2 * np.cos(w), c / 2 * np.sin(w)])
    return [*tip / 2, p, *middle, s, *rocker, w]


def test_a_four_bar_has_one_spectrum_in_angles_and_in_bodies():
    angles = mechanisms.four_bar()
    rest = angles.consistent({"p": -1.9}, guess={"s": 0.5, "w": -1.5}).q
    first = angles.linearize(rest)
    second = mechanisms.four_bar("bodies").linearize(assembled_four_bar("bodies", rest), independent=["p", "p'"])
    again = angles.linearize(rest, independent=["p", "p'"])
    assert len(first.A) == 2
    assert np.allclose(second.A, again.A, rtol=1e-10, atol=1e-12)


def test_a_slider_crank_has_one_spectrum_with_and_without_the_slider():
    first = mechanisms.slider_crank()
    q, _ = first.consistent({"phi": 1.0}, guess={"beta": 0.3})
    second = mechanisms.slider_crank(True)
    more, _ = second.consistent({"phi": 1.0}, guess={"beta": 0.3, "x": 3})
    A, B = (s.linearize(x, independent=["phi", "phi'"]).A for s, x in ((first, q), (second, more)))
    assert np.allclose(A, B, rtol=1e-10, atol=1e-12)
    assert same_spectrum(A, B)


def test_redundant_rows_change_nothing():
    x, y = lk.coordinates("x y")
    l = lk.parameters("l")
    plane = mechanisms.pendulum_in_the_plane()
    twice = plane.constrain("squared", (x**2 + y**2) ** 2 - l**4).constrain("rates", x * der(x) + y * der(y))
    state = [0.0, -0.7], [0.0, 0.0]
    assert np.allclose(twice.linearize(*state).A, plane.linearize(*state).A, rtol=1e-12, atol=1e-12)


def test_a_spinning_top_sleeps_above_its_critical_spin():
    """A sleeping top with the moments A1 about its foot and C is stable for (C n)^2 > 4 A1 m g l; cartesian axis p, q.

    The axis (p, q, sqrt(1 - p^2 - q^2)) moves by A1 (p'', q'') + C n (q', -p') = m g l (p, q) to first order.
    """
    A1, C, mgl = 0.02, 0.004, 1.5
    critical = np.sqrt(4 * A1 * mgl) / C
    e1, e2, e3 = axis = lk.coordinates("e1 e2 e3")
    n = lk.parameters("n")
    T = A1 * sum(der(e) ** 2 for e in axis) / 2 + C * n * (e1 * der(e2) - e2 * der(e1)) / (1 + e3)
    top = lk.System("top", axis, kinetic=T, potential=mgl * e3).constrain("unit", sum(e**2 for e in axis) - 1)
    for factor, stable in ((0.99, False), (1.01, True)):
        linear = top.linearize([0, 0, 1], values={n: factor * critical})
        w = C * factor * critical / A1
        roots = np.roots([1, 0, w**2 - 2 * mgl / A1, 0, (mgl / A1) ** 2])
        assert np.sort_complex(linear.eigenvalues.round(9)) == pytest.approx(np.sort_complex(roots.round(9)), abs=1e-7)
        assert linear.stable is stable
