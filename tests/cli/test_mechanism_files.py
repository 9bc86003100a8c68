"""Commands on a file of bodies and joints: each does what it does on a file of formulas."""

import pytest
from commands import lienket

import lienket as lk

BAR = """
lienket = 1
name = "four-bar"
mechanism = "planar"
coordinates = "COORDINATES"

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
mass = 1.5
length = 0.25

[[joints]]
name = "O"
kind = "revolute"
a = "ground"
b = "crank"
[[joints]]
name = "A"
kind = "revolute"
a = {body = "crank", at = [0.1, 0]}
b = "coupler"
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
"""


@pytest.fixture(params=["relative", "absolute"])
def path(request, tmp_path):
    file = tmp_path / "bar.toml"
    file.write_text(BAR.replace("COORDINATES", request.param))
    return file


def test_check_prints_the_parts_and_the_freedom(path):
    result = lienket("check", path)
    assert result.exit_code == 0 and "it has 1 degree of freedom." in result.stdout
    assert "body rocker: mass 3/2" in result.stdout and "revolute C: ground (0.3, 0) - rocker" in result.stdout
    assert "'C' is independent" in result.stdout


def test_stages_and_equations_are_those_of_the_system(path):
    system = lk.load(path)
    assert lienket("stages", path).stdout.strip() == system.stages().text().strip()
    assert lienket("derive", path).stdout.strip() == system.equations().text().strip()


def test_a_run_is_written_and_read_again_with_its_joints(path, tmp_path):
    result = lienket("simulate", path, "--until", "0.02", "-o", tmp_path / "run.npz")
    assert result.exit_code == 0, result.output
    run = lk.load(tmp_path / "run.npz")
    assert run.system == lk.load(path) and run.joints["B"].force.shape == (len(run.t), 2)


def test_faults_are_told_with_their_places(path):
    path.write_text(
        path.read_text().replace('"rocker"\nmass = 1.5', '"rocker"\nmass = -1.5').replace("coupler", "copler", 1)
    )
    result = lienket("check", path)
    assert result.exit_code == 1 or result.exit_code == 2
    assert "[[bodies]] 'rocker', mass: " in result.stderr and "did you mean 'copler'?" in result.stderr
    assert "Traceback" not in result.output
