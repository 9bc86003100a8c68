"""Many states at once, where something is wrong: with the constraints, with a state, with what is asked."""

import math

import numpy as np
import pytest
import sympy as sp
from test_evaluate import drawn, pendulum

import lienket as lk
from lienket import der, t
from lienket.errors import ModelError

x, y = lk.coordinates("x y")
m = lk.parameters("m")


def test_redundant_constraints_share_by_least_norm():
    """x = 1 said twice, once with a factor: the accelerations are right, the multipliers of least norm."""
    system = lk.System(
        "block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, forces={x: 7, y: 3}, values={"m": 2}
    )
    twice = system.constrain("one", x - 1).constrain("two", 3 * x - 3)
    found = twice.compile().evaluate(0, [[1.0, 0.0], [1.0, 2.0]], [0.0, 0.0])
    np.testing.assert_array_equal(found.status, [3, 3])
    np.testing.assert_allclose(found.accelerations, [[0.0, 1.5]] * 2, atol=1e-14)
    np.testing.assert_allclose(
        found.multipliers, [[-0.7, -2.1]] * 2, rtol=1e-13
    )  # -7 times the pseudoinverse of (1, 3)
    at = twice.at([1.0, 0.0], [0.0, 0.0])
    np.testing.assert_allclose(found.multipliers[0], at.multipliers, rtol=1e-12, atol=1e-13)


def test_contradictory_constraints_have_no_answer():
    system = lk.System("point", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, values={"m": 2})
    pulled = system.constrain("rest", x - 1).constrain("away", x - t**2)
    found = pulled.compile().evaluate([0.0, 1.0], [1.0, 0.0], [0.0, 0.0])
    np.testing.assert_array_equal(found.status, [-1, -1])
    assert np.all(np.isnan(found.accelerations)) and np.all(np.isnan(found.multipliers))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["t", "q", "v"])
def test_what_is_not_finite_gives_nan_and_leaves_the_others_alone(bad, place):
    compiled = pendulum().compile()
    times, q, v = drawn((7,), 2, 9)
    good = compiled.evaluate(times, q, v)
    changed = {"t": times.copy(), "q": q.copy(), "v": v.copy()}
    changed[place][3] = bad
    found = compiled.evaluate(changed["t"], changed["q"], changed["v"])
    others = [0, 1, 2, 4, 5, 6]
    for name in ("accelerations", "multipliers", "status", "by_q", "h", "energy"):
        np.testing.assert_array_equal(getattr(found, name)[others], getattr(good, name)[others])
    assert np.all(np.isnan(found.accelerations[3])) and np.all(np.isnan(found.multipliers[3]))
    assert found.status[3] == -4


def test_all_faults_are_told_at_once():
    compiled = pendulum().compile()
    with pytest.raises(ModelError) as caught:
        compiled.evaluate("soon", np.zeros((3, 3)), {"x": 1, "z'": 2}, {"mass": 3})
    assert {fault.where for fault in caught.value.faults} == {"t", "q", "v", "values"}
    text = str(caught.value)
    assert "z'" in text and "mass" in text and "(3, 3)" in text and "'soon'" in text
    with pytest.raises(ModelError, match="do not belong together"):
        compiled.evaluate(np.zeros(4), np.zeros((3, 2)), np.zeros((3, 2)))
    with pytest.raises(ModelError, match="have incompatible shapes"):
        compiled.evaluate(0, {"x": np.zeros(3), "y": np.zeros(2)}, [0, 0])
    with pytest.raises(ModelError, match="y: no numbers are given"):
        compiled.evaluate(0, {"x": 1}, [0, 0])
    with pytest.raises(ModelError, match=r"bad.*is not a parameter of this system"):
        pendulum().compile({"height": y * lk.parameters("bad")})


def test_massless_links_are_solved_by_the_robust_kernel():
    """A slider on two links without mass: they transmit nothing, x'' = -x/m, and the loop stays closed."""
    a, b = lk.coordinates("a b")
    slider = lk.System("slider", [x, a, b], kinetic=m * der(x) ** 2 / 2, forces={x: -x}, values={"m": 2})
    loop = slider.constrain("loop", [sp.cos(a) + sp.cos(b) - x, sp.sin(a) + sp.sin(b)])
    angles = np.linspace(0.3, 1.2, 10)
    q = np.stack([2 * np.cos(angles), angles, -angles], axis=-1)
    v = np.stack([-2 * np.sin(angles), np.ones(10), -np.ones(10)], axis=-1)
    found = loop.compile().evaluate(0, q, v)
    np.testing.assert_array_equal(found.status, 2)
    np.testing.assert_allclose(found.accelerations[:, 0], -q[:, 0] / 2, rtol=1e-12)
    np.testing.assert_allclose(found.accelerations[:, 1], -found.accelerations[:, 2], rtol=1e-11)
    turning = -2 * (np.sin(angles) * found.accelerations[:, 1] + np.cos(angles))  # x'' of 2 cos(a) with a' = 1
    np.testing.assert_allclose(turning, found.accelerations[:, 0], rtol=1e-11)
    np.testing.assert_allclose(found.multipliers, 0, atol=1e-12)
