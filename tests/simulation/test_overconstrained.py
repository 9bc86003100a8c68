"""Five systems with redundant rows against trusted motions, rows in the order of statement and in reverse.

Source of the numbers: tests/data/README.md. The motion, the sum of the reactions and the listed multipliers are unique.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

CASES = json.loads((Path(__file__).parents[1] / "data" / "overconstrained.json").read_text())


def loaded(text, folder):
    path = folder / "model.toml"
    path.write_text(text)
    return lk.load(path)


@pytest.mark.parametrize("order", ["model", "model_reversed"])
@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_motion_and_reactions(case, order, tmp_path):
    system = loaded(case[order], tmp_path)
    start, times = tuple(case["start"].values()), [0.0, *(row["t"] for row in case["expected"])]
    motion = system.simulate(start=start, until=times[-1], times=times, rtol=1e-9, atol=1e-11)
    assert motion.outcome.complete, motion.outcome
    assert motion.audit.ok, motion.audit.warnings
    total = sum(motion.reactions.values())
    for k, row in enumerate(case["expected"], 1):
        for name, values in (("q", motion.q), ("v", motion.v), ("reaction", total)):
            expected = np.array(row[name])
            np.testing.assert_allclose(values[k], expected, rtol=0, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("method", ["radau5", "bdf", "rattle4"])
def test_other_methods(method, tmp_path):
    case = next(c for c in CASES if c["id"] == "bennett")
    system, row = loaded(case["model"], tmp_path), case["expected"][0]
    motion = system.simulate(start=tuple(case["start"].values()), until=row["t"], method=method)
    assert motion.outcome.complete, motion.outcome
    np.testing.assert_allclose(motion.q[-1], row["q"], rtol=0, atol=2e-4)


def test_a_run_does_not_depend_on_earlier_ones(tmp_path):
    case = next(c for c in CASES if c["id"] == "trammel_with_crank")
    system, (q, v) = loaded(case["model"], tmp_path), case["start"].values()
    first = system.simulate(start=(q, v), until=0.5)
    system.simulate(start=(q, [-x for x in v]), until=1)
    assert system.simulate(start=(q, v), until=0.5).q.tobytes() == first.q.tobytes()


def test_rows_that_are_redundant_at_the_start_alone_act_later():
    """A parallelogram that starts stretched out has dependent rows there and nowhere else; it turns on by inertia."""
    a, b, c = lk.coordinates("a b c")
    system = lk.System("parallelogram", [a, b, c], kinetic=(der(a) ** 2 + der(b) ** 2 + der(c) ** 2) / 2)
    loop = [sp.cos(a) + 2 * sp.cos(b) - sp.cos(c) - 2, sp.sin(a) + 2 * sp.sin(b) - sp.sin(c)]
    motion = system.constrain("loop", loop).simulate(start=([0, 0, 0], [1, 0, 1]), until=2)
    assert motion.outcome.complete, motion.outcome
    np.testing.assert_allclose(motion.q[-1], [2, 0, 2], rtol=0, atol=1e-6)


def test_a_redundant_motor_that_begins_to_differ_is_named():
    x, y = lk.coordinates("x y")
    system = lk.System("slide", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    motors = system.constrain("one", x - lk.t).constrain("two", x - lk.t - lk.t**4 / 10)
    motion = motors.simulate(until=1)
    assert not motion.outcome.complete
    assert motion.outcome.time < 0.1
    assert "'two'" in motion.outcome
