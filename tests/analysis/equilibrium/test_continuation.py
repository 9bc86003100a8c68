"""Branches of equilibria over a parameter: snap-through in closed form, turning points, exact values."""

import mechanisms
import numpy as np
import pytest
from mechanisms import GRAVITY
from sympy import cos, sin, sqrt

import lienket as lk
from lienket import ModelError, der

HEIGHT, STIFFNESS = 0.3, 1000.0


def truss(redundant=False):
    """Return von Mises' truss: springs from (-1, 0) and (1, 0) to an apex at (0, y) under a load P downwards."""
    P, k = lk.parameters("P k")
    x, y, s = lk.coordinates("x y s")
    natural = np.sqrt(1 + HEIGHT**2)
    if not redundant:
        V = k * (sqrt(1 + y**2) - natural) ** 2 + P * y
        return lk.System("truss", [y], kinetic=der(y) ** 2 / 2, potential=V, values={P: 0, k: STIFFNESS})
    V = k * (s - natural) ** 2 + P * y
    T = (der(x) ** 2 + der(y) ** 2 + 0.1 * der(s) ** 2) / 2
    free = lk.System("truss", [x, y, s], kinetic=T, potential=V, values={P: 0, k: STIFFNESS})
    return free.constrain("guide", x).constrain("length", s**2 - (x + 1) ** 2 - y**2).constrain("again", 2 * x)


def load(y):
    """Return the load P = 2 k (L0/L - 1) y from the balance of the apex."""
    return 2 * STIFFNESS * (np.sqrt(1 + HEIGHT**2) / np.sqrt(1 + y**2) - 1) * y


@pytest.mark.parametrize("redundant", [False, True])
def test_a_truss_snaps_through(redundant):
    """The branch turns where dP/dy = 0, at L^3 = L0: y = +-sqrt(L0^(2/3) - 1)."""
    asked = np.linspace(0, 30, 16)
    branch = truss(redundant).equilibrium(
        guess={"y": HEIGHT, "s": 1.0} if redundant else {"y": HEIGHT}, over=("P", asked)
    )
    critical = np.sqrt((1 + HEIGHT**2) ** (1 / 3) - 1)
    assert branch.complete
    assert len(branch.turning_points) == 2
    first, second = branch.turning_points
    assert branch["y"][[first, second]] == pytest.approx([critical, -critical], rel=1e-9)
    assert branch.values[[first, second]] == pytest.approx([load(critical), -load(critical)], rel=1e-12)
    assert branch.values == pytest.approx(load(branch["y"]), abs=1e-9)
    assert np.all(np.diff(branch["y"]) < 0)  # in order along the branch
    assert np.all(branch.stable[:first])
    assert not np.any(branch.stable[first : second + 1])
    assert np.all(branch.stable[second + 1 :])
    assert branch.stability[first] == "neutral"
    below = [x for x in asked if 0 < x < load(critical)]
    expected = [0.0, *below, *below[::-1], 0.0, 0.0, *asked[1:]]
    assert list(branch.values[branch.asked]) == expected  # every requested value at each passage, to the last bit
    assert "turns at P = 9.9499" in branch.outcome


def test_an_imperfect_column_passes_no_turning_point():
    """c (theta - theta0) = P l sin theta: the load grows monotonically with the angle."""
    theta = lk.coordinates("theta")
    P = lk.parameters("P")
    column = lk.System("column", [theta], kinetic=der(theta) ** 2, potential=(theta - 0.01) ** 2 / 2 + P * cos(theta))
    branch = column.equilibrium(guess={"theta": 0.01}, values={P: 99}, over=(P, np.linspace(0, 2, 9)))
    assert branch.complete and branch.turning_points == ()
    angle = branch["theta"]
    assert branch["P"] == pytest.approx((angle - 0.01) / np.sin(angle), rel=1e-10)
    assert np.all(branch.stable)
    assert np.sum(branch.asked) == 9


def test_a_perfect_column_goes_straight_on_where_another_branch_crosses():
    """theta = 0 is an equilibrium under every load, stable below P = c/l = 1; the branch has no turning point."""
    theta = lk.coordinates("theta")
    P = lk.parameters("P")
    column = lk.System("column", [theta], kinetic=der(theta) ** 2, potential=theta**2 / 2 + P * cos(theta))
    branch = column.equilibrium(over=(P, [0, 0.5, 1, 1.5, 2]))
    assert branch.complete and branch.turning_points == ()
    assert branch["theta"] == pytest.approx(0, abs=1e-12)
    assert np.array_equal(branch.stable, branch.values < 1)


def test_a_parameter_of_a_constraint():
    """A mass on a rod of length l rests at y = -l with the multiplier -m g/(2 l), for every l of the branch."""
    lengths = [0.7, 0.9, 1.4]
    branch = mechanisms.pendulum_in_the_plane().equilibrium(guess={"x": 0.1, "y": -0.6}, over=("l", lengths))
    assert branch.complete
    assert branch["y"] == pytest.approx(-branch.values, rel=1e-12)
    assert branch.multipliers[:, 0] == pytest.approx(-GRAVITY / branch.values, rel=1e-11)
    assert list(branch.values[branch.asked]) == lengths


def test_values_may_decrease():
    branch = truss().equilibrium(guess={"y": HEIGHT}, over=("P", [0, -5, -10]))
    assert branch.complete
    assert list(branch.values[branch.asked]) == [0, -5, -10]
    assert np.all(branch.stable)


def test_end_of_a_branch_is_reported():
    """The branch x = sqrt(1 - p) ends at p = 1, beyond which the force is not a number."""
    x = lk.coordinates("x")
    p = lk.parameters("p")
    system = lk.System("ends", [x], kinetic=der(x) ** 2, forces={x: -x + sqrt(1 - p)})
    branch = system.equilibrium(over=("p", [0, 0.5, 2]))
    assert not branch.complete
    assert "ends at p = " in branch.outcome
    assert 0.99 < branch.values[-1] <= 1


def test_closed_branch_is_recognized():
    """With the force 1 - x^2 - p^2 the equilibria form a circle, which never reaches p = 2."""
    x = lk.coordinates("x")
    p = lk.parameters("p")
    ring = lk.System("ring", [x], kinetic=der(x) ** 2, forces={x: 1 - x**2 - p**2})
    branch = ring.equilibrium(guess={"x": 1}, over=("p", [0, 0.5, 2]))
    assert "closed" in branch.outcome
    assert not branch.complete
    assert branch.values[list(branch.turning_points)] == pytest.approx([1, -1], abs=1e-12)
    assert branch.values**2 + branch["x"] ** 2 == pytest.approx(1, abs=1e-11)


def test_a_governor_opens_with_its_speed():
    """A bead on a turning ring: cos theta = g/(w^2 r) above w^2 = g/r (the centrifugal force is in T0)."""
    theta = lk.coordinates("theta")
    w = lk.parameters("w")
    T = (der(theta) ** 2 + w**2 * sin(theta) ** 2) / 2
    bead = lk.System("bead", [theta], kinetic=T, potential=-GRAVITY * cos(theta))
    branch = bead.equilibrium(guess={"theta": 1.2}, over=("w", np.linspace(5, 8, 7)))
    assert branch.complete
    assert np.cos(branch["theta"]) == pytest.approx(GRAVITY / branch.values**2, rel=1e-11)
    assert np.all(branch.stable)
    assert not bead.equilibrium(guess={"theta": 0.0}, values={w: 5}).stable


def test_requested_values_must_increase_or_decrease():
    with pytest.raises(ModelError, match="strictly increasing or decreasing"):
        truss().equilibrium(over=("P", [0, 2, 1]))
    with pytest.raises(ModelError, match="a pair such as"):
        truss().equilibrium(over="P")
