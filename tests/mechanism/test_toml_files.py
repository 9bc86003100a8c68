"""Files of bodies and joints: a saved system is loaded as an equal one, with equal motions and joint forces."""

import copy
import json
import os
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases
from schema_validator import valid
from stated import four_bar, loop, plane, systems, turned

import lienket as lk
from lienket import der
from lienket.mechanism.file import read_text, write_text
from lienket.model.file.json_schema import json_schema

SYSTEMS = systems()

FOUR_BAR = """
lienket = 1
name = "four-bar"
mechanism = "planar"

[[bodies]]
name = "crank"
mass = 1.0
length = 0.1
[[bodies]]
name = "coupler"
mass = 2.0
length = 0.3
[[bodies]]
name = "rocker"
mass = "3/2"
centre = [0.125, 0]
inertia = "3/2*(1/4)^2/12"
shapes = [{kind = "line", points = [[0, 0], [0.25, 0]]}]

[[joints]]
name = "O"
kind = "revolute"
a = "ground"
b = "crank"
[[joints]]
name = "A"
kind = "revolute"
a = {body = "crank", at = [0.1, 0]}
b = {body = "coupler", at = [0, 0], angle = 0}
[[joints]]
name = "B"
kind = "revolute"
a = {body = "coupler", at = [0.3, 0]}
b = {body = "rocker", at = [0.25, 0]}
[[joints]]
name = "C"
kind = "revolute"
a = {body = "ground", at = [0.3, 0]}
b = "rocker"

[[elements]]
name = "M"
kind = "motor"
joint = "O"
effort = "1/2"
"""


def again(system):
    """Return a system after saving and loading it, as text."""
    return lk.System.from_statement(read_text(write_text(system.statement)))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_saved_mechanism_is_loaded_as_an_equal_one(name, tmp_path):
    system = SYSTEMS[name]
    lk.save(system, tmp_path / "first.toml")
    loaded = lk.load(tmp_path / "first.toml")
    assert loaded == system and hash(loaded) == hash(system)
    assert loaded.statement.free.mechanism == system.statement.free.mechanism
    assert loaded.coordinates == system.coordinates and loaded.constraints == system.constraints
    lk.save(loaded, tmp_path / "second.toml")
    assert (tmp_path / "first.toml").read_text() == (tmp_path / "second.toml").read_text()


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_schema_admits_saved_mechanisms_and_nothing_damaged(name):
    data, schema = tomllib.loads(write_text(SYSTEMS[name].statement)), json_schema()
    assert valid(data, schema, schema)
    for damage in ({"mechanism": "flat"}, {"coordinates": ["x"]}, {"bodies": [{"mass": 1}]}, {"kinetic": "0"}):
        assert not valid(data | damage, schema, schema)
    wrong = copy.deepcopy(data)
    wrong["joints"][0]["kind"] = "hinge"
    assert not valid(wrong, schema, schema)


def test_a_file_states_what_python_states():
    """The rod is stated by length in Python, the rocker by centre and inertia m l^2/12 in the file."""
    built, stated = four_bar().system().statement, read_text(FOUR_BAR)
    assert stated == built and hash(stated) == hash(built)
    rocker = stated.free.mechanism.body["rocker"]
    assert rocker.inertia[2] == sp.Rational(3, 2) / 16 / 12 and rocker.centre[0] == sp.Rational(1, 8)
    assert stated.names == ("O", "A", "B") and stated.free.mechanism.cut == ("C",)


def test_a_loaded_mechanism_has_the_joint_forces_of_the_saved_one(tmp_path):
    """Both reach equal statements, so that the numbers are equal in every bit; a rope of the loop is in tension."""
    for number, system in enumerate((four_bar().system(), loop().system())):
        lk.save(system, tmp_path / f"{number}.toml")
        loaded = lk.load(tmp_path / f"{number}.toml")
        states = [s.at(*s.consistent({})) for s in (system, loaded)]
        for joint in system.statement.free.mechanism.joints:
            forces = [state.joints[joint.name].force for state in states]
            assert np.array_equal(*forces) and np.isfinite(forces[0]).all()
        assert np.array_equal(states[0].accelerations, states[1].accelerations)


DIRECTION = st.lists(st.integers(-99, 99).map(lambda k: k / 7), min_size=3, max_size=3).filter(any)
LENGTH = st.floats(-1e6, 1e6, allow_subnormal=False)


@random_cases(60)
@given(DIRECTION, DIRECTION, st.floats(0, 6.28), st.lists(LENGTH, min_size=6, max_size=6), st.fractions(1, 9))
def test_axes_matrices_and_numbers_survive_exactly(axis, second, angle, lengths, mass):
    it = lk.spatial.Mechanism("numbers", gravity=lengths[:3])
    one, two = (it.body(name, mass=mass, inertia=(1, 2, 2.5), centre=lengths[3:]) for name in ("one", "two"))
    matrix = turned(angle, 0) @ turned(2 * angle, 1) @ turned(-angle, 2)
    it.cylindrical("j", it.ground.at(*lengths[3:], rotation=matrix), one.at(*lengths[:3]), axis=axis)
    if np.linalg.norm(np.cross(axis, second)) > 1e-3:
        it.universal("u", one.at(rotation=matrix.T), two.at(), axes=(axis, second))
    else:
        it.revolute("u", one.at(), two.at(), axis=second)
    it.torque("T", two, lengths[:3])
    system = it.system()
    assert again(system) == system


@random_cases(40)
@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.integers(-50, 50), st.integers(1, 50))
def test_rods_of_any_length_and_planar_axes_survive_exactly(mass, length, along, across):
    it = lk.planar.Mechanism("numbers")
    rod, block = it.body("rod", mass=mass, length=length), it.body("block", mass=mass, inertia=length)
    it.revolute("r", it.ground.at(length, 0), rod.at())
    it.slot("s", rod.at(length / 3, 0), block.at(), axis=(along / 11, across))
    system = it.system()
    assert again(system) == system
    assert tomllib.loads(write_text(system.statement))["bodies"][0] == {"name": "rod", "mass": mass, "length": length}


def test_axes_with_parameters_have_length_one_after_loading():
    b, c = lk.parameters("b c")
    it = lk.planar.Mechanism("skew", values={b: 3, c: 4})
    block = it.body("block", mass=1)
    it.prismatic("s", it.ground.at(), block.at(), axis=(b, c))
    system = it.system()
    assert again(system) == system
    assert system.at([0], [0]).accelerations == pytest.approx([-9.81 * 4 / 5], rel=1e-14)


def test_chosen_cuts_are_kept():
    for cut in (["A"], ["B"], "O"):
        system = four_bar().system(cut=cut)
        text = write_text(system.statement)
        assert tomllib.loads(text)["cut"] == list(cut) and read_text(text) == system.statement
    assert "cut" not in tomllib.loads(write_text(four_bar().system().statement))


# Files in other processes, files of trajectories


RUN = """
import sys, json
import lienket as lk
system = lk.load(sys.argv[1])
run = system.simulate(start={"O": 0.3, "O'": 10}, until=0.1)
print(json.dumps([run.q[-1].tolist(), run.joints["B"].force[-1].tolist(), run.bodies["rocker"].position[-1].tolist()]))
"""


@pytest.mark.slow
def test_new_processes_compute_the_same_from_the_file(tmp_path):
    lk.save(four_bar().system(), tmp_path / "bar.toml")
    environment = os.environ | {"LIENKET_CACHE": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", RUN, str(tmp_path / "bar.toml")]
    runs = [
        json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)  # noqa: S603
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    here = four_bar().system().simulate(start={"O": 0.3, "O'": 10}, until=0.1)
    assert np.allclose(runs[0][0], here.q[-1], rtol=1e-12, atol=0)
    assert np.allclose(runs[0][1], here.joints["B"].force[-1], rtol=1e-9, atol=0)


def test_a_saved_trajectory_has_its_mechanism(tmp_path):
    bar = four_bar().system()
    system = bar.constrain("speed", lk.Velocity(der(bar.coordinates[0]) - lk.parameters("w")))
    run = system.simulate(values={"w": 10}, start={"O": 0.3}, until=0.05)
    run.save(tmp_path / "run.npz")
    loaded = lk.load(tmp_path / "run.npz")
    assert loaded.system == system
    assert np.array_equal(loaded.joints["B"].force, run.joints["B"].force)


def test_a_mechanism_with_a_python_function_is_refused_by_name(tmp_path):
    it = lk.planar.Mechanism("blown")
    body = it.body("body", mass=1)
    it.prismatic("s", it.ground.at(), body.at())
    it.motor("M", "s", lk.function("gust", abs)(lk.t))
    with pytest.raises(lk.ModelError, match="function 'gust': it is a Python function, which a file cannot hold"):
        lk.save(it.system(), tmp_path / "blown.toml")
    assert not list(tmp_path.iterdir())


def test_own_laws_are_read_in_mechanisms_too(tmp_path):
    class Sticky(lk.laws.Unilateral):
        kind = "sticky"

    system = four_bar().system()
    held = system.constrain("wall", system.coordinates[0] + 3, law=Sticky(restitution=0.25))
    lk.save(held, tmp_path / "model.toml")
    assert lk.load(tmp_path / "model.toml", laws=[Sticky]) == held
    with pytest.raises(lk.ModelError, match=r"lk\.load\(path, laws="):
        lk.load(tmp_path / "model.toml")


def test_plane_has_every_kind_of_part():
    """The mechanisms of these tests have all kinds of joints and elements that files know, but joint friction."""
    from lienket.model.file.mechanism_schema import ELEMENTS, JOINTS

    parts = [s.statement.free.mechanism for s in (plane().system(), *SYSTEMS.values())]
    assert {joint.kind for d in parts for joint in d.joints} == {*JOINTS}
    assert {element.kind for d in parts for element in d.elements} >= {*ELEMENTS} - {"friction"}
