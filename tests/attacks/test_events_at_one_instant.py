"""Random systems with several events at one instant against closed solutions: bouncing balls, clocks, chains."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der

METHODS = ["dop853", "radau5", "bdf", "auto", "rattle4"]


def bounces(height, speed, g, e, until):
    """Return times of the bounces, final height and velocity of a ball: parabolas between impacts."""
    t, v, times = 0.0, speed, []
    first = (v + np.sqrt(v * v + 2 * g * height)) / g
    if first > until:
        return times, height + v * until - g * until**2 / 2, v - g * until
    t, v = first, e * np.sqrt(v * v + 2 * g * height)
    times.append(t)
    while t + 2 * v / g <= until:
        t, v = t + 2 * v / g, e * v
        times.append(t)
    rest = until - t
    return times, v * rest - g * rest**2 / 2, v - g * rest


def options(method):
    return {"step": 2e-3} if method == "rattle4" else {"rtol": 1e-9, "atol": 1e-11}


@pytest.mark.parametrize("seed", attack_cases(5))
def test_balls_that_bounce_together(seed):
    """Balls in groups of equal fall, on floors of different height: each bounces as if it were alone."""
    random = np.random.default_rng(seed)
    method, count, g = METHODS[seed % len(METHODS)], int(random.integers(2, 6)), float(random.uniform(2, 20))
    groups = [(random.uniform(0.3, 2), random.uniform(-1, 1), random.choice([1.0, 0.9, 0.75])) for _ in range(2)]
    chosen = [groups[i] for i in random.integers(0, 2, count)]
    floors = random.choice([0.0, 0.0, 0.3, -1.7], count)
    balls = [lk.coordinates(f"b{i}") for i in range(count)]
    masses = random.choice([1.0, 1.0, 3.7], count)
    system = lk.System(
        "balls",
        balls,
        kinetic=sum(m * der(b) ** 2 / 2 for m, b in zip(masses, balls, strict=True)),
        potential=sum(m * g * b for m, b in zip(masses, balls, strict=True)),
    )
    numbers = list(enumerate(zip(balls, chosen, floors, strict=True)))
    start = {f"b{i}": float(c[0] + f) for i, (_, c, f) in numbers} | {f"b{i}'": float(c[1]) for i, (_, c, _) in numbers}
    until = float(random.uniform(2, 5)) * min(np.sqrt(2 * c[0] / g) for c in chosen)
    expected = [bounces(*c[:2], g, c[2], until) for c in chosen]
    if any(abs(t - until) < 1e-3 for times, _, _ in expected for t in times):
        return
    if seed % 3 == 0 and method != "rattle4":
        for _, (b, c, f) in numbers:
            system = system.constrain(f"floor {b}", b - f, law=lk.laws.Unilateral(float(c[2])))
        motion = system.simulate(start=start, until=until, method=method, **options(method))
        found = [[s.t for s in motion.switches if abs(s.v[i] - s.v_before[i]) > 1e-6] for i in range(count)]
    else:
        events = [
            lk.Event(f"e{i}", when=(1 + i) * (b - f), direction="falling", velocities={f"b{i}'": -float(c[2]) * der(b)})
            for i, (b, c, f) in numbers
        ]
        motion = system.simulate(start=start, until=until, method=method, events=events, **options(method))
        found = [list(motion.events[f"e{i}"]) for i in range(count)]
    assert motion.outcome.complete, motion.outcome
    accuracy = 1e-4 if method in ("bdf", "rattle4") else 1e-6
    for i, (times, height, speed) in enumerate(expected):
        assert len(found[i]) == len(times), (method, i, found[i], times)
        np.testing.assert_allclose(found[i], times, rtol=0, atol=accuracy)
        np.testing.assert_allclose(motion.q[-1, i] - floors[i], height, rtol=0, atol=10 * accuracy)
        np.testing.assert_allclose(motion.v[-1, i], speed, rtol=0, atol=10 * accuracy)


@pytest.mark.parametrize("seed", attack_cases(5))
def test_equal_clocks_and_chains(seed):
    """Clocks of equal times all tick; events that wait for the count of another one follow at the same instant."""
    random = np.random.default_rng(1000 + seed)
    method = METHODS[seed % len(METHODS)]
    x = lk.coordinates("x")
    clocks, chain = int(random.integers(1, 5)), int(random.integers(0, 5))
    names = [f"n{i}" for i in range(clocks + chain)]
    counters = [lk.parameters(name) for name in names]
    tick = float(random.choice([0.5, 0.3, 1.0 / 3.0]))
    ticks = int(random.integers(1, 5))
    events = []
    for i in range(clocks):
        wave = sp.sin(sp.pi * lk.t / tick) * float(random.choice([1, -1, 3, 1e-3]))
        events.append(lk.Event(names[i], when=wave, set={counters[i]: counters[i] + 1}))
    for j in range(chain):  # each waits for the first count of the one before
        before, own = counters[clocks + j - 1] if j else counters[int(random.integers(0, clocks))], counters[clocks + j]
        events.append(lk.Event(names[clocks + j], when=before > sp.Rational(1, 2), set={own: own + 1}))
    random.shuffle(events)
    system = lk.System(
        "x", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2 + sum(counters), values=dict.fromkeys(names, 0)
    )
    until = tick * ticks if seed % 2 else tick * (ticks + 0.4)
    motion = system.simulate(start={"x": 1.0}, until=until, method=method, events=events, **options(method))
    assert motion.outcome.complete, motion.outcome
    for i, name in enumerate(names):
        expected = tick * np.arange(1, ticks + 1) if i < clocks else [tick]
        np.testing.assert_allclose(motion.events[name], expected, rtol=0, atol=1e-9, err_msg=f"{method} {name}")
    last = motion.switches[-1].parameters
    assert sorted(last) == sorted([float(ticks)] * clocks + [1.0] * chain)
    assert abs(motion.q[-1, 0] - np.cos(until)) < (1e-4 if method in ("bdf", "rattle4") else 1e-7)


@pytest.mark.parametrize("seed", attack_cases(5))
def test_an_event_at_the_very_end(seed):
    """x = sin(w t) reaches a level exactly at the end; conditions of t, of x, of both; terminal ones too."""
    random = np.random.default_rng(2000 + seed)
    method, w = METHODS[seed % len(METHODS)], float(random.uniform(0.5, 3))
    x = lk.coordinates("x")
    system = lk.System("x", [x], kinetic=der(x) ** 2 / 2, potential=w**2 * x**2 / 2)
    until = float(random.uniform(0.2, 0.9)) * np.pi / 2 / w
    level, speed = float(np.sin(w * until)), float(w * np.cos(w * until))
    conditions = [lk.t - until, until**2 - lk.t**2, sp.sin(sp.pi * lk.t / until)]
    if method not in ("bdf", "rattle4"):
        conditions += [x - level, level - x, der(x) - speed, x + lk.t - level - until]
    random.shuffle(conditions)
    # A terminal event of the state may come before the end by the error of the method, and would end the run there.
    terminal = [not c.has(x) and bool(random.integers(0, 2)) for c in conditions]
    events = [lk.Event(f"e{i}", when=c, terminal=terminal[i]) for i, c in enumerate(conditions)]
    motion = system.simulate(start={"x": 0.0, "x'": w}, until=until, method=method, events=events, **options(method))
    for i, c in enumerate(conditions):
        assert len(motion.events[f"e{i}"]) == 1, (method, c, motion.events)
        assert abs(motion.events[f"e{i}"][0] - until) < 1e-7
    assert motion.outcome.reason == ("event" if any(terminal) else "finished")
