"""Partial starts and unilateral contacts: what is left open never penetrates; what is given and does is an error."""

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.errors import StartError

x, y = lk.coordinates("x y")


def plane(*constraints):
    """A mass of 1 in the plane with unilateral contacts, and a rod of length 1 where `rod` is among them."""
    system = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=10 * y)
    for name, expression in constraints:
        law = None if name == "rod" else lk.laws.Unilateral()
        system = system.constrain(name, expression, law=law)
    return system


ROD = ("rod", x**2 + y**2 - 1)


@pytest.mark.parametrize("guess", [{"y": -1.0}, {"y": -0.9, "x'": 1.0}, {"y": 1.0}])
def test_of_two_assemblies_the_one_above_the_floor_is_taken(guess):
    system = plane(ROD, ("floor", y + 0.2))
    start = system.consistent({"x": 0.6}, guess=guess)
    assert start.q == pytest.approx([0.6, 0.8], abs=1e-12)
    assert start.others == ()
    assert start.avoided == (("floor",) if guess["y"] < 0 else ())
    motion = system.simulate(start={"x": 0.6}, guess=guess, until=0.1)
    assert motion.q[0] == pytest.approx([0.6, 0.8], abs=1e-12)


def test_the_contact_is_closed_where_nothing_else_is_nearer():
    """The point of a circle nearest to (0, -1) above y = -0.6 is one of (+-0.8, -0.6)."""
    start = plane(ROD, ("floor", y + 0.6)).consistent(guess={"y": -1.0})
    assert start.q[1] == pytest.approx(-0.6, abs=1e-12)
    assert abs(start.q[0]) == pytest.approx(0.8, abs=1e-12)


def test_without_bilateral_constraints_a_free_coordinate_is_moved_to_the_contact():
    start = plane(("floor", y - 1)).consistent({"x": 3.0})
    assert start.q.tolist() == [3.0, 1.0]
    assert start.origins == {"x": "given", "y": "open", "x'": "open", "y'": "open"}
    assert "A nearer solution would penetrate the contact 'floor'." in start.assumptions


def test_a_corner_of_two_contacts():
    """From (0, 0) both walls are violated; from (0, 5) one of them."""
    corner = plane(("floor", y - 1), ("wall", x - 2))
    assert corner.consistent().q == pytest.approx([2, 1])
    assert corner.consistent(guess={"y": 5.0}).q == pytest.approx([2, 5])


def test_velocities_are_given_as_before():
    """A contact that closes with a given velocity is an impact and no contradiction."""
    start = plane(("floor", y - 1)).consistent({"y'": -2.0})
    assert start.q.tolist() == [0.0, 1.0]
    assert start.v.tolist() == [0.0, -2.0]


@pytest.mark.parametrize("call", ["consistent", "simulate"])
def test_given_numbers_that_force_a_penetration_are_named(call):
    system = plane(ROD, ("floor", y + 0.2), ("wall", x + 5))
    arguments = {"until": 1} if call == "simulate" else {}
    with pytest.raises(
        StartError, match=r"wrong side of the contact 'floor': its gap is -0\.3 with y = -0\.5 given"
    ) as e:
        getattr(system, call)(start={"y": -0.5}, **arguments)
    assert e.value.given == ("y",)
    assert e.value.residuals == pytest.approx({"floor": -0.3})
    assert "'wall'" not in str(e.value)


def test_a_penetration_that_no_open_position_avoids():
    """On the unit circle y - 2 is negative everywhere."""
    with pytest.raises(StartError, match=r"'ceiling'.*no positions were found at which it is not negative"):
        plane(ROD, ("ceiling", y - 2)).consistent({"x": 0.6})


def test_a_start_that_penetrates_nothing_is_that_of_the_other_constraints():
    """Random guesses above a low floor: the contact changes nothing, bit for bit."""
    with_floor, without = plane(ROD, ("floor", y + 2)), plane(ROD)
    rng = np.random.default_rng(1)
    for _ in range(5):
        guess = dict(zip(("x", "y"), rng.normal(size=2), strict=True))
        one, other = with_floor.consistent(guess=guess), without.consistent(guess=guess)
        assert np.array_equal(one.q, other.q)
        assert np.array_equal(one.v, other.v)
        assert one.avoided == ()


def feasible(start):
    """Whether points of the unit circle with y >= -0.3 and x >= -0.1 have these numbers."""
    x0, y0 = start.get("x"), start.get("y")
    if x0 is None and y0 is None:
        return True
    if x0 is not None and y0 is not None:
        return False  # two random numbers are not on the circle
    if x0 is not None:
        return x0 >= -0.1  # the upper point has y > 0
    return y0 >= -0.3  # the right point has x > 0


def test_random_starts_penetrate_nothing_and_fail_only_where_no_start_exists():
    system = plane(ROD, ("floor", y + 0.3), ("wall", x + 0.1))
    rng = np.random.default_rng(2)
    for _ in range(10):
        names = [name for name in ("x", "y") if rng.random() < 0.3]
        start = {name: float(rng.uniform(-1, 1)) for name in names}
        guess = {name: float(rng.normal()) for name in ("x", "y") if name not in names}
        if not feasible(start):
            with pytest.raises(StartError, match=r"'floor'|'wall'|'rod'"):
                system.consistent(start, guess=guess)
            continue
        q = system.consistent(start, guess=guess).q
        assert q @ q == pytest.approx(1, abs=1e-12)
        assert q[1] >= -0.3 - 1e-8
        assert q[0] >= -0.1 - 1e-8
