"""Conditions that pass through zero and back between two samples of a step: thin obstacles, short slips."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
POINT = lk.System("point", [x], kinetic=der(x) ** 2 / 2)


@pytest.mark.parametrize("radius", [0.2, 0.01])
@pytest.mark.parametrize("form", [sp.sqrt, lambda z: z])
def test_a_ball_is_reflected_by_a_thin_disc(radius, form):
    """A ball that needs five steps for its way of 10 m meets a disc at x = -sqrt(r^2 - y^2), restitution 1."""
    free = lk.System("ball", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    ball = free.constrain("disc", form(x**2 + y**2) - form(sp.Float(radius) ** 2), law=lk.laws.Unilateral(1))
    beside = 0.3 * radius
    motion = ball.simulate(start={"x": -5.0, "y": beside, "x'": 1.0, "y'": 0.0}, until=10)
    at = np.array([-np.sqrt(radius**2 - beside**2), beside])
    v = np.array([1.0, 0.0]) - 2 * at[0] / radius**2 * at
    time = at[0] + 5
    np.testing.assert_allclose([s.t for s in motion.switches], [time], rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.q[-1], at + (10 - time) * v, rtol=0, atol=1e-6)


@pytest.mark.parametrize("width", [1e-2, 1e-4])
@pytest.mark.parametrize("form", [abs, lambda z: z**2])
def test_before_another_event_of_the_same_step(width, form):
    """A window is passed in a step that an event of another condition cuts short afterwards."""
    window = form(x - sp.Rational(31, 10)) - form(sp.Float(width))
    events = [lk.Event("mark", when=x - 7), lk.Event("window", when=window)]
    motion = POINT.simulate(start={"x'": 1.0}, until=10, events=events)
    np.testing.assert_allclose(motion.events["window"], [3.1 - width, 3.1 + width], rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.events["mark"], [7], rtol=0, atol=1e-9)


def test_the_audit_says_where_a_passage_may_remain_unseen(tmp_path):
    """|x - 5.1| + 1e-6 turns back within 1e-6 of zero, too sharply for the steps; a smooth condition does not."""
    sharp = lk.Event("sharp", when=sp.Abs(x - sp.Rational(51, 10)) + sp.Float(1e-6))
    smooth = lk.Event("smooth", when=(x - sp.Rational(51, 10)) ** 2 + sp.Float(1e-6))
    motion = POINT.simulate(start={"x'": 1.0}, until=10, events=[sharp, smooth])
    (warning,) = motion.audit.warnings
    assert "'sharp' may have been passed over" in warning
    assert warning in motion.outcome
    motion.save(tmp_path / "run.npz")
    assert lk.load(tmp_path / "run.npz").audit.warnings == motion.audit.warnings


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_a_short_slip_on_a_belt(method):
    """A block that sticks slips back for 0.1 s, in steps that are longer while it sticks.

    x(6) and the times are those of solve_ivp with one event for each mode (tests/attacks/test_stick_slip.py).
    """
    block = lk.System(
        "block",
        [x, y],
        kinetic=(der(x) ** 2 + der(y) ** 2) / 2,
        potential=10 * y + 5 * x**2,
        forces={x: 6 * sp.sin(5 * lk.t)},
    ).constrain("belt", y, law=lk.Coulomb(0.5, slip=der(x) - sp.Rational(3, 10)))
    motion = block.simulate(start={"x'": 0.3}, until=6, method=method, rtol=1e-9, atol=1e-11)
    assert len(motion.switches) == 11
    np.testing.assert_allclose([s.t for s in motion.switches[:3]], [0.259733, 0.362209, 0.726149], rtol=0, atol=1e-6)
    assert motion.q[-1, 0] == pytest.approx(0.256232565, abs=2e-8)
