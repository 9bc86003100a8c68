"""Random blocks that stick and slip, against SciPy's solve_ivp with one event for each mode."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases
from scipy.integrate import solve_ivp

import lienket as lk
from lienket import der

METHODS = ["dop853", "radau5", "bdf"]


def driven_block(random):
    """Return numbers of a block on a belt: spring, damper, weight, friction, force a sin(w t), speed of the belt."""
    return {
        "k": random.uniform(1, 20),
        "d": random.choice([0.0, random.uniform(0, 1)]),
        "n": random.uniform(3, 12),
        "mu": random.uniform(0.2, 0.7),
        "a": random.uniform(2, 10),
        "w": random.uniform(1, 8),
        "b": random.choice([0.0, random.uniform(-0.6, 0.6)]),
    }


def reference(c, until):
    """Return (times, kinds) of the changes of mode and x at the end; the modes are -1, 0 (sticks), 1."""

    def load(t, x, v):
        return c["a"] * np.sin(c["w"] * t) - c["k"] * x - c["d"] * v

    limit, mode, t, y, changes = c["mu"] * c["n"], 0, 0.0, np.array([0.0, c["b"]]), []
    while t < until:
        acting = limit * mode
        if mode == 0:
            functions = [lambda t, y: limit - load(t, y[0], c["b"]), lambda t, y: limit + load(t, y[0], c["b"])]
            rates = lambda t, y: [c["b"], 0.0]  # noqa: E731
        else:
            functions = [lambda t, y, m=mode: m * (y[1] - c["b"])]
            rates = lambda t, y, f=acting: [y[1], load(t, y[0], y[1]) - f]  # noqa: E731
        for f in functions:
            f.terminal, f.direction = True, -1
        # A slip starts with zero velocity and zero acceleration: its own condition must first leave zero.
        lead = 0.0 if mode == 0 else 1e-5
        if lead:
            begin = solve_ivp(rates, (t, t + lead), y, rtol=1e-12, atol=1e-14, method="DOP853")
            t, y = begin.t[-1], begin.y[:, -1]
        span = solve_ivp(
            rates, (t, until), y, rtol=1e-12, atol=1e-14, method="DOP853", events=functions, max_step=0.02 / c["w"]
        )
        t, y = span.t[-1], span.y[:, -1]
        if span.status == 0:
            break
        if mode == 0:
            mode = 1 if len(span.t_events[0]) else -1
        else:
            force = load(t, y[0], c["b"])
            y[1] = c["b"]
            mode = 0 if abs(force) <= limit else int(np.sign(force))
        changes.append((t, mode))
    return changes, y[0]


@pytest.mark.parametrize("seed", attack_cases(3))
def test_a_driven_block_on_a_belt(seed):
    """The same modes at the same times, however long the steps of the method are while nothing slides."""
    random = np.random.default_rng(seed)
    method, c, until = METHODS[seed % 3], driven_block(random), 6.0
    changes, end = reference(c, until)
    gaps = np.diff([0.0, *(t for t, _ in changes), until])
    if abs(c["mu"] * c["n"]) < 1e-2 or gaps.min() < 2e-3:
        return
    x, y = lk.coordinates("x y")
    block = lk.System(
        "block",
        [x, y],
        kinetic=(der(x) ** 2 + der(y) ** 2) / 2,
        potential=c["n"] * y + c["k"] * x**2 / 2,
        forces={x: c["a"] * sp.sin(c["w"] * lk.t) - c["d"] * der(x)},
    ).constrain("belt", y, law=lk.Coulomb(c["mu"], slip=der(x) - c["b"]))
    motion = block.simulate(start={"x'": c["b"]}, until=until, method=method, rtol=1e-9, atol=1e-11)
    found = [s.t for s in motion.switches]
    assert len(found) == len(changes), (method, c, found, changes)
    np.testing.assert_allclose(found, [t for t, _ in changes], rtol=0, atol=2e-5)
    np.testing.assert_allclose(motion.q[-1, 0], end, rtol=0, atol=1e-5)
    assert motion.audit.ok, motion.audit.warnings
