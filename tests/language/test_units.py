"""Units are labels; recognized units must be consistent, and nothing is converted."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.language.units import DIMENSIONLESS, read_unit

x, phi = lk.coordinates("x phi")
m, J, k, g, l, c, mu = lk.parameters("m J k g l c mu")
UNITS = {x: "m", phi: "rad", m: "kg", J: "kg m^2", k: "N/m", g: "m/s^2", l: "m", c: "N s/m"}


def pendulum(units=None, **changes):
    stated = {
        "kinetic": m * der(x) ** 2 / 2 + J * der(phi) ** 2 / 2,
        "potential": k * x**2 / 2 + m * g * l * (1 - sp.cos(phi)),
        "dissipation": c * der(x) ** 2 / 2,
        "forces": {x: k * l, phi: m * g * l * sp.sin(phi)},
        "units": UNITS | (units or {}),
    }
    return lk.System("pendulum", [x, phi], **(stated | changes))


@pytest.mark.parametrize(
    ("label", "same"),
    [
        ("N", "kg m/s^2"),
        ("N*m", "J"),
        ("kg·m²/s²", "J"),
        ("kN/mm", "MN/m"),
        ("1/s", "Hz"),
        ("rad", "1"),
        ("-", "1"),
        ("m s^-1", "m/s"),
        ("N/(m s)", "N/m s"),
        ("W s", "J"),
    ],
)
def test_labels_that_mean_the_same_agree(label, same):
    assert read_unit(label).agrees(read_unit(same))


@pytest.mark.parametrize(("label", "other"), [("mm", "m"), ("deg", "rad"), ("N", "J"), ("g", "kg"), ("h", "s")])
def test_labels_that_differ_in_size_or_dimension_do_not_agree(label, other):
    assert not read_unit(label).agrees(read_unit(other))


@pytest.mark.parametrize("label", ["furlong", "m per s", "€", "", " ", "kg m^x"])
def test_unrecognized_unit_is_only_a_label(label):
    assert read_unit(label) in (None, DIMENSIONLESS)


def test_consistent_units_are_accepted_and_kept():
    assert pendulum().units == UNITS
    assert pendulum().constrain("rolling", x - l * phi).units == UNITS


def test_numbers_and_functions_of_time_fit_everything():
    system = pendulum().constrain("driven", x - 2 - 3 * sp.cos(lk.t)).constrain("spun", der(phi) - lk.t)
    assert len(system.constraints) == 2


def test_unknown_and_missing_units_fit_everything():
    assert pendulum({k: "lbf/in"}).units[k] == "lbf/in"
    assert lk.System("s", [x], kinetic=m * der(x) ** 2 + 3, potential=mu * x, units={x: "m", m: "kg"})


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ({J: "kg m"}, "kinetic: quantities of different units are added"),
        ({k: "N"}, "potential: quantities of different units are added"),
        ({x: "mm"}, "mm|0.001|1e-06"),
        ({phi: "deg"}, "cos takes a pure number or radians, but phi is in 0.0174533"),
        ({c: "N/m"}, "dissipation: its unit is"),
        ({phi: "m"}, "cos takes a pure number or radians, but phi is in m"),
    ],
)
def test_inconsistent_units_are_reported(units, message):
    with pytest.raises(lk.ModelError, match=message):
        pendulum(units)


def test_force_in_the_wrong_unit_is_reported():
    with pytest.raises(lk.ModelError, match=r"forces\[x\]: its unit is kg m\^2/s\^2, but kg m/s\^2 fits"):
        pendulum(forces={x: k * l**2})


def test_constraint_that_adds_lengths_and_angles_is_reported():
    with pytest.raises(lk.ModelError, match=r"constraint 'rolling': quantities of different.*-phi is in 1 and x in m"):
        pendulum().constrain("rolling", x - phi)
