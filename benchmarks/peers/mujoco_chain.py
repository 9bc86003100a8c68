"""MuJoCo: mj_forward of the chain in relative joint angles, an equality constraint `connect` at its end.

MuJoCo's constraints are springs and dampers by intention. Here they are as hard as it allows: impedance 0.9999 and a
state on the constraint, so that neither stiffness nor damping has anything to correct. What is timed is the whole of
mj_forward (kinematics, inertia, bias forces, constraint solver), contacts switched off; the compiled loop calls it
from C, without a step of integration. At rest and in motion the answers are off by 2e-5 to 6e-4 of their size, which is
the softness (1 - 0.9999) that remains.
"""

from __future__ import annotations

import ctypes
import time
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from .chain import Chain
from .joints import closing_point, from_joints, links, to_joints
from .peer import Pair, Peer
from .timing import object_loop

HARD = 'solref="-1e-6 -1e-6" solimp="0.9999 0.9999 1"'


def text(case: Chain) -> str:
    """Return the model as MJCF."""
    hinge, slide = '<joint type="hinge" axis="0 0 1"/>', '<joint type="slide" axis="1 0 0"/>'
    joints, opening, before = hinge if case.rows == 2 else slide + hinge, "", 0.0
    for m, length, J in links(case):
        opening += (
            f'<body pos="{before!r} 0 0">{joints}'
            f'<inertial pos="{length / 2!r} 0 0" mass="{m!r}" diaginertia="{J!r} {J!r} {J!r}"/>'
        )
        joints, before = hinge, length
    return f"""<mujoco><compiler angle="radian"/>
      <option gravity="0 {-case.gravity} 0" timestep="1e-6"><flag contact="disable"/></option>
      <worldbody>{opening}<site name="tip" pos="{before!r} 0 0"/>{"</body>" * case.n}
        <site name="held" pos="{closing_point(case)!r} 0 0"/></worldbody>
      <equality><connect site1="tip" site2="held" {HARD}/></equality></mujoco>"""


def prepare(case: Chain) -> Peer:
    """Model and data."""
    begin = time.perf_counter()
    model = mujoco.MjModel.from_xml_string(text(case))
    data = mujoco.MjData(model)

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> Pair:
        data.qpos, data.qvel = q, v
        mujoco.mj_forward(model, data)
        return data.qacc.copy(), data.efc_force.copy()

    seconds = time.perf_counter() - begin
    start = to_joints(case, *case.start)
    solve(0.0, *start)
    loop = loop_of(model, data, start)
    return Peer("MuJoCo", seconds, solve, loop, partial(to_joints, case), partial(from_joints, case))


def loop_of(model: Any, data: Any, start: Pair) -> Any:
    """mj_forward(model, data) from C."""
    library = ctypes.CDLL(str(next(Path(mujoco.__file__).parent.glob("libmujoco.so.*"))))
    address = ctypes.cast(library.mj_forward, ctypes.c_void_p).value or 0
    run = object_loop(address, model._address, data._address, data.qpos, data.qacc)

    def loop(count: int) -> float:
        data.qpos, data.qvel = start
        mujoco.mj_forward(model, data)
        return run(count)

    return loop
