"""smooth= replaces the sign of the slip by tanh(slip/smooth), which tends to the exact law as smooth tends to 0."""

import numpy as np
import pytest

import lienket as lk
from lienket import der


def block(**law):
    """Return a block thrown along a level floor against a spring."""
    x, y = lk.coordinates("x y")
    free = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=10 * y + 2 * x**2)
    return free.constrain("floor", y, law=lk.Coulomb(0.2, slip=der(x), **law))


START = {"x": 2.7, "x'": 0.0}


def test_smooth_law_tends_to_the_exact_law():
    """The error is proportional to smooth, up to a logarithm."""
    times = np.linspace(0.0, 6.0, 61)
    exact = block().simulate(start=START, until=6, times=times, rtol=1e-11, atol=1e-13)
    assert len(exact.switches) >= 3
    errors = []
    for smooth in (1e-1, 1e-2, 1e-3, 1e-4):
        near = block(smooth=smooth).simulate(start=START, until=6, times=times, rtol=1e-10, atol=1e-12)
        assert near.outcome.reason == "finished"
        errors.append(np.abs(near.q[:, 0] - exact.q[:, 0]).max())
    ratios = np.array(errors[1:]) / errors[:-1]
    assert np.all(ratios < 0.2)
    assert errors[-1] < 1e-3


@pytest.mark.parametrize("slip", [-2.0, -1e-3, 1e-3, 2.0])
def test_smooth_law_at_a_state(slip):
    smooth = 1e-2
    state = block(smooth=smooth).at([0.0, 0.0], [slip, 0.0])
    expected = -0.2 * 10 * np.tanh(slip / smooth)
    assert state.accelerations[0] == pytest.approx(expected, rel=1e-12)
    assert state.contacts["floor"].mode == "slides"
    exact = block().at([0.0, 0.0], [slip, 0.0]).accelerations[0]
    assert abs(expected - exact) <= 2 * (1 - np.tanh(abs(slip) / smooth)) + 1e-12


def test_block_creeps_instead_of_sticking():
    """A block that would stick creeps at the velocity smooth artanh(F/(mu N)) that balances its load."""
    x, y = lk.coordinates("x y")
    free = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=10 * y, forces={x: 1.0})
    smooth = 1e-3
    creeping = free.constrain("floor", y, law=lk.Coulomb(0.2, slip=der(x), smooth=smooth))
    motion = creeping.simulate(until=100)
    assert motion.v[-1, 0] == pytest.approx(smooth * np.arctanh(1 / 2), rel=1e-6)
    stuck = free.constrain("floor", y, law=lk.Coulomb(0.2, slip=der(x))).simulate(until=100)
    assert np.abs(stuck.q).max() < 1e-12


@pytest.mark.parametrize("slip", [-3.0, -0.1, 0.0, 0.1, 3.0])
def test_smooth_friction_in_an_impact_is_coulombs(slip):
    """The impulse m v (1 + e) brakes by mu times itself, in either direction, and at most until the block rests."""
    motion = block(smooth=0.05, unilateral=True, restitution=0.5).simulate(
        start={"x": 0.0, "y": 0.05, "y'": -1.0, "x'": slip}, until=0.1
    )
    switch = motion.switches[0]
    before, impulse = switch.v_before, -1.5 * switch.v_before[1]
    assert switch.struck["floor"] == pytest.approx(impulse, rel=1e-9)
    braked = np.sign(before[0]) * max(abs(before[0]) - 0.2 * impulse, 0.0)
    assert switch.v == pytest.approx([braked, -0.5 * before[1]], rel=1e-9, abs=1e-12)
