"""Pinocchio: the articulated body algorithm (ABA) of a spatial arm, from Python and from C++.

The compiled loop is built from the headers of the wheels pin and cmeel-eigen for this machine (hand/pinocchio_arm.cpp).
ABA works in the axes of the joints (LOCAL) or of the world (WORLD); both are measured.
"""

from __future__ import annotations

import ctypes
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from .arm import Arm
from .peer import Pair, Peer
from .pinocchio_chain import OPTIONS
from .timing import compiled_once, function_loop, pointer

CONVENTIONS = ("LOCAL", "WORLD")


def model_of(case: Arm) -> Any:
    """Return the arm as Pinocchio's model."""
    model, parent = pin.Model(), 0
    model.gravity.linear = np.array(case.gravity)
    for i in range(case.n):
        parent = model.addJoint(parent, pin.JointModelRZ(), pin.SE3(case.rotation[i], case.place[i]), f"joint{i}")
        body = pin.Inertia(case.mass[i], case.centre[i], case.inertia[i])
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    return model


def prepare(case: Arm) -> list[Peer]:
    """Return the model with its two ways to compute."""
    begin = time.perf_counter()
    model = model_of(case)
    data = model.createData()

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> Pair:
        return pin.aba(model, data, q, v, case.torque), np.zeros(0)

    seconds = time.perf_counter() - begin
    loops = loops_of(case)
    return [Peer(f"Pinocchio, {name}", seconds, solve, loops.get(name)) for name in CONVENTIONS]


def loops_of(case: Arm) -> dict[str, Callable[[int], float]]:
    """Return ABA from C++ for each convention, nothing where it cannot be compiled."""
    headers = Path(pin.__file__).parents[4] / "include"
    if not (headers / "eigen3").is_dir():
        print("  no compiled loop for Pinocchio: cmeel-eigen is not installed")
        return {}
    try:
        library = compiled_once("pinocchio_arm.cpp", *OPTIONS, f"-I{headers}", f"-I{headers / 'eigen3'}")
    except (OSError, subprocess.CalledProcessError) as reason:
        print(f"  no compiled loop for Pinocchio: {reason}")
        return {}
    library.build_arm.restype = ctypes.c_void_p
    numbers = (case.rotation, case.place, case.mass, case.centre, case.inertia, case.torque, case.gravity)
    arrays = [np.ascontiguousarray(x, dtype=float) for x in numbers]
    loops = {}
    for world, name in enumerate(CONVENTIONS):
        arm = library.build_arm(case.n, *map(pointer, arrays), world)
        loops[name] = function_loop(library.evaluate_arm, *case.start, np.array([arm], dtype=np.uint64), case.n)
    return loops
