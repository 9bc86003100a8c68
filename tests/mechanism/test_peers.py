"""The same mechanisms by lienket and by Pinocchio and MuJoCo, where these are installed (`make bench` installs them).

Conventions: Pinocchio's free joint has the velocity (R^T x', om in body axes) and the parameters (e, e0); MuJoCo's has
the velocity (x' in the axes of the world, om in body axes) and the parameters (e0, e). lienket has x' and p'.
"""

import numpy as np
import peer_four_bar as four_bar
import pytest
from peer_models import (
    body_matrix,
    mujoco_model,
    parameters_of,
    pinocchio_model,
    product,
    quadruped,
    serial_arm,
    stated,
    turned,
)

CLOSE = 1e-9  # [1] relative to the largest entry
STATES = 6
POINT = np.array([0.1, -0.2, 0.15])
mechanisms = pytest.mark.parametrize("drawn", [serial_arm, quadruped], ids=["arm of seven hinges", "quadruped"])
systems_of = pytest.mark.parametrize("coordinates", ["relative", pytest.param("absolute", marks=pytest.mark.slow)])
seeds = pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])


class Drawn:
    """A random state: angles with rates and torques; of a free trunk x, p with rates; a force on the last body."""

    def __init__(self, links, seed):
        rng = np.random.default_rng(seed)
        self.links, self.free = links, links[0].axis is None
        hinges = len(links) - self.free
        self.angles, self.rates, self.torques = (
            rng.uniform(-3, 3, hinges),
            rng.normal(size=hinges),
            rng.normal(size=hinges),
        )
        self.force = 3 * rng.normal(size=3)
        self.x, self.speed, p, slope = rng.normal(size=3), rng.normal(size=3), rng.normal(size=4), rng.normal(size=4)
        self.p = p / np.linalg.norm(p)
        self.p_rate = slope - self.p * (self.p @ slope)

    @property
    def spin(self):
        """Angular velocity of the trunk in its axes."""
        return 2 * body_matrix(self.p) @ self.p_rate

    @property
    def values(self):
        """Numbers of the parameters."""
        torques = {f"tau{k + self.free}": x for k, x in enumerate(self.torques)}
        return torques | dict(zip(("Fx", "Fy", "Fz"), self.force, strict=True))

    @property
    def state(self):
        """(q, v) of the relative coordinates."""
        q, v = ([*self.x, *self.p], [*self.speed, *self.p_rate]) if self.free else ([], [])
        return np.array([*q, *self.angles]), np.array([*v, *self.rates])

    def accelerations(self, a):
        """Return x'' and om' of the trunk in lienket's axes, and the second rates of the angles."""
        if not self.free:
            return a
        p_second = a[3:7]
        assert abs(self.p @ p_second + self.p_rate @ self.p_rate) < CLOSE
        return np.concatenate([a[:3], 2 * body_matrix(self.p) @ p_second, a[7:]])


def agree(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE * np.abs(expected).max())


class Pinocchio:
    """Pinocchio's articulated body algorithm, and its recursion for the wrenches."""

    def __init__(self, links):
        import pinocchio as pin

        self.pin, self.links, self.model = pin, links, pinocchio_model(links)
        self.data = self.model.createData()

    def state(self, s):
        """Return q, v, torques and outer wrenches."""
        q, v, torques = s.angles, s.rates, s.torques
        if s.free:
            q = np.concatenate([s.x, s.p[1:], s.p[:1], q])
            v = np.concatenate([turned(s.p).T @ s.speed, s.spin, v])
            torques = np.concatenate([np.zeros(6), torques])
        outer = self.pin.StdVec_Force([self.pin.Force.Zero() for _ in range(self.model.njoints)])
        self.pin.forwardKinematics(self.model, self.data, q)
        (R, p), place = self.links[-1].second, self.data.oMi[self.model.njoints - 1]
        force = place.rotation.T @ s.force
        outer[self.model.njoints - 1] = self.pin.Force(force, np.cross(R.T @ (POINT - p), force))
        return q, v, torques, outer

    def accelerations(self, s):
        """Return x'', om' in the trunk's axes, second rates of the angles."""
        q, v, torques, outer = self.state(s)
        a = self.pin.aba(self.model, self.data, q, v, torques, outer).copy()
        if s.free:
            a[:3] = turned(s.p) @ (a[:3] + np.cross(s.spin, v[:3]))
        return a

    def wrenches(self, s):
        """Return force and torque on each body at its joint, in the axes of the second place."""
        q, v, torques, outer = self.state(s)
        a = self.pin.aba(self.model, self.data, q, v, torques, outer).copy()
        self.pin.rnea(self.model, self.data, q, v, a, outer)
        return [(f.linear, f.angular) for f in list(self.data.f)[1:]]


class MuJoCo:
    """MuJoCo's forward dynamics without contacts."""

    def __init__(self, links):
        import mujoco

        self.mujoco, self.links, self.model = mujoco, links, mujoco_model(links)
        self.data = mujoco.MjData(self.model)

    def accelerations(self, s):
        """Return x'', om' in the trunk's axes, second rates of the angles."""
        data, (R, p), free = self.data, self.links[0].first, s.free
        data.qpos[7 * free :], data.qvel[6 * free :] = s.angles, s.rates
        if free:
            data.qpos[:7] = [*(p + R @ s.x), *product(parameters_of(R), s.p)]
            data.qvel[:6] = [*(R @ s.speed), *s.spin]
        data.qfrc_applied[:] = 0
        data.qfrc_applied[6 * free :] = s.torques
        self.mujoco.mj_kinematics(self.model, data)
        self.mujoco.mj_comPos(self.model, data)
        (Rb, pb), last = self.links[-1].second, self.model.nbody - 1
        point = data.xpos[last] + data.xmat[last].reshape(3, 3) @ Rb.T @ (POINT - pb)
        self.mujoco.mj_applyFT(self.model, data, s.force, np.zeros(3), point, last, data.qfrc_applied)
        self.mujoco.mj_forward(self.model, data)
        a = data.qacc.copy()
        if free:
            a[:3] = R.T @ a[:3]
        return a


PEERS = {"pinocchio": Pinocchio, "mujoco": MuJoCo}


@seeds
@mechanisms
@pytest.mark.parametrize("name", PEERS)
def test_accelerations(name, drawn, seed):
    pytest.importorskip(name)
    links = drawn(seed)
    peer, system = PEERS[name](links), stated(links, POINT)
    for k in range(STATES):
        s = Drawn(links, 100 * seed + k)
        found = system.at(*s.state, values=s.values).accelerations
        agree(s.accelerations(found), peer.accelerations(s))


@seeds
@systems_of
def test_reactions_of_an_arm(coordinates, seed):
    """The wrench of each hinge less its motor's torque, at the second place in its axes."""
    pytest.importorskip("pinocchio")
    links = serial_arm(seed)
    peer, system = Pinocchio(links), stated(links, POINT, coordinates)
    for k in range(2):
        s = Drawn(links, 100 * seed + k)
        start = s.state
        if coordinates == "absolute":
            names = [f"q{i}" for i in range(7)]
            given = dict(zip(names, s.angles, strict=True)) | dict(zip((f"{x}'" for x in names), s.rates, strict=True))
            start = system.consistent(given, values=s.values)
        state = system.at(*start, values=s.values)
        expected, parts = peer.wrenches(s), []
        for i, (link, (force, torque)) in enumerate(zip(links, expected, strict=True)):
            joint = state.joints[f"q{i}"].in_axes("second")
            parts += [joint.force - force, joint.torque - (torque - link.axis * s.torques[i])]
            assert joint.unique
            assert abs(link.axis @ torque - s.torques[i]) < 1e-9 * np.abs(torque).max()  # the peer's own test
        largest = max(np.abs(x).max() for pair in expected for x in pair)
        assert np.abs(parts).max() < CLOSE * largest


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_motion_of_a_four_bar(coordinates):
    """Exudyn's rule is of second order: half the step, a quarter of the error; (4 x_2n - x_n)/3 has almost none."""
    pytest.importorskip("exudyn")
    system, (angles, rates) = four_bar.linkage(coordinates), four_bar.start()
    given, guess = {"O": angles["crank"], "O'": rates["crank"]}, {"A": angles["coupler"] - angles["crank"]}
    run = system.simulate(start=system.consistent(given, guess=guess), until=1.0, rtol=1e-11, atol=1e-12)
    coarse, fine = four_bar.by_exudyn(1.0, 8000), four_bar.by_exudyn(1.0, 16000)
    for name, body in ((name, run.bodies[name]) for name in coarse):
        angle = body.rotation[-1]
        found = np.array([*(body.position[-1] + four_bar.turned(angle, four_bar.CENTRES[name])), angle])
        assert np.abs(found - fine[name]).max() < 1e-6
        assert np.abs(found - (4 * fine[name] - coarse[name]) / 3).max() < CLOSE
