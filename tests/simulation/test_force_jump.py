"""Forces that jump with the state: runs that would stay at the jump end with a sentence, others go on."""

import time

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
T = (der(x) ** 2 + der(y) ** 2) / 2
SECONDS = 20.0  # in which a run without this sentence is still in its first hundredth


@pytest.mark.parametrize("method", ["auto", "dop853", "radau5", "bdf"])
@pytest.mark.parametrize("form", ["sign", "Piecewise", "two"])
def test_a_force_that_holds_the_motion_at_its_jump(method, form):
    """x'' = -3 sign(x' - 1/2) - x stays at x' = 1/2, where the formula has no force of the size -x that it needs."""
    slip = der(x) - sp.Rational(1, 2)
    force = {"sign": -3 * sp.sign(slip), "two": -sp.sign(slip) - 2 * sp.sign(2 * slip)}.get(
        form, sp.Piecewise((-3, slip > 0), (3, True))
    )
    system = lk.System("mass", [x, y], kinetic=T, forces={x: force - x, y: sp.sin(y)})
    began = time.process_time()
    motion = system.simulate(start={"x'": 2.0, "y": 1.0}, until=5.0, method=method)
    assert time.process_time() - began < SECONDS
    assert motion.outcome.reason == ("chattering" if method in ("auto", "dop853") else "stuck")
    assert "the force on 'x' jumps by 6." in motion.outcome and "lk.Coulomb" in motion.outcome
    assert "'y'" not in motion.outcome.split("The state")[0]
    reached = motion.outcome.time
    assert motion.v[-1, 0] == pytest.approx(0.5, abs=1e-4)
    # x'' = -3 - x before: x' = 2 cos t - 3 sin t
    assert 2 * np.cos(reached) - 3 * np.sin(reached) == pytest.approx(0.5, abs=1e-3)


def test_the_same_as_friction_sticks():
    """Stated as a law the friction holds the body at the speed of the belt."""
    law = lk.Coulomb(0.3, slip=der(x) - 0.5)
    block = lk.System("block", [x, y], kinetic=T, potential=10 * y + x**2 / 2).constrain("belt", y, law=law)
    motion = block.simulate(start={"x'": 2.0}, until=2.0)
    assert motion.outcome.complete and motion.v[-1, 0] == pytest.approx(0.5, abs=1e-12)


def test_a_steep_force_and_a_jump_that_is_crossed():
    """tanh(1e8 (x' - c)) is stiff, not a jump; a jump that the motion crosses needs short steps only there."""
    steep = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: -3 * sp.tanh(10**8 * (der(x) - 0.5)) - x})
    assert steep.simulate(start={"x'": 2.0}, until=0.4495, method="dop853").outcome.complete
    crossed = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: -3 - sp.sign(der(x) - 0.5)})
    motion = crossed.simulate(start={"x'": 2.0}, until=1.0, method="dop853")
    assert motion.v[-1, 0] == pytest.approx(0.5 - 2 * (1 - 1.5 / 4), abs=1e-6)
