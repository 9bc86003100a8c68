"""Painleve's rod: one end slides on a rough floor, and above a critical coefficient no motion obeys the laws.

    N (1 + 3 cos^2 th - 3 mu sin th cos th)/m = g - l th'^2 sin th,      mu_crit = (tan^2 th + 4)/(3 tan th)

for a uniform rod of length 2 l that slides towards its lower end; mu_crit is least at tan th = 2, where it is 4/3.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from sympy import sin

import lienket as lk
from lienket import der

CASE = next(
    case
    for case in json.loads((Path(__file__).parents[2] / "data" / "benchmarks.json").read_text())
    if case["id"] == "painleve_rod"
)
KNOWN = {entry["quantity"]: entry["value"] for entry in CASE["expected"]}
m, g, l, mu = lk.parameters("m g l mu")
x, y, th = lk.coordinates("x y th")
M, GRAVITY, L = 1.7, 9.81, 0.8


def rod(**law):
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + m * l**2 * der(th) ** 2 / 6
    free = lk.System("rod", [x, y, th], kinetic=T, potential=m * g * y, values={m: M, g: GRAVITY, l: L, mu: 0.5})
    return free.constrain("floor", y - l * sin(th), law=lk.Coulomb(mu, slip=der(x) + l * sin(th) * der(th), **law))


FLOOR, RAIL = rod(unilateral=True), rod()


def at(system, angle, coefficient, slip=-1.0, rate=0.0):
    q = (0.0, L * np.sin(angle), angle)
    v = (slip - L * np.sin(angle) * rate, L * np.cos(angle) * rate, rate)
    return system.at(q, v, values={"mu": coefficient})


def critical(angle):
    return (np.tan(angle) ** 2 + 4) / (3 * np.tan(angle))


def refused(system, *state, **more):
    try:
        at(system, *state, **more)
    except lk.LienketError as error:
        return str(error)
    return ""


def bisected(angle, low, high):
    """Return the largest coefficient with a motion and the smallest without, by bisection."""
    assert not refused(FLOOR, angle, low) and refused(FLOOR, angle, high)
    while high - low > 2e-13 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if refused(FLOOR, angle, middle) else (middle, high)
    return low, high


def test_normal_force_of_the_benchmark():
    state = at(FLOOR, np.pi / 3, 0.5)
    contact = state.contacts["floor"]
    wanted = KNOWN["N/(m g) at th=60deg, mu=0.5, th'=0"]
    assert contact.normal / (M * GRAVITY) == pytest.approx(wanted, rel=1e-14)
    assert contact.friction == pytest.approx(0.5 * contact.normal, rel=1e-14)
    assert at(RAIL, np.pi / 3, 0.5).contacts["floor"].normal / (M * GRAVITY) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("angle", [0.5, 0.9, np.arctan(2), 1.3, 1.5])
def test_threshold_from_both_sides(angle):
    """A motion exists below mu_crit and none above, to 1e-10; also for the mirrored rod."""
    low, high = bisected(angle, 1e-3, 3 * critical(angle))
    assert low <= critical(angle) * (1 + 1e-10) and high >= critical(angle) * (1 - 1e-10)
    assert not refused(FLOOR, angle, critical(angle) * (1 - 1e-8))
    assert "no motion obeys" in refused(FLOOR, angle, critical(angle) * (1 + 1e-10))
    assert not refused(FLOOR, angle, 3 * critical(angle), slip=1.0)  # sliding the other way there is always a motion
    assert not refused(FLOOR, np.pi - angle, 3 * critical(angle), slip=-1.0)
    assert refused(FLOOR, np.pi - angle, 3 * critical(angle), slip=1.0)


def test_smallest_coefficient_is_four_thirds():
    assert KNOWN["critical friction coefficient"] == pytest.approx(4 / 3, rel=1e-15)
    assert np.tan(KNOWN["critical angle rad"]) == pytest.approx(2, rel=1e-15)
    angles = np.linspace(0.05, np.pi / 2 - 0.05, 400)
    assert not any(refused(FLOOR, angle, 4 / 3 * (1 - 1e-9)) for angle in angles)
    assert refused(FLOOR, np.arctan(2), 4 / 3 * (1 + 1e-9))
    assert not refused(FLOOR, np.arctan(2) + 1e-3, 4 / 3 * (1 + 1e-9))


def test_force_near_the_threshold():
    """The force grows without bound as 1/(1 - mu/mu_crit) times its value without friction."""
    angle = 1.2
    for gap in (1e-1, 1e-3, 1e-5, 1e-7):
        coefficient = critical(angle) * (1 - gap)
        factor = 1 + 3 * np.cos(angle) ** 2 - 3 * coefficient * np.sin(angle) * np.cos(angle)
        normal = at(FLOOR, angle, coefficient).contacts["floor"].normal
        assert normal == pytest.approx(M * GRAVITY / factor, rel=1e-14 / gap)


def test_messages_name_the_contact_and_the_two_numbers():
    angle, coefficient = 1.1, 1.6
    S = (1 + 3 * np.cos(angle) ** 2) / M
    push = coefficient * 3 * np.sin(angle) * np.cos(angle) / M
    for system in (FLOOR, RAIL):
        message = refused(system, angle, coefficient)
        assert "'floor'" in message and "Painleve" in message
        assert f"mu |G A^-1 tau| = {push:.9g} against S = {S:.9g}" in message
    assert push > S


def fast(angle):
    """Return a rate of turning at which the end would lift without friction: l th'^2 sin th > g."""
    return np.sqrt(2 * GRAVITY / (L * np.sin(angle)))


@pytest.mark.parametrize("angle", [0.9, 1.1, 1.3])
def test_a_rod_that_turns_fast_lifts_off_or_is_pressed_down(angle):
    """With g - l th'^2 sin th < 0 the end lifts off; beyond mu_crit it may also be pressed down: two motions."""
    below, above = critical(angle) * 0.99, critical(angle) * 1.01
    state = at(FLOOR, angle, below, rate=fast(angle))
    assert state.contacts["floor"].mode == "open" and state.contacts["floor"].normal == 0
    assert np.allclose(state.accelerations, [0, -GRAVITY, 0], atol=1e-12)
    assert "2 motions obey" in refused(FLOOR, angle, above, rate=fast(angle))


@pytest.mark.parametrize("slip", [1.0, -1.0])
@pytest.mark.parametrize("angle", [0.6, 1.1, 2.2])
def test_bilateral_contact_has_one_motion_below_the_threshold_only(angle, slip):
    """One motion exists if and only if mu |G A^-1 tau| < S; beyond, the load's sign decides between none and two."""
    S, coupling = 1 + 3 * np.cos(angle) ** 2, 3 * abs(np.sin(angle) * np.cos(angle))
    edge = S / coupling
    for rate in (0.0, fast(angle)):
        assert not refused(RAIL, angle, edge * (1 - 1e-9), slip=slip, rate=rate)
        message = refused(RAIL, angle, edge * (1 + 1e-9), slip=slip, rate=rate)
        # the load g - l th'^2 sin th presses at rest and pulls at a fast turn; its effect depends on the slip direction
        pressed = 1 if rate == 0.0 else -1
        with_it = np.sign(-slip * np.cos(angle))
        assert ("no motion" if pressed * with_it > 0 else "2 motions") in message
