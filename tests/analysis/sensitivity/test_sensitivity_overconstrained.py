"""Derivatives of runs with redundant rows against central differences of the runs themselves."""

import json
from pathlib import Path

import numpy as np
import pytest

import lienket as lk

CASES = {c["id"]: c for c in json.loads((Path(__file__).parents[2] / "data" / "overconstrained.json").read_text())}


@pytest.mark.parametrize(("name", "parameter", "until"), [("bennett", "g", 0.4), ("cart_two_wheels", "J", 0.5)])
def test_derivatives_by_a_parameter(name, parameter, until, tmp_path):
    path = tmp_path / "model.toml"
    path.write_text(CASES[name]["model"])
    system, start = lk.load(path), tuple(CASES[name]["start"].values())
    value = float(system.values[lk.parameters(parameter)])
    sensitivity = system.sensitivity(start=start, until=until, by=[parameter], rtol=1e-10, atol=1e-12)
    h = 1e-4 * value
    ends = [
        system.simulate({parameter: value + d}, start=start, until=until, rtol=1e-11, atol=1e-13).q[-1] for d in (h, -h)
    ]
    expected = (ends[0] - ends[1]) / (2 * h)
    derivatives = [np.atleast_1d(sensitivity[x, parameter])[-1] for x in system.coordinates]
    np.testing.assert_allclose(derivatives, expected, rtol=0, atol=1e-6 * np.abs(expected).max())
    assert sensitivity.audit.ok
