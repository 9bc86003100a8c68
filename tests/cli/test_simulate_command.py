"""The commands simulate and demo with real runs."""

import numpy as np
import pytest
from commands import HIGH, LOW, TWO_MASSES, lienket
from conftest import MODELS

import lienket as lk


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(TWO_MASSES)
    return path


def test_a_falling_mass(model, tmp_path):
    """y = y0 + v0 t - g t^2/2, and x moves uniformly."""
    path = tmp_path / "run.npz"
    options = ("--start", "y=2", "--start", "x'=0.5", "--set", "g=10", "--until", "3", "--times", "7")
    result = lienket("simulate", model, *options, "-o", path)
    assert result.exit_code == 0, result.stderr
    with np.load(path) as saved:
        t, q = saved["t"], saved["q"]
    assert np.array_equal(t, np.linspace(0, 3, 7))
    assert np.allclose(q, np.column_stack([0.5 * t, 2 - 5 * t**2]), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("way", [1, -1])
def test_a_guess_chooses_the_assembly_of_a_four_bar(tmp_path, way):
    """The values of --start are kept; of 1000 fixed steps at most 200 become rows."""
    path = tmp_path / "run.npz"
    options = f"--start a=5/4 --start a'=2 --guess b={0.7 * way} --guess c={1.5 * way}".split()
    options += ["--method", "rattle4", "--step", "1/1000", "--until", "1", "--most-rows", "200"]
    result = lienket("simulate", MODELS / "four_bar.toml", *options, "-o", path)
    assert result.exit_code == 0, result.stderr
    assert "by rattle4 in 1000 steps" in result.stdout
    motion = lk.load(path)
    assert 100 <= len(motion.t) <= 201
    assert (motion.q[0, 0], motion.v[0, 0]) == (1.25, 2.0)
    assert np.sign(motion.q[0, 1:]).tolist() == [way, way]
    assert np.all(np.sin(motion.q[:, 2] - motion.q[:, 1]) * way > 0)


def test_constraints_that_contradict_each_other(model):
    model.write_text(TWO_MASSES + LOW + HIGH)
    result = lienket("simulate", model, "--until", "1")
    assert result.exit_code == 1
    assert "'high' contradicts 'low'" in result.stderr


def test_a_parameter_without_a_number(model):
    model.write_text(TWO_MASSES.replace("g = 9.81", "g = {}"))
    result = lienket("simulate", model, "--until", "1")
    assert result.exit_code == 1
    assert "g has no number" in result.stderr
    assert lienket("simulate", model, "--until", "1", "--set", "g=9.81").exit_code == 0


def test_the_demo_runs_to_its_end(tmp_path):
    folder = tmp_path / "demo"
    result = lienket("demo", "-o", folder)
    assert result.exit_code == 0, result.stderr
    assert {p.suffix for p in folder.iterdir()} == {".png", ".npz", ".toml"}
