"""Forces that fade with the distance balance nowhere; those that end, or have a balance elsewhere, do."""

import pytest
from sympy import atan, exp, log, sqrt, tanh

import lienket as lk
from lienket import LienketError, der

x, y = lk.coordinates("x y")


POINT = {"coordinates": [x, y], "kinetic": (der(x) ** 2 + der(y) ** 2) / 2}


def at_rest(potential, **guess):
    return lk.System("point", **POINT, potential=potential).equilibrium(guess=guess)


@pytest.mark.parametrize(("stiff", "guess"), [(0, 0.5), (1, 6.0), (1e6, 0.5)])
@pytest.mark.parametrize(
    "potential", [exp(-x), 1 / x, atan(x), tanh(x), log(1 + exp(-x)), exp(-(x**2)), -x / sqrt(1 + x**2)]
)
def test_forces_that_fade_have_no_equilibrium(potential, guess, stiff):
    if potential == exp(-(x**2)) and guess < 1:
        assert at_rest(potential + stiff * y**2, x=guess).q[0] == pytest.approx(0, abs=1e-9)  # the top of the hill
        return
    with pytest.raises(LienketError, match="No equilibrium was found"):
        at_rest(potential + stiff * y**2, x=guess, y=1.0)


@pytest.mark.parametrize("guess", [3.0, 6.0, 40.0])
def test_a_balance_is_found_where_one_force_has_faded(guess):
    """V = x + exp(-x) has its only equilibrium at 0; far out its force is constant, and x looks like an angle."""
    assert at_rest(x + exp(-x) + y**2, x=guess).q == pytest.approx([0, 0], abs=1e-9)
    assert at_rest(y**2 - exp(-(x**2)), x=min(guess, 6.0)).q == pytest.approx([0, 0], abs=1e-9)


def test_directions_without_force_are_neutral():
    assert at_rest(y**2, x=40.0, y=3.0).q.tolist() == [40.0, 0.0]
    assert at_rest(x**4 + y**2, x=3.0).q == pytest.approx([0, 0], abs=1e-5)
    assert at_rest(x**8 + y**2, x=1.0).q == pytest.approx([0, 0], abs=1e-1)
