"""Contacts that share a load which statics does not determine: they rest until no distribution of forces holds them."""

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der

G = 9.81
X, Y, PHI = lk.coordinates("x y phi")


def rate(expression):
    """Return the derivative by time."""
    return sp.diff(expression, lk.t)


class TestLadder:
    """A ladder of length 2 and mass 1 between a rough floor and a rough wall, and a man who climbs it.

    Four forces, three equations. The ladder slips when both contacts are at their limits: N_w = mu_f N_f, and
    N_f = weight/(1 + mu_f mu_w); the moment about the foot gives the height of the man.
    """

    angle, floor, wall, man = 0.8, 0.35, 0.3, 4.0

    def run(self, climbs, until, **more):
        load = self.man * G * (Y + (climbs - 1) * sin(PHI))
        kinetic = (der(X) ** 2 + der(Y) ** 2) / 2 + der(PHI) ** 2 / 6
        forces = {c: -sp.diff(load, c) for c in (Y, PHI)}
        ladder = lk.System("ladder", [X, Y, PHI], kinetic=kinetic, potential=G * Y, forces=forces)
        law = lk.Coulomb(self.floor, slip=rate(X + cos(PHI)), unilateral=True)
        ladder = ladder.constrain("floor", Y - sin(PHI), law=law)
        law = lk.Coulomb(self.wall, slip=rate(Y + sin(PHI)), unilateral=True)
        ladder = ladder.constrain("wall", X - cos(PHI), law=law)
        start = {"x": np.cos(self.angle), "y": np.sin(self.angle), "phi": self.angle}
        return ladder.simulate(start=start, until=until, **more)

    @property
    def height(self):
        """Way of the man along the ladder at which it slips."""
        c, s, weight = np.cos(self.angle), np.sin(self.angle), (1 + self.man) * G
        normal = self.floor * weight / (1 + self.floor * self.wall)
        return (2 * normal * (s + self.wall * c) / (G * c) - 1) / self.man

    def test_rests_below(self):
        motion = self.run(0.9 * self.height, 1.0)
        assert motion.outcome.reason == "finished"
        assert not motion.switches
        assert np.ptp(motion.q, axis=0).max() == 0.0
        assert motion.audit.ok
        assert not any(contact.unique for contact in motion.at(0.5).contacts.values())

    @pytest.mark.parametrize("times", [None, np.linspace(0, 1, 5)])
    def test_slips_where_no_forces_hold_it(self, times):
        motion = self.run(2 * lk.t * self.height, 0.6, **({} if times is None else {"times": 0.6 * times}))
        (slips,) = motion.switches
        assert slips.t == pytest.approx(0.5, abs=1e-10)
        assert set(slips.released) == {"floor, sticking", "wall, sticking"}
        assert motion.v[-1, 2] < 0 < motion.v[-1, 0]  # its foot slides outward
        assert motion.audit.ok


def block(*feet, pull=0, mass=3.0, height=0.3):
    """Return a block on feet, (arm, coefficient) each, pulled at its centre."""
    kinetic = mass * (der(X) ** 2 + der(Y) ** 2) / 2 + der(PHI) ** 2 / 10
    system = lk.System("block", [X, Y, PHI], kinetic=kinetic, potential=mass * G * Y, forces={X: pull})
    for k, (arm, mu) in enumerate(feet):
        gap, place = Y + arm * sin(PHI) - height * cos(PHI), X + arm * cos(PHI) + height * sin(PHI)
        system = system.constrain(f"foot {k}", gap, law=lk.Coulomb(mu, slip=rate(place), unilateral=True))
    return system


def test_a_smooth_and_a_rough_foot():
    """The pull t at the height h loads the rough foot: mu (m g/2 + F h/(2 b)) = F."""
    motion = block((-0.5, 0), (0.5, 0.4), pull=lk.t).simulate(start={"y": 0.3}, until=7)
    limit = 0.4 * 3 * G / 2 / (1 - 0.4 * 0.3)
    assert [(s.event, s.t) for s in motion.switches] == [("foot 1 slips back", pytest.approx(limit, abs=1e-9))]
    assert np.abs(motion.q[motion.t < limit] - [0, 0.3, 0]).max() == 0.0
    assert motion.audit.ok


@pytest.mark.parametrize("arms", [(-0.5, 0.1, 0.5), pytest.param((-0.6, -0.2, 0.3, 0.7), marks=pytest.mark.slow)])
def test_feet_of_equal_friction_slide_and_stop_together(arms):
    """Whatever the feet carry, together they brake with mu m g, and all of them stop at v/(mu g)."""
    feet = block(*((arm, 0.2) for arm in arms))
    motion = feet.simulate(start={"y": 0.3, "x'": 1.5}, until=2)
    (stops,) = motion.switches
    assert stops.t == pytest.approx(1.5 / (0.2 * G), abs=1e-9)
    assert len(stops.added) == len(arms)
    assert motion.q[-1, 0] == pytest.approx(1.5**2 / (0.4 * G), abs=1e-9)
    assert motion.outcome.reason == "finished"
    assert motion.audit.ok


def test_a_sleeve_jams():
    """Two bilateral rough collars carry a moment M with opposite forces M/d: they hold 2 mu M/d along the guide."""
    mu, moment, d = 0.3, 2.0, 0.8
    kinetic = (der(X) ** 2 + der(Y) ** 2 + der(PHI) ** 2) / 2
    sleeve = lk.System("sleeve", [X, Y, PHI], kinetic=kinetic, forces={X: lk.t, PHI: moment})
    for name, side in (("left", -1), ("right", 1)):
        place = (X + side * d / 2 * cos(PHI), Y + side * d / 2 * sin(PHI))
        sleeve = sleeve.constrain(name, place[1], law=lk.Coulomb(mu, slip=rate(place[0])))
    motion = sleeve.simulate(until=2)
    limit = 2 * mu * moment / d
    assert motion.switches[0].t == pytest.approx(limit, abs=1e-9)
    assert np.abs(motion.q[motion.t < limit]).max() == 0.0
    assert motion.q[-1, 0] == pytest.approx((2 - limit) ** 3 / 6, rel=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_a_block_on_a_smooth_and_a_rough_foot_stays_at_rest(seed):
    """Pulled by F < mu N, with the load N = m g/2 + F h/(2 b) of the rough foot, it does not move at all."""
    random = np.random.default_rng([seed, 12])
    b, height, mu, mass = (float(u) for u in random.uniform([0.3, 0.1, 0.2, 0.5], [0.8, 0.3, 0.6, 3]))
    limit = mu * mass * G / 2 / (1 - mu * height / (2 * b))
    pull = float(random.uniform(0.1, 0.9)) * limit
    motion = block((-b, 0), (b, mu), pull=pull, mass=mass, height=height).simulate(start={"y": height}, until=1)
    assert motion.outcome.reason == "finished"
    assert len(motion.switches) == 0
    np.testing.assert_allclose(motion.q, np.tile([0, height, 0], (len(motion.t), 1)), rtol=0, atol=1e-12)
    foot = motion.contacts["foot 1"]
    assert foot.friction[-1] == pytest.approx(-pull, rel=1e-9)
    assert foot.normal[-1] == pytest.approx(mass * G / 2 + pull * height / (2 * b), rel=1e-9)
