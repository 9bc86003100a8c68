"""linearize() without a state: q = 0 if that is an equilibrium, otherwise the only equilibrium, otherwise an error."""

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der

m, k, g, l, r = lk.parameters("m k g l r")
WEIGHT = {"m": 2, "g": 9.81}
VALUES = WEIGHT | {"k": 18}


def test_zero_if_it_is_an_equilibrium():
    """A pendulum in its angle from the vertical: the upright position is an equilibrium too, but not at 0."""
    phi = lk.coordinates("phi")
    pendulum = lk.System("pendulum", [phi], kinetic=der(phi) ** 2 / 2, potential=-4 * cos(phi))
    linear = pendulum.linearize()
    assert linear.q.tolist() == [0]
    assert linear.frequencies.tolist() == pytest.approx([2, 2], abs=1e-12)


def test_the_only_equilibrium():
    x = lk.coordinates("x")
    mass = lk.System("mass", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2 + m * g * x, values=VALUES)
    linear = mass.linearize()
    assert linear.q.tolist() == pytest.approx([-2 * 9.81 / 18], abs=1e-12)
    assert linear.frequencies.tolist() == pytest.approx([3, 3], abs=1e-12)
    assert mass.linearize(values={"k": 8}).frequencies.tolist() == pytest.approx([2, 2], abs=1e-12)
    assert np.array_equal(mass.linearize(symbolic=True).A, [[0, 1], [-k / m, 0]])


def test_on_constraints_that_zero_violates():
    """A wheel of radius r on a line, held by a spring: zero is not on the contact; m + J/r^2 = 1.5 m oscillates."""
    x, y, phi = lk.coordinates("x y phi")
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + m * r**2 / 2 * der(phi) ** 2 / 2
    V = m * g * y + k * x**2 / 2
    wheel = lk.System("wheel", [x, y, phi], kinetic=T, potential=V, values=VALUES | {"r": 0.5})
    wheel = wheel.constrain("contact", y - r).constrain("rolling", der(x) + r * der(phi))
    linear = wheel.linearize()
    assert linear.q.tolist() == pytest.approx([0, 0.5, 0], abs=1e-9)
    assert max(linear.frequencies) == pytest.approx(np.sqrt(18 / 3), abs=1e-9)


def test_coordinates_that_do_not_matter_may_have_any_position():
    x, y = lk.coordinates("x y")
    puck = lk.System("puck", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y, values=WEIGHT)
    linear = puck.constrain("table", y - 1).linearize()
    assert linear.q.tolist() == [0, 1]
    assert linear.eigenvalues.tolist() == [0, 0]


def test_several_positions_of_rest_are_an_error_that_names_two():
    x, y = lk.coordinates("x y")
    T = m * (der(x) ** 2 + der(y) ** 2) / 2
    free = lk.System("pendulum", [x, y], kinetic=T, potential=m * g * y, values=WEIGHT)
    pendulum = free.constrain("rod", x**2 + y**2 - 1)
    with pytest.raises(lk.LienketError, match=r"at rest at x = 0, y = -?1, and at x = 0, y = -?1\. Give q"):
        pendulum.linearize()
    assert pendulum.linearize(pendulum.equilibrium(guess={"y": -1})).stable


def test_no_position_of_rest_is_an_error():
    x = lk.coordinates("x")
    falling = lk.System("stone", [x], kinetic=m * der(x) ** 2 / 2, potential=m * g * x, values=WEIGHT)
    with pytest.raises(lk.LienketError, match="No equilibrium was found"):
        falling.linearize()
    moving = lk.System("slide", [x], kinetic=m * der(x) ** 2, values={"m": 1}).constrain("drive", x - sin(lk.t))
    with pytest.raises(lk.LienketError, match="it prescribes a motion"):
        moving.linearize()
