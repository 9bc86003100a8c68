"""Events between the sample points of a step, and rows of steps that an event cuts short."""

import numpy as np
import pytest
from sympy import sin

import lienket as lk
from lienket import der

x = lk.coordinates("x")


@pytest.mark.parametrize(("method", "rtol"), [("dop853", 1e-7), ("radau5", 1e-7), ("bdf", 1e-7), ("rattle", 1e-7)])
def test_rows_of_a_step_that_an_event_cuts_short(method, rtol):
    """For x = cos t, rows of a run with events without effect are as accurate as those without, or to a tolerance."""
    times = np.linspace(0, 6, 3001)
    system = lk.System("oscillator", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)
    events = [lk.Event("place", when=x - 0.3), lk.Event("speed", when=der(x) + 0.2)]
    how = {"method": method, "rtol": rtol, "times": times} | ({"step": 1e-3} if method == "rattle" else {})
    watched = system.simulate(start={"x": 1.0}, events=events, **how)
    plain = system.simulate(start={"x": 1.0}, **how)
    assert [len(t) for t in watched.events.values()] == [2, 2]
    assert (watched.t == times).all()
    error = np.abs(watched.q[:, 0] - np.cos(times)).max()
    without = np.abs(plain.q[:, 0] - np.cos(times)).max()
    assert without < 1e-5
    assert error < max(2 * without, rtol)  # a multistep method starts again with a low order


@pytest.mark.parametrize("middle", [3.1, 5.05, 7.77])
@pytest.mark.parametrize("width", [0.3, 0.02])
@pytest.mark.parametrize("direction", ["falling", "rising"])
def test_a_condition_that_is_negative_for_a_moment(middle, width, direction):
    """Within one long step of a free mass (t - middle)^2 - width^2 is negative for a short time."""
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2)
    event = lk.Event("in", when=(lk.t - middle) ** 2 - width**2, direction=direction)
    motion = mass.simulate(start={"x'": 1.0}, until=20.0, events=[event])
    expected = middle - width if direction == "falling" else middle + width
    np.testing.assert_allclose(motion.events["in"], [expected], rtol=0, atol=1e-9)


def test_a_force_that_grows_while_nothing_moves():
    """Of a mass at rest under the load a sin(w t) the multiplier rises through its limit once per period."""
    y = lk.coordinates("y")
    mass = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, forces={y: 5 * sin(lk.t)})
    event = lk.Event("strong", when=lk.multiplier("wall") - 4.9, direction="rising")
    motion = mass.constrain("wall", y).constrain("stop", x).simulate(until=30.0, events=[event])
    expected = [np.pi + np.arcsin(0.98) + 2 * np.pi * k for k in range(5)]
    np.testing.assert_allclose(motion.events["strong"], [t for t in expected if t < 30], rtol=0, atol=1e-8)


def test_a_slider_that_is_thrown_back_by_an_event():
    """v' = -mu g sign(v); a wall at x = 1 reverses the velocity, and friction with it."""
    y = lk.coordinates("y")
    mu, g, fast = 0.3, 10.0, 4.0
    block = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y)
    block = block.constrain("floor", y, law=lk.Coulomb(mu, slip=der(x)))
    wall = lk.Event("wall", when=x - 1, direction="rising", velocities={"x'": -der(x)})
    motion = block.simulate(start={"x": 0.0, "x'": fast}, until=3.0, events=[wall], rtol=1e-10, atol=1e-12)
    at_wall = np.sqrt(fast**2 - 2 * mu * g)
    hits, rests = (fast - at_wall) / (mu * g), (fast - at_wall) / (mu * g) + at_wall / (mu * g)
    np.testing.assert_allclose(motion.events["wall"], [hits], rtol=0, atol=1e-9)
    assert [s.event for s in motion.switches] == ["wall", "floor stops", "floor stops"]
    np.testing.assert_allclose([s.t for s in motion.switches], [hits, hits, rests], rtol=0, atol=1e-8)
    np.testing.assert_allclose(motion.q[-1, 0], 1 - at_wall**2 / (2 * mu * g), rtol=0, atol=1e-8)
    assert motion.contacts["floor"].mode[-1] == "sticks"
    assert not motion.audit.warnings
