"""Published benchmarks as bodies and joints: a pendulum on a universal joint with skew axes, and a fast heavy top.

Source of the numbers: tests/data/README.md. The same problems as formulas are in tests/problems/in_space.py.
"""

import numpy as np
import pytest
from problems.in_space import universal
from problems.problem import published
from problems.spatial import rates_of, rotation, turn

import lienket as lk

PRECISE = {"rtol": 1e-12, "atol": 1e-13}
CLOSE = 1e-9  # [1] relative to the largest number
TIMES = (1.0, 2.0, 5.0)
both = pytest.mark.parametrize("coordinates", ["relative", "absolute"])


def pendulum(coordinates):
    """Return the pendulum, whose joint is at (0, 0, 2) of the body, and the axes of its zero position."""
    params = published()["adams_universal03"]["params"]
    p = np.array([np.cos(np.pi / 4), np.sin(np.pi / 4) * 0.707107, -np.sin(np.pi / 4) * 0.707107, 0])
    R = rotation(p / np.linalg.norm(p))
    mechanism = lk.spatial.Mechanism("pendulum on a universal joint", gravity=(0, 0, -params["g"]))
    rod = mechanism.body("rod", mass=params["m"], inertia=params["I"])
    places = mechanism.ground.at(0, 0, 0, rotation=R), rod.at(0, 0, 2)
    mechanism.universal("U", *places, axes=((1, 0, 0), (0, 1, 0)))
    return mechanism.system(coordinates), R


@both
def test_universal_joint(coordinates):
    """Motion to 1e-9; force and torque those of the formula model to 1e-9 and those of ADAMS to its digits."""
    entry = published()["adams_universal03"]
    system, R = pendulum(coordinates)
    start = system.consistent({"U_angle1": 0.0, "U_angle2": 0.0})
    assert np.abs(system.at(*start).bodies["rod"].rotation - R).max() < 1e-14
    motion = system.simulate(start=start, until=TIMES[-1], times=[0.0, *TIMES], **PRECISE)
    assert motion.outcome.complete
    assert motion.audit.ok, motion.audit.warnings
    rod, joint = motion.bodies["rod"], motion.joints["U"]
    for e in entry["expected"]:
        k = 1 + TIMES.index(e["t"])
        np.testing.assert_allclose(rod.position[k], e["value"], rtol=0, atol=CLOSE * np.abs(e["value"]).max())
    for e in entry["reactions"]:
        on_ground = -getattr(joint, e["quantity"])[1 + TIMES.index(e["t"])]
        atol = np.abs(e["value"]).max() * 10.0 ** -e["trusted_digits"]
        np.testing.assert_allclose(on_ground, e["value"], rtol=0, atol=atol)


@both
def test_reactions_of_the_universal_joint(coordinates):
    """Force and torque at the joint are those of the formula model's rows `pin` and `cross` in the same states."""
    system, R = pendulum(coordinates)
    formulas, rng = universal().system, np.random.default_rng(1)
    for _ in range(3):
        angles, rates = rng.uniform(-1.2, 1.2, 2), rng.normal(size=2)
        names = ("U_angle1", "U_angle2")
        given = dict(zip(names, angles, strict=True)) | dict(zip((f"{x}'" for x in names), rates, strict=True))
        state = system.at(*system.consistent(given))
        rod, joint = state.bodies["rod"], state.joints["U"]
        p = euler_parameters(rod.rotation)
        p_rates = rates_of(p, rod.rotation.T @ rod.angular_velocity)
        there = formulas.at([*rod.position, *p], [*rod.velocity, *p_rates])
        force = there.reactions["pin"][:3]
        torque = there.multipliers[4] * np.cross(rod.rotation[:, 1], R[:, 0])
        np.testing.assert_allclose(joint.force, force, rtol=0, atol=CLOSE * np.abs(force).max())
        np.testing.assert_allclose(joint.torque, torque, rtol=0, atol=CLOSE * np.abs(force).max())
        assert joint.unique


def euler_parameters(R):
    """Return Euler parameters of a rotation that is no half turn."""
    e0 = np.sqrt(1 + np.trace(R)) / 2
    return np.array([e0, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * e0))])


# With "xyz" the spin, which is about y of the body, is the third angle if y of the body is z of the second axes; x of
# the first axes is a direction that the top never comes near: cos(angle2) > 0.6 along the whole motion.
FAR = np.array([-0.66, 0.39, 0.64]) / np.linalg.norm([-0.66, 0.39, 0.64])
FIRST = np.column_stack([FAR, *(x / np.linalg.norm(x) for x in ([0, 0.64, -0.39], np.cross(FAR, [0, 0.64, -0.39])))])
SECOND = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])


def top(angles):
    """Return the mechanism of the top and its start."""
    entry = published()["heavy_top"]
    params, omega = entry["params"], np.array(entry["initial_state"]["omega_body"])
    mechanism = lk.spatial.Mechanism("heavy top", gravity=(0, 0, -params["g"]))
    body = mechanism.body("top", mass=params["m"], inertia=params["J"], centre=params["r"])
    if not angles:
        mechanism.spherical("P", mechanism.ground.at(), body.at())
        q, v, names = [1.0, 0, 0, 0], rates_of([1.0, 0, 0, 0], omega), [f"P_e{k}" for k in range(4)]
    else:
        places = mechanism.ground.at(0, 0, 0, rotation=FIRST), body.at(0, 0, 0, rotation=SECOND)
        mechanism.spherical("P", *places, angles="xyz")
        R, names = FIRST.T @ SECOND, [f"P_angle{k}" for k in (1, 2, 3)]
        q = [np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(R[0, 2]), np.arctan2(-R[0, 1], R[0, 0])]
        axes = np.eye(3)[0], turn(0, q[0], np)[:, 1], (turn(0, q[0], np) @ turn(1, q[1], np))[:, 2]
        v = np.linalg.solve(np.column_stack(axes), FIRST.T @ omega)
    return mechanism, dict(zip(names, q, strict=True)) | dict(zip((f"{x}'" for x in names), v, strict=True))


@pytest.mark.parametrize(
    ("angles", "coordinates"), [(False, "relative"), (True, "relative"), (False, "absolute")],
    ids=["Euler parameters", "angles", "absolute"],
)  # fmt: skip
def test_heavy_top(angles, coordinates):
    """Axes of the body at three times, after up to 48 turns."""
    expected = published()["heavy_top"]["expected"]
    mechanism, given = top(angles)
    system = mechanism.system(coordinates)
    times = [0.0, *(e["t"] for e in expected)]
    motion = system.simulate(start=system.consistent(given), until=times[-1], times=times, **PRECISE)
    assert motion.outcome.complete
    assert motion.audit.ok, motion.audit.warnings
    omega = published()["heavy_top"]["initial_state"]["omega_body"]
    assert np.abs(motion.bodies["top"].rotation[0] - np.eye(3)).max() < 1e-14
    assert np.abs(motion.bodies["top"].angular_velocity[0] - omega).max() < 1e-12
    for k, e in enumerate(expected, 1):
        assert np.abs(motion.bodies["top"].rotation[k] - rotation(e["value"])).max() < CLOSE
