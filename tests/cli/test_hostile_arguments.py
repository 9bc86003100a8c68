"""Numbers, names and files that nobody should type end in a message and an exit code of the document."""

import os

import pytest
from commands import TWO_MASSES, lienket
from conftest import MODELS

BALL = '[[constraints]]\nname = "floor"\nequation = "y"\nlaw = {kind = "unilateral", restitution = 0.5}\n'
ARGUMENTS = [
    ("--times", "²"), ("--times", "٣"), ("--times", ""), ("--times", "1e99"), ("--times", "9" * 30),
    ("--until", "nan"), ("--until", "inf"), ("--until", "1e-320"), ("--until", "1e999"), ("--until", "-1"),
    ("--chattering", "1e300"), ("--chattering", "1"), ("--most-rows", "1e300"), ("--rtol", "1e300"), ("--atol", "0"),
    ("--method", "rattle", "--step", "1e-300"), ("--method", "rattle", "--step", "1e300"), ("--method", ""),
    ("--start", "y=1e300"), ("--start", "y=-1e300"), ("--start", "y=nan"), ("--start", "="), ("--start", "y''=1"),
    ("--start", "y=" + "(" * 3000), ("--start", "y=2^9999"), ("--start", "y=1/0"), ("--start", "y=__import__"),
    ("--start", "φ=1"), ("--set", "\0=1"), ("--set", "m=1e308"), ("--set", "m=0"), ("--guess", "y=-1e300"),
    ("-o", "\ud800.npz"), ("-o", "x\0.npz"), ("--plots", "x\0"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda a: ascii(" ".join(a))[:40])
def test_arguments_of_simulate(tmp_path, arguments):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES + BALL)
    until = () if "--until" in arguments else ("--until", "0.2")
    result = lienket("simulate", path, *arguments, *until)
    assert result.exit_code in (0, 2, 3), result.output
    assert (result.exit_code == 0) == (result.stderr == "")
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", ["check", "stages", "derive", "simulate"])
@pytest.mark.parametrize("content", [b"", b"\0", b"\xff\xfe", b"a = ", b"[[", b"\n" * 50, "name = 'ξ☃'".encode()])
def test_files_that_are_no_models(tmp_path, command, content):
    path = tmp_path / "mödel ☃.toml"
    path.write_bytes(content)
    result = lienket(command, path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert str(path) in result.stderr


@pytest.mark.parametrize("name", ["", ".", "x\0y", "n" * 400, "missing.toml", os.devnull])
def test_names_of_files(name):
    result = lienket("check", name)
    assert result.exit_code in (1, 2)
    assert result.stderr
    assert result.stdout == ""


def test_a_model_without_inertia_is_told_by_the_run(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES.replace("m*(der(x)^2 + der(y)^2)/2", "m*der(x)^2/2"))
    result = lienket("simulate", path, "--until", "1")
    assert result.exit_code == 3
    assert "did not reach its end" in result.stderr


def test_no_step_is_shorter_than_the_rounding_of_time():
    options = ("--method", "rattle", "--step", "1e-17", "--until", "1")
    result = lienket("simulate", MODELS / "slider_crank.toml", *options)
    assert result.exit_code == 2
    assert "--step: 1e-17 is smaller than the rounding of the times of the run" in result.stderr
