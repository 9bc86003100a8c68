"""Files of bodies and joints: a saved system is loaded as an equal one, with equal motions and joint forces."""

import copy
import json
import os
import pickle
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


# What is added on top


def added():
    """Return systems of the four-bar after constrain, release, watch and under."""
    system = four_bar().system()
    O, A, _ = system.coordinates
    w = lk.parameters("w")
    driven = system.constrain("speed", lk.Velocity(der(O) - w))
    wall = driven.constrain("wall", A + 3, law=lk.laws.Unilateral(restitution=0.5))
    watched = wall.watch(lk.Event("turn", when=O - 1, direction="rising", release=["speed"], set={w: 2}))
    return {
        "constrain": driven, "law": wall, "watch": watched, "release": watched.release("C"),
        "release the added one": driven.release("speed"), "under": watched.under(["C", "wall"]),
        "absolute": four_bar().system("absolute").release("A").release("C"),
        "inputs": pushed().with_inputs({"F": 2 * lk.t}),
    }  # fmt: skip


def pushed():
    """Return a pendulum with an input as its motor's effort, which files can state."""
    bodies = '[[bodies]]\nname = "rod"\nmass = 2\nlength = "L"\n'
    joints = '[[joints]]\nname = "phi"\nkind = "revolute"\na = "ground"\nb = "rod"\n'
    motor = '[[elements]]\nname = "M"\nkind = "motor"\njoint = "phi"\neffort = "F - c*der(phi)"\n'
    values = '[parameters]\nL = {value = 0.7, unit = "m"}\nc = 0.1\n[inputs]\nF = {unit = "N m"}\n'
    head = 'lienket = 1\nname = "pushed"\nmechanism = "planar"\n'
    return lk.System.from_statement(read_text(f'{head}{values}[units]\nphi = "rad"\n{bodies}{joints}{motor}'))


ADDED = added()


@pytest.mark.parametrize("name", ADDED)
def test_what_is_added_keeps_the_mechanism_and_survives(name, tmp_path):
    system = ADDED[name]
    description = system.statement.free.mechanism
    assert description is not None and description.bodies
    if name not in ("absolute", "inputs"):
        assert description == four_bar().system().statement.free.mechanism
    lk.save(system, tmp_path / "model.toml")
    loaded = lk.load(tmp_path / "model.toml")
    assert loaded == system and loaded.statement.free.mechanism == description
    assert [c.name for c in loaded.constraints] == [c.name for c in system.constraints]
    assert [c.of_mechanism for c in loaded.constraints] == [c.of_mechanism for c in system.constraints]
    assert loaded.units == system.units


@pytest.mark.parametrize("name", [*ADDED, *SYSTEMS])
def test_pickles_and_copies_are_equal(name):
    system = (ADDED | SYSTEMS)[name]
    for twin in (pickle.loads(pickle.dumps(system)), copy.copy(system), copy.deepcopy(system)):
        assert twin == system and hash(twin) == hash(system) and repr(twin) == repr(system)


def test_systems_that_differ_in_one_part_are_different():
    system = four_bar().system()
    other = four_bar()
    other.torsion_spring("T", "O", stiffness=0)
    assert other.system() != system
    assert four_bar().system("absolute") != system != four_bar().system(cut=["B"])
    assert system.release("C") != system


def test_released_joints_are_named_in_the_file():
    text = write_text(four_bar().system("absolute").release("B").statement)
    assert tomllib.loads(text)["released"] == ["B"]
    assert [c.name for c in read_text(text).constraints] == ["O", "A", "C"]


def test_an_input_of_a_file_is_the_effort_of_its_motor():
    """A uniform rod that hangs along x: (m L^2/3) phi'' = F - m g L/2."""
    system = pushed()
    a = system.at([0], [0], inputs={"F": 3.0}).accelerations
    assert a == pytest.approx([(3 - 2 * 9.81 * 0.35) / (2 * 0.49 / 3)], rel=1e-13)


# Text summary


def test_the_summary_has_a_line_for_every_part():
    lines = repr(ADDED["release"]).splitlines()
    assert lines[:3] == [
        "System 'four-bar' in O, A, B",
        "  planar, gravity (0, -9.81), relative coordinates",
        "  body crank: mass 1, inertia 0.000833333333333, centre (0.05, 0)",
    ]
    assert "  revolute C: ground (0.3, 0) - rocker, released" in lines and "  motor M: O, effort 1/2" in lines
    assert "  revolute C: ground (0.3, 0) - rocker, cut" in repr(four_bar().system()).splitlines()
    for system in SYSTEMS.values():
        parts = system.statement.free.mechanism
        text = repr(system)
        assert all(f" {part.name}: " in text for part in (*parts.bodies, *parts.joints, *parts.elements))
        assert max(map(len, text.splitlines()[1:])) < 500


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
    system = ADDED["constrain"]
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
