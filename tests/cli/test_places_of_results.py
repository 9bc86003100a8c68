"""Places of results are tried before the run, and nothing is written where a run does not begin."""

import os

import pytest
from commands import TWO_MASSES, lienket

import lienket as lk


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES)
    return path


@pytest.fixture
def no_run(monkeypatch):
    """A simulation that must not begin."""

    def simulate(system, **options):
        raise AssertionError("the run began")

    monkeypatch.setattr(lk.System, "simulate", simulate)
    monkeypatch.setattr(lk.System, "equations", simulate)


@pytest.fixture
def places(tmp_path):
    """A folder in which names of results are taken by things that are no files."""
    (tmp_path / "taken" / "trajectory.npz").mkdir(parents=True)
    (tmp_path / "drawn" / "residuals.png").mkdir(parents=True)
    (tmp_path / "demo" / "model.toml").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe.npz")
    return tmp_path


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("-o", "", "it is empty"),
        ("--plots", "", "it is empty"),
        ("-o", "taken/", "it is a folder, not a file"),
        ("-o", "drawn/", "it is a folder, not a file"),
        ("--plots", "drawn", "it is a folder, not a file"),
        ("-o", "file/", "it is a file, not a folder"),
        ("-o", "file/run.csv", "it is a file, not a folder"),
        ("--plots", "file/plots", "it is a file, not a folder"),
        ("-o", "pipe.npz", "it is not a regular file"),
        ("-o", "missing/run.npz", "does not exist"),
        ("-o", "n" * 300 + ".npz", "File name too long"),
        ("-o", "a\0b.npz", "null"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_run(model, no_run, places, option, name, said):
    before = sorted(places.rglob("*"))
    result = lienket("simulate", model, option, f"{places}/{name}" if name else "")
    assert result.exit_code == 2, result.exception
    assert said in result.stderr
    assert sorted(places.rglob("*")) == before


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder in which nobody can create a file")
@pytest.mark.parametrize("arguments", [("-o", "/proc/run.npz"), ("-o", "/proc/results/"), ("--plots", "/proc/plots")])
def test_a_folder_in_which_nobody_can_create_a_file(model, no_run, arguments):
    result = lienket("simulate", model, *arguments)
    assert result.exit_code == 2
    assert "cannot be written: /proc" in result.stderr


def test_the_places_of_the_other_commands(model, no_run, places):
    for arguments in (
        ("demo", "-o", ""),
        ("demo", "-o", places / "demo"),
        ("demo", "-o", places / "file"),
        ("derive", model, "--latex", places / "taken"),
        ("derive", model, "--latex", places / "file" / "equations.tex"),
        ("derive", model, "--latex", places / "missing" / "equations.tex"),
    ):
        result = lienket(*arguments)
        assert result.exit_code == 2, (arguments, result.exception)
        assert result.stdout == ""


@pytest.mark.parametrize(("name", "call"), [("run.npz", "os.fsync"), ("results/", "os.replace")])
def test_a_disk_that_is_full_after_the_run_is_no_fault_of_the_model(model, tmp_path, monkeypatch, name, call):
    def fails(*_):
        raise OSError(28, "No space left on device", ".temporary-name.tmp")

    monkeypatch.setattr(call, fails)
    result = lienket("simulate", model, "--until", "0.1", "-o", f"{tmp_path}/{name}")
    assert result.exit_code == 2
    assert "No space left on device" in result.stderr
    assert ".tmp" not in result.stderr


def test_a_trajectory_is_not_taken_for_a_model(model, tmp_path):
    path = tmp_path / "run.csv"
    assert lienket("simulate", model, "--until", "0.1", "-o", path).exit_code == 0
    for command in ("check", "stages", "derive", "simulate"):
        result = lienket(command, path)
        assert result.exit_code == 2
        assert "a model file (TOML) is expected" in result.stderr
