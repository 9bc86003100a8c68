"""Random thin obstacles in the way of a body that moves in very long steps, against closed solutions."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
METHODS = ["dop853", "radau5", "bdf"]


def reflected(start, v, radius, until):
    """Return the time at which a point on a straight line meets the disc about 0, and the position at `until`."""
    b, c = start @ v, start @ start - radius**2
    inside = b * b - c * (v @ v)
    if inside <= 0 or b >= 0:
        return None, start + until * v
    time = (-b - np.sqrt(inside)) / (v @ v)
    if time >= until:
        return None, start + until * v
    at = start + time * v
    normal = at / radius
    return time, at + (until - time) * (v - 2 * (v @ normal) * normal)


@pytest.mark.parametrize("seed", attack_cases(5))
def test_a_ball_meets_a_thin_disc(seed):
    """A free ball is reflected by a fixed disc of 1/10 000 to 1/10 of its way, or passes beside it."""
    random = np.random.default_rng(seed)
    method, radius = METHODS[seed % 3], float(10 ** random.uniform(-3, 0))
    free = lk.System("ball", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    how = [sp.sqrt(x**2 + y**2) - radius, x**2 + y**2 - radius**2][seed % 2]
    ball = free.constrain("disc", how, law=lk.laws.Unilateral(1))
    angle, beside, speed = random.uniform(0, 2 * np.pi), radius * random.uniform(-1.5, 1.5), random.uniform(0.5, 2)
    along = np.array([np.cos(angle), np.sin(angle)])
    start = -random.uniform(2, 8) * along + beside * np.array([-along[1], along[0]])
    if abs(abs(beside) - radius) < 1e-2 * radius:
        return
    time, end = reflected(start, speed * along, radius, 10.0)
    motion = ball.simulate(
        start={"x": start[0], "y": start[1], "x'": speed * along[0], "y'": speed * along[1]}, until=10, method=method
    )
    hits = [s.t for s in motion.switches]
    np.testing.assert_allclose(hits, [] if time is None else [time], rtol=0, atol=1e-6)
    np.testing.assert_allclose(motion.q[-1], end, rtol=0, atol=1e-5 / min(radius, 1))


def crossings(kind, centre, width):
    """Return a condition that is negative for |x - centre| < width only."""
    z = x - centre
    return {
        "square": z**2 - width**2,
        "distance": sp.Abs(z) - width,
        "round": sp.sqrt(z**2 + (width / 3) ** 2) - width * sp.sqrt(sp.Rational(10, 9)),
        "fourth power": z**4 - width**4,
        "bounded": z**2 / (1 + z**2) - width**2 / (1 + width**2),
    }[kind]


@pytest.mark.parametrize("seed", attack_cases(5))
def test_a_condition_that_is_negative_for_a_moment(seed):
    """A body passes a window of 1/100 000 to 1/10 of its way; it enters and leaves it once."""
    random = np.random.default_rng(3000 + seed)
    method = METHODS[seed % 3]
    kind = ["square", "distance", "round", "fourth power", "bounded"][seed % 5]
    width = float(10 ** random.uniform(-3 if kind != "fourth power" else -1, 0))
    centre, way = float(random.uniform(1, 9)), 10.0
    direction = ["any", "falling", "rising"][int(random.integers(0, 3))]
    condition = crossings(kind, centre, width) * float(random.choice([1, 7]))
    body = lk.System("body", [x], kinetic=der(x) ** 2 / 2)
    event = lk.Event("in", when=condition, direction=direction)
    motion = body.simulate(start={"x'": 1.0}, until=way, events=[event], method=method)
    inner = [centre - width] if direction == "falling" else [centre + width] if direction == "rising" else []
    expected = [t for t in (inner or [centre - width, centre + width]) if 0 < t < way]
    if centre - width > 0.01 and abs(way - centre - width) > 0.01:
        assert len(motion.events["in"]) == len(expected), (kind, method, width, centre, direction, motion.events)
        np.testing.assert_allclose(motion.events["in"], expected, rtol=0, atol=1e-6)
        assert motion.audit.ok
