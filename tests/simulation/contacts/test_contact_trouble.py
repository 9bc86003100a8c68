"""Contacts with a bad start or without a motion: errors, outcomes and the rows kept."""

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der


def ball(e=0.5):
    g = lk.parameters("g")
    y = lk.coordinates("y")
    free = lk.System("ball", [y], kinetic=der(y) ** 2 / 2, potential=g * y, values={g: 9.81})
    return free.constrain("floor", y, law=lk.laws.Unilateral(e))


def test_start_inside_the_floor():
    with pytest.raises(lk.LienketError, match=r"wrong side of the contact 'floor': its gap is -0\.1.*Begin where"):
        ball().simulate(start={"y": -0.1}, until=1)


@pytest.mark.parametrize("gap", [0.0, 1e-12])
def test_start_that_strikes(gap):
    """A start in contact and approaching has its impact first."""
    motion = ball().simulate(start={"y": gap, "y'": -2.0}, until=0.3)
    first = motion.switches[0]
    assert first.event == "floor touches"
    assert first.t < 1e-11
    assert first.struck["floor"] == pytest.approx(3.0, rel=1e-10)
    assert motion.switches[1].t == pytest.approx(2 / 9.81, abs=1e-10)


def test_start_that_leaves():
    motion = ball().simulate(start={"y": 0.0, "y'": 2.0}, until=0.5)
    assert motion.structure(0.0) == ()
    assert motion.switches[0].t == pytest.approx(4 / 9.81, abs=1e-10)


def test_start_at_rest_on_the_floor():
    motion = ball().simulate(start={"y": 0.0}, until=5)
    assert motion.structure(0.0) == ("floor",)
    assert not motion.switches
    assert np.abs(motion.q).max() < 1e-14


def test_lifted_slowly():
    """A growing force lifts the ball when it reaches the weight; the gap grows with t^3, at first below rounding."""
    y = lk.coordinates("y")
    free = lk.System("lifted", [y], kinetic=der(y) ** 2 / 2, potential=9.81 * y, forces={y: lk.t})
    motion = free.constrain("floor", y - 1000, law=lk.laws.Unilateral(0.5)).simulate(start={"y": 1000.0}, until=12)
    (lift,) = motion.switches
    assert lift.event == "floor lifts off"
    assert lift.t == pytest.approx(9.81, abs=1e-9)
    assert motion.q[-1, 0] - 1000 == pytest.approx((12 - 9.81) ** 3 / 6, rel=1e-9)


class Rod:
    """Painleve's rod: its lower tip slides on a rough floor. S = (1 + 3 cos^2)/m, |G A^-1 tau| = 3 |sin cos|/m."""

    def __init__(self, unilateral):
        m, g, mu = lk.parameters("m g mu")
        x, y, theta = lk.coordinates("x y theta")
        kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2 + m * der(theta) ** 2 / 6
        free = lk.System("rod", [x, y, theta], kinetic=kinetic, potential=m * g * y, values={m: 1.3, g: 9.81, mu: 1.6})
        law = lk.Coulomb(mu, slip=sp.diff(x - cos(theta), lk.t), unilateral=unilateral)
        self.system = free.constrain("floor", y - sin(theta), law=law)

    def run(self, mu, angle, turn, speed, until=0.5):
        """Run from an angle with its rate and with the speed of the rod's centre along the floor."""
        start = {"y": np.sin(angle), "theta": angle, "x'": speed, "y'": np.cos(angle) * turn, "theta'": turn}
        return self.system.simulate({"mu": mu}, start=start, until=until)


@pytest.mark.parametrize("unilateral", [True, False])
def test_a_motion_that_runs_into_the_paradox(unilateral):
    """The run ends where mu |G A^-1 tau| reaches S, and reports it.

    Until then N (1 + 3 cos^2 - 3 mu sin cos) = m (g - theta'^2 sin) while the tip slides back.
    """
    motion = Rod(unilateral).run(1.6, 0.5, 2.0, -20.0)
    outcome = motion.outcome
    assert outcome.reason != "finished"
    words = str(outcome)
    assert "Painleve's paradox" in words
    assert "'floor': mu |G A^-1 tau| = " in words
    angle = motion.q[-1, 2]
    assert 1.6 * 3 * np.sin(angle) * np.cos(angle) == pytest.approx(1 + 3 * np.cos(angle) ** 2, rel=1e-6)
    angles, N = motion.q[:, 2], motion.multipliers[:, 0]
    share = 1 + 3 * np.cos(angles) ** 2 - 3 * 1.6 * np.sin(angles) * np.cos(angles)
    load = 1.3 * (9.81 - motion.v[:, 2] ** 2 * np.sin(angles))
    before = share > 1e-3
    assert before.sum() > 5
    assert np.abs(N * share - load)[before].max() < 1e-9 * np.abs(load).max()


def test_a_paradox_at_an_event():
    """The floor's force changes its sign at an event beyond which no motion obeys the laws."""
    motion = Rod(False).run(1.6, 1.5, 6.0, 20.0)
    assert motion.switches[-1].t == motion.t[-1]
    assert "Painleve's paradox): 'floor': mu |G A^-1 tau| = " in str(motion.outcome)


def test_a_paradox_at_the_start():
    with pytest.raises(lk.LienketError, match=r"no motion obeys the laws of friction.*'floor': mu \|G A\^-1 tau\| = "):
        Rod(True).run(1.6, 1.2, 0.0, -5.0)
    with pytest.raises(lk.LienketError, match=r"2 motions obey the laws of friction"):
        Rod(False).run(1.6, 1.2, 0.0, 5.0)


def test_no_paradox_below_the_critical_coefficient():
    """For mu < 4/3 there is no paradox, as 3 mu sin cos < 1 + 3 cos^2 at all angles."""
    for angle in np.linspace(0.1, 1.5, 8):
        for speed in (-20.0, 20.0):
            assert Rod(False).run(1.33, angle, 1.0, speed, until=0.2).outcome.reason == "finished"


def test_too_many_events():
    """The run of a ball that bounces fast without loss ends by the limit on the number of events."""
    motion = ball(1).simulate({"g": 1e9}, start={"y": 1e-6}, until=10, chattering=20)
    assert motion.outcome.reason == "chattering"
    assert "'floor touches'" in str(motion.outcome)


def test_between_floor_and_ceiling():
    """Of two contacts at most one is closed at a time."""
    y = lk.coordinates("y")
    free = lk.System("ball", [y], kinetic=der(y) ** 2 / 2, potential=9.81 * y)
    both = free.constrain("floor", y, law=lk.laws.Unilateral(0.5)).constrain(
        "ceiling", 1 - y, law=lk.laws.Unilateral(0.5)
    )
    motion = both.simulate(start={"y": 0.5, "y'": 8.0}, until=10)
    assert motion.outcome.reason == "finished"
    up = np.sqrt(64 - 9.81)  # at the ceiling, half a metre higher
    down = np.sqrt((up / 2) ** 2 + 2 * 9.81)  # at the floor; afterwards it does not reach the ceiling
    times = np.cumsum([(8 - up) / 9.81, (down - up / 2) / 9.81, down / 9.81])
    assert [s.event for s in motion.switches[:3]] == ["ceiling touches", "floor touches", "floor touches"]
    assert [s.t for s in motion.switches[:3]] == pytest.approx(times, abs=1e-10)
    assert motion.structure(10.0) == ("floor",)
    assert motion.q.max() < 1 + 1e-11
    assert motion.q.min() > -1e-11
