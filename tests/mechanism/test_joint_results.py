"""Results of joints: formulas by release, stops, turns, points, places moved by time, redundant rows."""

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der
from lienket.reactions.joint_reaction import joint_reaction


def arm():
    """Return a planar arm of two links with a motor, and a spatial one with a universal and a cylindrical joint."""
    planar = lk.planar.Mechanism("planar arm")
    a, b = planar.body("a", mass=1.0, length=0.4), planar.body("b", mass=0.5, inertia=0.01, centre=(0.1, 0.05))
    planar.revolute("H", planar.ground.at(0, 0), a.at(0, 0))
    planar.slot("S", b.at(0.05, 0), a.at(0.4, 0), axis=(1, 2))
    planar.motor("M", "H", 2.0)
    spatial = lk.spatial.Mechanism("spatial arm")
    a = spatial.body("a", mass=1, inertia=(0.1, 0.2, 0.25), centre=(0.3, 0.1, 0))
    b = spatial.body("b", mass=0.5, inertia=(0.02, 0.03, 0.04), centre=(0.1, 0, 0.2))
    spatial.universal("H", spatial.ground.at(), a.at(), axes=((1, 0, 0), (0, 1, 1)))
    spatial.cylindrical("S", b.at(), a.at(0.5, 0, 0), axis=(0, 1, 1))
    spatial.motor("M", "S_angle", 2.0)
    spatial.motor("N", "H_angle1", 1.0)
    return planar, spatial


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_formulas_of_reactions_are_the_reactions(k, coordinates):
    """Evaluated along a run, in the axes of the second place."""
    mechanism = arm()[k]
    relative = mechanism.system()
    rng = np.random.default_rng(k)
    start = dict(zip(relative.statement.names, rng.normal(size=4) * 0.4, strict=False))
    start |= {f"{x}'": rate for x, rate in zip(relative.statement.names, rng.normal(size=4), strict=False)}
    system = mechanism.system(coordinates)
    for name in ("H", "S"):
        formula = joint_reaction(system.statement, name)
        outputs = {f"{j}": e for j, e in enumerate((*formula.force, *formula.torque))}
        run = system.simulate(start=start, times=[0, 0.01], outputs=outputs)
        joint = run.joints[name].in_axes("second")
        expected = np.concatenate([joint.force[0], np.atleast_1d(joint.torque[0])])
        found = [run.outputs[f"{j}"][0] for j in range(len(outputs))]
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_stop_keeps_part_of_the_energy(coordinates):
    """A rod strikes a stop: its rate after is -e times that before, and it comes back to the height of that energy."""
    pendulum = lk.planar.Mechanism("pendulum")
    rod = pendulum.body("rod", mass=1.0, length=1.0)
    pendulum.revolute("H", pendulum.ground.at(0, 0), rod.at(0, 0))
    pendulum.stop("S", "H", lower=-1.2, restitution=0.5)
    run = pendulum.system(coordinates).simulate(start={"H": 0.0}, until=1.2, rtol=1e-10, atol=1e-12)
    strike = run.switches[0]
    rate = np.sqrt(2 * 9.81 * 0.5 * np.sin(1.2) * 3)  # m g l/2 sin = m l^2/3 om^2/2
    assert run.at(strike.t - 1e-9).joints["H"].v[0] == pytest.approx(-rate, rel=1e-6)
    assert run.at(strike.t + 1e-9).joints["H"].v[0] == pytest.approx(rate / 2, rel=1e-6)
    assert run.audit.ok
    assert strike.energy_lost == pytest.approx(0.75 * rate**2 / 6, rel=1e-8)


def test_angles_of_cut_joints_count_their_turns():
    wheel = lk.spatial.Mechanism("wheel")
    body = wheel.body("wheel", mass=1, inertia=(0.1, 0.1, 0.2))
    wheel.revolute("H", wheel.ground.at(), body.at())
    run = wheel.system("absolute").simulate(start={"H'": 10.0}, until=3.0)
    assert run.joints["H"].q[-1, 0] == pytest.approx(30.0, rel=1e-7)


def test_a_gear_and_springs_in_absolute_coordinates():
    """Elements that count turns: the same motion in both kinds of coordinates, over several turns and an impact."""
    frame = lk.spatial.Mechanism("gear")
    a = frame.body("a", mass=1, inertia=(0.1, 0.2, 0.25), centre=(0.3, 0.1, 0))
    b = frame.body("b", mass=0.5, inertia=(0.02, 0.03, 0.04), centre=(0.1, 0, 0.2))
    frame.revolute("H", frame.ground.at(), a.at(), axis=(1, 2, 2))
    frame.cylindrical("C", a.at(0.5, 0, 0), b.at(), axis=(0, 1, 1))
    frame.torsion_spring("T", "H", stiffness=3, angle=0.3)
    frame.torsion_spring("L", "C_distance", stiffness=50)
    frame.gear("G", "C_angle", "H", ratio=2.5)
    frame.stop("S", "H", lower=-1.0, restitution=0.5)
    settings = {"start": {"H": 0.2, "H'": 8.0}, "until": 2.5, "rtol": 1e-10, "atol": 1e-12}
    runs = [frame.system(coordinates).simulate(**settings) for coordinates in ("relative", "absolute")]
    assert all(run.outcome.complete and run.audit.ok for run in runs)
    assert [len(run.switches) for run in runs] == [1, 1]
    for name in ("H", "C"):
        ends = [run.at(2.5).joints[name] for run in runs]
        np.testing.assert_allclose(ends[1].q, ends[0].q, atol=1e-7)
        np.testing.assert_allclose(ends[1].force, ends[0].force, atol=1e-5)
        np.testing.assert_allclose(ends[1].torque, ends[0].torque, atol=1e-5)
    for name in ("G", "T", "L"):
        assert runs[1].at(2.5).elements[name].effort == pytest.approx(runs[0].at(2.5).elements[name].effort, abs=1e-6)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_pivot_moved_by_time(coordinates):
    """The pivot of a rod moves on a curve and its axes turn: the same motion as by Lagrange's equations."""
    t, length = lk.t, 0.5
    moved = lk.planar.Mechanism("moved pivot")
    rod = moved.body("rod", mass=1.2, length=length)
    moved.revolute("H", moved.ground.at(0.2 * sin(3 * t), 0.1 * t**2, 0.4 * t**2), rod.at(0, 0))
    q = lk.coordinates("q")
    angle = q + 0.4 * t**2
    x, y = 0.2 * sin(3 * t) + length / 2 * cos(angle), 0.1 * t**2 + length / 2 * sin(angle)
    kinetic = 1.2 * (der(x) ** 2 + der(y) ** 2) / 2 + 1.2 * length**2 / 12 * der(angle) ** 2 / 2
    formulas = lk.System("formulas", [q], kinetic=kinetic, potential=1.2 * 9.81 * y)
    settings = {"times": [0, 0.4, 1.0], "rtol": 1e-11, "atol": 1e-13}
    expected = formulas.simulate(start={"q": 0.3, "q'": 1.0}, **settings)
    run = moved.system(coordinates).simulate(start={"H": 0.3, "H'": 1.0}, **settings)
    np.testing.assert_allclose(run.joints["H"].q[:, 0], expected.q[:, 0], atol=1e-8)
    end = run.point(rod.at(length, 0))
    place = [
        0.2 * np.sin(3.0) + length * np.cos(expected.q[-1, 0] + 0.4),
        0.1 + length * np.sin(expected.q[-1, 0] + 0.4),
    ]
    np.testing.assert_allclose(end[-1], place, atol=1e-8)
    # Newton's law of the centre gives the force at the hinge
    centre = run.point(rod.at(length / 2, 0))
    assert centre.shape == (3, 2)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_the_least_share_of_hinges_on_one_line(coordinates):
    """A door at rest: the same weight on each of three hinges, and couples by the least sum of squares; not unique."""
    door = lk.spatial.Mechanism("door")
    leaf = door.body("leaf", mass=20, inertia=(6, 8, 2), centre=(0.4, 0, 0))
    heights = (-0.8, 0.0, 0.8)
    for k, height in enumerate(heights):
        door.revolute(f"h{k}", door.ground.at(0, 0, height), leaf.at(0, 0, height))
    state = door.system(coordinates).at(*door.system(coordinates).consistent({}))
    forces = np.array([state.joints[f"h{k}"].force for k in range(3)])
    torques = np.array([state.joints[f"h{k}"].torque for k in range(3)])
    assert not any(state.joints[f"h{k}"].unique for k in range(3))
    np.testing.assert_allclose(forces[:, 2], 20 * 9.81 / 3, atol=1e-8)
    # couple about y: 20 g 0.4 = sum (z_k F_kx + M_ky), F_x = c z_k, M_y = c l^2 with the length l = 1.6 of the leaf
    share = 20 * 9.81 * 0.4 / (sum(z**2 for z in heights) + 3 * 1.6**2)
    np.testing.assert_allclose(np.abs(forces[:, 0]), np.abs(share * np.array(heights)), atol=1e-8)
    np.testing.assert_allclose(np.abs(torques[:, 1]), share * 1.6**2, atol=1e-8)
    assert abs(sum(z * f for z, f in zip(heights, forces[:, 0], strict=True)) + torques[:, 1].sum()) == pytest.approx(
        20 * 9.81 * 0.4
    )


def test_a_structure_without_coordinates():
    bracket = lk.planar.Mechanism("bracket")
    body = bracket.body("bracket", mass=2, length=1)
    bracket.weld("wall", bracket.ground.at(0, 0), body.at(0, 0))
    bracket.force("load", body.at(1, 0), (3, 4))
    bracket.torque("couple", body, 5)
    system = bracket.system()
    joint = system.at([], []).joints["wall"]
    np.testing.assert_allclose(joint.force, [-3, 2 * 9.81 - 4], atol=1e-12)
    assert joint.torque == pytest.approx(2 * 9.81 / 2 - 4 - 5)
    with pytest.raises(lk.ModelError, match="nothing moves"):
        system.simulate(until=1)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_released_joint_is_no_joint_any_more(coordinates):
    """The lower link of a double pendulum falls freely once its joint is released (absolute), or the loop opens."""
    chain = lk.planar.Mechanism("chain")
    a, b = chain.body("a", mass=1.0, length=0.4), chain.body("b", mass=2.0, length=0.3)
    chain.revolute("O", chain.ground.at(0, 0), a.at(0, 0))
    chain.revolute("A", a.at(0.4, 0), b.at(0, 0))
    chain.revolute("C", chain.ground.at(0.6, 0), b.at(0.3, 0))
    system = chain.system(coordinates)
    released = system.release("C")
    start = released.consistent({"O": 0.4, "A": -0.5})
    assert set(released.at(*start).joints) == {"O", "A"}
    if coordinates == "absolute":
        state = released.release("A").at(*start)
        assert set(state.joints) == {"O"}
        np.testing.assert_allclose(state.accelerations[3:], [0, -9.81, 0], atol=1e-12)
    else:
        with pytest.raises(lk.LienketError):
            released.release("A")


def test_inputs_of_a_mechanism():
    """A motor whose torque is given with the run: I om' = tau without gravity."""
    torque = lk.inputs("tau")
    wheel = lk.planar.Mechanism("wheel", gravity=(0, 0), inputs=[torque])
    disc = wheel.body("disc", mass=1.0, inertia=0.5)
    wheel.revolute("H", wheel.ground.at(0, 0), disc.at(0, 0))
    wheel.motor("M", "H", torque)
    system = wheel.system()
    run = system.simulate(inputs={"tau": 3 * lk.t}, times=[0, 2])
    assert run["H'"][-1] == pytest.approx(3 * 2**2 / 2 / 0.5)
    assert run.elements["M"].effort[-1] == pytest.approx(6.0)
    assert system.with_inputs({"tau": 2}).at([0], [0]).elements["M"].effort == pytest.approx(2.0)


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_a_disc_that_rolls_down_an_incline(coordinates):
    """Acceleration g sin a/(1 + J/(m r^2)), normal force m g cos a, friction force J/(J + m r^2) m g sin a uphill."""
    slope = lk.planar.Mechanism("slope")
    a, m, r, J = 0.3, 2.0, 0.2, 0.03
    disc = slope.body("disc", mass=m, inertia=J)
    slope.free("F", slope.ground.at(0, 0, -a), disc.at(0, 0))
    slope.rolling("R", slope.ground.at(0, 0, -a), disc.at(0, 0), radius=r)
    system = slope.system(coordinates)
    state = system.at(*system.consistent({"F_x'": 0.5}, guess={"F_y": r}))
    along = 9.81 * np.sin(a) / (1 + J / (m * r**2))
    np.testing.assert_allclose(state.joints["F"].accelerations, [along, 0, -along / r], atol=1e-9)
    contact = state.joints["R"].in_axes("first")
    np.testing.assert_allclose(contact.force, [-J * along / r**2, m * 9.81 * np.cos(a)], atol=1e-9)
    assert contact.torque == 0
