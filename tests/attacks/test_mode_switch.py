"""Stick and slip decided by kernels and in Python: the same changes at the same times, and the same motion."""

import numpy as np
import pytest
from attack_cases import attack_cases

import lienket as lk
from lienket import der
from lienket.simulation.events.switching import Switching
from lienket.simulation.stepping import workspace


def chain_of_blocks(random, count, unilateral, static):
    """Return blocks on a belt, joined by springs, each with its own friction, and the spring of the first at a wall."""
    x, y = ([lk.coordinates(f"{letter}{k}") for k in range(count)] for letter in "xy")
    m, k = random.uniform(0.5, 2, count), random.uniform(2, 10, count)
    ends = [0, *x]
    V = sum(k[i] * (ends[i + 1] - ends[i]) ** 2 / 2 + 9.81 * m[i] * y[i] for i in range(count))
    T = sum(m[i] * (der(x[i]) ** 2 + der(y[i]) ** 2) / 2 for i in range(count))
    system, speed = lk.System("blocks", [*x, *y], kinetic=T, potential=V), random.uniform(0.1, 0.5)
    for i in range(count):
        mu = random.uniform(0.1, 0.4)
        law = lk.Coulomb(
            mu, slip=der(x[i]) - speed, mu_static=mu * random.uniform(1.1, 2) if static else None, unilateral=unilateral
        )
        system = system.constrain(f"belt{i}", y[i], law=law)
    start = {f"x{i}": random.uniform(-0.1, 0.3) for i in range(count)}
    return system, {**start, **{f"x{i}'": speed for i in range(count)}}


def both_ways(monkeypatch, run):
    """Return the motion with decisions by kernels, the number of those in Python, and the motion with all in Python."""
    asked, happen = [], Switching.handle_event
    with monkeypatch.context() as patch:
        patch.setattr(Switching, "handle_event", lambda self, *arguments: asked.append(1) or happen(self, *arguments))
        compiled = run()
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "CHANGE_CAPACITY", 0)
        plain = run()
    return compiled, len(asked), plain


def assert_same(compiled, plain):
    assert compiled.outcome.complete == plain.outcome.complete
    assert [s.event for s in compiled.switches] == [s.event for s in plain.switches]
    np.testing.assert_allclose([s.t for s in compiled.switches], [s.t for s in plain.switches], rtol=0, atol=1e-9)
    for a, b in zip(compiled.switches, plain.switches, strict=True):
        assert (a.before, a.after) == (b.before, b.after)
        np.testing.assert_array_equal(a.parameters, b.parameters)
        np.testing.assert_allclose(a.v, b.v, rtol=0, atol=1e-7)
    np.testing.assert_allclose(compiled.q[-1], plain.q[-1], rtol=0, atol=1e-8)
    assert compiled.audit.ok == plain.audit.ok
    assert abs(len(compiled.t) - len(plain.t)) <= 1e-2 * len(plain.t)  # rounding may decide about single steps


@pytest.mark.parametrize("seed", attack_cases(6))
@pytest.mark.parametrize("method", ["dop853", "bdf"])
def test_blocks_on_a_belt(monkeypatch, seed, method):
    """One to three blocks, held or pressed down, with static friction or without."""
    random = np.random.default_rng([11, seed])
    system, start = chain_of_blocks(random, 1 + seed % 3, seed % 2 == 1, seed % 6 < 4)
    motion, _, plain = both_ways(
        monkeypatch, lambda: system.simulate(start=start, until=30.0, method=method, rtol=1e-9, atol=1e-11)
    )
    assert_same(motion, plain)


def test_python_makes_the_first_changes_only(monkeypatch):
    """A mass on a belt: two changes of each kind in Python, and the same rows at steps or at prescribed times."""
    system, start = chain_of_blocks(np.random.default_rng([11, 0]), 1, False, True)
    for times in (None, np.linspace(0, 60, 7)):
        motion, asked, plain = both_ways(
            monkeypatch, lambda times=times: system.simulate(start=start, until=60.0, times=times)
        )
        assert len(motion.switches) > 40
        assert asked == 4
        assert_same(motion, plain)
        np.testing.assert_allclose(motion.energy.total, plain.energy.total, rtol=0, atol=1e-8)


def test_two_blocks_that_slip_at_once_are_left_to_python(monkeypatch):
    """Twin blocks stick and slip at the same instants; kernels decide about one contact only."""
    twins = np.random.default_rng([11, 0])
    x1, x2, y1, y2 = lk.coordinates("x1 x2 y1 y2")
    mass, k, mu = twins.uniform(0.5, 2), twins.uniform(2, 10), 0.3
    system = lk.System(
        "twins",
        [x1, x2, y1, y2],
        kinetic=mass * (der(x1) ** 2 + der(x2) ** 2 + der(y1) ** 2 + der(y2) ** 2) / 2,
        potential=k * (x1**2 + x2**2) / 2 + 9.81 * mass * (y1 + y2),
    )
    for name, x, y in (("one", x1, y1), ("two", x2, y2)):
        system = system.constrain(name, y, law=lk.Coulomb(mu, slip=der(x) - 0.3, mu_static=0.5))
    motion, asked, plain = both_ways(
        monkeypatch, lambda: system.simulate(start={"x1'": 0.3, "x2'": 0.3}, until=40.0, rtol=1e-9, atol=1e-11)
    )
    assert asked >= len(motion.switches) > 20
    assert_same(motion, plain)
    np.testing.assert_allclose(motion["x1"], motion["x2"], rtol=0, atol=1e-7)
