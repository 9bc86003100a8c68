"""Pinocchio: constraintDynamics of the tree in joint angles, integrated by SciPy's DOP853.

Every closure is a contact of three rows; the row out of the plane is empty and gets the multiplier zero by the tiny
proximal parameter. Spring and motor of Andrews' squeezer enter as joint torques.
"""

from __future__ import annotations

from math import cos, hypot, sin
from typing import Any

import numpy as np
import pinocchio as pin

from .planar import Point, Spring, Tree, tree_of
from .problems import Problem
from .run import Deadline, Runner, stabilisation
from .scipy_ivp import integrated

MU, ITERATIONS = 1e-12, 3


def place(point: Point) -> Any:
    """Return a point of the plane."""
    return pin.SE3(np.eye(3), np.array([*point, 0.0]))


def model_of(tree: Tree, alpha: float) -> tuple[Any, Any]:
    """Model and closures, stabilised after Baumgarte."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -tree.gravity, 0.0])
    for i, link in enumerate(tree.links):
        joint = model.addJoint(link.parent + 1, pin.JointModelRZ(), place(link.pin), f"joint{i}")
        inertia = pin.Inertia(link.mass, np.array([*link.centre, 0.0]), np.eye(3) * link.inertia)
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    closures = pin.StdVec_RigidConstraintModel()
    for c in tree.closures:
        ends = c.first + 1, place(c.at), c.second + 1, place(c.there)
        closure = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends, pin.ReferenceFrame.LOCAL)
        closure.m_baumgarte_parameters.Kp, closure.m_baumgarte_parameters.Kd = alpha**2, 2 * alpha
        closures.append(closure)
    return model, closures


def spring_torque(spring: Spring, pin_point: Point, angle: float) -> float:
    """Return the torque of a spring about the pin of a link that hangs on the ground."""
    c, s = cos(angle), sin(angle)
    arm = c * spring.at[0] - s * spring.at[1], s * spring.at[0] + c * spring.at[1]
    x, y = pin_point[0] + arm[0] - spring.ground[0], pin_point[1] + arm[1] - spring.ground[1]
    long = hypot(x, y)
    return -spring.stiffness * (1 - spring.length / long) * (arm[0] * y - arm[1] * x)


def runners(problem: Problem) -> list[Runner]:
    """Pinocchio's accelerations in SciPy's integrator."""
    tree = tree_of(problem, "its constraintDynamics holds points and frames, no rows in the velocities alone")
    model, closures = model_of(tree, stabilisation(problem.until))
    data = model.createData()
    datas = pin.StdVec_RigidConstraintData()
    for c in closures:
        datas.append(c.createData())
    settings = pin.ProximalSettings(1e-14, MU, ITERATIONS)
    pin.initConstraintDynamics(model, data, closures, datas)
    torque = np.zeros(model.nv)
    for joint, value in tree.torques.items():
        torque[joint] = value
    n = model.nv

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        for spring in tree.springs:
            torque[spring.link] = spring_torque(spring, tree.links[spring.link].pin, y[spring.link])
        a = pin.constraintDynamics(model, data, y[:n], y[n:], torque, closures, datas, settings)
        return np.concatenate((y[n:], a))

    start = tree.joints @ problem.start[0], tree.joints @ problem.start[1]
    inner = integrated(problem, "Pinocchio + DOP853", "DOP853", rate, start)

    def run(tolerance: float, deadline: Deadline) -> np.ndarray:
        return tree.coordinates(inner.run(tolerance, deadline))

    return [Runner(inner.name, run, inner.settings)]
