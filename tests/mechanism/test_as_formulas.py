"""A mechanism stated by formulas: equal A q'' = h, reactions and motions, and an ordinary file."""

import tomllib

import numpy as np
import pytest
import sympy as sp
from stated import four_bar, loop, plane, space_loop

import lienket as lk
from lienket import der

CASES = {
    "four-bar": lambda: four_bar().system(),
    "four-bar, absolute": lambda: four_bar().system("absolute"),
    "loop": lambda: loop().system(),
    "plane": lambda: plane().system(),
}


@pytest.mark.parametrize("name", CASES)
def test_formulas_have_the_same_equations(name):
    """A and h by Lagrange from T, V, R and Q are those by composite bodies; reactions and accelerations agree."""
    system = CASES[name]()
    formulas = system.as_formulas()
    assert formulas.statement.free.mechanism is None and formulas.coordinates == system.coordinates
    random = np.random.default_rng(5)
    q, v = random.uniform([[0.1], [-1]], [[0.9], [1]], (2, len(system.coordinates)))
    one, other = system.at(q, v, t=0.3), formulas.at(q, v, t=0.3)
    for key in ("A", "h", "G", "g0", "accelerations", "reaction"):
        assert_close(getattr(one, key), getattr(other, key))


def assert_close(here, there):
    """Compare arrays by their largest entry."""
    assert np.allclose(here, there, rtol=0, atol=1e-10 * max(1, np.abs(there).max(initial=0)))


def test_formulas_with_euler_parameters_have_the_same_motion():
    """h differs along the parameters p only, where the unit constraint acts: R(p) of Lagrange is not normalised."""
    system = space_loop().system()
    formulas = system.as_formulas()
    q, v = system.consistent({"A": 0.3, "A'": 2})
    one, other = system.at(q, v), formulas.at(q, v)
    for key in ("A", "G", "g0", "accelerations", "W"):
        assert_close(getattr(one, key), getattr(other, key))
    assert_close(one.reactions["D"], other.reactions["D"])
    names = [x.func.__name__ for x in system.coordinates]
    along = np.zeros((len(names), 2))
    for k, joint in enumerate("BC"):
        at = [names.index(f"{joint}_e{i}") for i in range(4)]
        along[at, k] = q[at]
    difference = one.h - other.h
    assert_close(along @ (along.T @ difference), difference)
    assert np.abs(difference).max() > 1


def test_the_formulas_of_a_pendulum_are_those_of_books():
    """A uniform rod about its end: T = m l^2 w^2/6, V = m g l sin(phi)/2, R = c w^2/2, Q = M."""
    m, l, g, c, M = lk.parameters("m l g c M")
    it = lk.planar.Mechanism("pendulum", gravity=(0, -g))
    rod = it.body("rod", mass=m, length=l)
    phi = it.revolute("phi", it.ground.at(), rod.at()).coordinate
    it.torsion_damper("D", "phi", damping=c)
    it.motor("motor", "phi", M)
    free = it.system().as_formulas().statement.free
    assert sp.simplify(free.kinetic - m * l**2 * der(phi) ** 2 / 6) == 0
    assert sp.simplify(free.potential - m * g * l * sp.sin(phi) / 2) == 0
    assert sp.simplify(free.dissipation - c * der(phi) ** 2 / 2) == 0 and free.forces == (M,)


@pytest.mark.parametrize("name", [*CASES, "RSSR"])
def test_formulas_are_saved_as_an_ordinary_file(name, tmp_path):
    formulas = (CASES | {"RSSR": space_loop().system})[name]().as_formulas()
    lk.save(formulas, tmp_path / "formulas.toml")
    data = tomllib.loads((tmp_path / "formulas.toml").read_text())
    assert {"coordinates", "kinetic"} <= {*data} and not {"mechanism", "bodies", "joints", "elements"} & {*data}
    assert lk.load(tmp_path / "formulas.toml") == formulas
    assert not any(c.of_mechanism for c in formulas.constraints)


def test_constraints_events_inputs_and_numbers_are_kept():
    system = plane().system()
    x = system.coordinates[0]
    watched = system.constrain("more", x - 1).watch(lk.Event("E", when=x - 2, release=["more"]))
    formulas = watched.as_formulas()
    assert [c.name for c in formulas.constraints] == [c.name for c in watched.constraints]
    assert formulas.events == watched.events and formulas.values == watched.values
    assert formulas.as_formulas() is formulas


def test_labels_of_units_are_left_out_where_numbers_have_units(tmp_path):
    """With m in kg and the number 9.81 for gravity, V has no unit that agrees with T."""
    text = (
        'lienket = 1\nname = "p"\nmechanism = "planar"\n{}[parameters]\nm = {{value = 1, unit = "kg"}}\n'
        'L = {{value = 1, unit = "m"}}\n{}[[bodies]]\nname = "rod"\nmass = "m"\nlength = "L"\n'
        '[[joints]]\nname = "phi"\nkind = "revolute"\na = "ground"\nb = "rod"\n'
        '[units]\nphi = "rad"\n'
    )
    labels = []
    for gravity, g in (("", ""), ('gravity = [0, "-g"]\n', 'g = {value = 9.81, unit = "m/s^2"}\n')):
        (tmp_path / "p.toml").write_text(text.format(gravity, g))
        system = lk.load(tmp_path / "p.toml")
        formulas = system.as_formulas()
        lk.save(formulas, tmp_path / "formulas.toml")
        assert lk.load(tmp_path / "formulas.toml") == formulas
        labels.append(formulas.units == system.units)
    assert labels == [False, True]
