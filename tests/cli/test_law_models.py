"""The commands on models with laws, contacts and servos."""

import pytest
from commands import lienket
from conftest import MODELS

import lienket as lk

STARTS = {
    "belt": "",
    "thrown_body": "--start y=0.2 --start x'=2",
    "slider_crank_friction": "--start phi=1",
    "crane": "--start s=0 --start l=4 --guess z=4",
}


@pytest.mark.parametrize("name", STARTS)
def test_check_stages_and_derive(name):
    commands = {"check": "The model is valid", "stages": "independent", "derive --form multipliers": "lambda_1"}
    for command, word in commands.items():
        result = lienket(*command.split(), MODELS / f"{name}.toml")
        assert result.exit_code == 0 and word in result.stdout, result.output


@pytest.mark.parametrize("name", STARTS)
def test_simulate_with_all_results(name, tmp_path):
    result = lienket(
        "simulate", MODELS / f"{name}.toml", *STARTS[name].split(), "--until", "0.4", "-o", f"{tmp_path}/run/"
    )
    assert result.exit_code == 0, result.output
    word = "drive F " if name == "crane" else f"contact {lk.load(MODELS / f'{name}.toml').constraints[0].name}"
    assert word in result.stdout and "nan" not in result.stdout
    motion = lk.load(tmp_path / "run" / "trajectory.npz")
    assert motion.system == lk.load(MODELS / f"{name}.toml") and motion.t[-1] == 0.4
    plots = {"overview", "motion", "reactions", "energy", "residuals", "drives" if name == "crane" else "contacts"}
    occurred = any(len(times) for times in motion.events.values())
    assert {path.stem for path in (tmp_path / "run").glob("*.png")} == plots | ({"events"} if occurred else set())


@pytest.mark.parametrize(
    ("name", "options", "code", "words"),
    [
        ("belt", "--set mu_s=0.1", 1, "mu_static = 0.1 is less than mu = 0.25"),
        ("belt", "--set mu=-1", 1, "mu must not be negative"),
        ("belt", "--start y=1", 3, "'belt' is off by 1"),
        ("belt", "--set direction(belt)=1", 2, "The model has no parameter 'direction(belt)'"),
        ("belt", "--method ida", 3, "'ida' supports neither friction"),
        ("thrown_body", "--start y=-1", 3, "wrong side of the contact 'slope': its gap is -1"),
        ("thrown_body", "--set e=2", 1, "restitution must lie between 0 and 1"),
        ("slider_crank_friction", "--start phi=1 --start phi'=3 --set mu=30 --set mu_s=30", 3, "no motion obeys"),
        ("crane", "--set Fmax=-5", 1, "the lower bound of drive 'F', 5, exceeds its upper bound, -5"),
    ],
)
def test_impossible_runs_are_reported_without_a_traceback(name, options, code, words):
    result = lienket("simulate", MODELS / f"{name}.toml", *options.split(), "--until", "0.2")
    assert result.exit_code == code, result.output
    assert words in " ".join(result.output.split()) and "Traceback" not in result.output
