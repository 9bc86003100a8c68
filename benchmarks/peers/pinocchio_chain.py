"""Pinocchio: constrained forward dynamics of the chain in relative joint angles.

The end of the last link is held by one contact of three rows. The motion is planar, so the row along z is empty and
gets the multiplier zero by the tiny proximal parameter, which changes nothing else; one proximal iteration is done.
From Python only: the wheel has no headers of
Eigen to compile a loop with. Andrews' squeezer is left out.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
import pinocchio as pin

from .chain import Chain
from .joints import closing_point, from_joints, links, to_joints
from .peer import Pair, Peer

MU = 1e-14


def model_of(case: Chain) -> Any:
    """Revolute joints along the chain; for n = 2 a slider on the x axis before them."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, -case.gravity, 0.0])
    parent, before = 0, 0.0
    if case.rows == 1:
        parent = model.addJoint(parent, pin.JointModelPX(), pin.SE3.Identity(), "slider")
    for i, (m, length, J) in enumerate(links(case)):
        parent = model.addJoint(parent, pin.JointModelRZ(), along(before), f"joint{i}")
        inertia = pin.Inertia(m, np.array([length / 2, 0.0, 0.0]), np.diag([0.0, J, J]))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        before = length
    return model


def along(x: float) -> Any:
    """A place on the x axis."""
    return pin.SE3(np.eye(3), np.array([x, 0.0, 0.0]))


def contact(model: Any, case: Chain) -> Any:
    """The end of the tree held on the x axis; the multipliers are the force on it, in the last link's directions."""
    tip, last, point = along(links(case)[-1][1]), model.njoints - 1, along(closing_point(case))
    held = pin.ReferenceFrame.LOCAL
    return pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, last, tip, 0, point, held)


def prepare(case: Chain) -> Peer:
    """Model, constraint and data."""
    begin = time.perf_counter()
    model = model_of(case)
    data = model.createData()
    constraints = pin.StdVec_RigidConstraintModel([contact(model, case)])
    datas = pin.StdVec_RigidConstraintData([c.createData() for c in constraints])
    settings = pin.ProximalSettings(1e-12, MU, 1)
    pin.initConstraintDynamics(model, data, constraints, datas)
    torque = np.zeros(model.nv)

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> Pair:
        a = pin.constraintDynamics(model, data, q, v, torque, constraints, datas, settings)
        return a, data.lambda_c

    def answer(q: np.ndarray, v: np.ndarray, a: np.ndarray, force: np.ndarray) -> Pair:
        return from_joints(case, q, v, a, data.oMi[model.njoints - 1].rotation @ force)

    return Peer("Pinocchio", time.perf_counter() - begin, solve, None, partial(to_joints, case), answer)
