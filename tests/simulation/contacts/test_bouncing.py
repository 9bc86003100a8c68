"""Bouncing balls: on a floor until they rest, on a moving floor, on a rough incline with spin."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq

import lienket as lk
from lienket import der

GRAVITY = 9.81


def ball(impact="newton", floor=0):
    g, e = lk.parameters("g e")
    y = lk.coordinates("y")
    free = lk.System("ball", [y], kinetic=der(y) ** 2 / 2, potential=g * y, values={g: GRAVITY, e: 0.5})
    return free.constrain("floor", y - floor, law=lk.laws.Unilateral(e, impact=impact))


@pytest.mark.parametrize("impact", ["newton", "poisson"])
@pytest.mark.parametrize("e", [0.9, 0.5, 0.1, 0.001, 0.0])
def test_ball_bounces_until_it_rests(impact, e):
    """The bounces at t1 + 2 t1 (e + e^2 + ...) converge; then the ball rests on the floor."""
    motion = ball(impact).simulate({"e": e}, start={"y": 1.0}, until=12)
    fall, speed = np.sqrt(2 / GRAVITY), np.sqrt(2 * GRAVITY)
    bounces = motion.events["floor touches"]
    powers = e ** np.arange(1, len(bounces))
    expected = fall + np.concatenate([[0.0], 2 * fall * np.cumsum(powers)])
    assert np.abs(bounces - expected).max() < 1e-10
    together = fall * (1 + 2 * e / (1 - e))
    assert 0 <= together - bounces[-1] + 1e-12 < 1e-4
    struck = [switch.struck["floor"] for switch in motion.switches]
    assert np.allclose(struck[:-1], (1 + e) * speed * e ** np.arange(len(bounces) - 1), rtol=1e-9)
    lost = [switch.energy_lost for switch in motion.switches]
    assert np.allclose(lost[:-1], (1 - e**2) * GRAVITY * e ** (2 * np.arange(len(bounces) - 1)), rtol=1e-9)
    assert sum(lost) == pytest.approx(GRAVITY, rel=1e-12)
    assert motion.structure(12.0) == ("floor",)
    assert motion.multipliers[-1, 0] == pytest.approx(GRAVITY, rel=1e-14)
    assert motion.q[-1, 0] == pytest.approx(0.0, abs=1e-15)
    assert motion.q.min() > -1e-11
    assert np.abs(motion.energy.imbalance).max() < 1e-11


def test_ball_without_loss_bounces_for_ever():
    motion = ball().simulate({"e": 1.0}, start={"y": 1.0}, until=100)
    bounces = motion.events["floor touches"]
    fall = np.sqrt(2 / GRAVITY)
    assert np.abs(bounces - fall * (1 + 2 * np.arange(len(bounces)))).max() < 1e-9
    assert len(bounces) == 111
    assert np.abs(motion.energy.total - GRAVITY).max() < 1e-9


def test_floor_that_swings():
    """On a strongly moving floor bounces are chaotic; the first ones are roots of a parabola minus a sine."""
    a, w, e = 0.1, 10.0, 0.8
    floor = sp.Float(a) * sp.sin(sp.Float(w) * lk.t)
    motion = ball(floor=floor).simulate({"e": e}, start={"y": 1.0}, until=5, rtol=1e-12, atol=1e-14)
    t, height, speed, expected, impulses = 0.0, 1.0, 0.0, [], []
    while len(expected) < 7:
        gap = lambda d: height + speed * d - GRAVITY * d**2 / 2 - a * np.sin(w * (t + d))  # noqa: B023, E731
        late = next(d for d in np.arange(1, 3000) * 1e-3 if gap(d) < 0)
        d = brentq(gap, late - 1e-3, late, xtol=1e-15)
        t, height = t + d, a * np.sin(w * (t + d))
        moving, before = a * w * np.cos(w * t), speed - GRAVITY * d
        speed = moving - e * (before - moving)
        expected.append(t)
        impulses.append(speed - before)
    assert np.abs(motion.events["floor touches"][:7] - expected).max() < 1e-10
    assert [s.struck["floor"] for s in motion.switches[:7]] == pytest.approx(impulses, rel=1e-9)
    assert np.abs(motion.energy.imbalance).max() < 1e-10  # the moving floor does work


class Disc:
    """A ball of radius r and inertia J falling onto a rough incline; x down, y off the incline, theta turns it back."""

    m, r, J, alpha, mu, e = 1.3, 0.1, 0.006, 0.3, 0.2, 0.6

    def __init__(self, impact):
        m, r, J, alpha, mu, e, g = lk.parameters("m r J alpha mu e g")
        x, y, theta = lk.coordinates("x y theta")
        kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(theta) ** 2 / 2
        potential = m * g * (y * sp.cos(alpha) - x * sp.sin(alpha))
        values = {p: getattr(self, p.name) for p in (m, r, J, alpha, mu, e)} | {g: GRAVITY}
        free = lk.System("disc", [x, y, theta], kinetic=kinetic, potential=potential, values=values)
        law = lk.Coulomb(mu, slip=der(x) + r * der(theta), unilateral=True, restitution=e, impact=impact)
        self.system = free.constrain("plane", y - r, law=law)

    def bounces(self, height, velocity, count):
        """Return (t, v after, normal and tangential impulse) of the first bounces; a ball's two rows are uncoupled."""
        down, off = GRAVITY * np.sin(self.alpha), GRAVITY * np.cos(self.alpha)
        rows, t, v = [], np.sqrt(2 * height / off), np.array(velocity, float)
        v += [down * t, -off * t, 0.0]
        for _ in range(count):
            normal = -(1 + self.e) * self.m * v[1]
            grip = -(v[0] + self.r * v[2]) / (1 / self.m + self.r**2 / self.J)  # impulse that stops the slip
            push = np.clip(grip, -self.mu * normal, self.mu * normal)
            v = v + np.array([push / self.m, normal / self.m, self.r * push / self.J])
            rows.append((t, v, normal, push))
            flight = 2 * v[1] / off
            t, v = t + flight, v + np.array([down * flight, -off * flight, 0.0])
        return rows


@pytest.mark.parametrize("impact", ["newton", "poisson"])
def test_rough_incline_with_spin(impact):
    """Friction reduces or stops the slip in every impact; for a ball Newton's and Poisson's laws agree."""
    disc = Disc(impact)
    start = {"x": 0.0, "y": 1.0 + disc.r, "theta": 0.0, "x'": 4.0, "y'": 0.0, "theta'": 10.0}
    motion = disc.system.simulate(start=start, until=6, rtol=1e-12, atol=1e-14)
    expected = disc.bounces(1.0, [4.0, 0.0, 10.0], 10)
    slipping = [abs(push) > (1 - 1e-9) * disc.mu * normal for _, _, normal, push in expected]
    assert slipping[0]
    assert not slipping[-1]
    for switch, (t, v, normal, push) in zip(motion.switches[:10], expected, strict=True):
        assert abs(switch.t - t) < 1e-10
        assert np.abs(switch.v - v).max() < 1e-9
        assert switch.struck["plane"] == pytest.approx(normal, rel=1e-9)
        assert switch.struck["plane, sticking"] == pytest.approx(push, rel=1e-7, abs=1e-12)
    together = disc.bounces(1.0, [4.0, 0.0, 10.0], 60)[-1][0]
    assert motion.switches[-1].t == pytest.approx(together, abs=1e-4)
    # At the end it rolls: m (1 + J/(m r^2)) x'' = m g sin alpha.
    rolling = motion.at(5.5)
    assert rolling.contacts["plane"].mode == "sticks"
    expected_rolling = GRAVITY * np.sin(disc.alpha) / (1 + disc.J / (disc.m * disc.r**2))
    assert rolling.accelerations[0] == pytest.approx(expected_rolling, rel=1e-12)
    assert np.abs(motion.energy.imbalance).max() < 1e-10


@pytest.mark.parametrize("restitution", [0.9, 0.5])
@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_small_bounces_keep_their_speed(method, restitution):
    """Bounce k leaves the floor with e^k times the speed of the first fall, also where it rises less than atol.

    A method that starts again after every bounce must not lose a tolerance each time.
    """
    y = lk.coordinates("y")
    ball = lk.System("ball", [y], kinetic=der(y) ** 2 / 2, potential=9.81 * y)
    ball = ball.constrain("floor", y, law=lk.laws.Unilateral(restitution))
    motion = ball.simulate(start={"y": 1.0}, until=12.0, method=method)
    bounces = motion.switches[:-1]  # the last one ends in rest
    expected = np.sqrt(2 * 9.81) * restitution ** np.arange(1.0, len(bounces) + 1)
    assert expected[-1] < 1e-4
    np.testing.assert_allclose([s.v[0] for s in bounces], expected, rtol=1e-6)
