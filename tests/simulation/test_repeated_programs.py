"""Programs that repeat another constraint: that one carries the load in runs as at states; the motion is the same."""

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der

x, y = lk.coordinates("x y")
POINT = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y)
LAW = x - sin(lk.t)


def servo(drives, law=LAW, **more):
    return lk.Program(law, drives=drives, **more)


CASES = {
    "a constraint, then a servo": (("motor", LAW), ("servo", servo({"u": {x: 1}}))),
    "a servo, then a constraint": (("servo", servo({"u": {x: 1}})), ("motor", LAW)),
    "a servo whose drive does not reach it": (("motor", LAW), ("servo", servo({"u": {y: 1}}))),
    "two servos": (("one", servo({"u": {x: 1}})), ("two", servo({"w": {x: 2}}))),
    "servos with feedback": (("one", servo({"u": {x: 1}}, feedback=3)), ("two", servo({"w": {x: 2}}, feedback=3))),
    "a constraint, then a servo with feedback": (("motor", LAW), ("servo", servo({"u": {x: 1, y: 1}}, feedback=3))),
    "a combination": (
        ("sum", x + y - lk.t),
        ("one", servo({"u": {x: 1}}, x - lk.t / 3)),
        ("two", servo({"w": {y: 1, x: 0.3}}, y - 2 * lk.t / 3)),
    ),
}


def constrained(system, constraints):
    for name, constraint in constraints:
        system = system.constrain(name, constraint)
    return system


def assert_runs_as_at_states(system, motion):
    """Check the motion, and its drives and reactions against those at its states."""
    assert motion.outcome.complete, motion.outcome
    assert motion.audit.ok, motion.audit.warnings
    for k, t in enumerate(motion.t):
        state = system.at(motion.q[k], motion.v[k], t=float(t))
        assert motion.accelerations[k] == pytest.approx(state.accelerations, abs=1e-7)
        for name, drive in state.drives.items():
            assert motion.drives[name][k] == pytest.approx(drive, abs=1e-6)
        for name, reaction in state.reactions.items():
            assert motion.reactions[name][k] == pytest.approx(reaction, abs=1e-6)


@pytest.mark.parametrize("name", CASES)
def test_runs_and_states_agree(name):
    system = constrained(POINT, CASES[name])
    start = ([0, 0], [1 / 3, 2 / 3] if name == "a combination" else [1, 0])
    verdicts = system.at(*start).verdicts
    assert [verdict.status for verdict in verdicts.values()].count("redundant") == 1
    motion = system.simulate(start=start, until=1, times=[0, 0.3, 1])
    assert_runs_as_at_states(system, motion)
    expected = [np.sin(1), -9.81 / 2] if name != "a combination" else [1 / 3, 2 / 3]
    assert motion.q[-1] == pytest.approx(expected, abs=1e-7)


def test_two_servos_on_the_cranks_of_a_parallelogram():
    """The second is redundant on the constraints only: beside them, in the stages of a step, it seems independent."""
    a, b, c = angles = lk.coordinates("a b c")
    free = lk.System("loop", list(angles), kinetic=sum(der(q) ** 2 for q in angles), potential=3 * sin(a))
    loop = ("loop", [cos(a) + 2 * cos(b) - cos(c) - 2, sin(a) + 2 * sin(b) - sin(c)])
    law = 1 + sin(2 * lk.t) / 2
    servos = (("one", servo({"u": {a: 1}}, a - law)), ("two", servo({"w": {c: 1}}, c - law)))
    for order in ((loop, *servos), (*servos, loop)):
        system = constrained(free, order)
        motion = system.simulate(start=([1, 0, 1], [1, 0, 1]), until=2, times=[0, 0.5, 1, 2])
        assert_runs_as_at_states(system, motion)
        assert motion.q[-1] == pytest.approx([1 + np.sin(4) / 2, 0, 1 + np.sin(4) / 2], abs=1e-7)


def test_contradicting_servos_are_named():
    system = constrained(POINT, (("one", servo({"u": {x: 1}})), ("two", servo({"w": {x: 1}}, x - lk.t))))
    motion = system.simulate(until=1)
    assert not motion.outcome.complete
    assert "'two'" in motion.outcome
