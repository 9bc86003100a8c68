"""Pinocchio: constrained forward dynamics of the chain in relative joint angles.

The end of the tree is held by one contact of three rows. The motion is planar, so the row along z is empty and gets
the multiplier zero by the tiny proximal parameter, which changes nothing else; one proximal iteration is done.
The compiled loop calls constraintDynamics from C++, built from the headers of the wheels pin and cmeel-eigen for this
machine (hand/pinocchio_chain.cpp); without a C++ compiler or Eigen it is left out. So is Andrews' squeezer.
"""

from __future__ import annotations

import ctypes
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from .chain import Chain
from .joints import closing_point, from_joints, links, to_joints
from .peer import Pair, Peer
from .timing import compiled_once, function_loop, pointer

MU = 1e-14
OPTIONS = (
    "-std=c++17",
    "-w",
    "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)


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
    """Return a place on the x axis."""
    return pin.SE3(np.eye(3), np.array([x, 0.0, 0.0]))


def contact(model: Any, case: Chain) -> Any:
    """Hold the end of the tree on the x axis; the multipliers are the force on it, in the axes of the last link."""
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

    seconds = time.perf_counter() - begin
    return Peer("Pinocchio", seconds, solve, loop_of(case), partial(to_joints, case), answer)


def loop_of(case: Chain) -> Callable[[int], float] | None:
    """Pinocchio's constraintDynamics from C++, None where it cannot be compiled."""
    headers = Path(pin.__file__).parents[4] / "include"
    if not (headers / "eigen3").is_dir():
        print("  no compiled loop for Pinocchio: cmeel-eigen is not installed")
        return None
    try:
        library = compiled_once("pinocchio_chain.cpp", *OPTIONS, f"-I{headers}", f"-I{headers / 'eigen3'}")
    except (OSError, subprocess.CalledProcessError) as reason:
        print(f"  no compiled loop for Pinocchio: {reason}")
        return None
    masses, lengths, inertias = (np.array(column) for column in zip(*links(case), strict=True))
    library.build.restype = ctypes.c_void_p
    numbers = [ctypes.c_double(x) for x in (case.gravity, closing_point(case), MU)]
    arrays = [pointer(x) for x in (masses, lengths, inertias)]
    tree = library.build(case.n, *arrays, numbers[0], int(case.rows == 1), *numbers[1:])
    q, v = to_joints(case, *case.start)
    return function_loop(library.evaluate, q, v, np.array([tree], dtype=np.uint64), len(q) + 3)
