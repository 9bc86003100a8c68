"""The scripts of examples/papers, their systems with states that satisfy the constraints, and evaluation by SymPy."""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import sympy as sp
from conftest import CASES, MODELS

import lienket as lk

SCRIPTS = Path(__file__).parents[2] / "examples" / "papers"
sys.path.insert(0, str(SCRIPTS))
NAMES = (
    "rolling_disc", "slider_crank", "hammer_grinder", "carriage",
    "digging_machine", "slider_pendulum", "hammer_crusher",
)  # fmt: skip
disc, crank, grinder, carriage, digger, pendulum, crusher = SCRIPTED = [importlib.import_module(name) for name in NAMES]
SCRIPT = dict(zip(NAMES, SCRIPTED, strict=True))
digging = importlib.import_module("digging_record")
METHODS = ("multipliers", "direct", "middle", "accelerations")
DIGITS = 30


def evaluated(formulas, system, q, v, t=0.0, extra=None):
    """Return formulas (a matrix or one) at a state with the system's own numbers, in 30 digits by SymPy."""
    point = {sp.Symbol(x.name): value for x, value in system.values.items()}
    for x, position, velocity in zip(system.coordinates, q, v, strict=True):
        point |= {x: position, sp.Derivative(x, lk.t): velocity}
    point |= {lk.t: t, **(extra or {})}
    exact = {symbol: sp.Float(value, DIGITS) for symbol, value in point.items()}
    matrix = sp.Matrix(formulas) if isinstance(formulas, (sp.MatrixBase, list)) else sp.Matrix([formulas])
    # Highest derivatives first: x inside x' must not be replaced before x' itself.
    orders = sorted(exact, key=lambda s: -s.derivative_count if isinstance(s, sp.Derivative) else 0)
    entries = []
    for entry in matrix:
        value = entry.xreplace({symbol: exact[symbol] for symbol in orders}).evalf(DIGITS)
        entries.append(float(value))
    return np.array(entries).reshape(matrix.shape)


def column(formulas, *state, **more):
    """Return a column of formulas at a state, as a vector."""
    return evaluated(formulas, *state, **more).ravel()


def assert_close(actual, expected, rel=1e-11):
    """Assert every entry to `rel` of itself, and zeros to rel/1000 of the largest entry (of 1 if all are zero)."""
    actual, expected = np.asarray(actual, float), np.asarray(expected, float)
    assert actual.size == expected.size, (actual.shape, expected.shape)
    expected = expected.reshape(actual.shape)
    largest = np.max(np.abs(expected), initial=0.0) or 1.0
    assert np.all(np.abs(actual - expected) <= rel * np.abs(expected) + rel / 1000 * largest), (actual, expected)


def differs(actual, expected, by=1e-3):
    """Return whether two results differ by more than `by` of the larger."""
    actual, expected = np.ravel(np.asarray(actual, float)), np.ravel(np.asarray(expected, float))
    return bool(np.max(np.abs(actual - expected)) > by * np.max(np.abs(expected)))


@dataclass(frozen=True)
class Example:
    """A system, the independent coordinates of its check case, and a generator of states on its constraints.

    `at_check` is the state of the check case: q, v, t; `expected` are its values, empty where there is no case.
    """

    name: str
    build: Callable
    independent: tuple[str, ...]
    at_check: tuple
    draw: Callable
    expected: dict

    @cached_property
    def system(self):
        return self.build()

    def state(self, q=None, v=None, t=None):
        point = self.at_check if q is None else (q, v, t)
        return self.system.at(*point)

    def evaluated(self, formulas, point=None, extra=None):
        return evaluated(formulas, self.system, *(point or self.at_check), extra=extra)

    def column(self, formulas, point=None, extra=None):
        return self.evaluated(formulas, point, extra).ravel()


def disc_state(rng):
    (angle, x), (rate, _) = rng.uniform(-2, 2, 2), rng.uniform(-3, 3, 2)
    r = disc.VALUES[disc.r]
    return (-r * angle, r, angle), (-r * rate, 0.0, rate), x


def crank_state(rng):
    phi, rate = rng.uniform(-3, 3, 2)
    r, L = crank.VALUES[crank.r], crank.VALUES[crank.L]
    theta = np.arcsin(r * np.sin(phi) / L)
    return (phi, theta), (rate, r * np.cos(phi) * rate / (L * np.cos(theta))), 0.0


def joints_state(rng):
    (phi, theta), (w, s), _ = crank_state(rng)
    r, L, a = (crank.VALUES[p] for p in (crank.r, crank.L, crank.a))
    C = (r * np.cos(phi) + a * np.cos(theta), r * np.sin(phi) - a * np.sin(theta))
    speed = (-r * np.sin(phi) * w - a * np.sin(theta) * s, r * np.cos(phi) * w - a * np.cos(theta) * s)
    B, slide = r * np.cos(phi) + L * np.cos(theta), -r * np.sin(phi) * w - L * np.sin(theta) * s
    return (phi, *C, theta, B), (w, *speed, s, slide), 0.0


def grinder_state(rng):
    theta, rate, t = rng.uniform(-3, 3, 3)
    return (theta, 0.0, 0.0), (rate, 0.0, 0.0), abs(t)


def driven_state(rng):
    (theta, _, _), (rate, _, _), t = grinder_state(rng)
    w = grinder.VALUES[grinder.omega0]
    return (w * t, theta, 0.0, 0.0), (w, rate, 0.0, 0.0), t


def carriage_state(rng):
    q, (v, w) = rng.uniform(-1.2, 1.2, 5), rng.uniform(-2, 2, 2)
    a, b = carriage.VALUES[carriage.a], carriage.VALUES[carriage.b]
    return tuple(q), (v * np.cos(q[2]), v * np.sin(q[2]), w, -(v + b * w) / a, -(v - b * w) / a), 0.0


def wall_state(rng):
    """Return a random elbow angle, the shoulder that puts the scoop on the line, and rates that keep it there."""
    l, b, a = (digger.MACHINE[p] for p in (digger.l, digger.b, digger.a))
    elbow = rng.uniform(1.4, 2.4)
    reach, turned = l * abs(1 + b * np.exp(1j * elbow)), np.angle(1 + b * np.exp(1j * elbow))
    shoulder = np.arccos(a / (reach * np.sqrt(2))) - np.pi / 4 - turned  # reach sqrt(2) cos(angle + pi/4) = a
    slopes = np.array([1, -1]) @ digger.JACOBIAN(shoulder, elbow)
    rate = rng.uniform(-2, 2)
    return (shoulder, elbow), (-slopes[1] * rate / slopes[0], rate), 0.0


def minimal_state(rng):
    return tuple(rng.uniform(-2, 2, 2)), tuple(rng.uniform(-2, 2, 2)), 0.0


def hinged_state(module):
    def draw(rng):
        q, v, t = minimal_state(rng)
        return *module.placed(q, v), t

    return draw


def two_rods_state(rng):
    (a1, a2), (w1, w2), _ = minimal_state(rng)
    L1, L2 = 0.9, 0.65
    x1, y1, u1, v1 = L1 * np.sin(a1), -L1 * np.cos(a1), L1 * np.cos(a1) * w1, L1 * np.sin(a1) * w1
    x2, y2 = x1 + L2 * np.sin(a2), y1 - L2 * np.cos(a2)
    return (x1, y1, x2, y2), (u1, v1, u1 + L2 * np.cos(a2) * w2, v1 + L2 * np.sin(a2) * w2), 0.0


def cone_state(rng):
    q, (u, v) = rng.uniform(-1, 1, 3), rng.uniform(0.3, 2, 2)
    return tuple(q), (u, -v, -0.75 * np.hypot(u, v)), 0.0


def _at(case_name):
    state = CASES[case_name]["state"]
    return tuple(state["q"]), tuple(state["qd"]), state.get("t", 0.0)


def _expected(case_name):
    return CASES[case_name]["expected"]


def _placed(module):
    return *module.placed(module.POSITION, module.VELOCITY), 0.0


def _model(name):
    return lambda: lk.load(MODELS / f"{name}.toml")


def _joints_at():
    state = crank.numbers()["joints"]
    return tuple(state.q), tuple(state.v), 0.0


_disc = _expected("rolling_disc_forced")
DISC = Example(
    "disc", disc.build, ("phi",), _at("rolling_disc_forced"), disc_state,
    _disc["stage2"] | {key: _disc[key] for key in ("A", "h", "G", "g0")},
)  # fmt: skip
CRANK = Example("crank", crank.build, ("phi",), _at("slider_crank"), crank_state, _expected("slider_crank"))
JOINTS = Example("crank with joints", crank.with_joints, ("phi",), _joints_at(), joints_state, {})
GRINDER = Example(
    "grinder", grinder.build, ("theta",), _at("hammer_grinder"), grinder_state, _expected("hammer_grinder")
)
DRIVEN = Example(
    "grinder, driven", grinder.driven, ("theta",),
    ((7.3 * 0.31, 0.95, 0.0, 0.0), (7.3, 2.6, 0.0, 0.0), 0.31), driven_state, {},
)  # fmt: skip
CARRIAGE = Example("carriage", carriage.build, ("x", "theta"), _at("carriage"), carriage_state, _expected("carriage"))
WALL = Example(
    "digging machine at a smooth wall", digger.smooth_wall, ("phi2",), _at("digging_machine_I"), wall_state,
    _expected("digging_machine_I") | _expected("digging_machine_I")["ideal_contact"],
)  # fmt: skip
PENDULUM = Example(
    "pendulum", pendulum.build, ("q1", "q2"), _at("slider_pendulum"), minimal_state, _expected("slider_pendulum")
)
HINGED_PENDULUM = Example(
    "pendulum with hinge", pendulum.with_hinge, ("q1", "q2"), _placed(pendulum), hinged_state(pendulum), {}
)
CRUSHER = Example(
    "crusher", crusher.build, ("q1", "q2"), _at("hammer_crusher"), minimal_state, _expected("hammer_crusher")
)
HINGED_CRUSHER = Example(
    "crusher with hinge", crusher.with_hinge, ("q1", "psi"), _placed(crusher), hinged_state(crusher),
    _expected("hammer_crusher")["redundant"],
)  # fmt: skip
TWO_RODS = Example(
    "two rods", _model("double_pendulum_cartesian"), ("x2", "y2"), _at("double_pendulum_cartesian"), two_rods_state,
    _expected("double_pendulum_cartesian"),
)  # fmt: skip
CONE = Example(
    "cone of velocities", _model("appell_hamel"), ("x", "y"), _at("appell_hamel"), cone_state, _expected("appell_hamel")
)
EXAMPLES = (
    DISC, CRANK, JOINTS, GRINDER, DRIVEN, CARRIAGE, WALL, PENDULUM, HINGED_PENDULUM, CRUSHER, HINGED_CRUSHER, TWO_RODS,
    CONE,
)  # fmt: skip
CONSTRAINED = tuple(example for example in EXAMPLES if example.name not in ("pendulum", "crusher"))
CHECKED = tuple(example for example in EXAMPLES if example.expected)
BOUND = tuple(example for example in CONSTRAINED if example.expected)


def states(example, count=3, seed=1):
    """Return random states on the constraints of an example."""
    rng = np.random.default_rng(seed)
    return [example.draw(rng) for _ in range(count)]


def projector(D):
    """Return D (D^T D)^-1 D^T; one column may be a list."""
    D = np.array(D).reshape(len(D), -1)
    return D @ np.linalg.solve(D.T @ D, D.T)


def mobility(A, D):
    """Return W = D (D^T A D)^-1 D^T."""
    return D @ np.linalg.solve(D.T @ A @ D, D.T)
