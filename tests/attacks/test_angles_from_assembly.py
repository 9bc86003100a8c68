"""Random closed chains whose angles are measured from the assembled position, where all of them are zero.

The terms of the rows are as large as ever there, and so is their rounding. Such a chain starts, at zero and beside it,
is judged, and moves as the same chain with angles measured from a fixed line.
"""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases
from overconstrained_families import closed_polygon

import lienket as lk
from lienket import der

TIMES = (0.0, 0.2, 0.5)


def chains(rng, redundant):
    """Return the chain in both statements, and the directions (n) of its bars in the assembled position."""
    lengths, directions = closed_polygon(rng, int(rng.integers(3, 6)))
    turn, unit, n = rng.uniform(-3, 3), 10.0 ** rng.uniform(-3, 3), len(directions)
    lengths, directions, angle = unit * lengths, directions + turn, rng.uniform(0, 3)
    J, pull, made = 10.0 ** rng.uniform(-1, 1, n), rng.normal(size=n), []
    for offset in (directions, np.zeros(n)):
        q = lk.coordinates(" ".join(f"q{k}" for k in range(n)))
        at = [x + c for x, c in zip(q, offset, strict=True)]
        X = sum(a * sp.cos(p) for a, p in zip(lengths, at, strict=False)) - lengths[-1] * np.cos(turn)
        Y = sum(a * sp.sin(p) for a, p in zip(lengths, at, strict=False)) - lengths[-1] * np.sin(turn)
        T = sum(j * der(x) ** 2 for j, x in zip(J, q, strict=True)) / 2
        V = sum(f * sp.sin(p - c) for f, p, c in zip(pull, at, directions, strict=True))
        system = lk.System("chain", list(q), kinetic=T, potential=V).constrain("x", X).constrain("y", Y)
        if redundant:
            system = system.constrain("turned", np.cos(angle) * X + np.sin(angle) * Y)
        made.append(system)
    return *made, directions


@pytest.mark.parametrize("seed", attack_cases(4))
def test_starts_and_moves_as_with_angles_from_a_line(seed):
    rng = np.random.default_rng([81, seed])
    system, from_line, directions = chains(rng, seed % 2 == 0)
    rest, size = np.zeros(len(directions)), (0.0, 1e-16, 1e-13, 1e-10, 1e-7)[seed % 5]
    start = size * rng.normal(size=len(directions))
    statuses = {verdict.status for verdict in system.at(start, rest).verdicts.values()}
    assert statuses == ({"independent", "redundant"} if seed % 2 == 0 else {"independent"})
    settings = {"until": TIMES[-1], "times": TIMES, "rtol": 1e-9, "atol": 1e-11}
    motion = system.simulate(start=(start, rest), **settings)
    expected = from_line.simulate(start=(directions + motion.q[0], rest), **settings)
    for run in (motion, expected):
        assert run.outcome.complete, run.outcome
        assert run.audit.ok, run.audit.warnings
    np.testing.assert_allclose(motion.q + directions, expected.q, rtol=0, atol=1e-7)
