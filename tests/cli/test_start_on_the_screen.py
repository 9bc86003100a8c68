"""The command simulate shows the start that was assembled, and the option that selects another assembly."""

import re

from commands import TWO_MASSES, lienket
from conftest import MODELS


def start_in(result):
    assert result.exit_code == 0, result.stderr
    return result.stdout.split("Start at t = 0\n")[1].split("\n\n")[0]


def test_the_assembly_and_the_option_for_the_other_one():
    """Following the option leads to the other assembly, from which the first one is offered."""
    arguments = ("simulate", MODELS / "slider_crank.toml", "--start", "phi=0.7", "--until", "0.1")
    first = start_in(lienket(*arguments))
    assert re.search(r"phi +=.*0\.7 +given", first)
    assert re.search(r"theta +=.*0\.23541\d* +left open", first)
    assert "1 other assembly" in first
    option = re.search(r"--guess (theta=\S+)", first)[1]
    second = start_in(lienket(*arguments, "--guess", option))
    assert re.search(r"theta +=.*2\.9061\d* +from the guess", second)
    assert "--guess theta=0.23542" in second


def test_of_many_coordinates_the_first_are_shown(tmp_path):
    names = [f"x{k}" for k in range(20)]
    path = tmp_path / "model.toml"
    kinetic = " + ".join(f"der({name})^2" for name in names)
    path.write_text(f'lienket = 1\nname = "many"\ncoordinates = {names}\nkinetic = "{kinetic}"\n'.replace("'", '"'))
    shown = start_in(lienket("simulate", path, "--until", "0.1"))
    assert "... and 8 more coordinates" in shown
    assert "x12" not in shown


def test_a_contact_that_the_start_avoids_and_one_that_it_cannot(tmp_path):
    rod = '[[constraints]]\nname = "rod"\nequation = "x^2 + y^2 - 1"\n'
    floor = '[[constraints]]\nname = "floor"\nequation = "y + 0.2"\nlaw = {kind = "unilateral"}\n'
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES + rod + floor)
    shown = start_in(lienket("simulate", path, "--start", "x=0.6", "--guess", "y=-1", "--until", "0.1"))
    assert re.search(r"y = 0\.8 +from the guess -1", shown)
    assert "would penetrate the contact 'floor'" in shown
    result = lienket("simulate", path, "--start", "y=-0.5", "--until", "0.1")
    assert result.exit_code == 3
    assert "wrong side of the contact 'floor'" in result.stderr
    assert "--guess y=NUMBER" in result.stderr


def test_the_start_is_printed_once():
    """The outcome of the command comes without its sentence on the start, which the section below has in full."""
    options = ("--start", "phi=0.5", "--until", "0.1")
    result = lienket("simulate", MODELS / "slider_crank.toml", *options)
    assert result.exit_code == 0
    assert result.stdout.count("Start") == 1 and "Start: " not in result.stdout
    assert "The run reached its end at t = 0.1, by dop853 in " in result.stdout
