"""Relative and absolute coordinates give the same motion and the same joint wrenches, unique or not."""

import numpy as np
import pytest
from audited import Audited, difference
from random_mechanisms import Drawn

import lienket as lk

QUICK, SLOW = 6, 60
SAME = 1e-9  # [1] relative to the size of the motion, and of the wrench
SEEDS = [*range(QUICK), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, SLOW))]


@pytest.mark.parametrize("seed", SEEDS)
def test_same_motion_and_wrenches(seed):
    drawn = Drawn(1000 + seed, seed % 2 == 0, bodies=2 + seed % 3, loops=seed % 3, parts=seed % 6, moving=seed % 5 == 4)
    relative, absolute = Audited(drawn), Audited(drawn, "absolute")
    for body in drawn.bodies:
        for one, other in zip(relative.motion.T[body.name], absolute.motion.T[body.name], strict=True):
            assert difference(one, other) < SAME
    for link in drawn.links:
        one, other = relative.state.joints[link.name], absolute.state.joints[link.name]
        assert one.unique == other.unique
        assert difference(one.force, other.force) < SAME
        assert difference(one.torque, other.torque) < SAME
    assert max(absolute.balance().values()) < SAME
    assert max(absolute.work().values()) < SAME
    errors = absolute.kinematics().values()
    assert max(max(x) for x in errors) < SAME
    more_rows, more_freedom, *parts = absolute.rows()
    assert (more_rows, more_freedom) == (0, 0)
    assert max(parts) < SAME


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(k, marks=pytest.mark.slow) for k in range(3, 20))])
def test_same_share_of_what_is_not_unique(seed):
    """Overconstrained and rigid: the least wrenches do not depend on the coordinates."""
    drawn = Drawn(seed, seed % 2 == 0, bodies=2, loops=2, parts=0, rigid=True)
    relative, absolute = Audited(drawn).state, Audited(drawn, "absolute").state
    for link in drawn.links:
        one, other = relative.joints[link.name], absolute.joints[link.name]
        assert one.unique == other.unique, link
        assert difference(one.force, other.force) < SAME
        assert difference(one.torque, other.torque) < SAME


def spatial_four_bar(angle=0.6):
    """State a planar four-bar in space; three of its rows are redundant for ever."""
    mechanism = lk.spatial.Mechanism("four-bar", gravity=(0, -9.81, 2.0))
    lengths = {"a": 0.4, "b": 1.0, "c": 0.8}
    bodies = {
        k: mechanism.body(k, mass=1.0, centre=(l / 2, 0, 0), inertia=(0.01, 0.1, 0.1)) for k, l in lengths.items()
    }
    mechanism.revolute("O", mechanism.ground.at(0, 0, 0), bodies["a"].at(0, 0, 0))
    mechanism.revolute("A", bodies["a"].at(0.4, 0, 0), bodies["b"].at(0, 0, 0))
    mechanism.revolute("B", bodies["b"].at(1, 0, 0), bodies["c"].at(0.8, 0, 0))
    mechanism.revolute("C", mechanism.ground.at(1, 0, 0), bodies["c"].at(0, 0, 0))
    return mechanism, lengths


def test_planar_loop_in_space():
    """Accelerations are those of the planar mechanism; the least share is the same in both kinds of coordinates."""
    mechanism, lengths = spatial_four_bar()
    relative, absolute = mechanism.system(), mechanism.system("absolute")
    q, v = relative.consistent({"O": 0.6, "O'": 2.0}, guess={"A": 0.3, "B": 1.0})
    state = relative.at(q, v)
    rows = []
    for name, length in lengths.items():
        body = state.bodies[name]
        angle, rate = np.arctan2(body.rotation[1, 0], body.rotation[0, 0]) / 2, body.angular_velocity[2] / 2
        x = body.position + body.rotation @ [length / 2, 0, 0]
        speed = body.velocity + np.cross(body.angular_velocity, x - body.position)
        turn = (np.cos(angle), 0, 0, np.sin(angle)), (-np.sin(angle) * rate, 0, 0, np.cos(angle) * rate)
        rows.append((np.r_[x, turn[0]], np.r_[speed, turn[1]]))
    other = absolute.at(*map(np.concatenate, zip(*rows, strict=True)))
    for joint in "OABC":
        one, two = state.joints[joint], other.joints[joint]
        assert one.accelerations == pytest.approx(two.accelerations, rel=1e-10)
        assert one.force == pytest.approx(two.force, abs=1e-9)
        assert one.torque == pytest.approx(two.torque, abs=1e-9)
        assert not one.unique and not two.unique


def test_planar_loop_in_space_moves_as_in_the_plane():
    mechanism, lengths = spatial_four_bar()
    flat = lk.planar.Mechanism("four-bar")
    bodies = {k: flat.body(k, mass=1.0, centre=(l / 2, 0), inertia=0.1) for k, l in lengths.items()}
    flat.revolute("O", flat.ground.at(0, 0), bodies["a"].at(0, 0))
    flat.revolute("A", bodies["a"].at(0.4, 0), bodies["b"].at(0, 0))
    flat.revolute("B", bodies["b"].at(1, 0), bodies["c"].at(0.8, 0))
    flat.revolute("C", flat.ground.at(1, 0), bodies["c"].at(0, 0))
    planar, spatial = flat.system(), mechanism.system()
    q, v = planar.consistent({"O": 0.6, "O'": 2.0}, guess={"A": 0.3, "B": 1.0})
    one, two = planar.at(q, v), spatial.at(q, v)
    assert one.accelerations == pytest.approx(two.accelerations, rel=1e-10)
    for joint in "OABC":
        assert one.joints[joint].force == pytest.approx(two.joints[joint].force[:2], abs=1e-9)
        assert one.joints[joint].unique
