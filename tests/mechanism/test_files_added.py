"""What is added to a mechanism keeps it: constrain, release, watch, under, inputs, pickles, and the text summary."""

import copy
import pickle
import tomllib

import pytest
from stated import four_bar, systems

import lienket as lk
from lienket import der
from lienket.mechanism.file import read_text, write_text

SYSTEMS = systems()


def again(system):
    """Return a system after saving and loading it, as text."""
    return lk.System.from_statement(read_text(write_text(system.statement)))


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


def test_inputs_of_python_and_structures_without_coordinates_survive():
    F = lk.inputs("F")
    it = lk.planar.Mechanism("pushed", inputs=[F])
    it.prismatic("s", it.ground.at(), it.body("block", mass=2).at())
    it.motor("M", "s", 3 * F)
    frame = lk.planar.Mechanism("frame")
    beam = frame.body("beam", mass=1, length=2)
    frame.weld("W", frame.ground.at(0, 0, 0.3), beam.at(0, 0, 0.3))
    frame.force("F", beam.at(2, 0), (0, -3))
    pushed, still = it.system(), frame.system()
    assert again(pushed) == pushed and again(pushed).inputs == (F,)
    assert again(still) == still and repr(still).startswith("System 'frame' without coordinates")
    wall = again(still).at([], []).joints["W"]
    assert wall.force == pytest.approx([0, 9.81 + 3], abs=1e-12) and wall.torque == pytest.approx(9.81 + 6, rel=1e-13)
    with pytest.raises(lk.LienketError, match="'frame' has no coordinates"):
        still.as_formulas()


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
