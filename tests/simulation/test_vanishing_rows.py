"""Motion through positions at which a row of G vanishes: N four-bars in a row, stated by the angles of their rods.

At the flat position all entries of a row are zero. The row divided by its size is as good as any other, so that the
solution for the accelerations does not tell the position. A run is right at every tolerance.
"""

from functools import cache

import numpy as np
import pytest
from scipy.special import ellipj, ellipk
from sympy import cos, sin

import lienket as lk
from lienket import der

g = 9.81
END = 10.0
TOLERANCES = 1e-4 * 0.5 ** np.arange(27)  # to 1.5e-12


@cache
def system(count):
    """State rockers on pins at (i, 0) and couplers between their tips, uniform, of 1 m and 1 kg."""
    names = [f"a{i}" for i in range(count + 1)] + [f"c{i}" for i in range(count)]
    angles = lk.coordinates(" ".join(names))
    rockers, couplers = angles[: count + 1], angles[count + 1 :]
    T = sum(der(a) ** 2 / 6 for a in rockers)
    V = sum(g * sin(a) / 2 for a in rockers)
    for a, c in zip(rockers, couplers, strict=False):
        T += (der(a) ** 2 + der(a) * der(c) * cos(a - c) + der(c) ** 2 / 3) / 2
        V += g * (sin(a) + sin(c) / 2)
    four_bars = lk.System("four-bars", angles, kinetic=T, potential=V)
    for i, c in enumerate(couplers):
        a, b = rockers[i], rockers[i + 1]
        four_bars = four_bars.constrain(f"loop {i}", [cos(a) + cos(c) - 1 - cos(b), sin(a) + sin(c) - sin(b)])
    return four_bars


def exact(count, speed, t):
    """Return angle and rate of the rockers: chi'' = -w^2 sin chi from hanging down, chi/2 an amplitude of Jacobi."""
    square = g * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    c = np.sqrt(speed**2 + 4 * square)
    _, _, dn, amplitude = ellipj(c * np.asarray(t) / 2 - ellipk(4 * square / c**2), 4 * square / c**2)
    return -np.pi / 2 - 2 * amplitude, -c * dn


def growth(count, speed, t):
    """Return by how much an error of the first speed has grown."""
    change = 1e-6 * speed
    sides = [exact(count, speed + sign * change, t) for sign in (1, -1)]
    return np.abs(np.subtract(*sides)).max() / (2 * change)


def start(count, speed):
    parts = [count + 1, count]
    return np.repeat([np.pi / 2, 0.0], parts), np.repeat([-speed, 0.0], parts)


@pytest.mark.parametrize("speed", [0.5, 1, 3, 8])
@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_every_tolerance(count, speed):
    bridges = 0
    for tolerance in TOLERANCES:
        run = system(count).simulate(start=start(count, speed), until=END, rtol=tolerance, atol=tolerance)
        assert run.outcome.complete, (tolerance, run.outcome)
        assert run.audit.ok
        angle, rate = exact(count, speed, run.t)
        most = 100 * tolerance * max(1, growth(count, speed, run.t) / 20)
        for rows, expected in ((run.q, angle), (run.v, rate)):
            off = np.maximum(
                np.abs(rows[:, : count + 1] - expected[:, None]).max(axis=1), np.abs(rows[:, count + 1 :]).max(axis=1)
            )
            assert (off / np.maximum(1, np.abs(expected))).max() <= most, tolerance
        bridges += run.statistics.bridges
    assert bridges > len(TOLERANCES) / 2  # how many depends on where steps happen to end
