"""Bodies that tip, rock and lift off: closed solutions for unilateral contacts."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad
from scipy.optimize import brentq
from sympy import cos, sin

import lienket as lk
from lienket import der

GRAVITY = 9.81
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def body(inertia, **values):
    """Return a plane body: mass m, centre x, y, angle theta."""
    m, g = lk.parameters("m g")
    x, y, theta = lk.coordinates("x y theta")
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2 + inertia * der(theta) ** 2 / 2
    return lk.System("body", [x, y, theta], kinetic=kinetic, potential=m * g * y, values={m: 2.0, g: GRAVITY} | values)


X, Y, THETA = lk.coordinates("x y theta")
MASS, LENGTH, MU = lk.parameters("m l mu")


class Block:
    """A block of half width b and half height h, on rough corners that do not slip."""

    def __init__(self, b, h):
        self.b, self.h, self.radius, self.slender = b, h, np.hypot(b, h), np.arctan2(b, h)
        self.system = body(MASS * (b**2 + h**2) / 3)
        for name, side in (("left", -1), ("right", 1)):
            x, y = X + side * b * cos(THETA) + h * sin(THETA), Y + side * b * sin(THETA) - h * cos(THETA)
            self.system = self.system.constrain(name, y, law=lk.Coulomb(2, slip=sp.diff(x, lk.t), unilateral=True))

    def run(self, tilt, until):
        """Run from rest, tilted about the left corner."""
        c, s = np.cos(tilt), np.sin(tilt)
        start = {"x": self.b * c - self.h * s, "y": self.b * s + self.h * c, "theta": tilt}
        return self.system.simulate(start=start, until=until, **TIGHT)

    def falls(self, tilt):
        """Return the time from rest at an angle to upright: theta'' = -p^2 sin(alpha - theta), p^2 = 3 g/(4 R)."""
        p2, rest = 0.75 * GRAVITY / self.radius, self.slender - tilt
        # theta = tilt - u^2 removes the singularity at rest; the difference of cosines is a product of sines.
        rate = lambda u: np.sqrt(4 * p2 * np.sin(rest + u**2 / 2) * np.sin(u**2 / 2))  # noqa: E731
        return quad(lambda u: 2 * u / rate(u), 0, np.sqrt(tilt), epsabs=1e-13, epsrel=1e-13)[0]

    def speed(self, tilt):
        """Return the angular speed when upright, from rest at an angle."""
        return np.sqrt(1.5 * GRAVITY / self.radius * (np.cos(self.slender - tilt) - np.cos(self.slender)))

    def tilt(self, speed):
        return brentq(lambda a: self.speed(a) - speed, 0.0, self.slender, xtol=1e-15)


def test_housners_block():
    """The block rocks from corner to corner, keeping 1 - 3/2 sin^2 alpha of its angular velocity, until it stands."""
    block = Block(0.2, 0.6)
    motion = block.run(0.15, 5.0)
    share = 1 - 1.5 * np.sin(block.slender) ** 2
    tilt, t = 0.15, block.falls(0.15)
    for k, switch in enumerate(motion.switches[:12]):
        assert switch.event == ("left touches" if k % 2 else "right touches")
        assert switch.t == pytest.approx(t, abs=1e-8)
        assert switch.v[2] / switch.v_before[2] == pytest.approx(share, abs=1e-12)
        speed = block.speed(tilt)
        assert abs(switch.v_before[2]) == pytest.approx(speed, rel=1e-8)
        assert switch.energy_lost == pytest.approx(4 / 3 * block.radius**2 * speed**2 * (1 - share**2), rel=1e-8)
        tilt = block.tilt(share * speed)
        t += 2 * block.falls(tilt)
    assert motion.outcome.reason == "finished"
    assert set(motion.structure(5.0)) >= {"left", "right"}  # it stands
    assert np.abs(motion.q[-1] - [motion.q[-1, 0], block.h, 0.0]).max() < 1e-9
    assert np.abs(motion.v[-1]).max() < 1e-12
    assert np.abs(motion.energy.imbalance).max() < 1e-10


@pytest.mark.parametrize(("b", "rocks"), [(0.6 * np.sqrt(2) - 1e-3, True), (0.6 * np.sqrt(2) + 1e-3, False)])
def test_a_flat_block_does_not_rock(b, rocks):
    """From b^2 = 2 h^2 on the angular velocity kept would be negative: both corners stop the block."""
    block = Block(b, 0.6)
    motion = block.run(0.1, 0.5)
    first = motion.switches[0]
    assert ("left" in first.released) == rocks
    share = 1 - 1.5 * np.sin(block.slender) ** 2
    assert first.v[2] / first.v_before[2] == pytest.approx(max(share, 0.0), abs=1e-12)


def test_a_ladder_leaves_the_wall():
    """On a smooth wall and floor the ladder leaves the wall where its head has fallen by a third."""
    ladder = body(MASS * LENGTH**2 / 3).constrain("wall", X - LENGTH * cos(THETA), law=lk.laws.Unilateral())
    ladder = ladder.constrain("floor", Y - LENGTH * sin(THETA), law=lk.laws.Unilateral())
    at, values = 1.2, {"l": 1.4}
    start = {"x": 1.4 * np.cos(at), "y": 1.4 * np.sin(at), "theta": at}
    motion = ladder.simulate(values, start=start, until=1.2, **TIGHT)
    first = motion.switches[0]
    assert (first.event, first.released) == ("wall lifts off", ("wall",))
    assert np.sin(first.q[2]) == pytest.approx(2 / 3 * np.sin(at), abs=1e-10)
    after = motion.sampled(np.linspace(first.t + 1e-3, 1.2, 50))
    assert np.abs(after.v[:, 0] - first.v[0]).max() < 1e-9  # no horizontal force afterwards
    assert (after.q[:, 0] - 1.4 * np.cos(after.q[:, 2])).min() > 0


@pytest.mark.parametrize("mu", [0.2, 0.36, 0.38, 0.5, 1.0])
def test_a_rod_falls_over_on_its_tip(mu):
    """The rod turns about its tip, which slips backward below mu = 0.37 and forward above.

    N = m (g + y''), F = m x'' with theta'' = 3 g sin(theta)/(4 l) and the velocity from the energy.
    """
    slip = sp.diff(X - LENGTH * sin(THETA), lk.t)
    rod = body(MASS * LENGTH**2 / 3, **{}).constrain(
        "floor", Y - LENGTH * cos(THETA), law=lk.Coulomb(MU, slip=slip, unilateral=True)
    )
    l, begin = 0.7, 0.01
    start = {"x": l * np.sin(begin), "y": l * np.cos(begin), "theta": begin}
    motion = rod.simulate({"mu": mu, "l": l}, start=start, until=2, **TIGHT)
    first = motion.switches[0]
    angle = first.q[2]
    turn, square = 0.75 * GRAVITY / l * np.sin(angle), 1.5 * GRAVITY / l * (np.cos(begin) - np.cos(angle))
    force = l * (turn * np.cos(angle) - square * np.sin(angle))
    normal = GRAVITY - l * (turn * np.sin(angle) + square * np.cos(angle))
    assert first.released == ("floor, sticking",)
    assert force / normal == pytest.approx(mu if mu < 0.37 else -mu, abs=1e-9)
    sliding = motion.at(first.t + 0.01)
    assert np.sign(sliding.v @ [1, 0, -l * np.cos(sliding.q[2])]) == (-1 if mu < 0.37 else 1)
    assert np.abs(motion.energy.imbalance).max() < 1e-9


class Sphere:
    """A mass on a sphere of radius R."""

    radius = 1.5

    def __init__(self, mu):
        g, R = lk.parameters("g R")
        x, y = lk.coordinates("x y")
        free = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y,
                         values={g: GRAVITY, R: self.radius})  # fmt: skip
        r = sp.sqrt(x**2 + y**2)
        law = lk.Coulomb(mu, slip=(y * der(x) - x * der(y)) / r, unilateral=True) if mu else lk.laws.Unilateral()
        self.system = free.constrain("sphere", r - R, law=law)

    def run(self, speed):
        return self.system.simulate(start={"x": 0.0, "y": self.radius, "x'": speed}, until=1.5, **TIGHT)


def test_a_mass_leaves_a_smooth_sphere():
    """The mass leaves at cos(angle) = 2/3 + v^2/(3 g R)."""
    speed = 0.3
    (left,) = Sphere(0).run(speed).switches
    assert left.event == "sphere lifts off"
    assert left.q[1] / Sphere.radius == pytest.approx(2 / 3 + speed**2 / (3 * GRAVITY * Sphere.radius), abs=1e-10)


def test_a_mass_leaves_a_rough_sphere():
    """u = v^2/(g R) obeys du/da = 2 sin a - 2 mu (cos a - u); the mass leaves where u = cos a."""
    mu, speed = 0.2, 2.0
    (left,) = Sphere(mu).run(speed).switches
    first = speed**2 / (GRAVITY * Sphere.radius)
    # A particular solution s sin a + c cos a: s - 2 mu c = -2 mu, -c - 2 mu s = 2.
    s, c = np.linalg.solve([[1, -2 * mu], [-2 * mu, -1]], [-2 * mu, 2])
    u = lambda a: s * np.sin(a) + c * np.cos(a) + (first - c) * np.exp(2 * mu * a)  # noqa: E731
    angle = brentq(lambda a: np.cos(a) - u(a), 0.0, 1.5, xtol=1e-15)
    assert np.arctan2(*left.q) == pytest.approx(angle, abs=1e-10)


def test_a_mass_that_is_slow_stays_on_a_rough_sphere():
    (stops,) = Sphere(0.2).run(0.1).switches
    assert stops.added == ("sphere, sticking",)


@pytest.mark.parametrize("impact", ["newton", "poisson"])
def test_two_contacts_of_a_rod(impact):
    """A rod turns about its left end (e = 1) and lands with its right end (e = 0).

    By Newton's law neither end rebounds, as the left end was at rest. By Poisson's law the left end returns the impulse
    of the landing, m v/6, and leaves with v/2, where v is the velocity of the right end.
    """
    l, tilt = 0.8, 0.2
    rod = body(MASS * LENGTH**2 / 3)
    for name, side, e in (("left", -1, 1), ("right", 1, 0)):
        law = lk.laws.Unilateral(e, impact=impact)
        rod = rod.constrain(name, Y + side * LENGTH * sin(THETA), law=law)
    motion = rod.simulate({"l": l}, start={"y": l * np.sin(tilt), "theta": tilt}, until=0.6, **TIGHT)
    first = motion.switches[0]
    # It slides on its left end: y = l sin(theta), (l^2 + l^2/3) theta'^2/2 = g l sin(tilt) at the end.
    v = 2 * l * np.sqrt(1.5 * GRAVITY / l * np.sin(tilt))
    assert first.v_before[1] + l * first.v_before[2] == pytest.approx(-v, rel=1e-9)
    left, right = first.v[1] - l * first.v[2], first.v[1] + l * first.v[2]
    m = 2.0
    if impact == "newton":
        assert [left, right] == pytest.approx([0.0, 0.0], abs=1e-12)
        assert [first.struck["left"], first.struck["right"]] == pytest.approx([m * v / 6, m * v / 3], rel=1e-9)
    else:
        assert [left, right] == pytest.approx([v / 2, 0.0], abs=1e-9)
        assert [first.struck["left"], first.struck["right"]] == pytest.approx([m * v / 3, m * v * 5 / 12], rel=1e-9)
    kinetic = m * (first.v[1] ** 2 + l**2 / 3 * first.v[2] ** 2) / 2
    assert first.energy_lost == pytest.approx(m * GRAVITY * l * np.sin(tilt) - kinetic, rel=1e-9)


class TestSlantedRod:
    """A slanted rod falls onto a rough floor: the normal and tangential rows of one contact are coupled."""

    l, angle, mass = 0.5, 0.7, 2.0

    def struck(self, impact, mu, e, velocity):
        tip = (X - LENGTH * sin(THETA), Y - LENGTH * cos(THETA))
        law = lk.Coulomb(MU, slip=sp.diff(tip[0], lk.t), unilateral=True, restitution=e, impact=impact)
        rod = body(MASS * LENGTH**2 / 3).constrain("floor", tip[1], law=law)
        start = {"x": 0.0, "y": self.l * np.cos(self.angle) + 1e-3, "theta": self.angle}
        start |= dict(zip(("x'", "y'", "theta'"), velocity, strict=True))
        return rod.simulate({"mu": mu, "l": self.l, "g": 0.0}, start=start, until=0.01, **TIGHT).switches[0]

    def rows(self, switch):
        """Return S and the normal and tangential velocities of the tip before the impact."""
        c, s = np.cos(switch.q[2]), np.sin(switch.q[2])
        C = np.array([[0, 1, self.l * s], [1, 0, -self.l * c]])
        inverse = np.diag([1 / self.mass, 1 / self.mass, 3 / (self.mass * self.l**2)])
        return C @ inverse @ C.T, C @ switch.v_before, C @ switch.v

    def test_newton_sticks(self):
        switch = self.struck("newton", 2.0, 0.5, (0.3, -1.0, 0.0))
        S, before, after = self.rows(switch)
        impulses = np.linalg.solve(S, [-1.5 * before[0], -before[1]])
        assert after == pytest.approx([-0.5 * before[0], 0.0], abs=1e-10)
        assert [switch.struck["floor"], switch.struck["floor, sticking"]] == pytest.approx(impulses, rel=1e-9)

    def test_poisson_sticks(self):
        """Half of the normal impulse is returned, with the friction that keeps the tip from slipping."""
        switch = self.struck("poisson", 2.0, 0.5, (0.3, -1.0, 0.0))
        S, before, after = self.rows(switch)
        compression = np.linalg.solve(S, -before)
        normal = 1.5 * compression[0]
        tangential = compression[1] - S[1, 0] / S[1, 1] * 0.5 * compression[0]
        assert [switch.struck["floor"], switch.struck["floor, sticking"]] == pytest.approx(
            [normal, tangential], rel=1e-9
        )
        assert after == pytest.approx(before + S @ [normal, tangential], abs=1e-10)
        assert after[1] == pytest.approx(0.0, abs=1e-10)
        assert abs(after[0] + 0.5 * before[0]) > 0.01  # differs from Newton's law

    @pytest.mark.parametrize("impact", ["newton", "poisson"])
    def test_both_slide(self, impact):
        """If the tip slides in one direction throughout, both laws agree."""
        switch = self.struck(impact, 0.1, 0.5, (5.0, -1.0, 0.0))
        S, before, after = self.rows(switch)
        normal = -1.5 * before[0] / (S[0, 0] - 0.1 * S[0, 1])
        assert after == pytest.approx(before + S @ [normal, -0.1 * normal], abs=1e-10)
        assert after[0] == pytest.approx(-0.5 * before[0], abs=1e-10)
        assert switch.energy_lost > 0
