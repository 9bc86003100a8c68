"""The arguments that the command simulate passes to a stand-in of the simulation, and the files it writes."""

import numpy as np
import pytest
from commands import HIGH, LOW, TWO_MASSES, lienket
from stand_in import Outcome, run

import lienket as lk
from lienket.assembly.run_request import FEWEST_ROWS
from lienket.cli.run_options import MOST_ROWS_MINIMUM
from lienket.simulation.methods import FIXED, NAMES

PLOTS = {"overview.png", "motion.png", "reactions.png", "energy.png", "residuals.png"}


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES + LOW)
    return path


@pytest.fixture
def passed(monkeypatch):
    """Return the arguments passed to the simulation; `answer` changes the run or is an error to raise."""
    seen = {"answer": {}}

    def simulate(system, **options):
        seen.update(options, system=system)
        if isinstance(seen["answer"], Exception):
            raise seen["answer"]
        return run(system, rows=20, **seen["answer"])

    monkeypatch.setattr(lk.System, "simulate", simulate, raising=False)
    return seen


def test_the_help_lists_the_methods_of_the_simulation():
    text = " ".join(lienket("simulate", "--help").stdout.split())
    assert f"--method <{'|'.join(NAMES)}>" in text
    assert f"Fixed step size of {' and '.join(FIXED)}." in text


@pytest.mark.parametrize("method", NAMES)
def test_every_method_is_passed_on(model, passed, method):
    assert lienket("simulate", model, "--method", method).exit_code == 0
    assert passed["method"] == method


def test_the_fewest_rows_are_those_of_the_simulation():
    assert MOST_ROWS_MINIMUM == FEWEST_ROWS


def test_defaults(model, passed):
    result = lienket("simulate", model)
    assert result.exit_code == 0, result.stderr
    assert passed["system"] == lk.load(model)
    assert (passed["values"], passed["start"], passed["times"], passed["progress"]) == ({}, {}, None, None)
    assert (passed["guess"], passed["step"], passed["most_rows"]) == ({}, None, 200_000)
    assert (passed["until"], passed["method"], passed["rtol"], passed["atol"]) == (10.0, "auto", 1e-8, 1e-10)
    assert "The run reached t = 10." in result.stdout
    assert "position   1.0e-12" in result.stdout


def test_every_option_is_passed_on(model, passed):
    options = "--set m=2 --set g=pi --start x=1 --start x'=-0.5 --until 2*pi --method radau5 --rtol 1e-6 --atol 1e-7"
    assert lienket("simulate", model, *options.split(), "--times", "11").exit_code == 0
    assert passed["values"] == {"m": 2.0, "g": np.pi}
    assert passed["start"] == {"x": 1.0, "x'": -0.5}
    assert passed["until"] == 2 * np.pi
    assert (passed["method"], passed["rtol"], passed["atol"]) == ("radau5", 1e-6, 1e-7)
    assert np.array_equal(passed["times"], np.linspace(0, 2 * np.pi, 11))


def test_options_of_long_runs_and_guesses_are_passed_on(model, passed):
    options = "--method rattle4 --step 1/128 --most-rows 5e3 --start x=1 --guess y=2 --guess y'=-0.25"
    assert lienket("simulate", model, *options.split()).exit_code == 0
    assert (passed["method"], passed["step"], passed["most_rows"]) == ("rattle4", 1 / 128, 5000)
    assert (passed["start"], passed["guess"]) == ({"x": 1.0}, {"y": 2.0, "y'": -0.25})


def test_the_longest_step_is_passed_on_and_kept(model, passed, tmp_path):
    assert lienket("simulate", model, "--start", "x=1", "--max-step", "1/64").exit_code == 0
    assert passed["max_step"] == 1 / 64
    assert lienket("simulate", model, "--start", "x=1").exit_code == 0
    assert passed["max_step"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--set", "mm=2"), "did you mean 'm'?"),
        (("--start", "z=2"), "It has x, y, x', y'."),
        (("--start", "m=2"), "no coordinate or velocity 'm'"),
        (("--until", "0"), "it must be positive"),
        (("--rtol", "small"), "is not a number"),
        (("--method", "euler"), "'dop853'"),
        (("--times", "1"), "rows"),
        (("--guess", "z=2"), "It has x, y, x', y'."),
        (("--guess", "m=2"), "no coordinate or velocity 'm'"),
        (("--guess", "x"), "write name=number"),
        (("--start", "x=1", "--guess", "x=2"), "x: --start fixes the value, --guess lets it change"),
        (("--step", "0.01"), "auto adapts its step size; a fixed step needs --method rattle or rattle4"),
        (("--step", "0", "--method", "rattle"), "it must be positive"),
        (("--max-step", "0"), "it must be positive"),
        (("--max-step", "-1"), "it must be positive"),
        (("--max-step", "long"), "is not a number"),
        (("--most-rows", "9"), "it must be an integer of at least 10, not 9"),
        (("--most-rows", "many"), "is not a number"),
        (("--most-rows", "12.5"), "it must be an integer of at least 10, not 12.5"),
        (("-o", "run.txt"), ".txt is not a known format"),
        (("-o", "no such folder/run.csv"), "the folder no such folder does not exist"),
    ],
)
def test_wrong_options_are_refused_before_the_run(model, passed, options, message):
    result = lienket("simulate", model, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert "until" not in passed


@pytest.mark.parametrize("suffix", [".npz", ".csv"])
def test_output_to_a_file_is_the_trajectory(model, passed, tmp_path, suffix):
    path = tmp_path / f"run{suffix}"
    result = lienket("simulate", model, "-o", path)
    assert result.exit_code == 0
    assert path.read_text() == "t\n"
    assert str(path) in result.stdout
    assert {p.name for p in tmp_path.iterdir()} == {"model.toml", path.name}


def test_output_to_a_folder_is_trajectory_and_plots(model, passed, tmp_path):
    folder = tmp_path / "results" / "first"
    result = lienket("simulate", model, "-o", f"{folder}/")
    assert result.exit_code == 0
    assert {p.name for p in folder.iterdir()} == PLOTS | {"trajectory.npz"}
    assert [p for p in folder.iterdir() if str(p) not in result.stdout] == []


def test_plots_alone(model, passed, tmp_path):
    assert lienket("simulate", model, "--plots", tmp_path / "plots").exit_code == 0
    assert {p.name for p in (tmp_path / "plots").iterdir()} == PLOTS


def test_a_file_instead_of_a_folder_is_refused(model, passed):
    result = lienket("simulate", model, "--plots", model)
    assert result.exit_code == 2
    assert "is a file" in result.stderr


def test_a_run_that_stops_early_is_written_and_fails(model, passed, tmp_path):
    passed["answer"] = {"outcome": Outcome.of("At t = 3 the step became too small.", complete=False)}
    result = lienket("simulate", model, "-o", tmp_path / "run.csv")
    assert result.exit_code == 3
    assert "At t = 3 the step became too small." in result.stderr
    assert (tmp_path / "run.csv").exists()


def test_a_numerical_error_and_a_wrong_model_have_different_codes(model, passed):
    passed["answer"] = lk.LienketError("No consistent start was found.")
    result = lienket("simulate", model)
    assert (result.exit_code, result.stderr) == (3, "No consistent start was found.\n")
    passed["answer"] = lk.ModelError("The values", [])
    assert lienket("simulate", model).exit_code == 1


def test_a_contradiction_is_the_fault_of_the_model(model, passed):
    model.write_text(TWO_MASSES + LOW + HIGH)
    passed["answer"] = lk.LienketError("No consistent start was found.")
    result = lienket("simulate", model)
    assert result.exit_code == 1
    assert "'high' contradicts 'low'" in result.stderr


def test_the_demo(passed, tmp_path):
    folder = tmp_path / "demo"
    result = lienket("demo", "-o", folder)
    assert result.exit_code == 0, result.stderr
    system = passed["system"]
    assert lk.load(folder / "model.toml") == system
    assert {p.name for p in folder.iterdir()} == PLOTS | {"trajectory.npz", "model.toml"}
    for text in (system.stages().text(), system.equations("reduced").text(), "position   1.0e-12"):
        assert [line for line in text.splitlines() if line.rstrip() not in result.stdout] == []
    assert [p for p in folder.iterdir() if str(p) not in result.stdout] == []
