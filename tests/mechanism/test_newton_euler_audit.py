"""Newton and Euler for every body of random mechanisms, with the joint reactions and efforts that are reported.

    m a = m g + sum of forces,    J om' + om x J om = sum of moments about the centre

Accelerations of the bodies come from products of frames differentiated in NumPy; see independent_mechanics.
"""

import numpy as np
import pytest
from audited import Audited
from independent_mechanics import turned
from random_mechanisms import Drawn

import lienket as lk

QUICK, SLOW = 16, 400
EXACT = 1e-9  # [1] relative to the largest force, moment or velocity of a body
SEEDS = [*range(QUICK), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, SLOW))]


def drawn_mechanism(seed):
    """Trees, one and two loops, with and without elements and places moved by time, in the plane and in space."""
    return Drawn(seed, seed % 2 == 0, bodies=2 + seed % 4, loops=seed % 3, parts=seed % 7, moving=seed % 5 == 0)


def largest(errors):
    return max((float(np.max(x)) for x in errors.values()), default=0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_body_is_in_balance(seed):
    """Also: what is reported of motion is that of the bodies, reactions do no work on free motions, G D = 0."""
    audited = Audited(drawn_mechanism(seed))
    assert largest(audited.kinematics()) < EXACT
    assert largest(audited.balance()) < EXACT
    assert largest(audited.work()) < EXACT
    assert largest(audited.other_axes()) < EXACT
    more_rows, more_freedom, *parts = audited.rows()
    assert (more_rows, more_freedom) == (0, 0)
    assert max(parts) < EXACT
    assert audited.state.audit.accurate


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(k, marks=pytest.mark.slow) for k in range(4, 30))])
def test_rigid_mechanisms_are_in_balance(seed):
    """Without freedom, statically determinate or not: any share of what is not unique is in balance too."""
    planar = seed % 2 == 0
    audited = Audited(Drawn(seed, planar, bodies=2, loops=1 + seed % 2, parts=0, rigid=True))
    assert not audited.state.accelerations.round(9).any()
    assert largest(audited.balance()) < EXACT
    assert largest(audited.work()) < EXACT


# Single properties that random mechanisms rarely show


@pytest.mark.parametrize("axis", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1), (1, 2, 2)])
def test_angle_of_a_cut_joint_is_right_handed(axis):
    """A body that turns with om has the angle's rate n . om, in absolute coordinates too."""
    mechanism = lk.spatial.Mechanism("hinge")
    body = mechanism.body("b", mass=1.0, inertia=(1.0, 1.0, 1.0))
    mechanism.revolute("H", mechanism.ground.at(0, 0, 0), body.at(0, 0, 0), axis=axis)
    system = mechanism.system("absolute")
    n = np.array(axis) / np.linalg.norm(axis)
    half = 0.35
    q = np.r_[0, 0, 0, np.cos(half), np.sin(half) * n]
    v = np.r_[0, 0, 0, -np.sin(half), np.cos(half) * n]  # om = 2 n
    state = system.at(q, v)
    assert state.bodies["b"].angular_velocity == pytest.approx(2 * n, abs=1e-12)
    assert state.joints["H"].q == pytest.approx([2 * half], abs=1e-12)
    assert state.joints["H"].v == pytest.approx([2], abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_door_on_two_slanted_hinges(seed):
    """The second hinge only repeats the first: the door swings as on one, and both carry it together.

    About the axis n through a point of it, J_n q'' = n . (s x m g), J_n = n . J n + m |n x s|^2.
    """
    rng = np.random.default_rng(seed)
    axes = [turned(n / np.linalg.norm(n), angle) for n, angle in ((rng.normal(size=3), 1.0), (rng.normal(size=3), 0.7))]
    (R, B), J = axes, np.diag([1.0, 2.0, 2.5])
    mechanism = lk.spatial.Mechanism("door")
    door = mechanism.body("door", mass=1.5, inertia=J)
    for name, height in (("low", 0.0), ("high", 1.1)):
        point = R @ [0.1, 0.2, height]
        mechanism.revolute(name, mechanism.ground.at(*point, rotation=R), door.at(*(B.T @ point), rotation=B.T @ R))
    angle, n = 0.3, R[:, 2]
    state = mechanism.system().at([angle], [0.0])
    foot = R @ [0.1, 0.2, 0]
    turn = turned(n, angle)
    s, g = -turn @ foot, np.array([0, 0, -9.81])
    inertia = n @ turn @ B @ J @ (turn @ B).T @ n + 1.5 * np.cross(n, s) @ np.cross(n, s)
    expected = n @ np.cross(s, 1.5 * g) / inertia
    assert state.accelerations == pytest.approx([expected], rel=1e-10)
    total = state.joints["low"].force + state.joints["high"].force
    assert total == pytest.approx(1.5 * (expected * np.cross(n, s) - g), abs=1e-9)
    assert not state.joints["low"].unique


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_spring_on_the_angle_of_a_joint_that_closes_a_loop(coordinates):
    """A body between two hinges on one line: the spring on the second hinge turns it, the first hinge feels nothing.

    About the line the reactions have no torque, and at a centre on the line they are zero without gravity.
    """
    mechanism = lk.spatial.Mechanism("shaft", gravity=(0, 0, 0))
    shaft = mechanism.body("shaft", mass=1.0, inertia=(1.0, 1.0, 0.5))
    mechanism.revolute("first", mechanism.ground.at(0, 0, 0), shaft.at(0, 0, 0))
    mechanism.cylindrical("second", mechanism.ground.at(0, 0, 1), shaft.at(0, 0, 1))
    mechanism.torsion_spring("spring", "second_angle", stiffness=3.0)
    system = mechanism.system(coordinates)
    q, v = system.consistent({"first": 0.4, "second_angle": 0.4, "first'": 0, "second_angle'": 0})
    state = system.at(q, v)
    assert state.joints["first"].accelerations == pytest.approx([-3.0 * 0.4 / 0.5], rel=1e-11)
    assert state.elements["spring"].effort == pytest.approx(-1.2, rel=1e-11)
    for joint in ("first", "second"):
        assert state.joints[joint].force == pytest.approx([0, 0, 0], abs=1e-11)
        assert state.joints[joint].torque == pytest.approx([0, 0, 0], abs=1e-11)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_nut_held_by_a_given_motion(coordinates):
    """A nut at rest on a vertical screw: force m g along the axis, torque -m g h/2pi, which the motion balances."""
    mechanism = lk.spatial.Mechanism("nut")
    nut = mechanism.body("nut", mass=2.0, inertia=(1.0, 1.0, 0.5))
    mechanism.screw("S", mechanism.ground.at(0, 0, 0), nut.at(0, 0, 0), pitch=0.3)
    mechanism.motion("M", "S", 0.0)
    system = mechanism.system(coordinates)
    n = len(system.coordinates)
    state = system.at([0.0] if n == 1 else [0, 0, 0, 1, *[0] * (n - 4)], [0.0] * n)
    weight = 2 * 9.81
    assert state.joints["S"].force == pytest.approx([0, 0, weight], abs=1e-11)
    assert state.joints["S"].torque == pytest.approx([0, 0, -weight * 0.3 / (2 * np.pi)], abs=1e-11)
    assert state.elements["M"].effort == pytest.approx(weight * 0.3 / (2 * np.pi), rel=1e-11)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_rod_that_shares_a_load(coordinates):
    """Two cranks and a rod of equal length carry a coupler: the shares are not unique, their sum is."""
    mechanism = lk.planar.Mechanism("parallelogram")
    cranks = [mechanism.body(name, mass=1.0, length=0.5) for name in "ab"]
    coupler = mechanism.body("c", mass=2.0, length=1.0)
    for x, name, crank in ((0, "O", cranks[0]), (1, "P", cranks[1])):
        mechanism.revolute(name, mechanism.ground.at(x, 0), crank.at(0, 0))
    mechanism.revolute("A", cranks[0].at(0.5, 0), coupler.at(0, 0))
    mechanism.revolute("B", cranks[1].at(0.5, 0), coupler.at(1, 0))
    mechanism.rod("R", mechanism.ground.at(0.4, 0), coupler.at(0.4, 0), length=0.5)
    system = mechanism.system(coordinates)
    c, s = np.cos(1.0), np.sin(1.0)
    q = [0.25 * c, 0.25 * s, 1, 1 + 0.25 * c, 0.25 * s, 1, 0.5 + 0.5 * c, 0.5 * s, 0]
    state = system.at([1.0, 1.0, -1.0] if coordinates == "relative" else q, np.zeros(len(system.coordinates)))
    along = state.joints["O"].accelerations[0] * 0.5 * np.array([-s, c])
    rod = -state.elements["R"].effort * np.array([c, s])
    total = state.joints["A"].force + state.joints["B"].force + rod + 2 * np.array([0, -9.81])
    assert total == pytest.approx(2 * along, abs=1e-9)
