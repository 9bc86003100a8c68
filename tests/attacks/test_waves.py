"""Random waves of the time as conditions while the motion itself needs hardly a step, against finely sampled roots."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases
from scipy.optimize import brentq

import lienket as lk
from lienket import der

METHODS = ["dop853", "radau5", "bdf", "auto"]
x = lk.coordinates("x")
UNTIL = 30.0


def roots(g, until):
    """Return the roots of g, and the smallest distance from zero of its extrema between them."""
    t = np.linspace(0, until, 60_001)
    values = g(t)
    found = [brentq(g, t[i], t[i + 1], xtol=1e-14) for i in np.flatnonzero(values[:-1] * values[1:] < 0)]
    turns = np.flatnonzero(np.diff(values)[:-1] * np.diff(values)[1:] < 0) + 1
    return np.array(found), np.abs(values[turns]).min(initial=np.inf)


LONG_STEPS = [900, 1046, 1450, 1644, 1726, 1964]  # cases in which a step of several periods would hide roots


def found_and_exact(seed, random, forms):
    """Return the times of the event and the roots of level - a sin(w t + p) - b sin(u t + r), stated in two forms."""
    a, w, p, b, u, r = random.uniform([0.5, 0.3, 0, 0, 0.3, 0], [2, 3, 6, 1, 6, 6])
    level = random.uniform(-1, 1) * (a + b)
    exact, margin = roots(lambda t: level - a * np.sin(w * t + p) - b * np.sin(u * t + r), UNTIL)
    if margin < 1e-3 or (len(exact) and (exact[0] < 1e-3 or UNTIL - exact[-1] < 1e-3)):
        return None
    body = lk.System("body", [x], kinetic=der(x) ** 2 / 2)
    when = level - a * sp.sin(w * forms[0] + p) - b * sp.sin(u * forms[1] + r)
    motion = body.simulate(
        start={"x'": 1.0}, until=UNTIL, method=METHODS[seed % 4], events=[lk.Event("root", when=when)]
    )
    return motion.events["root"], exact


@pytest.mark.parametrize("seed", [*attack_cases(8), *LONG_STEPS])
def test_a_wave_over_a_motion_that_is_a_straight_line(seed):
    """Every root of a sum of two waves, of time or of position x = t and time, is an event, in steps of any length."""
    pair = found_and_exact(seed, np.random.default_rng(seed), (lk.t if seed % 2 else x, lk.t))
    if pair is not None:
        assert len(pair[0]) == len(pair[1]), (METHODS[seed % 4], *pair)
        np.testing.assert_allclose(*pair, rtol=0, atol=1e-6)


@pytest.mark.parametrize("seed", attack_cases(4))
def test_a_wave_of_the_position(seed):
    """The same for waves of the position x = t and the velocity x' = 1 alone."""
    pair = found_and_exact(seed, np.random.default_rng([seed, 1]), (x, x * der(x)))
    if pair is not None:
        assert len(pair[0]) == len(pair[1]), (METHODS[seed % 4], *pair)
        np.testing.assert_allclose(*pair, rtol=0, atol=1e-6)
