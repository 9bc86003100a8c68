"""A block on an incline sticks or slides by the angle; thrown upwards it stops and sticks, or slides back."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

GRAVITY, MU = 9.81, 0.5


def block(unilateral):
    """Return a block with x level and y upwards; the plane falls with x, slip is the velocity down the plane."""
    m, g, mu, alpha = lk.parameters("m g mu alpha")
    x, y = lk.coordinates("x y")
    kinetic, values = m * (der(x) ** 2 + der(y) ** 2) / 2, {m: 1.3, g: GRAVITY, mu: MU, alpha: 0.3}
    free = lk.System("block", [x, y], kinetic=kinetic, potential=m * g * y, values=values)
    down = der(x) * sp.cos(alpha) - der(y) * sp.sin(alpha)
    law = lk.Coulomb(mu, slip=down, unilateral=unilateral)
    return free.constrain("plane", x * sp.sin(alpha) + y * sp.cos(alpha), law=law)


def downhill(alpha, speed=0.0):
    """Return a start on the plane."""
    return {"x": 0.0, "y": 0.0, "x'": speed * np.cos(alpha), "y'": -speed * np.sin(alpha)}


def along(motion, alpha):
    return motion.q @ [np.cos(alpha), -np.sin(alpha)]


@pytest.mark.parametrize("unilateral", [False, True])
def test_block_sticks_for_ever(unilateral):
    """For 1000 s just below the angle of friction the block does not move at all."""
    alpha = np.arctan(MU * (1 - 1e-9))
    motion = block(unilateral).simulate({"alpha": alpha}, start=downhill(alpha), until=1000)
    assert motion.outcome.reason == "finished"
    assert np.abs(motion.q).max() < 1e-12
    assert np.abs(motion.v).max() < 1e-15
    assert not motion.switches
    assert not motion.audit.warnings


@pytest.mark.parametrize("unilateral", [False, True])
@pytest.mark.parametrize("beyond", [-1e-9, -1e-10, 1e-10, 1e-9])
def test_the_angle_of_friction(unilateral, beyond):
    """The block sticks for tan alpha < mu and slides for tan alpha > mu."""
    alpha = np.arctan(MU * (1 + beyond))
    state = block(unilateral).at([0.0, 0.0], [0.0, 0.0], values={"alpha": alpha})
    contact = state.contacts["plane"]
    assert contact.mode == ("slides" if beyond > 0 else "sticks")
    pull = GRAVITY * (np.sin(alpha) - MU * np.cos(alpha))
    acceleration = state.accelerations @ [np.cos(alpha), -np.sin(alpha)]
    assert abs(acceleration - max(pull, 0.0)) < 1e-14
    assert contact.normal == pytest.approx(1.3 * GRAVITY * np.cos(alpha), rel=1e-13)
    assert contact.friction == pytest.approx(-1.3 * GRAVITY * min(np.sin(alpha), MU * np.cos(alpha)), rel=1e-12)


@pytest.mark.parametrize("beyond", [-1e-9, 1e-9])
def test_run_slides_beyond_the_angle_of_friction(beyond):
    """Beyond the angle of friction the block slides from the start, however slowly."""
    alpha = np.arctan(MU * (1 + beyond))
    motion = block(True).simulate({"alpha": alpha}, start=downhill(alpha), until=100, atol=1e-12)
    pull = GRAVITY * (np.sin(alpha) - MU * np.cos(alpha))
    assert along(motion, alpha)[-1] == pytest.approx(max(pull, 0.0) * 100**2 / 2, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("unilateral", [False, True])
def test_block_thrown_up_stops_and_sticks(unilateral):
    alpha, speed = 0.3, 3.0  # tan 0.3 = 0.31
    motion = block(unilateral).simulate({"alpha": alpha}, start=downhill(alpha, -speed), until=1000)
    (stop,) = motion.switches
    brake = GRAVITY * (np.sin(alpha) + MU * np.cos(alpha))
    assert stop.event == "plane stops"
    assert stop.added == ("plane, sticking",)
    assert abs(stop.t - speed / brake) < 1e-10
    assert abs(along(motion, alpha)[-1] + speed**2 / (2 * brake)) < 1e-10
    after = motion.q[motion.t > stop.t]
    assert np.abs(after - stop.q).max() < 1e-12  # and stays


@pytest.mark.parametrize("unilateral", [False, True])
def test_block_thrown_up_a_steep_incline_slides_back(unilateral):
    alpha, speed, end = 0.8, 3.0, 3.0
    motion = block(unilateral).simulate({"alpha": alpha}, start=downhill(alpha, -speed), until=end)
    (turn,) = motion.switches
    brake = GRAVITY * (np.sin(alpha) + MU * np.cos(alpha))
    pull = GRAVITY * (np.sin(alpha) - MU * np.cos(alpha))
    assert abs(turn.t - speed / brake) < 1e-10
    assert abs(along(motion, alpha)[-1] - (pull * (end - turn.t) ** 2 / 2 - speed**2 / (2 * brake))) < 1e-8
    assert np.abs(motion.energy.imbalance).max() < 1e-9
