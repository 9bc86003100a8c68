"""A ladder of parallelograms with a redundant row for each cell: its run is that of one freedom, by compiled functions.

Bars of the lower rail lie between fixed hinges, two rows each more than they need; rungs turn about these hinges and
carry the bars of the upper rail. All bodies are stated by x, y and angle.
"""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.compiled.model import of_rows
from lienket.simulation.row_selection import selected_rows

MASS, INERTIA, RUNG, BAR, GRAVITY = 1.2, 0.1, 0.5, 0.4, 9.81
ANGLE, RATE = -1.0, 0.3


def ladder(cells):
    """Return the ladder by 3 (3 cells + 1) coordinates."""
    bodies = {f"{kind}{k}": lk.coordinates(f"x{kind}{k} y{kind}{k} a{kind}{k}")
              for kind, count in (("r", cells + 1), ("l", cells), ("u", cells)) for k in range(count)}  # fmt: skip
    kinetic = sum(MASS * (der(x) ** 2 + der(y) ** 2) + INERTIA * der(a) ** 2 for x, y, a in bodies.values()) / 2
    weight = sum(MASS * GRAVITY * y for _, y, _ in bodies.values())
    system = lk.System("ladder", [x for body in bodies.values() for x in body], kinetic=kinetic, potential=weight)

    def end(name, side):
        x, y, a = bodies[name]
        half = side * (RUNG if name[0] == "r" else BAR) / 2
        return x + half * sp.cos(a), y + half * sp.sin(a)

    joints = [(f"foot {k}", end(f"r{k}", -1), (k * BAR, 0)) for k in range(cells + 1)]
    for k in range(cells):
        joints += [(f"lower {k}", end(f"l{k}", -1), (k * BAR, 0)), (f"lower {k}'", end(f"l{k}", 1), ((k + 1) * BAR, 0))]
        joints += [
            (f"upper {k}{mark}", end(f"u{k}", side), end(f"r{k + (side > 0)}", 1))
            for mark, side in (("", -1), ("'", 1))
        ]
    for name, p, q in joints:
        system = system.constrain(name, [a - b for a, b in zip(p, q, strict=True)])
    return system


def state(cells, angle, rate):
    """Return positions and velocities of all bodies at an angle of the rungs and its rate."""
    c, s, q, v = RUNG * np.cos(angle), RUNG * np.sin(angle), [], []
    for k in range(cells + 1):
        q, v = [*q, k * BAR + c / 2, s / 2, angle], [*v, -s / 2, c / 2, 1]
    for k in range(cells):
        q, v = [*q, (k + 0.5) * BAR, 0, 0], [*v, 0, 0, 0]
    for k in range(cells):
        q, v = [*q, (k + 0.5) * BAR + c, s, 0], [*v, -s, c, 0]
    return np.array(q), rate * np.array(v)


def by_one_angle(cells, until):
    """Return angle and rate of the rungs at the end, by one coordinate."""
    a = lk.coordinates("a")
    inertia = (cells + 1) * (INERTIA + MASS * RUNG**2 / 4) + cells * MASS * RUNG**2
    weight = MASS * GRAVITY * RUNG * ((cells + 1) / 2 + cells) * sp.sin(a)
    one = lk.System("one", [a], kinetic=inertia * der(a) ** 2 / 2, potential=weight)
    run = one.simulate(start=([ANGLE], [RATE]), until=until, rtol=1e-11, atol=1e-13)
    return run.q[-1, 0], run.v[-1, 0]


@pytest.mark.parametrize("cells", [1, pytest.param(12, marks=pytest.mark.slow)])
def test_the_run_of_a_ladder_is_that_of_one_angle(cells):
    system = ladder(cells)
    n, rows = 3 * (3 * cells + 1), 2 * (5 * cells + 1)
    motion = system.simulate(start=state(cells, ANGLE, RATE), until=1.0, rtol=1e-9, atol=1e-11)
    assert motion.outcome.complete and motion.audit.ok
    assert (motion.q.shape[1], len(motion.system.at(motion.q[0], motion.v[0]).G)) == (n, rows)
    expected = state(cells, *by_one_angle(cells, 1.0))
    np.testing.assert_allclose(motion.q[-1], expected[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(motion.v[-1], expected[1], rtol=0, atol=1e-8)
    # The function of the rows that act accepts its pivots at every row: no evaluation needs the elimination of all.
    problem = motion._run.problem
    chosen = selected_rows(problem, 0.0, motion.q[0], motion.v[0], problem.parameters)
    assert chosen.compiled and len(chosen.rows) == n - 1
    function = problem.model.function(of_rows("motion", chosen.rows))
    _, p, k = function.info.lengths
    for t, q, v, a in zip(motion.t, motion.q, motion.v, motion.accelerations, strict=True):
        status, found = function(t, q.copy(), v.copy(), problem.parameters[:p], np.zeros(k))
        assert status == 0
        np.testing.assert_allclose(found[:n], a, rtol=0, atol=1e-9)
