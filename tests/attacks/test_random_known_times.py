"""Random forces that jump at random times, against their impulses; random starts of the clock, against the run at 0."""

import numpy as np
import pytest
import sympy as sp
from attacks.attack_cases import attack_cases

import lienket as lk
from lienket import der, t

P = sp.Piecewise
METHODS = ("dop853", "radau5", "bdf", "rattle", "rattle4")
LONGER_STEP = 50157  # seed at which a rejected step was repeated without an end, since its end had to be a number
LIMITS = {"dop853": 1e-9, "radau5": 1e-9, "bdf": 1e-5, "rattle": 1e-3, "rattle4": 1e-5}
"""Largest error of positions and velocities of order 1 for each method at its default tolerances."""


def pulses(random):
    """Return a random train of pulses as a formula and (begin, end, height) of each, some of them very short."""
    edges = np.sort(random.uniform(0, 10, 2 * random.integers(1, 6)))
    edges[1::2] = edges[::2] + np.minimum(edges[1::2] - edges[::2], 10 ** random.uniform(-6, 1, len(edges) // 2))
    heights = random.uniform(0.2, 1, len(edges) // 2) / np.diff(edges)[::2] * random.choice([-1, 1])
    force, forms = 0, random.integers(0, 4, len(heights))
    for form, begin, end, height in zip(forms, edges[::2], edges[1::2], heights, strict=True):
        if form == 0:
            force += P((0, t < begin), (height, t <= end), (0, True))
        elif form == 1:
            force += height * (sp.sign(t - begin) - sp.sign(t - end)) / 2
        elif form == 2:
            force += P((height, (t - begin) * (end - t) > 0), (0, True))
        else:
            force += P((P((0, t >= end), (height, True)), t > begin), (0, True))
    return force, list(zip(edges[::2], edges[1::2], heights, strict=True))


@pytest.mark.parametrize("seed", attack_cases(6))
def test_impulses_of_random_pulses(seed):
    """A free mass under forces f from a to b: v = sum of f (b - a), x = sum of f (b - a) (t - (a + b)/2)."""
    random = np.random.default_rng([seed, 1])
    force, train = pulses(random)
    x = lk.coordinates("x")
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force})
    method = METHODS[seed % len(METHODS)]
    run = mass.simulate(until=10, method=method)
    v = sum(height * (end - begin) for begin, end, height in train)
    position = sum(height * (end - begin) * (10 - (begin + end) / 2) for begin, end, height in train)
    rounding = 1e-14 * max(abs(height) for *_, height in train)  # of the times at which they begin and end
    limit = (LIMITS[method] if method == "bdf" else 1e-9) + rounding
    assert run.outcome.complete and run.audit.ok
    assert run.v[-1, 0] == pytest.approx(v, abs=limit)
    assert run.q[-1, 0] == pytest.approx(position, abs=10 * limit)


@pytest.mark.parametrize("seed", attack_cases(6))
def test_impulses_of_random_tables(seed):
    """A linear table of time: the impulse is its trapezoidal sum, on random knots some of which are very close."""
    random = np.random.default_rng([seed, 2])
    steps = 10 ** random.uniform(-5, 0, random.integers(3, 30))
    knots = np.concatenate([[0.0], np.cumsum(steps)]) * 10 / steps.sum()
    values = random.standard_normal(len(knots)) * 10 ** random.uniform(0, 2)
    rate, shift = 10 ** random.uniform(-1, 1), random.uniform(-3, 3)  # read at rate t + shift, both parameters
    a, b = lk.parameters("a b")
    table = lk.table("F", knots, values, kind="linear", outside="hold")
    x = lk.coordinates("x")
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: table(a * t + b)})
    method = ("dop853", "radau5", "bdf")[seed % 3]
    run = mass.simulate({"a": rate, "b": shift}, until=8, method=method)
    nodes = np.unique(np.concatenate([[0.0, 8.0], np.clip((knots - shift) / rate, 0, 8)]))
    forces = np.interp(rate * nodes + shift, knots, values)
    impulse = np.sum(np.diff(nodes) * (forces[1:] + forces[:-1]) / 2)
    size = np.sum(np.diff(nodes) * (np.abs(forces[1:]) + np.abs(forces[:-1])) / 2)
    assert run.outcome.complete
    assert run.v[-1, 0] == pytest.approx(impulse, abs=(1e-9 if method != "bdf" else 1e-5) * (1 + size))


@pytest.mark.parametrize("seed", attack_cases(6))
def test_square_waves_with_numbers_of_the_run(seed):
    """sign(sin(w t + p)) and a pulse width set by a duty cycle: all switches are known, at the numbers of the run."""
    random = np.random.default_rng([seed, 3])
    w, phase, duty = 10 ** random.uniform(-0.5, 2), random.uniform(0, 6), random.uniform(-0.9, 0.9)
    W, p, d = lk.parameters("w p d")
    x = lk.coordinates("x")
    wave = P((1, sp.sin(W * t + p) > d), (0, True))
    mass = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: wave})
    method = METHODS[seed % len(METHODS)]
    run = mass.simulate({"w": w, "p": phase, "d": duty}, until=5, method=method)
    low, high = np.arcsin(duty), np.pi - np.arcsin(duty)
    turns = np.arange(-2, 5 * w / 6 + 3)
    begins = np.clip((low + 2 * np.pi * turns - phase) / w, 0, 5)
    ends = np.clip((high + 2 * np.pi * turns - phase) / w, 0, 5)
    assert run.v[-1, 0] == pytest.approx(np.sum(ends - begins), abs=1e-9 if method != "bdf" else 1e-5)


@pytest.mark.parametrize("seed", sorted({*attack_cases(5), LONGER_STEP}))
def test_a_system_without_time_moves_as_from_zero(seed):
    """A pendulum on a cart that starts at a random time up to 1e12 has the same motion as from 0, by every method."""
    random = np.random.default_rng([seed, 4])
    begin = float(random.choice([-1, 1]) * 10 ** random.uniform(6, 12))
    method = METHODS[seed % len(METHODS)]
    x, phi = lk.coordinates("x phi")
    kinetic = der(x) ** 2 + der(x) * der(phi) * sp.cos(phi) + der(phi) ** 2 / 2
    cart = lk.System("cart", [x, phi], kinetic=kinetic, potential=-9 * sp.cos(phi) + 2 * x**2)
    start = {"x": 0.1, "phi": random.uniform(0.2, 1.2), "x'": random.uniform(-1, 1), "phi'": 0.0}
    length = float(np.round(random.uniform(1, 4)))
    later = cart.simulate(start=start, t=begin, until=begin + length, method=method)
    length = later.t[-1] - begin
    first = cart.simulate(start=start, until=length, method=method, times=later.t - begin)
    limit = 100 * LIMITS[method]
    assert later.outcome.complete and np.all(np.diff(later.t) > 0)
    assert np.abs(later.q - first.q).max() < limit
    assert np.abs(later.v - first.v).max() < limit


@pytest.mark.parametrize("seed", attack_cases(6))
def test_events_at_known_times_are_all_met(seed):
    """A body at rest takes long steps; every crossing of a condition of time alone is an event all the same."""
    random = np.random.default_rng([seed, 5])
    w, level = 10 ** random.uniform(0, 2), random.uniform(-0.8, 0.8)
    begin = float(random.choice([0.0, 1e3, 1.7e9]))
    x = lk.coordinates("x")
    rest = lk.System("rest", [x], kinetic=der(x) ** 2 / 2)
    wave = lk.Event("wave", when=sp.sin(w * (t - begin)) - level, direction="rising")
    run = rest.simulate(t=begin, until=begin + 20, events=[wave], method=("dop853", "radau5", "bdf")[seed % 3])
    expected = (np.arcsin(level) + 2 * np.pi * np.arange(-1, 20 * w / 6 + 2)) / w
    expected = expected[(expected > 0) & (expected < 20)]
    assert len(run.events["wave"]) == len(expected)
    assert np.abs(run.events["wave"] - begin - expected).max() < 1e-9 + 2 * np.spacing(begin)
