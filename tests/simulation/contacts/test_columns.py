"""Impacts at several contacts: columns of balls, the cradle, a slot without clearance; energy and rest."""

import numpy as np
import pytest

import lienket as lk
from lienket import der

GRAVITY = 9.81


def column(masses, restitution, impact="newton", gravity=GRAVITY):
    """Return balls of diameter 1 above each other, the lowest on a floor."""
    y = [lk.coordinates(f"y{i}") for i in range(len(masses))]
    m = [lk.parameters(f"m{i}") for i in range(len(masses))]
    kinetic = sum(mass * der(x) ** 2 for mass, x in zip(m, y, strict=True)) / 2
    weight = sum(gravity * mass * x for mass, x in zip(m, y, strict=True))
    values = dict(zip(m, map(float, masses), strict=True))
    system = lk.System("column", y, kinetic=kinetic, potential=weight, values=values)
    for i, e in enumerate(restitution):
        gap = y[i] - y[i - 1] - 1 if i else y[0]
        system = system.constrain(f"c{i}", gap, law=lk.laws.Unilateral(e, impact=impact))
    return system


def test_a_ball_that_separates_is_struck():
    """Newton's law would stop the lowest ball, which leaves the floor, and add 1.89 to an energy of 1.48.

    By Poisson's law with e = 1: compression stops a and b, impulses 0.28 and 1.96; their return gives a' = -0.7 and
    b' = 0.7; the floor stops a.
    """
    system = column([2.4, 2.8, 0.64], [1, 1, 1], gravity=0)
    motion = system.simulate(start=([0.0, 1.0, 2.0], [0.7, -0.7, 0.8]), until=1)
    (switch,) = motion.switches
    assert switch.v == pytest.approx([0, 0.7, 0.8], abs=1e-12)
    assert switch.law == "poisson instead of newton"
    assert switch.struck == pytest.approx({"c0": 2 * 0.28 + 1.68, "c1": 2 * 1.96, "c2": 0}, abs=1e-12)
    assert switch.energy_lost == pytest.approx(0.588, rel=1e-12)
    assert "by Poisson's law, since no impulses obey Newton's without raising the energy" in str(switch)
    assert motion.audit.ok
    (line,) = [line for line in str(motion.audit).splitlines() if line.startswith("impacts")]
    assert "1 by Poisson's law" in line
    assert "'c1 touches'" in line


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("impact", ["newton", "poisson"])
def test_random_columns_keep_energy_and_momentum(impact, seed):
    """At one instant all contacts strike, without gravity: no balls overlap, momentum comes from the floor alone."""
    rng = np.random.default_rng([seed, 6])
    count = int(rng.integers(2, 5))
    masses, v = 10 ** rng.uniform(-1, 1, count), rng.uniform(-1, 1, count)
    motion = column(masses, [1.0] * count, impact, gravity=0).simulate(start=(np.arange(float(count)), v), until=1)
    before, after = (masses @ w**2 / 2 for w in (v, motion.v[-1]))
    assert after <= before * (1 + 1e-12)
    assert np.diff(motion.q[-1], prepend=-1).min() >= 1 - 1e-10
    assert np.diff(motion.v[-1], prepend=0).min() >= -1e-10
    assert masses @ motion.v[-1] >= masses @ v - 1e-10


def test_a_slot_without_clearance():
    """No impulses obey Newton's law between two walls that both touch the body; it stops."""
    x = lk.coordinates("x")
    body = lk.System("body", [x], kinetic=der(x) ** 2 / 2)
    slot = body.constrain("left", x, law=lk.laws.Unilateral(1)).constrain("right", -x, law=lk.laws.Unilateral(1))
    (switch,) = slot.simulate(start=([0.0], [-2.0]), until=1).switches
    assert switch.law == "poisson instead of newton"
    assert switch.v == pytest.approx([0], abs=1e-15)
    assert switch.struck["left"] - switch.struck["right"] == pytest.approx(2)


@pytest.mark.parametrize("impact", ["newton", "poisson"])
def test_newtons_cradle(impact):
    """Equal balls a little apart: as many leave on one side as arrive on the other, with their velocity."""
    cradle = column([1, 1, 1, 1], [1, 1, 1, 1], impact, gravity=0)
    motion = cradle.simulate(start=([5.0, 6.01, 7.02, 8.03], [3.0, 3.0, 0.0, 0.0]), until=0.1)
    assert motion.v[-1] == pytest.approx([0, 0, 3, 3], abs=1e-12)
    assert {switch.law for switch in motion.switches} == {impact}


def test_a_column_of_balls_comes_to_rest():
    """Infinitely many impacts in a finite time; afterwards every contact carries the weight above it."""
    masses = np.array([2.70374075, 0.9133255, 1.98260529, 0.52684143])
    system = column(masses, [0.5, 0.5, 0.95, 0.5], "poisson")
    start = ([0.23936944, 1.23936944, 2.29793748, 3.29793748], [1.18529708, -1.07743116, -1.7919148, -0.38179264])
    motion = system.simulate(start=start, until=12)
    assert motion.outcome.reason == "finished"
    assert min(switch.energy_lost for switch in motion.switches) > -1e-12
    assert np.diff(motion.q, axis=1).min() > 1 - 1e-10
    assert motion.q[-1] == pytest.approx([0, 1, 2, 3], abs=1e-13)
    weights = GRAVITY * np.cumsum(masses[::-1])[::-1]
    assert [motion.contacts[f"c{i}"].normal[-1] for i in range(4)] == pytest.approx(weights, rel=1e-12)
    assert motion.audit.ok


def test_light_balls_carry_a_heavy_one():
    """At rest all velocities are rounding, which no projection makes smaller."""
    masses = np.array([0.16383377520433484, 0.1765958906952584, 840.7559338053705])
    motion = column(masses, [0, 0, 0]).simulate(start=([0.0, 1.0, 2.0], [0.0, 0.0, 0.0]), until=20)
    assert motion.outcome.reason == "finished"
    assert motion.contacts["c0"].normal[-1] == pytest.approx(GRAVITY * masses.sum(), rel=1e-12)


def test_bouncing_ends_in_rest_in_a_long_run():
    """Hundreds of bounces within a millionth of the run are no chattering as long as they lose energy."""
    motion = column([1.0], [0.9]).simulate(start={"y0": 1.0}, until=1e6, times=[0, 1e6])
    fall = np.sqrt(2 / GRAVITY)
    assert motion.outcome.reason == "finished"
    assert motion.events["c0 touches"][-1] == pytest.approx(fall * (1 + 2 * 0.9 / 0.1), abs=1e-4)
    assert motion.structure(1e6) == ("c0",)
