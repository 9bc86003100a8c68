"""The scripts of examples/mechanisms run, and their forces are those of Newton's law and of statics."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
import sympy as sp

import lienket as lk

FOLDER = Path(__file__).parents[2] / "examples" / "mechanisms"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
GRAVITY = 9.81


def script(name):
    return SimpleNamespace(**runpy.run_path(str(FOLDER / f"{name}.py")))


@pytest.mark.parametrize("name", NAMES)
def test_script_runs(name, tmp_path, monkeypatch, capsys):
    import matplotlib.pyplot as plt

    picture = tmp_path / "picture.png"
    monkeypatch.setattr(sys, "argv", [name, str(picture)])
    monkeypatch.chdir(tmp_path)
    with matplotlib.rc_context({"backend": "agg"}):
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
        plt.close("all")
    printed = capsys.readouterr().out
    assert len(printed) > 100 and "nan" not in printed
    text = (FOLDER / f"{name}.py").read_text()
    assert picture.exists() == ("[picture.png]" in text)


def test_forces_on_the_stewart_platform():
    """The platform follows its path without turning; the legs exert m (a + g), and no moment about its centre."""
    stewart = script("stewart_platform")
    run = stewart.build().simulate(times=np.linspace(0, 1, 11))
    platform = run.bodies["platform"]
    path = np.array([[float(sp.sympify(e).subs(lk.t, t)) for e in stewart.PATH] for t in run.t])
    second = np.array(
        [[float(sp.diff(e, lk.t, 2).subs(lk.t, t)) for e in map(sp.sympify, stewart.PATH)] for t in run.t]
    )
    np.testing.assert_allclose(platform.position, path, atol=1e-9)
    np.testing.assert_allclose(platform.rotation, np.broadcast_to(np.eye(3), (11, 3, 3)), atol=1e-9)
    forces = np.array([run.joints[f"ball{k}"].force for k in range(6)])
    mass = stewart.MASSES["platform"]
    np.testing.assert_allclose(forces.sum(axis=0), mass * (second + np.array([0, 0, GRAVITY])), rtol=1e-8, atol=1e-6)
    pins = [np.cross(ball_of(stewart, k) - [0, 0, stewart.HEIGHT], forces[k]) for k in range(6)]
    np.testing.assert_allclose(np.sum(pins, axis=0), 0, atol=1e-6)
    assert np.abs(second).max() > 3


def ball_of(stewart, k):
    """Return the place of the ball of leg k on the platform."""
    angle = 2 * np.pi / 3 * (k // 2) + (1 - 2 * (k % 2)) * (np.pi / 3 - stewart.SPREAD)
    return np.array([stewart.TOP * np.cos(angle), stewart.TOP * np.sin(angle), stewart.HEIGHT])


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_force_of_the_engine_on_its_frame(weight):
    """The frame feels the weights less the rate of the momentum, from the closed formula of the piston."""
    engine = script("counterweight")
    system, w, t = engine.build(), engine.SPEED, lk.t
    run = system.simulate({"mass": weight}, guess={"cylinder": 0.19}, times=np.linspace(0, 0.02, 9))
    r, L, c = 0.04, 0.15, 0.03
    pin = (r * sp.cos(w * t), r * sp.sin(w * t))
    piston = (pin[0] + sp.sqrt(L**2 - pin[1] ** 2), 0)
    rod = tuple(a + (b - a) / 3 for a, b in zip(pin, piston, strict=True))
    balance = (-c * sp.cos(w * t), -c * sp.sin(w * t))
    momentum = [0.4 * piston[i] + 0.5 * rod[i] + weight * balance[i] for i in range(2)]
    rates = np.array([[float(sp.diff(e, t, 2).subs(t, now)) for e in momentum] for now in run.t])
    expected = -rates - np.array([0, (1.0 + 0.5 + 0.4 + weight) * GRAVITY])
    frame = -(run.joints["main"].force + run.joints["cylinder"].force)
    np.testing.assert_allclose(frame, expected, atol=1e-6 * np.abs(expected).max())


def test_statics_of_the_double_wishbone():
    """While it brakes, moments about the line through both balls give the force in the tie rod."""
    car = script("double_wishbone")
    system = car.build()
    braked = system.equilibrium(t=10.0)
    state = system.at(braked.q, 0 * braked.q, t=10.0)
    tyre, tie = -float(state.elements["tyre"].effort), float(state.elements["tie rod"].effort)

    def placed(body, point):
        found = state.bodies[body]
        return found.position + found.rotation @ np.array(point, dtype=float)

    lower, upper = placed("upright", car.LOWER_BALL), placed("upright", car.UPPER_BALL)
    rack, steer = placed("chassis", car.RACK), placed("upright", car.STEER)
    hub, contact = placed("wheel", car.WHEEL), placed("upright", (*car.WHEEL[:2], 0))
    ground = np.array([*car.WHEEL[:2], 0])
    loads = [
        (contact, np.array([-2000.0, 0, 0])),
        (hub, tyre * (hub - ground) / np.linalg.norm(hub - ground)),
        (hub, np.array([0, 0, -18 * GRAVITY])),
        (placed("upright", (0, 0.72, 0.30)), np.array([0, 0, -9 * GRAVITY])),
    ]
    axis = (upper - lower) / np.linalg.norm(upper - lower)
    pull = (rack - steer) / np.linalg.norm(rack - steer)
    turning = sum(axis @ np.cross(point - lower, force) for point, force in loads)
    np.testing.assert_allclose(tie * (axis @ np.cross(steer - lower, pull)), -turning, rtol=1e-6)
    assert abs(tie) > 100
    total = sum(state.joints[name].force for name in ("lower_ball", "upper_ball")) + tie * pull
    np.testing.assert_allclose(total, -sum(force for _, force in loads), rtol=1e-6, atol=1e-3)


def test_the_tyre_carries_the_car():
    """At rest the vertical part of the tyre's force is the weight of all bodies; the guide of the car has none."""
    car = script("double_wishbone")
    system = car.build()
    rest = system.equilibrium()
    state = system.at(rest.q, 0 * rest.q)
    lean = state.bodies["wheel"].rotation @ car.WHEEL + state.bodies["wheel"].position - [*car.WHEEL[:2], 0]
    weight = (350 + 5 + 3 + 9 + 18) * GRAVITY
    np.testing.assert_allclose(-state.elements["tyre"].effort * lean[2] / np.linalg.norm(lean), weight, rtol=1e-9)
    np.testing.assert_allclose(state.joints["heave"].force[2], 0, atol=1e-9)
