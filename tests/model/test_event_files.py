"""Events in model files: equal systems are read back, faults name their table and key, the command runs them."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.errors import ModelFileError
from lienket.model.file import read_text

g, e = lk.parameters("g e")
x, y = lk.coordinates("x y")

BALL = """
lienket = 1
name = "ball"
coordinates = ["x", "y"]
kinetic = "(der(x)^2 + der(y)^2)/2"
potential = "g*y"
parameters = {g = 9.81, e = "1/2"}
"""
BOUNCE = """
[[events]]
name = "bounce"
when = "y"
direction = "falling"
velocities = {"y'" = "-e*der(y)"}
"""
FLOOR = '[[events.constraints]]\nname = "floor"\nequation = "y"'


def bead():
    kinetic, values = (der(x) ** 2 + der(y) ** 2) / 2, {g: 9.81, e: sp.Rational(1, 2)}
    free = lk.System("bead", [x, y], kinetic=kinetic, potential=g * y, values=values)
    return free.constrain("rod", x**2 + y**2 - 1).constrain("two", [der(x) - lk.t, y * der(y)])


EVENTS = {
    "terminal": lk.Event("end", when=x, terminal=True),
    "rising": lk.Event("up", when=der(x) - y, direction="rising"),
    "inequality": lk.Event("fast", when=der(x) ** 2 + der(y) ** 2 > 4),
    "less": lk.Event("slow", when=der(x) < g),
    "time": lk.Event("clock", when=sp.sin(lk.t), direction="falling"),
    "acceleration": lk.Event("jerk", when=der(x, 2) - 1),
    "release": lk.Event("break", when=lk.reaction("rod") > 500, release=["rod", "two"]),
    "reaction on a coordinate": lk.Event("push", when=lk.reaction("rod", x) + lk.reaction("two", "y") - e),
    "multiplier": lk.Event("tension", when=lk.multiplier("two", 1) < -3, release="two"),
    "set": lk.Event("moon", when=y, set={g: g / 6, e: 1}),
    "velocities": lk.Event("bounce", when=y, velocities={der(y): -e * der(y), "x'": 0}),
    "add": lk.Event("catch", when=y, add={"floor": y, "both": [der(x), der(y) - 3], "said": lk.Velocity(y * der(x))}),
    "add again": lk.Event("swap", when=y, release="rod", add=["two"]),
    "all": lk.Event(
        "all", when=y - e, direction="falling", terminal=True, release="rod", set={g: lk.reaction("rod")},
        velocities={"x'": lk.reaction("rod", "y") * x}, add={"line": y - e},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", EVENTS)
def test_round_trip(kind, tmp_path):
    system = bead().watch(EVENTS[kind])
    lk.save(system, tmp_path / "bead.toml")
    loaded = lk.load(tmp_path / "bead.toml")
    assert loaded == system
    assert loaded.events == system.events
    assert loaded != bead()


def test_all_events_in_one_file(tmp_path):
    others = [event for kind, event in EVENTS.items()]
    system = bead().watch(others)
    lk.save(system, tmp_path / "bead.toml")
    assert lk.load(tmp_path / "bead.toml") == system


def test_a_function_cannot_be_written(tmp_path):
    system = bead().watch(lk.Event("act", when=x, do=lambda moment: None))
    with pytest.raises(ModelFileError, match="'act' calls a Python function"):
        lk.save(system, tmp_path / "bead.toml")
    assert not (tmp_path / "bead.toml").exists()


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('when = "z"', "[[events]] 'hit', when"),
        ('when = "y +"', "[[events]] 'hit', when"),
        ('direction = "falling"', "when"),
        ('when = "y"\ndirection = "down"', "direction"),
        ('when = "y"\nrelease = ["rod"]', "no constraint 'rod'"),
        ('when = "y"\nset = {h = "1"}', "h is not a parameter"),
        ('when = "y"\nset = {g = "2*"}', "set g"),
        ('when = "y"\nvelocities = {"z\'" = "1"}', "z' is not a velocity"),
        ('when = "y"\nreactions = {g = "rod"}', "the name g is already in use"),
        ('when = "R - 1"\nreactions = {R = "rod"}', "no constraint 'rod'"),
        ('when = "y"\nreactions = {R = ["rod", "x", "y"]}', "reactions.R"),
        ('when = "y"\nreactions = {R = [1, "x"]}', "reactions.R"),
        (f'when = "y"\nadd = ["floor"]\n{FLOOR}', "both `add` and `constraints`"),
        ('when = "y"\nterminal = "yes"', "terminal"),
        ('when = "y"\nwhenever = "x"', "whenever"),
    ],
)  # fmt: skip
def test_faults_name_the_event(lines, words):
    with pytest.raises(ModelFileError) as caught:
        read_text(f'{BALL}\n[[events]]\nname = "hit"\n{lines}\n', "ball.toml")
    assert words in str(caught.value)
    assert "event" in str(caught.value)


def test_the_command_runs_a_file_with_events(tmp_path):
    from typer.testing import CliRunner

    from lienket.cli.program import app

    (tmp_path / "ball.toml").write_text(BALL + BOUNCE)
    arguments = ["simulate", tmp_path / "ball.toml", "--start", "y=1", "--until", "1", "-o", tmp_path / "run.npz"]
    done = CliRunner().invoke(app, list(map(str, arguments)), prog_name="lienket")
    assert done.exit_code == 0, done.output
    motion = lk.load(tmp_path / "run.npz")
    assert len(motion.events["bounce"]) == 2
    assert motion.events["bounce"][0] == pytest.approx((2 / 9.81) ** 0.5, abs=1e-9)
    assert motion.switches[0].v[1] == pytest.approx((2 * 9.81) ** 0.5 / 2, abs=1e-8)
