"""What the command line tells: events, parameters without a number, hints in options, exit codes."""

import re

import pytest
from commands import HIGH, LOW, TWO_MASSES, lienket
from conftest import MODELS

BALL = """
lienket = 1
name = "ball"
coordinates = ["y"]
kinetic = "der(y)^2/2"
potential = "10*y"
[[constraints]]
name = "floor"
equation = "y"
law = {kind = "unilateral", restitution = 0.5}
"""
IMPOSSIBLE = '[[constraints]]\nname = "circle"\nequation = "x^2 + y^2 + r^2"\n'
PYTHON = re.compile(r"\w+=[{\[]|`\w+`|lk\.|\bNone\b|\{'")


@pytest.fixture
def model(tmp_path):
    def write(text):
        path = tmp_path / "model.toml"
        path.write_text(text)
        return path

    return write


def events_in(text):
    block = text.split("\nEvents\n")[1].split("\n\n")[0]
    return [line.strip() for line in block.splitlines()]


def test_the_times_of_contacts_are_printed(model):
    """From 5 m with g = 10 the ball lands at 1 s with 10 m/s; each flight lasts half as long as the one before."""
    result = lienket("simulate", model(BALL), "--start", "y=5", "--until", "2.6")
    assert result.exit_code == 0, result.stderr
    lines = events_in(result.stdout)
    assert [line.split(":")[0] for line in lines] == ["t = 1", "t = 2", "t = 2.5"]
    lost = [float(re.search(r"touches, (\S+) of energy lost", line)[1]) for line in lines]
    assert lost == pytest.approx([50 * 0.75 * 0.25**k for k in range(3)], rel=1e-6)


def test_events_that_change_the_system_and_events_that_do_not(model):
    events = '[[events]]\nname = "passes"\nwhen = "y - 5"\n'
    events += '[[events]]\nname = "lets go"\nwhen = "t - 1"\nrelease = ["low"]\n'
    path = model(TWO_MASSES.replace("9.81", "2") + LOW.replace('"y"', '"y - 6"') + events)
    result = lienket("simulate", path, "--start", "x'=1", "--until", "3")
    assert result.exit_code == 0, result.stderr
    assert events_in(result.stdout) == ["t = 1: lets go: low released", "t = 2: passes"]


def test_of_very_many_events_the_first_and_the_last_are_printed(model):
    path = model(TWO_MASSES + '[[events]]\nname = "second"\nwhen = "sin(pi*(t - 1/2))"\n')
    result = lienket("simulate", path, "--until", "100")
    lines = events_in(result.stdout)
    assert [line.split(":")[0] for line in lines[:10]] == [f"t = {k}.5" for k in range(10)]
    assert lines[10].startswith("... 80 more")
    assert [line.split(":")[0] for line in lines[11:]] == [f"t = {k}.5" for k in range(90, 100)]


def test_a_run_without_events_has_no_such_block(model):
    assert "Events" not in lienket("simulate", model(TWO_MASSES), "--until", "1").stdout


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--start", "phi=0.7", "--start", "theta=0.7"), 3, "--guess phi=NUMBER"),
        (("--start", "phi'=0.7", "--start", "theta'=0.7"), 3, '--guess "phi\'=NUMBER"'),
        (("--set", "L=-1/100", "--start", "phi=1"), 3, "Change --start phi"),
        (("--rtol", "1e-20"), 2, "Invalid value for --rtol: 1e-20 is smaller than rounding errors permit"),
        (("--chattering", "0"), 2, "an integer of at least 1"),
        (("--until", "1", "--most-rows", "10"), 0, "(--most-rows); see --times"),
    ],
)
def test_hints_are_options_and_codes_are_those_of_the_document(options, code, said):
    result = lienket("simulate", MODELS / "slider_crank.toml", *options)
    assert result.exit_code == code
    assert said in result.stdout + result.stderr
    assert PYTHON.search(result.stdout + result.stderr) is None


def test_chattering_is_told_with_its_option(model):
    bounce = '[[events]]\nname = "bounce"\nwhen = "y"\ndirection = "falling"\nvelocities = {"y\'" = "-der(y)/2"}\n'
    path = model(BALL.split("[[constraints]]")[0] + bounce)
    result = lienket("simulate", path, "--start", "y=5", "--until", "4", "--chattering", "5")
    assert result.exit_code == 3
    assert "because of chattering" in result.stderr
    assert PYTHON.search(result.stderr) is None


def test_all_parameters_without_a_number_are_named(model):
    path = model(TWO_MASSES.replace("m = 1", "m = {}").replace("g = 9.81", "g = {}"))
    result = lienket("check", path)
    assert result.exit_code == 0
    assert "Parameters without a number\n  m, g\n" in result.stdout or "\n  g, m\n" in result.stdout
    assert "--set m=NUMBER" in result.stdout
    result = lienket("simulate", path)
    assert result.exit_code == 1
    assert "--set m=NUMBER" in result.stderr
    assert "--set g=NUMBER" in result.stderr
    assert lienket("simulate", path, "--set", "m=1", "--set", "g=1", "--until", "0.1").exit_code == 0


def test_check_says_when_no_state_satisfies_the_constraints(model):
    path = model(TWO_MASSES.replace("g = 9.81", "g = 9.81\nr = 1") + IMPOSSIBLE)
    result = lienket("check", path)
    assert result.exit_code == 3
    assert "'circle' is off by 1" in result.stderr
    assert "The model is valid" not in result.stdout


def test_check_uses_the_numbers_of_the_model(model):
    """A triangle with the sides 1, 1 and c closes up to c = 2."""
    sides = '[[constraints]]\nname = "rods"\nequation = ["x^2 + y^2 - 1", "(x - c)^2 + y^2 - 1"]\n'
    for c, code in ((1.9, 0), (2.1, 3)):
        assert lienket("check", model(TWO_MASSES + f"c = {c}\n" + sides)).exit_code == code


def test_a_search_that_cannot_begin_is_a_remark(model):
    path = model(TWO_MASSES + '[[constraints]]\nname = "pole"\nequation = "1/x - 1/2"\n')
    result = lienket("check", path)
    assert result.exit_code == 0
    assert "no finite number for the constraint 'pole'" in " ".join(result.stdout.split())
    assert lienket("simulate", path, "--start", "x=2", "--until", "0.1").exit_code == 0


def test_open_contacts_are_no_contradiction_of_a_check(model):
    """A pendulum of 1 m above a floor 2 m below: the floor is never reached, and the model is in order."""
    constraints = '[[constraints]]\nname = "rod"\nequation = "x^2 + y^2 - 1"\n'
    constraints += '[[constraints]]\nname = "floor"\nequation = "y + 2"\nlaw = {kind = "unilateral"}\n'
    result = lienket("check", model(TWO_MASSES + constraints))
    assert result.exit_code == 0, result.stderr
    assert "while all its contacts are closed" in result.stdout


def test_stages_of_a_contradiction_are_shown_and_are_an_error(model):
    result = lienket("stages", model(TWO_MASSES + LOW + HIGH))
    assert result.exit_code == 1
    assert "contradictory" in result.stdout
    assert "'high' contradicts 'low'" in result.stderr


def test_advice_on_a_model_file_is_in_its_notation(model):
    result = lienket("check", model(TWO_MASSES + LOW.replace('"y"', '"y"\nkind = "velocity"')))
    assert result.exit_code == 1
    assert 'Write kind = "holonomic", or leave `kind` out.' in result.stderr
    assert "lk." not in result.stderr
