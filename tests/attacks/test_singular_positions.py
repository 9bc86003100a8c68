"""Random mechanisms through, from and to singular positions, at tolerances from 1e-4 to 1e-12.

Each is moved in its stated coordinates and in its one coordinate on the branch, where nothing is singular. No run is
wrong in silence: it is within 100 tolerances, or more where the motion itself makes errors grow, or its outcome names
the dependent constraints.
"""

import os
import sys
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import lienket as lk
from lienket import der

sys.path.insert(0, os.path.dirname(__file__))
from attack_cases import attack_cases

ROUNDING_TOLERANCE = 1e-8  # [1] below it rounding may stop a run, e.g. one that turns back near the position
OFFSETS = (0.0, 1e-9, -1e-9, 1e-6, -1e-4, 3e-3)


class Branch:
    """One degree of freedom: m(a) a'^2/2 + V(a) = E, and all coordinates of the mechanism as functions of a."""

    def __init__(self, mass, mass_slope, potential_slope, place, flat):
        self.mass, self.mass_slope, self.potential_slope, self.place = mass, mass_slope, potential_slope, place
        self.flat = flat  # a = flat + j pi is singular

    def rate(self, t, y):
        a, w = y
        return [w, -(self.mass_slope(a) * w * w / 2 + self.potential_slope(a)) / self.mass(a)]

    def states(self, start, times):
        tight = {"rtol": 3e-14, "atol": 1e-14, "method": "DOP853", "t_eval": times}
        return solve_ivp(self.rate, (0, times[-1]), start, **tight).y.T

    def growth(self, start, end):
        """Return by how much an error of the start has grown at the end."""
        times, change = np.array([end]), 1e-6
        near = [self.states([start[0], start[1] * (1 + sign * change)], times)[0] for sign in (1, -1)]
        return np.abs(near[0] - near[1]).max() / (2 * change * abs(start[1]))

    def full(self, a, w):
        """Return coordinates and velocities."""
        step = 1e-20
        return self.place(a), np.imag(self.place(a + 1j * step)) / step * w


@cache
def ladder_system(count):
    """State rockers pinned at i b, couplers of length b on their tips, by x, y, angle each."""
    g, L, b = lk.parameters("g L b")
    names = [f"r{i}" for i in range(count + 1)] + [f"c{i}" for i in range(count)]
    masses = lk.parameters(" ".join(f"m_{name}" for name in names))
    rods = [lk.coordinates(f"x_{name} y_{name} a_{name}") for name in names]
    lengths = [L] * (count + 1) + [b] * count
    kinetic = sum(
        m * (der(x) ** 2 + der(y) ** 2 + s**2 * der(a) ** 2 / 12) / 2
        for m, s, (x, y, a) in zip(masses, lengths, rods, strict=True)
    )
    potential = g * sum(m * y for m, (_, y, _) in zip(masses, rods, strict=True))
    system = lk.System("ladder", [e for rod in rods for e in rod], kinetic=kinetic, potential=potential)
    rockers, couplers = rods[: count + 1], rods[count + 1 :]
    for i, (x, y, a) in enumerate(rockers):
        system = system.constrain(f"pin {i}", [x - L * cos(a) / 2 - i * b, y - L * sin(a) / 2])
    for i, (x, y, a) in enumerate(couplers):
        for side, (xr, yr, ar) in ((-1, rockers[i]), (1, rockers[i + 1])):
            joint = [x + side * b * cos(a) / 2 - xr - L * cos(ar) / 2, y + side * b * sin(a) / 2 - yr - L * sin(ar) / 2]
            system = system.constrain(f"joint {i} {side}", joint)
    return system, masses


def ladder(random):
    """Return a ladder of parallelograms, its values and its branch."""
    count = int(random.integers(1, 6))
    system, symbols = ladder_system(count)
    masses = random.uniform(0.3, 3, 2 * count + 1)
    L, b, g = random.uniform(0.5, 2, 3) * [1, 1, 6]
    rockers, couplers = masses[: count + 1].sum(), masses[count + 1 :].sum()
    inertia, moment = (rockers / 3 + couplers) * L**2, g * (rockers / 2 + couplers) * L

    def place(a):
        c, s = L * np.cos(a), L * np.sin(a)
        return np.array([e for i in range(count + 1) for e in (i * b + c / 2, s / 2, a)]
                        + [e for i in range(count) for e in (i * b + b / 2 + c, s, 0 * a)])  # fmt: skip

    values = {"g": g, "L": L, "b": b} | dict(zip(map(str, symbols), masses, strict=True))
    return system, values, Branch(lambda a: inertia, lambda a: 0.0, lambda a: moment * np.cos(a), place, 0.0)


@cache
def crank_system():
    """State crank, rod and slider with the rod as long as the crank: it folds where the slider passes the pivot."""
    r, J, m, M, g = lk.parameters("r J m M g")
    p, s, x = lk.coordinates("p s x")
    X, Y = r * cos(p) + r * cos(s) / 2, r * sin(p) - r * sin(s) / 2
    kinetic = J * der(p) ** 2 / 2 + M * der(x) ** 2 / 2
    kinetic += m * (X.diff(lk.t) ** 2 + Y.diff(lk.t) ** 2 + r**2 * der(s) ** 2 / 12) / 2
    system = lk.System("slider-crank", [p, s, x], kinetic=kinetic, potential=g * m * Y)
    return system.constrain("rod", [r * cos(p) + r * cos(s) - x, r * sin(p) - r * sin(s)])


def crank(random):
    """Return a folding slider-crank, its values and its branch s = p."""
    r, J, m, M, g = random.uniform(0.5, 2, 5) * [1, 1, 1, 1, 4]

    def mass(a):
        return J + m * r**2 * (2 * np.sin(a) ** 2 + 1 / 3) + 4 * M * r**2 * np.sin(a) ** 2

    def mass_slope(a):
        return (2 * m + 4 * M) * r**2 * np.sin(2 * a)

    branch = Branch(mass, mass_slope, lambda a: g * m * r / 2 * np.cos(a),
                    lambda a: np.array([a, a, 2 * r * np.cos(a)]), np.pi / 2)  # fmt: skip
    return crank_system(), {"r": r, "J": J, "m": m, "M": M, "g": g}, branch


@pytest.mark.parametrize("seed", attack_cases(6))
def test_no_run_is_wrong_in_silence(seed):
    random = np.random.default_rng(seed)
    system, values, branch = (ladder, crank)[seed % 2](random)
    tolerance = 10.0 ** -random.uniform(4, 12)
    first = branch.flat + random.choice([0, 1]) * np.pi
    start = [first + random.choice([*OFFSETS, 1.0, -1.0]), random.choice([-1, 1]) * random.uniform(4, 12)]
    end = random.uniform(1, 3)
    if random.random() < 0.3:  # the run ends at or near the last singular position
        a = branch.states(start, np.linspace(0, end, 200))[-1, 0]
        a = branch.flat + np.pi * np.round((a - branch.flat) / np.pi) + random.choice(OFFSETS)
        passed = solve_ivp(branch.rate, (0, 2 * end), start, rtol=3e-14, atol=1e-14, method="DOP853",
                           events=lambda t, y: y[0] - a).t_events[0]  # fmt: skip
        end = float(passed[-1]) if len(passed) and passed[-1] > 0.1 else end
    times = np.linspace(0, end, 8)
    motion = system.simulate(values, start=branch.full(*start), until=end, rtol=tolerance, atol=tolerance, times=times)
    if not motion.outcome.complete:
        assert tolerance < ROUNDING_TOLERANCE, motion.outcome
        assert "dependent" in motion.outcome
        return
    most = 100 * tolerance * max(1, branch.growth(start, end) / 20)
    for y, row, rate in zip(branch.states(start, times), motion.q, motion.v, strict=True):
        q, v = branch.full(*y)
        assert np.abs(row - q).max() <= most * max(1, np.abs(q).max())
        assert np.abs(rate - v).max() <= most * max(1, np.abs(v).max())
