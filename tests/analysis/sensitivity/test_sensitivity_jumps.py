"""Forces that jump are refused where the motion passes the jump; corners of continuous forces are differentiated."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

x = lk.coordinates("x")
k, c = lk.parameters("k c")
ROAD = lk.table("road", [0, 1, 2], [0, 1, 0], kind="linear", outside="hold")
START = {"x": 1.0, "x'": -0.5}


def mass(force=0, potential=0):
    return lk.System("mass", [x], kinetic=der(x) ** 2 / 2, forces={x: force}, potential=potential)


def ends(system, values, start):
    run = system.simulate(values, start=start, until=2.0, rtol=1e-11, atol=1e-13)
    return np.array([run["x"][-1], run["x'"][-1]])


JUMPS = {
    "sign": mass(-k * sp.sign(x)),
    "cases": mass(sp.Piecewise((k, x < 0.3), (-k, True))),
    "potential": mass(potential=k * sp.Abs(x)),
    "table": mass(potential=k * ROAD(x + 1)),
    "time": mass(-k * sp.sign(lk.t - c)),
}


@pytest.mark.parametrize("name", JUMPS)
def test_a_jump_on_the_way_is_refused_with_its_time(name):
    """The force is -k from x = 1 with x' = -1/2: x = 0 at k t^2/2 + t/2 = 1; the table is left at t = 1/k; t = c."""
    values = {p.name: {"k": 1.3, "c": 0.77}[p.name] for p in JUMPS[name].parameters}
    times = {"cases": (-0.5 + np.sqrt(0.25 + 2 * 1.3 * 0.7)) / 1.3, "table": 1 / 1.3, "time": 0.77}
    t = times.get(name, (-0.5 + np.sqrt(0.25 + 2.6)) / 1.3)
    with pytest.raises(lk.LienketError, match="its accelerations jump at t = ") as caught:
        JUMPS[name].sensitivity(values, start=START, until=2.0, by=[*values, "x"])
    assert float(str(caught.value).partition("t = ")[2].partition(",")[0]) == pytest.approx(t, rel=1e-7)


CORNERS = {
    "abs": mass(-k * sp.Abs(x)),
    "product": mass(-k * x * sp.sign(x)),
    "cases": mass(sp.Piecewise((-k * x, x < 0.3), (-0.3 * k, True))),
    "table": mass(k * ROAD(x + 1)),
    "spring": mass(potential=k * sp.Max(0, 0.5 - x) ** 2),
    "never passed": mass(-k * sp.sign(x + 9)),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corners_of_continuous_forces_are_differentiated(name):
    found = CORNERS[name].sensitivity({"k": 1.3}, start=START, until=2.0, by=["k", "x", "x'"], of=["x", "x'"])
    for by in found.by:
        moved = [
            ends(CORNERS[name], {"k": 1.3 + h * (by == "k")}, {s: v + h * (s == by) for s, v in START.items()})
            for h in (-1e-5, 1e-5)
        ]
        assert [found["x", by], found["x'", by]] == pytest.approx((moved[1] - moved[0]) / 2e-5, abs=1e-3)


def test_a_jump_at_a_fixed_time_is_differentiated():
    """x'' = k until t = 0.7, then 0: dx/dk = 0.7^2/2 + 0.7 (2 - 0.7) at t = 2."""
    system = mass(sp.Piecewise((k, lk.t < 0.7), (0, True)))
    found = system.sensitivity({"k": 1.3}, start=START, until=2.0, by=["k"], of=["x"])
    assert found["x", "k"] == pytest.approx(0.7**2 / 2 + 0.7 * 1.3, rel=1e-7)
