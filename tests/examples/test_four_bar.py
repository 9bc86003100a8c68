"""The four-bar of examples/models against its closed solution: angles by triangles, then one equation for the crank.

With b(a) and c(a) the energy is J(a) a'^2/2 + V(a), so that J a'' = -V' - J' a'^2/2; derivatives by mpmath.
"""

import mpmath as mp
import numpy as np
import pytest
from conftest import MODELS

import lienket as lk

OPEN, CROSSED = 1, -1


@pytest.fixture(scope="module")
def four_bar():
    return lk.load(MODELS / "four_bar.toml")


class Crank:
    """The four-bar as a function of the crank angle, for one assembly."""

    def __init__(self, system, way):
        self.p, self.way = {str(name): mp.mpf(float(value)) for name, value in system.values.items()}, way

    def angles(self, a):
        """Return coupler and rocker angles from their triangle with the line from the end of the crank to (d, 0)."""
        p = self.p
        x, y = p["d"] - p["l1"] * mp.cos(a), -p["l1"] * mp.sin(a)
        line = mp.hypot(x, y)
        corner = mp.acos((p["l2"] ** 2 + line**2 - p["l3"] ** 2) / (2 * p["l2"] * line))
        b = mp.atan2(y, x) + self.way * corner
        c = mp.atan2(p["l1"] * mp.sin(a) + p["l2"] * mp.sin(b), p["l1"] * mp.cos(a) + p["l2"] * mp.cos(b) - p["d"])
        return b, c

    def inertia(self, a):
        p, (b, _) = self.p, self.angles(a)
        db, dc = (mp.diff(lambda x, k=k: self.angles(x)[k], a) for k in (0, 1))
        coupler = p["l1"] ** 2 + p["l2"] ** 2 * db**2 / 4 + p["l1"] * p["l2"] * mp.cos(a - b) * db
        return p["J1"] + p["m2"] * coupler + p["J2"] * db**2 + p["J3"] * dc**2

    def potential(self, a):
        p, (b, c) = self.p, self.angles(a)
        middles = [p["l1"] * mp.sin(a) / 2, p["l1"] * mp.sin(a) + p["l2"] * mp.sin(b) / 2, p["l3"] * mp.sin(c) / 2]
        return p["g"] * sum(p[f"m{k}"] * y for k, y in enumerate(middles, 1))

    def acceleration(self, a, rate):
        with mp.workdps(40):
            slopes = [mp.diff(f, mp.mpf(a)) for f in (self.potential, self.inertia)]
            return float(-(slopes[0] + slopes[1] * rate**2 / 2) / self.inertia(mp.mpf(a)))


@pytest.mark.parametrize("way", [OPEN, CROSSED])
def test_both_assemblies(four_bar, way):
    expected = [float(x) for x in Crank(four_bar, way).angles(1.0)]
    start = four_bar.consistent({"a": 1.0}, guess={"b": 0.7 * way, "c": 1.5 * way})
    np.testing.assert_allclose(start.q, [1.0, *expected], atol=1e-14)
    assert len(start.others) == 1


@pytest.mark.parametrize("way", [OPEN, CROSSED])
@pytest.mark.parametrize("a", [0.4, 1.0, 3.0])
def test_the_crank_acceleration_is_that_of_the_reduced_equation(four_bar, way, a):
    crank = Crank(four_bar, way)
    b, c = (float(x) for x in crank.angles(a))
    q, v = four_bar.consistent({"a": a, "a'": 2.5}, guess={"b": b, "c": c})
    assert four_bar.at(q, v).accelerations[0] == pytest.approx(crank.acceleration(a, 2.5), rel=1e-12)


def test_the_four_bar_swings_back_to_its_start(four_bar):
    """Released at rest without losses, the crank reverses where V is as high as at the start, and returns."""
    crank = Crank(four_bar, OPEN)
    motion = four_bar.simulate(start={"a": 1.0}, guess={"b": 0.5, "c": 1.5}, until=10)
    turn = float(mp.findroot(lambda a: crank.potential(a) - crank.potential(1.0), -4.5))
    times = np.linspace(*motion.t[[0, -1]], 20_001)
    swung = motion.sampled(times)["a"]
    assert swung.min() == pytest.approx(turn, abs=1e-4)
    assert swung[len(swung) // 2 :].max() == pytest.approx(1.0, abs=1e-4)
    assert swung.min() >= turn - 1e-7
    assert swung.max() <= 1 + 1e-7
