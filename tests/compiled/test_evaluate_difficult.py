"""Evaluation of many states with faulty constraints, states or input."""

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
    """With x = 1 stated twice, once with a factor, accelerations are right and multipliers have least norm."""
    system = lk.System(
        "block", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, forces={x: 7, y: 3}, values={"m": 2}
    )
    twice = system.constrain("one", x - 1).constrain("two", 3 * x - 3)
    evaluation = twice.compile().evaluate(0, [[1.0, 0.0], [1.0, 2.0]], [0.0, 0.0])
    np.testing.assert_array_equal(evaluation.status, [3, 3])
    np.testing.assert_allclose(evaluation.accelerations, [[0.0, 1.5]] * 2, atol=1e-14)
    np.testing.assert_allclose(
        evaluation.multipliers, [[-0.7, -2.1]] * 2, rtol=1e-13
    )  # -7 times the pseudoinverse of (1, 3)
    at = twice.at([1.0, 0.0], [0.0, 0.0])
    np.testing.assert_allclose(evaluation.multipliers[0], at.multipliers, rtol=1e-12, atol=1e-13)


def test_contradictory_constraints_have_no_answer():
    system = lk.System("point", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, values={"m": 2})
    pulled = system.constrain("rest", x - 1).constrain("away", x - t**2)
    evaluation = pulled.compile().evaluate([0.0, 1.0], [1.0, 0.0], [0.0, 0.0])
    np.testing.assert_array_equal(evaluation.status, [-1, -1])
    assert np.all(np.isnan(evaluation.accelerations)) and np.all(np.isnan(evaluation.multipliers))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("argument", ["t", "q", "v"])
def test_states_that_are_not_finite_give_nan_and_do_not_affect_others(bad, argument):
    compiled = pendulum().compile()
    times, q, v = drawn((7,), 2, 9)
    good = compiled.evaluate(times, q, v)
    changed = {"t": times.copy(), "q": q.copy(), "v": v.copy()}
    changed[argument][3] = bad
    evaluation = compiled.evaluate(changed["t"], changed["q"], changed["v"])
    others = [0, 1, 2, 4, 5, 6]
    for name in ("accelerations", "multipliers", "status", "by_q", "h", "energy"):
        np.testing.assert_array_equal(getattr(evaluation, name)[others], getattr(good, name)[others])
    assert np.all(np.isnan(evaluation.accelerations[3])) and np.all(np.isnan(evaluation.multipliers[3]))
    assert evaluation.status[3] == -4


def test_all_faults_are_reported_together():
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
    """Two massless links transmit no force to the slider: x'' = -x/m, and the loop stays closed."""
    a, b = lk.coordinates("a b")
    slider = lk.System("slider", [x, a, b], kinetic=m * der(x) ** 2 / 2, forces={x: -x}, values={"m": 2})
    loop = slider.constrain("loop", [sp.cos(a) + sp.cos(b) - x, sp.sin(a) + sp.sin(b)])
    angles = np.linspace(0.3, 1.2, 10)
    q = np.stack([2 * np.cos(angles), angles, -angles], axis=-1)
    v = np.stack([-2 * np.sin(angles), np.ones(10), -np.ones(10)], axis=-1)
    evaluation = loop.compile().evaluate(0, q, v)
    np.testing.assert_array_equal(evaluation.status, 2)
    np.testing.assert_allclose(evaluation.accelerations[:, 0], -q[:, 0] / 2, rtol=1e-12)
    np.testing.assert_allclose(evaluation.accelerations[:, 1], -evaluation.accelerations[:, 2], rtol=1e-11)
    turning = -2 * (np.sin(angles) * evaluation.accelerations[:, 1] + np.cos(angles))  # x'' of 2 cos(a) with a' = 1
    np.testing.assert_allclose(turning, evaluation.accelerations[:, 0], rtol=1e-11)
    np.testing.assert_allclose(evaluation.multipliers, 0, atol=1e-12)
