"""Reactions checked by Newton and Euler: free bodies, moments about mass centres, independent kinematics.

Vectors of the plane are complex numbers, and every acceleration comes from differentiating the positions by hand.
"""

import cmath
import math

import numpy as np
import pytest
from conftest import CASES
from papers import METHODS, assert_close, crank, evaluated, grinder

STATES = 5


def moment(arm, force):
    """Return the moment of a force about the foot of its arm, counterclockwise from x to y."""
    return (arm.conjugate() * force).imag


def drawn(values, rng):
    """Return the numbers of a script, each changed by up to a third."""
    return {symbol: value * rng.uniform(0.7, 1.4) for symbol, value in values.items()}


# The slider-crank: crank, rod and slider


def crank_kinematics(p, phi, rate):
    """Return positions of A, B, C and their accelerations as (constant, factor of phi'', factor of theta'')."""
    theta = math.asin(p["r"] * math.sin(phi) / p["L"])
    theta_rate = p["r"] * math.cos(phi) * rate / (p["L"] * math.cos(theta))
    arm, rod = p["r"] * cmath.exp(1j * phi), cmath.exp(-1j * theta)  # the rod points down by theta
    points, accelerations = {"A": arm}, {}
    for name, length in (("C", p["a"]), ("B", p["L"])):
        points[name] = arm + length * rod
        accelerations[name] = (-arm * rate**2 - length * rod * theta_rate**2, 1j * arm, -1j * length * rod)
    return theta, theta_rate, points, accelerations


def crank_forces(p, points, accelerations):
    """Return phi'', theta'' and the forces on the rod at A and B from the equations of the three bodies.

    Unknown: phi'', theta'', A_x, A_y, B_x, B_y. The guide takes no force along x, the slider's weight is carried.
    """
    A, B, C = points["A"], points["B"], points["C"]
    c0, c_phi, c_theta = accelerations["C"]
    b0, b_phi, b_theta = accelerations["B"]
    rows = [
        # crank about O: J1 phi'' = Md - moment of the force on the rod at A
        [p["J1"], 0, -A.imag, A.real, 0, 0],
        # rod: m2 a_C = F_A + F_B + m2 g along y
        [p["m2"] * c_phi.real, p["m2"] * c_theta.real, -1, 0, -1, 0],
        [p["m2"] * c_phi.imag, p["m2"] * c_theta.imag, 0, -1, 0, -1],
        # rod about C, whose angle counterclockwise is -theta
        [0, -p["J2"], (A - C).imag, -(A - C).real, (B - C).imag, -(B - C).real],
        # slider along x: m3 x_B'' = F - B_x, and it stays on the axis
        [p["m3"] * b_phi.real, p["m3"] * b_theta.real, 0, 0, 1, 0],
        [b_phi.imag, b_theta.imag, 0, 0, 0, 0],
    ]
    right = [
        p["Md"], -p["m2"] * c0.real, -p["m2"] * c0.imag + p["m2"] * p["g"], 0.0, p["F"] - p["m3"] * b0.real, -b0.imag,
    ]  # fmt: skip
    return np.linalg.solve(np.array(rows, float), np.array(right, float))


def crank_states():
    rng = np.random.default_rng(7)
    yield crank.VALUES, crank.PHI, crank.PHI_RATE
    for _ in range(STATES):
        yield drawn(crank.VALUES, rng), *rng.uniform(-3, 3, 2)


@pytest.mark.parametrize(("values", "phi", "rate"), list(crank_states()))
def test_slider_crank(values, phi, rate):
    p = {symbol.name: value for symbol, value in values.items()}
    theta, theta_rate, points, accelerations = crank_kinematics(p, phi, rate)
    unknowns = crank_forces(p, points, accelerations)
    state = crank.build().at([phi, theta], [rate, theta_rate], values=values)
    assert_close(state.accelerations, unknowns[:2])
    assert_close(state.multipliers, unknowns[5:])  # force of the guide on the rod's end, along +y
    guide = unknowns[5]
    assert_close(state.reaction, [p["r"] * math.cos(phi) * guide, -p["L"] * math.cos(theta) * guide])


@pytest.mark.parametrize(("values", "phi", "rate"), list(crank_states()))
def test_slider_crank_joints(values, phi, rate):
    p = {symbol.name: value for symbol, value in values.items()}
    theta, theta_rate, points, accelerations = crank_kinematics(p, phi, rate)
    unknowns = crank_forces(p, points, accelerations)
    speed = {name: 1j * points["A"] * rate - 1j * (points[name] - points["A"]) * theta_rate for name in "CB"}
    q = [phi, points["C"].real, points["C"].imag, theta, points["B"].real]
    v = [rate, speed["C"].real, speed["C"].imag, theta_rate, speed["B"].real]
    state = crank.with_joints().at(q, v, values=values)
    assert_close(state.multipliers, unknowns[2:])
    assert_close(state.accelerations[[0, 3]], unknowns[:2])


def test_slider_crank_at_the_check_values():
    expected = CASES["slider_crank"]["expected"]
    p = {symbol.name: value for symbol, value in crank.VALUES.items()}
    unknowns = crank_forces(p, *crank_kinematics(p, crank.PHI, crank.PHI_RATE)[2:])
    assert_close(unknowns[2:4], expected["joint_force_A_on_rod"])
    assert_close(unknowns[4:], expected["joint_force_B_on_rod"])


# The hammer on its drum


def hammer_forces(p, t, theta, rate):
    """Return theta'', the force on the hammer at A, and the torque that keeps the drum turning at its rate."""
    hinge, arm = p["R"] * cmath.exp(1j * p["omega0"] * t), p["a"] * cmath.exp(1j * theta)
    fixed = -hinge * p["omega0"] ** 2 - arm * rate**2  # a_C without the part of theta''
    turning = 1j * arm
    # m a_C = F + m g along x, and J theta'' = moment of F, whose arm from C is -arm
    rows = [[p["m"] * turning.real, -1, 0], [p["m"] * turning.imag, 0, -1], [p["J"], -arm.imag, arm.real]]
    right = [p["m"] * (p["g"] - fixed.real), -p["m"] * fixed.imag, 0.0]
    acceleration, X, Y = np.linalg.solve(np.array(rows), np.array(right))
    return acceleration, X, Y, moment(hinge, complex(X, Y))


def hammer_states():
    rng = np.random.default_rng(11)
    yield grinder.VALUES, grinder.TIME, grinder.THETA, grinder.THETA_RATE
    for _ in range(STATES):
        yield drawn(grinder.VALUES, rng), *rng.uniform(0, 3, 3)


@pytest.mark.parametrize(("values", "t", "theta", "rate"), list(hammer_states()))
def test_hammer_grinder(values, t, theta, rate):
    p = {symbol.name: value for symbol, value in values.items()}
    acceleration, X, Y, torque = hammer_forces(p, t, theta, rate)
    released = grinder.build().at([theta, 0, 0], [rate, 0, 0], t, values)
    assert_close(released.accelerations, [acceleration, 0, 0])
    assert_close(released.reaction, [0, X, Y])
    assert_close(released.reactions["hinge u"], [0, X, 0])
    angle = p["omega0"] * t
    driven = grinder.driven().at([angle, theta, 0, 0], [p["omega0"], rate, 0, 0], t, values)
    assert_close(driven.multipliers, [torque, X, Y])
    assert_close(driven.accelerations, [0, acceleration, 0, 0])


@pytest.mark.parametrize("method", METHODS)
def test_hammer_grinder_formulas(method):
    reactions = grinder.build().reactions(method)
    for _, t, theta, rate in hammer_states():
        _, X, Y, _ = hammer_forces({s.name: value for s, value in grinder.VALUES.items()}, t, theta, rate)
        forces = evaluated(reactions.total, grinder.build(), (theta, 0.0, 0.0), (rate, 0.0, 0.0), t)
        assert_close(forces.ravel(), [0, X, Y])


def test_hammer_grinder_at_the_check_values():
    expected = CASES["hammer_grinder"]["expected"]
    p = {symbol.name: value for symbol, value in grinder.VALUES.items()}
    acceleration, X, Y, torque = hammer_forces(p, grinder.TIME, grinder.THETA, grinder.THETA_RATE)
    assert_close([acceleration, X, Y], [expected["thetadd"], *expected["lam"]])
    assert_close(torque, expected["drum_torque_for_uniform_rotation"])
