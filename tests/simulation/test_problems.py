"""Reference problems: each run must reach numbers that are published, closed or computed with many more digits.

The permitted error is that of the trusted digits, or 1e-9 of the scale where more digits are trusted; a problem states
the reason where it permits more. See problems/ and tests/data/README.md.
"""

import numpy as np
import pytest
from problems import PROBLEMS, Row
from problems.four_bars import reduced
from problems.problem import published

SLOW = {"four_bars_40", "flyball_bodies", "babyboot_bodies"}
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in PROBLEMS]


@pytest.mark.parametrize("name", NAMES)
def test_run_reaches_the_reference_values(name):
    problem = PROBLEMS[name]()
    times = problem.times
    motion = problem.system.simulate(
        start=problem.start, until=times[-1], times=times, rtol=problem.rtol, atol=problem.rtol
    )
    assert list(motion.t) == times
    rows = {time: Row.of(motion, k) for k, time in enumerate(times)}
    errors = {(e.label, e.time): e.error(rows[e.time - problem.t0]) for e in problem.expected}
    assert {what: error for what, error in errors.items() if not error <= 1} == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_start_is_on_the_constraints(name):
    problem = PROBLEMS[name]()
    q, v = problem.start
    residuals = problem.system.at(q, v).audit.residuals
    assert max([*residuals["position"].values(), *residuals["velocity"].values()], default=0.0) <= 1e-14


def test_the_reduction_of_four_bars_is_the_published_motion():
    for expected in published()["A02_Nfourbar40"]["expected"]:
        assert np.abs(np.subtract(reduced(40, 1.0, expected["t"]), expected["value"])).max() <= 1e-13
