"""MuJoCo: the tree with a `connect` at every closure, fourth-order Runge-Kutta at fixed steps, contacts switched off.

Its constraints are springs and dampers by intention; here they are as stiff as the step allows (solref in units of the
step, critically damped, impedance 0.9999), so that the error falls with the step.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from .planar import Tree, tree_of
from .problems import Problem
from .run import Cannot, Deadline, Runner, steps

COUNTS = tuple(2**k * 125 for k in range(11))
STIFFNESS = 0.5  # (rate of the constraint times the step); stable up to about 1


def text(tree: Tree) -> str:
    """Return the model as MJCF."""
    children: dict[int, list[int]] = {}
    for i, link in enumerate(tree.links):
        children.setdefault(link.parent, []).append(i)

    def sites(i: int) -> str:
        found = ""
        for k, c in enumerate(tree.closures):
            for name, link, point in (("a", c.first, c.at), ("b", c.second, c.there)):
                found += f'<site name="{name}{k}" pos="{point[0]!r} {point[1]!r} 0"/>' if link == i else ""
        for k, s in enumerate(tree.springs):
            points = (("s", s.link, s.at), ("g", -1, s.ground))
            for name, link, point in points:
                found += f'<site name="{name}{k}" pos="{point[0]!r} {point[1]!r} 0"/>' if link == i else ""
        return found

    def body(i: int) -> str:
        link = tree.links[i]
        J = f"{link.inertia!r}"
        return (
            f'<body pos="{link.pin[0]!r} {link.pin[1]!r} 0"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="{link.centre[0]!r} {link.centre[1]!r} 0" mass="{link.mass!r}" diaginertia="{J} {J} {J}"/>'
            f"{sites(i)}{''.join(body(j) for j in children.get(i, []))}</body>"
        )

    pins = "".join(f'<connect site1="a{k}" site2="b{k}"/>' for k in range(len(tree.closures)))
    springs = "".join(
        f'<spatial stiffness="{s.stiffness!r}" springlength="{s.length!r}">'
        f'<site site="s{k}"/><site site="g{k}"/></spatial>'
        for k, s in enumerate(tree.springs)
    )
    return f"""<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/>
      <option gravity="0 {-tree.gravity} 0" integrator="RK4" tolerance="1e-14" iterations="200">
        <flag contact="disable" refsafe="disable"/></option>
      <worldbody>{sites(-1)}{"".join(body(i) for i in children[-1])}</worldbody>
      <equality>{pins}</equality><tendon>{springs}</tendon></mujoco>"""


def runners(problem: Problem) -> list[Runner]:
    """mj_step at several steps."""
    tree = tree_of(problem, "its wheels roll by friction of soft contacts, it has no constraint on velocities")
    mujoco.set_mju_user_warning(lambda message: None)  # otherwise it writes a file
    model: Any = mujoco.MjModel.from_xml_string(text(tree))
    data = mujoco.MjData(model)
    q, v = (tree.joints @ x for x in problem.start)

    def run(step: float, deadline: Deadline) -> np.ndarray:
        mujoco.mj_resetData(model, data)
        model.opt.timestep = step
        rate = STIFFNESS / step
        model.eq_solref[:] = -(rate**2), -2 * rate
        model.eq_solimp[:, :3] = 0.9999, 0.9999, 1.0
        data.qpos, data.qvel = q, v
        for joint, value in tree.torques.items():
            data.qfrc_applied[joint] = value
        count = round(problem.until / step)
        mujoco.mj_step(model, data, count)
        if abs(data.time - problem.until) > step / 2:
            raise Cannot("became unstable")
        return tree.coordinates(data.qpos)

    return [Runner("MuJoCo RK4", run, steps(problem.until, COUNTS))]
