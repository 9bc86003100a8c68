"""Conditions that are exactly zero at the start of a run: an event needs a change of sign, so leaving zero is none."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der

METHODS = ["dop853", "radau5", "bdf", "auto", "rattle4"]
x = lk.coordinates("x")
OSCILLATOR = lk.System("oscillator", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2)


def options(method):
    return {"step": 2e-3} if method == "rattle4" else {}


@pytest.mark.parametrize("seed", attack_cases(10))
def test_a_condition_that_leaves_zero(seed):
    """x = sin t: c u^p (x - r1)(x - r2) with u = x or 1 - x' is zero at t = 0 and changes its sign at r1 and r2 only.

    u^p leaves zero as t^p or t^(2 p), upwards or downwards; the condition is stated as c = 0, c > 0 and c < 0.
    """
    random = np.random.default_rng(seed)
    method, power = METHODS[seed % len(METHODS)], int(random.integers(1, 3))
    low, high = np.sort(random.uniform(0.05, 0.95, 2))
    if high - low < 0.02:
        return
    factor = float(random.choice([1, -1, 1e-3, 50]))
    u = random.choice([x, 1 - der(x)])
    condition = factor * u**power * (x - float(low)) * (x - float(high))
    up, down = (high, low) if factor > 0 else (low, high)
    events = [lk.Event("any", when=condition), lk.Event("up", when=condition > 0), lk.Event("down", when=condition < 0)]
    motion = OSCILLATOR.simulate(start={"x'": 1.0}, until=1.5, method=method, events=events, **options(method))
    expected = {"any": np.arcsin([low, high]), "up": np.arcsin([up]), "down": np.arcsin([down])}
    accuracy = 1e-3 if method in ("bdf", "rattle4") else 1e-5
    for name, times in expected.items():
        found = motion.events[name]
        assert len(found) == len(times), (method, name, condition, found, times)
        np.testing.assert_allclose(found, times, rtol=0, atol=accuracy)


@pytest.mark.parametrize("method", METHODS)
def test_an_inequality_that_becomes_true_at_the_start(method):
    """x = sin t: x > 0, t > 0 and 1 - x' > 0 become true at t = 0, at the border of the run; none is an event there."""
    conditions = {"x": x > 0, "t": lk.t > 0, "sum": x + sp.sin(lk.t) > 0, "speed": der(x) < 1}
    events = [lk.Event(name, when=c) for name, c in conditions.items()]
    motion = OSCILLATOR.simulate(start={"x'": 1.0}, until=7.0, method=method, events=events, **options(method))
    full = {"x": [2 * np.pi], "t": [], "sum": [2 * np.pi]}
    for name, times in full.items():
        np.testing.assert_allclose(motion.events[name], times, rtol=0, atol=1e-4)
    assert not np.any(motion.events["speed"] < 1)
