"""Accelerations of URDF files by lienket and by Pinocchio's own reader, where that is installed."""

import numpy as np
import pytest
from urdf_texts import DOUBLE_PENDULUM, Reference, about, arm, random_values, state, walker

import lienket as lk
from lienket.mechanism import urdf

pinocchio = pytest.importorskip("pinocchio")


def read(folder, text):
    """Return the System and the UrdfFacts of a text."""
    path = folder / "robot.urdf"
    path.write_text(text)
    return lk.load(path), urdf.read(path)


@pytest.mark.parametrize("text", [DOUBLE_PENDULUM, arm(), walker("chain")], ids=["pendulum", "arm", "chain"])
def test_pinocchio_has_the_same_accelerations(tmp_path, text):
    system, facts = read(tmp_path, text)
    model = pinocchio.buildModelFromXML(text)
    values = random_values([x for names in facts.coordinates.values() for x in names], 3)
    at, names = state(system, values)
    q, v, tau = pinocchio.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    damping = dict(zip(Reference(text).moving, Reference(text).damping, strict=True))
    for x in names:
        here = model.joints[model.getJointId(x)]
        angle, rate = values[x]
        q[here.idx_q : here.idx_q + here.nq] = [np.cos(angle), np.sin(angle)] if here.nq == 2 else angle
        v[here.idx_v], tau[here.idx_v] = rate, -damping[x] * rate
    expected = pinocchio.aba(model, model.createData(), q, v, tau)
    found = np.zeros(model.nv)
    for x, a in zip(names, at.accelerations, strict=True):
        found[model.joints[model.getJointId(x)].idx_v] = a
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def test_pinocchio_has_the_same_accelerations_of_a_floating_base(tmp_path):
    """Pinocchio's velocity of a free joint is in the axes of the body: x' = R v, e' = E(e) omega/2."""
    text = walker("floating")
    system, facts = read(tmp_path, text)
    model = pinocchio.buildModelFromXML(text)
    assert model.nv == 10
    values = random_values([x for joint, names in facts.coordinates.items() if joint != "root" for x in names], 5)
    e, R = np.array([np.cos(0.35), *(np.sin(0.35) * np.array([2, -1, 2]) / 3)]), about(np.array([2, -1, 2]) / 3, 0.7)
    v, w, x = np.array([0.3, -0.2, 0.5]), np.array([0.4, 0.6, -0.9]), np.array([0.1, 0.2, 0.3])
    E = np.array([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]]) / 2
    for k, name in enumerate(("root_x", "root_y", "root_z")):
        values[name] = (x[k], (R @ v)[k])
    for k in range(4):
        values[f"root_e{k}"] = (e[k], (E @ w)[k])
    at, names = state(system, values)
    found = dict(zip(names, at.accelerations, strict=True))
    q, rates = pinocchio.neutral(model), np.zeros(model.nv)
    base = model.joints[model.getJointId("root")]
    q[base.idx_q : base.idx_q + 7] = [*x, *e[1:], e[0]]
    rates[base.idx_v : base.idx_v + 6] = [*v, *w]
    legs = [name for name in names if not name.startswith("root")]
    for name in legs:
        here = model.joints[model.getJointId(name)]
        q[here.idx_q], rates[here.idx_v] = values[name]
    a = pinocchio.aba(model, model.createData(), q, rates, np.zeros(model.nv))
    linear, turning = a[base.idx_v : base.idx_v + 3], a[base.idx_v + 3 : base.idx_v + 6]
    expected = [*(R @ (linear + np.cross(w, v))), *(E @ turning - w @ w / 4 * e)]
    expected += [a[model.joints[model.getJointId(name)].idx_v] for name in legs]
    order = ["root_x", "root_y", "root_z", *(f"root_e{k}" for k in range(4)), *legs]
    assert [found[name] for name in order] == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(a).max())
