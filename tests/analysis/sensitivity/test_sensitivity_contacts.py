"""Sensitivities with contacts: free flight above a floor, sliding on it, and what is refused by name."""

import numpy as np
import pytest

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
g, mu = lk.parameters("g mu")


def ball(law):
    free = lk.System(
        "ball", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y, values={g: 9.81, mu: 0.3}
    )
    return free.constrain("floor", y, law=law)


LAWS = [lk.laws.Unilateral(0.5), lk.Coulomb(mu, slip=der(x), unilateral=True)]
FALL = {"start": {"y": 1.0, "x'": 2.0, "y'": 0.1}, "until": 0.3}


@pytest.mark.parametrize("law", LAWS, ids=["unilateral", "coulomb"])
@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_free_flight_has_free_derivatives(law, mode):
    """y = y0 + y0' t - g t^2/2: 1, t, -t^2/2, and the open floor has no reaction whatever the values."""
    by, of = ["y", "y'", "g", "x'"], ["y", "y'", "x", "x''", "floor[0]", "height"]
    found = ball(law).sensitivity(by=by, of=of, mode=mode, outputs={"height": 2 * y}, **FALL)
    assert [found["y", name] for name in by] == pytest.approx([1, 0.3, -0.045, 0], abs=1e-13)
    assert [found["y'", name] for name in by] == pytest.approx([0, 1, -0.3, 0], abs=1e-13)
    assert [found["x", name] for name in by] == pytest.approx([0, 0, 0, 0.3], abs=1e-13)
    assert [found["height", name] for name in by] == pytest.approx([2, 0.6, -0.09, 0], abs=1e-13)
    assert [found["floor[0]", name] for name in by] == [0, 0, 0, 0]
    assert found.trajectory["y"][-1] == pytest.approx(1 + 0.03 - 9.81 * 0.045, abs=1e-13)


def test_a_contact_that_closes_is_named_with_its_time():
    """It touches at t = sqrt(2/g) = 0.4515236."""
    for law in LAWS:
        with pytest.raises(lk.LienketError, match=r"'floor touches' at t = 0\.451523641"):
            ball(law).sensitivity(start={"y": 1.0, "x'": 2.0}, until=0.6, by=["g"])


def test_a_closed_contact_keeps_the_motion_on_it():
    """On a smooth floor x = x0' t and the reaction is g; off the floor there are no derivatives."""
    sliding = {"start": {"y": 0.0, "x'": 2.0}, "until": 0.5}
    found = ball(LAWS[0]).sensitivity(by=["g", "x'"], of=["x", "y", "floor[0]"], **sliding)
    assert found.values == pytest.approx(np.array([[0, 0.5], [0, 0], [1, 0]]), abs=1e-13)
    for name in ("y", "y'"):
        with pytest.raises(lk.LienketError, match=f"no derivative by {name}: the contact 'floor' is closed"):
            ball(LAWS[0]).sensitivity(by=[name], **sliding)


def test_friction_is_named():
    with pytest.raises(lk.LienketError, match="friction or drives, here 'floor', are not differentiated"):
        ball(LAWS[1]).sensitivity(start={"y": 0.0, "x'": 2.0}, until=0.1, by=["g"])
