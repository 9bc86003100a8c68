"""The work of laws and drives by name, warnings of the audit about laws that supply energy, short pulses in records."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der, t

x, y = lk.coordinates("x y")
m, g, mu, b = lk.parameters("m g mu b")


def block(**law):
    free = lk.System("block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y,
                     values={m: 2, g: 10, mu: 0.3, b: 0.5})  # fmt: skip
    return free.constrain("floor", y, law=lk.Coulomb(mu, slip=der(x), **law))


def test_friction_takes_all_the_energy_of_a_block_that_stops():
    motion = block().simulate(start={"x'": 3.0}, until=2)
    work = motion.work["floor"]
    assert work[-1] == pytest.approx(-9.0, rel=1e-12)  # m v^2/2
    sliding = motion.t < 1.0
    np.testing.assert_allclose(work[sliding], -6 * motion["x"][sliding], atol=1e-11)  # mu m g
    assert motion.audit.work["floor"] == work[-1]
    assert "work of floor" in str(motion.audit)
    modes = motion.contacts["floor"]
    np.testing.assert_array_equal(modes.mode[motion.t < 0.999], "slides")
    np.testing.assert_array_equal(modes.mode[motion.t > 1.001], "sticks")
    np.testing.assert_allclose(modes.normal, 20, rtol=1e-13)
    np.testing.assert_allclose(modes.friction[motion.t < 0.999], -6, rtol=1e-13)


def test_the_work_of_all_laws_and_drives_is_the_energy_balance():
    """On a rough floor with a viscous part a drive keeps x = sin t: W_floor + W_law = E - E(0)."""
    driven = block(viscous=b).constrain("law", lk.Program(x - sp.sin(t), drives={"F": {x: 1}}))
    motion = driven.simulate(until=1.5, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(sum(motion.work.values()), motion.energy.work - motion.energy.work[0], atol=1e-9)
    exact = -6 * np.sin(motion.t) - 0.5 * (motion.t / 2 + np.sin(2 * motion.t) / 4)
    np.testing.assert_allclose(motion.work["floor"], exact, atol=1e-9)


def test_a_law_that_supplies_energy_is_reported():
    free = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    for sign in (1, -1):
        motion = free.constrain("rail", y, law=lk.laws.Viscous(sign * x**2, slip=der(x))).simulate(
            start={"x": 1.0, "x'": 1.0}, until=0.3
        )
        reported = [warning for warning in motion.audit.warnings if "supplies energy" in warning]
        assert len(reported) == (0 if sign > 0 else 1)
        assert all("'rail'" in warning for warning in reported)
    belt = free.constrain("belt", y - 0, law=lk.laws.Viscous(1, slip=der(x) - 1)).simulate(until=0.3)
    assert motion.audit.warnings and not belt.audit.warnings  # a moving belt may supply energy


@pytest.mark.parametrize("middle", [3.017, 10.0, 17.3])
def test_no_step_passes_over_a_pulse_of_a_record(middle):
    """A Gaussian of width 0.02 in 20 s, recorded at 1000 Hz, gives a mass of 1 the velocity sqrt(pi) 0.02 100.

    The third derivative of the record jumps at every sample; steps near the pulse end at samples, so that no accuracy
    is lost.
    """
    times = np.linspace(0, 20, 20001)
    record = lk.laws.record({"t": times, "F": 100 * np.exp(-(((times - middle) / 0.02) ** 2))}, components=["F"])
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, loads=[record.force(at=(x,))])
    for rtol in (1e-6, 1e-8, 1e-11):
        motion = mass.simulate(until=20, rtol=rtol, atol=rtol / 100)
        assert motion.v[-1, 0] == pytest.approx(2 * np.sqrt(np.pi), rel=rtol)
