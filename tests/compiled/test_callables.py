"""Python functions in machine code: compiled or called, with exceptions and derivatives."""

import math

import numpy as np
import pytest

import lienket as lk
from lienket import der, t
from lienket.errors import LienketError

x, y = lk.coordinates("x y")
m = lk.parameters("m")
NUMBERS = {"m": 2.0}


def controller(time, position):
    return -3.0 * math.tanh(time * position)


class Recorder:
    """A callable with a state, which numba cannot compile."""

    def __init__(self):
        self.seen = []

    def __call__(self, time, position):
        self.seen.append((time, position))
        return controller(time, position)


def car(function):
    return lk.System("car", [x], kinetic=m * der(x) ** 2 / 2, forces={x: function(t, x)}, values=NUMBERS)


@pytest.mark.parametrize("way", ["compiled", "called"])
def test_a_controller_at_one_state_and_at_many(way):
    call = controller if way == "compiled" else Recorder()
    system = car(lk.function("u", call, 2))
    assert system.at([0.7], [0.1], 2.0).accelerations[0] == pytest.approx(controller(2.0, 0.7) / 2, rel=1e-14)
    compiled = system.compile()
    times, positions = np.linspace(0, 2, 50), np.linspace(-1, 1, 50)
    evaluation = compiled.evaluate(times, positions[:, None], np.zeros((50, 1)))
    expected = [controller(time, position) / 2 for time, position in zip(times, positions, strict=True)]
    np.testing.assert_allclose(evaluation.accelerations[:, 0], expected, rtol=1e-14)
    np.testing.assert_allclose(evaluation.h[:, 0], 2 * np.array(expected), rtol=1e-14)
    line = {"compiled": "function 'u': compiled by numba", "called": "function 'u': called in Python, since"}[way]
    assert line in compiled.summary()
    if way == "called":
        assert set(zip(times.tolist(), positions.tolist(), strict=True)) <= set(call.seen)


BROKEN = {"now": True}


def fragile(position):
    if BROKEN["now"] or position > 5.0:
        raise ValueError("no valve in sight")
    return position


def narrow(position):
    if position > 5.0:
        raise ValueError("no valve in sight")
    return position


@pytest.mark.parametrize(("call", "way"), [(fragile, "called in Python"), (narrow, "compiled by numba")])
def test_a_function_that_raises_is_named_every_time_and_can_recover(call, way):
    valve = lk.function("valve", call)
    system = lk.System("car", [x], kinetic=m * der(x) ** 2 / 2, forces={x: valve(x)}, values=NUMBERS)
    compiled = system.compile()
    asked = [
        lambda position: system.at([position], [0.0]).accelerations,
        lambda position: compiled.evaluate(0, [[1.0], [position], [2.0]], [0.0]).accelerations[1],
        lambda position: compiled.evaluate(0, [[1.0], [position], [2.0]], [0.0]).h[1] / 2,
    ]
    for ask in asked * 2:
        BROKEN["now"] = True
        with pytest.raises(LienketError, match=r"'valve' failed: ValueError: no valve in sight") as caught:
            ask(7.0)
        assert isinstance(caught.value.__cause__, ValueError)
        BROKEN["now"] = False
        assert ask(3.0) == [1.5]
    assert f"function 'valve': {way}" in compiled.summary()


@pytest.mark.parametrize("bad", ["text", None, [1.0, 2.0]])
def test_a_function_that_gives_no_number_is_named(bad):
    system = car(lk.function("u", lambda *_: bad, 2))
    with pytest.raises(LienketError, match="The function 'u' failed"):
        system.at([1.0], [0.0])


def test_a_function_that_forgets_to_return_is_named():
    def forgetful(time, position):
        if position < 0.5:
            return time + position

    system = car(lk.function("u", forgetful, 2))
    assert system.at([0.25], [0.0], 1.0).accelerations[0] == 0.625
    with pytest.raises(LienketError, match="The function 'u' failed: TypeError"):
        system.at([1.0], [0.0])


def test_missing_derivative_is_reported():
    """A potential needs the first derivative, a constraint the second, which Python functions do not have."""
    u = lk.function("u", controller, 2)
    system = lk.System("car", [x], kinetic=m * der(x) ** 2 / 2, potential=u(1, x), values=NUMBERS)
    with pytest.raises(LienketError, match=r"derivative of u by its second argument is needed here, but was not given"):
        system.at([1.0], [0.0])
    w = lk.function("w", math.sin, derivatives=[math.cos])
    plane = lk.System("car", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, values=NUMBERS)
    with pytest.raises(LienketError, match=r"A second derivative of w is needed here"):
        plane.constrain("path", y - w(x)).at([1.0, 0.0], [1.0, 0.0])


def half(a, b):
    return 0.5


@pytest.mark.parametrize("name", ["u", "ψ"])
def test_derivatives_of_the_user_are_used(name):
    """V = u(x, y) = (x + y)/2 with one callable for both derivatives, under any name allowed in formulas."""
    u = lk.function(name, lambda a, b: (a + b) / 2, 2, derivatives=[half, half])
    system = lk.System("plane", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=u(x, y), values=NUMBERS)
    np.testing.assert_array_equal(system.at([1, 2], [0, 0]).accelerations, [-0.25, -0.25])
    assert system.compile().evaluate(0, [1, 2], [0, 0]).potential == 1.5


def test_one_callable_with_two_names_and_argument_counts():
    def total(*terms):
        return float(sum(terms))

    one, two = lk.function("one", total, 1), lk.function("two", total, 2)
    system = lk.System("car", [x], kinetic=m * der(x) ** 2 / 2, forces={x: one(x) + 10 * two(x, t)}, values=NUMBERS)
    assert system.at([3.0], [0.0], 2.0).accelerations[0] == (3 + 10 * 5) / 2


@pytest.mark.parametrize("count", [1, 3, 16])
def test_any_number_of_arguments(count):
    """Functions of 1 to 16 arguments return their weighted sum and raise their exception."""

    def weighted(*terms):
        if terms[-1] > 100.0:
            raise ValueError("too far")
        total = 0.0
        for k in range(len(terms)):
            total += (k + 1) * terms[k]
        return total

    u = lk.function("u", weighted, count)
    force = u(*(x + k for k in range(count)))
    system = lk.System("car", [x], kinetic=m * der(x) ** 2 / 2, forces={x: force}, values=NUMBERS)
    expected = sum((k + 1) * (0.5 + k) for k in range(count)) / 2
    assert system.at([0.5], [0.0]).accelerations[0] == pytest.approx(expected, rel=1e-14)
    with pytest.raises(LienketError, match="'u' failed: ValueError: too far"):
        system.at([200.0], [0.0])
