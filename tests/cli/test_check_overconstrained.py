"""The command check on linkages with redundant rows: valid, with their true freedom."""

import json
from pathlib import Path

import pytest
from commands import lienket

CASES = {case["id"]: case for case in json.loads((Path(__file__).parents[1] / "data/overconstrained.json").read_text())}
QUICK = ("cart_two_wheels", "two_motors")


@pytest.mark.parametrize("order", ["model", "model_reversed"])
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_check_prints_the_true_freedom(name, order, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(CASES[name][order], encoding="utf-8")
    result = lienket("check", path)
    count = CASES[name]["freedom"]
    assert result.exit_code == 0
    assert f"it has {count} degree{'s' if count > 1 else ''} of freedom." in result.stdout
    assert "redundant" in result.stdout
