"""Trajectories, states, starts and equilibria are indexed by symbol as by name."""

import numpy as np
import pytest
from sympy import Symbol

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")


@pytest.fixture(scope="module")
def mass():
    return lk.System("mass", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, potential=x**2 + 20 * y).constrain("table", y)


def test_a_trajectory(mass):
    motion = mass.simulate(start={x: 1.0, der(x): 0.5}, until=1.0)
    for key, column in (
        (x, motion.q[:, 0]), (der(x), motion.v[:, 0]), (der(x, 2), motion.accelerations[:, 0]), (y, motion.q[:, 1]),
    ):  # fmt: skip
        assert np.array_equal(motion[key], column)
    assert np.array_equal(motion[der(x)], motion["x'"])
    for key in (lk.coordinates("z"), der(lk.coordinates("z")), der(x, 3), "x'''"):
        with pytest.raises(lk.LienketError, match="column"):
            motion[key]
    for key in (Symbol("x"), 3, x + y):
        with pytest.raises(lk.LienketError, match="Index a trajectory"):
            motion[key]


def test_a_state(mass):
    state = mass.at([0.2, 0], [0.3, 0])
    assert [state[x], state["x"], state[der(x)], state["x'"]] == [0.2, 0.2, 0.3, 0.3]
    # 2 x'' = -2 x
    assert state[der(x, 2)] == state["x''"] == pytest.approx(-0.2, abs=1e-15)
    with pytest.raises(lk.LienketError, match="did you mean 'x'"):
        state["X"]


def test_a_start_and_an_equilibrium(mass):
    start = mass.consistent({x: 0.2, der(x): 0.3})
    assert (start[x], start[der(x)]) == (start["x"], start["x'"]) == (0.2, 0.3)
    assert mass.equilibrium(guess={"x": 1.0})[x] == pytest.approx(0, abs=1e-12)
