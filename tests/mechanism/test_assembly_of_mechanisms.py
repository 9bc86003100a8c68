"""Starts of mechanisms: numbers of any joint, assembly in both kinds of coordinates, loops that cannot close."""

import numpy as np
import pytest

import lienket as lk

CRANK, COUPLER, ROCKER, BASE = 0.1, 0.3, 0.25, 0.3


def four_bar():
    bar = lk.planar.Mechanism("four-bar")
    crank = bar.body("crank", mass=1.0, length=CRANK)
    coupler = bar.body("coupler", mass=2.0, length=COUPLER)
    rocker = bar.body("rocker", mass=1.5, length=ROCKER)
    bar.revolute("O", bar.ground.at(0, 0), crank.at(0, 0))
    bar.revolute("A", crank.at(CRANK, 0), coupler.at(0, 0))
    bar.revolute("B", coupler.at(COUPLER, 0), rocker.at(ROCKER, 0))
    bar.revolute("C", bar.ground.at(BASE, 0), rocker.at(0, 0))
    return bar


def rocker_angles(crank):
    """Return both angles of the rocker by the triangles of the quadrilateral."""
    tip = np.array([CRANK * np.cos(crank) - BASE, CRANK * np.sin(crank)])  # from the rocker's hinge to the crank pin
    distance = np.linalg.norm(tip)
    beyond = np.arccos((ROCKER**2 + distance**2 - COUPLER**2) / (2 * ROCKER * distance))
    return np.arctan2(tip[1], tip[0]) + np.array([beyond, -beyond])


def wrapped(x):
    return (np.asarray(x) + np.pi) % (2 * np.pi) - np.pi


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("crank", [0.3, 1.4, -2.0])
def test_the_loop_closes_as_its_triangles_say(coordinates, crank):
    system = four_bar().system(coordinates)
    state = system.at(*system.consistent({"O": crank, "O'": 3.0}))
    assert np.abs(wrapped(state.joints["C"].q[0] - rocker_angles(crank))).min() < 1e-9
    assert state.joints["O"].q[0] == pytest.approx(crank, abs=1e-12)
    assert state.joints["O"].v[0] == pytest.approx(3.0, abs=1e-11)


def test_a_guess_chooses_the_branch():
    system = four_bar().system()
    upper, lower = rocker_angles(0.3)
    for angle in (upper, lower):
        guess = {"B": -wrapped(angle), "C": angle}
        found = system.at(*system.consistent({"O": 0.3}, guess=guess)).joints["C"].q[0]
        assert wrapped(found - angle) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_numbers_of_a_joint_that_is_cut(coordinates):
    """The crank's rate from the velocity of the coupler's ends along it (rigid coupler)."""
    system = four_bar().system(coordinates)
    guess = {"O": -0.37, "A": 1.5, "B": 0.76}
    state = system.at(*system.consistent({"C": 1.9, "C'": -2.0}, guess=guess))
    assert (state.joints["C"].q[0], state.joints["C"].v[0]) == pytest.approx((1.9, -2.0), abs=1e-9)
    crank, pin = state.joints["O"].q[0], np.array([BASE + ROCKER * np.cos(1.9), ROCKER * np.sin(1.9)])
    end = CRANK * np.array([np.cos(crank), np.sin(crank)])
    along = pin - end
    assert np.linalg.norm(along) == pytest.approx(COUPLER, abs=1e-9)
    rate = (
        -2.0
        * ROCKER
        * np.array([-np.sin(1.9), np.cos(1.9)])
        @ along
        / (CRANK * np.array([-np.sin(crank), np.cos(crank)]) @ along)
    )
    assert state.joints["O"].v[0] == pytest.approx(rate, rel=1e-8)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_the_gap_of_a_loop_that_cannot_close_is_that_of_two_links(coordinates):
    """Two links a, b over a distance D stay D - a - b apart; with the first held at an angle, |D - a| - b."""
    pair = lk.planar.Mechanism("pair")
    a, b = pair.body("a", mass=1, length=0.1), pair.body("b", mass=1, length=0.15)
    pair.revolute("O", pair.ground.at(0, 0), a.at(0, 0))
    pair.revolute("A", a.at(0.1, 0), b.at(0, 0))
    pair.revolute("C", pair.ground.at(0.35, 0), b.at(0.15, 0))
    system = pair.system(coordinates)
    with pytest.raises(lk.LienketError, match="'C'") as error:
        system.consistent({})
    assert error.value.residuals["C"] == pytest.approx(0.35 - 0.25, rel=1e-6)
    with pytest.raises(lk.LienketError, match="'C'") as error:
        system.consistent({"O": 0.3})
    distance = np.hypot(0.35 - 0.1 * np.cos(0.3), 0.1 * np.sin(0.3))
    assert error.value.residuals["C"] == pytest.approx(distance - 0.15, rel=1e-6)
    assert "O = 0.3" in str(error.value)


def test_euler_parameters_begin_in_the_zero_position():
    top = lk.spatial.Mechanism("top")
    body = top.body("body", mass=1, inertia=(0.2, 0.2, 0.1), centre=(0, 0, 0.5))
    top.spherical("ball", top.ground.at(), body.at())
    for coordinates in ("relative", "absolute"):
        state = top.system(coordinates).at(*top.system(coordinates).consistent({}))
        np.testing.assert_allclose(state.bodies["body"].rotation, np.eye(3), atol=1e-12)


def test_axes_of_a_cut_joint_point_the_same_way():
    """Four hinges with parallel axes in space: the guess of a coupler turned over must not be accepted."""
    bar = lk.spatial.Mechanism("four-bar in space")
    lengths = {"crank": CRANK, "coupler": COUPLER, "rocker": ROCKER}
    crank, coupler, rocker = (
        bar.body(x, mass=1, inertia=(0.1, 0.1, 0.1), centre=(l / 2, 0, 0)) for x, l in lengths.items()
    )
    bar.spherical("O", bar.ground.at(), crank.at(), angles="xyz")
    bar.revolute("A", crank.at(CRANK, 0, 0), coupler.at())
    bar.revolute("B", coupler.at(COUPLER, 0, 0), rocker.at(ROCKER, 0, 0))
    bar.revolute("C", bar.ground.at(BASE, 0, 0), rocker.at())
    system = bar.system()
    state = system.at(*system.consistent({"O_angle3": 0.3}, guess={"O_angle1": 2.9}))
    assert state.bodies["rocker"].rotation[2, 2] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_truss_has_a_position_and_forces(coordinates):
    """Two bars over a span: moments about its hinge give the horizontal force of each."""
    truss = lk.planar.Mechanism("truss")
    height, half = 0.3, 0.4
    length = np.hypot(height, half)
    left, right = truss.body("left", mass=2.0, length=length), truss.body("right", mass=2.0, length=length)
    truss.revolute("L", truss.ground.at(0, 0), left.at(0, 0))
    truss.revolute("top", left.at(length, 0), right.at(length, 0))
    truss.revolute("R", truss.ground.at(2 * half, 0), right.at(0, 0))
    system = truss.system(coordinates)
    angle = np.arctan2(height, half)
    state = system.at(*system.consistent({}, guess={"L": angle, "top": np.pi - 2 * angle}))
    # moments about L of the left bar: m g half/2 = H height (V = 0 at the top by symmetry)
    np.testing.assert_allclose(state.joints["top"].force, [2 * 9.81 * half / 2 / height, 0], atol=1e-9)
    np.testing.assert_allclose(state.joints["L"].force, [2 * 9.81 * half / 2 / height, 2 * 9.81], atol=1e-9)
    np.testing.assert_allclose(state.accelerations, 0, atol=1e-12)


def ladder(cells):
    frame, last = lk.planar.Mechanism("ladder"), None
    for i in range(cells + 1):
        rocker = frame.body(f"r{i}", mass=1.0, length=1.0)
        frame.revolute(f"O{i}", frame.ground.at(i, 0), rocker.at(0, 0))
        if last is not None:
            coupler = frame.body(f"c{i}", mass=1.0, length=1.0)
            frame.revolute(f"A{i}", last.at(1.0, 0), coupler.at(0, 0))
            frame.revolute(f"B{i}", coupler.at(1.0, 0), rocker.at(1.0, 0))
        last = rocker
    return frame


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_ladder_is_assembled_near_its_flat_position(coordinates):
    """Ten parallelograms from a singular guess: no rocker goes further than the first."""
    system = ladder(10).system(coordinates)
    state = system.at(*system.consistent({"O0": 1.2}))
    angles = np.array([state.joints[f"O{i}"].q[0] for i in range(11)])
    assert np.abs(angles).max() < 1.2 + 1e-9
    assert np.linalg.svd(system.at(*system.consistent({"O0": 1.2})).G)[1].min() > 1e-3


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_position_of_a_loop_joint_leaves_its_rate_free(coordinates):
    system = four_bar().system(coordinates)
    angle = rocker_angles(1.5)[1]
    state = system.at(*system.consistent({"C": angle, "O'": 5.0}, guess={"O": 1.4, "A": -1.0, "B": 1.2}))
    assert state.joints["O"].q[0] == pytest.approx(1.5, abs=1e-8)
    assert state.joints["O"].v[0] == pytest.approx(5.0, abs=1e-9)
    state = system.at(*system.consistent({"O": 1.5, "O'": 5.0}, guess={"C": angle + 0.05}))
    assert wrapped(state.joints["C"].q[0] - angle) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_an_arm_reaches_a_given_place(coordinates):
    """Two links a, b to a point at the distance D: cos(elbow) = (D^2 - a^2 - b^2)/(2 a b), on the side of the guess."""
    arm = lk.planar.Mechanism("arm")
    upper, lower = arm.body("upper", mass=1, length=0.4), arm.body("lower", mass=1, length=0.3)
    arm.revolute("S", arm.ground.at(0.1, 0), upper.at(0, 0))
    arm.revolute("E", upper.at(0.4, 0), lower.at(0, 0))
    system, target = arm.system(coordinates), np.array([0.5, 0.35])
    distance = np.linalg.norm(target - [0.1, 0])
    elbow = np.arccos((distance**2 - 0.4**2 - 0.3**2) / (2 * 0.4 * 0.3))
    for sign in (1, -1):
        start = system.consistent({lower.at(0.3, 0): target}, guess={"S": 0.7 - 0.5 * sign, "E": sign})
        state = system.at(*start)
        assert state.joints["E"].q[0] == pytest.approx(sign * elbow, abs=1e-8)
    run = system.simulate(start={lower.at(0.3, 0): target}, until=0.01)
    np.testing.assert_allclose(run.point(lower.at(0.3, 0))[0], target, atol=1e-9)
    with pytest.raises(lk.LienketError, match="no such body"):
        system.consistent({arm.body("other").at(0, 0): (1, 2)})
    with pytest.raises(lk.LienketError, match="2 coordinates"):
        system.consistent({lower.at(0.3, 0): (1, 2, 3)})


def test_given_motions_make_a_mechanism_kinematic():
    """A crank turned at a constant rate: no freedom is left, and the rocker follows its triangles."""
    bar = four_bar()
    bar.motion("drive", "O", 0.3 + 5 * lk.t)
    system = bar.system()
    run = system.simulate(start={"O": 0.3}, until=1.0, times=np.linspace(0, 1, 11))
    assert run.outcome.complete, run.outcome
    for t, angle in zip(run.t, run.joints["C"].q[:, 0], strict=True):
        assert np.abs(wrapped(angle - rocker_angles(0.3 + 5 * t))).min() < 1e-7
    power = run.elements["drive"].effort * 5
    assert power.shape == (11,)
    assert run.audit.ok, run.audit.warnings
