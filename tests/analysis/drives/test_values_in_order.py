"""Values of parameters in order: the signs of contacts, which are parameters inside, are not counted."""

import numpy as np
import pytest

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
m, g, k = lk.parameters("m g k")
FREE = lk.System("b", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=m * g * y + k * x**2 / 2)
ROUGH = FREE.constrain("floor", y, law=lk.Coulomb(0.2, slip=der(x)))
TIMES = np.linspace(0, 1, 5)
MOTION = {
    "t": TIMES,
    "x": TIMES,
    "y": 0 * TIMES,
    "x'": 1 + 0 * TIMES,
    "y'": 0 * TIMES,
    "x''": 0 * TIMES,
    "y''": 0 * TIMES,
}


@pytest.mark.parametrize("values", [[9.0, 2.0, 3.0], np.array([9.0, 2.0, 3.0]), {"g": 9, "k": 2, "m": 3}])
def test_values_in_order_and_by_name_are_the_same(values):
    """F = mu m g + k x at constant velocity."""
    found = ROUGH.drive(MOTION, {"F": {x: 1}}, values=values)
    assert found.drives["F"] == pytest.approx(0.2 * 3 * 9 + 2 * TIMES, rel=1e-9)


def test_a_wrong_number_of_values_names_the_parameters_alone():
    with pytest.raises(lk.ModelError, match=r"(?s)2 numbers are given for 3 parameters.*Their order is g, k, m\."):
        ROUGH.drive(MOTION, {"F": {x: 1}}, values=[9.0, 2.0])


@pytest.mark.parametrize("where", ["q", "v"])
@pytest.mark.parametrize("given", [5, [1], "a", [1, 2, 3]])
def test_formulas_about_what_is_no_state(where, given):
    with pytest.raises(lk.ModelError, match=f"{where}: a mapping by name or a sequence of 2 expressions is expected"):
        FREE.linearize(**({"q": {"x": 0}} | {where: given}), symbolic=True)


def test_a_position_among_the_values_of_an_equilibrium():
    with pytest.raises(lk.ModelError, match=r"given by guess=\{'y': -1\} or fixed=\{'y': -1\}"):
        FREE.equilibrium({"y": -1})
