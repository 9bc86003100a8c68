"""The papers' mechanisms from bodies and joints: A, h, accelerations and reactions of the models stated by formulas.

Where the coordinates q of a mechanism are functions of those of a formula model, q = f(p), with the Jacobian J = df/dp:
A_p = J^T A J, h_p = J^T (h - A J' p'), q'' = J p'' + J' p', and generalized reactions are r_p = J^T r.
"""

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from papers import assert_close, crank, digger, grinder

import lienket as lk

FOLDER = Path(__file__).parents[2] / "examples" / "mechanisms"
slider_crank, hammer_grinder, digging_machine = (
    SimpleNamespace(**runpy.run_path(str(FOLDER / f"{name}.py")))
    for name in ("slider_crank", "hammer_grinder", "digging_machine")
)
MECHANISMS = {
    "crank": slider_crank.build(),
    "crank, absolute": slider_crank.mechanism().system("absolute"),
    "drum": hammer_grinder.build(),
    "released": hammer_grinder.released(),
    "digger": digging_machine.build(),
    "wall": digging_machine.smooth_wall(),
}
FORMULAS = {
    "crank": crank.build(),
    "joints": crank.with_joints(),
    "released": grinder.build(),
    "driven": grinder.driven(),
    "digger": digger.build(),
    "wall": digger.smooth_wall(),
}
seeds = pytest.mark.parametrize("seed", range(5))


def drawn(numbers, rng):
    """Return parameters by name, each within 30 % of the paper's."""
    return {symbol.name: value * rng.uniform(0.7, 1.3) for symbol, value in numbers.items()}


def assert_same_motion(mechanism, formula, J, rates):
    """Assert A_p, h_p and q'' by the Jacobian of q = f(p) and rates = J' p'."""
    assert_close(J.T @ mechanism.A @ J, formula.A)
    assert_close(J.T @ (mechanism.h - mechanism.A @ rates), formula.h)
    assert_close(mechanism.accelerations, J @ formula.accelerations + rates)
    assert_close(J.T @ mechanism.reaction, formula.reaction)


# Slider-crank: (phi, A, x) = (phi, -phi - theta, r cos(phi) + L cos(theta))


def crank_state(seed):
    """Return random parameters, (phi, theta) on the constraint, and their rates."""
    rng = np.random.default_rng(seed)
    values = drawn(crank.VALUES, rng)
    r, L = values["r"], values["L"]
    phi, rate = rng.uniform(-3, 3, 2)
    theta = np.arcsin(r * np.sin(phi) / L)
    return values, (phi, theta), (rate, r * np.cos(phi) * rate / (L * np.cos(theta)))


@seeds
def test_slider_crank_in_relative_coordinates(seed):
    values, (phi, theta), (w, s) = crank_state(seed)
    r, L = values["r"], values["L"]
    q = (phi, -phi - theta, r * np.cos(phi) + L * np.cos(theta))
    J = np.array([[1, 0], [-1, -1], [-r * np.sin(phi), -L * np.sin(theta)]])
    rates = np.array([0, 0, -r * np.cos(phi) * w**2 - L * np.cos(theta) * s**2])
    formula = FORMULAS["crank"].at((phi, theta), (w, s), values=values)
    state = MECHANISMS["crank"].at(q, J @ [w, s], values=values)
    assert_same_motion(state, formula, J, rates)
    assert_close(-state.joints["B"].force[1], formula.multipliers[0])  # of the guide, on the rod's end
    weight = values["m3"] * values["g"]  # the paper's slider has none, the guide carries it
    assert_close(state.joints["guide"].force, [0, -state.joints["B"].force[1] - weight])


@seeds
def test_slider_crank_in_absolute_coordinates(seed):
    """The paper's bodies joined by pins: the crank's angle, the rod's centre, minus its angle, the slider's place."""
    values, (phi, theta), (w, s) = crank_state(seed)
    r, L, a = values["r"], values["L"], values["a"]
    C = (r * np.cos(phi) + a * np.cos(theta), r * np.sin(phi) - a * np.sin(theta))
    V = (-r * np.sin(phi) * w - a * np.sin(theta) * s, r * np.cos(phi) * w - a * np.cos(theta) * s)
    B, slide = r * np.cos(phi) + L * np.cos(theta), -r * np.sin(phi) * w - L * np.sin(theta) * s
    formula = FORMULAS["joints"].at((phi, *C, theta, B), (w, *V, s, slide), values=values)
    q, v = (0, 0, phi, *C, -theta, B, 0, 0), (0, 0, w, *V, -s, slide, 0, 0)
    state = MECHANISMS["crank, absolute"].at(q, v, values=values)
    own, sign = [2, 3, 4, 5, 6], np.array([1, 1, 1, -1, 1])
    assert_close(sign[:, None] * state.A[np.ix_(own, own)] * sign, formula.A)
    assert_close(sign * state.h[own], formula.h)
    assert_close(sign * state.accelerations[own], formula.accelerations)
    relative = MECHANISMS["crank"].at((phi, -phi - theta, B), (w, -w - s, slide), values=values)
    for found in (state, relative):
        assert_close(found.joints["A"].force, formula.multipliers[:2])
        assert_close(-found.joints["B"].force, formula.multipliers[2:])
        assert_close(found.joints["A"].torque, 0.0)
        assert bool(found.joints["A"].unique) and bool(found.joints["guide"].unique)
    assert_close(state.joints["guide"].force, relative.joints["guide"].force)


# Hammer grinder


def grinder_state(seed):
    rng = np.random.default_rng(seed)
    values = drawn(grinder.VALUES, rng)
    theta, rate = rng.uniform(-3, 3, 2)
    return values, rng.uniform(0, 2), theta, rate


@seeds
def test_hammer_on_a_driven_drum(seed):
    """(drum, hinge) = (psi, theta - psi); the paper's u and v are held at zero."""
    values, t, theta, rate = grinder_state(seed)
    w, both = values["omega0"], np.ix_([0, 1], [0, 1])
    formula = FORMULAS["driven"].at((w * t, theta, 0, 0), (w, rate, 0, 0), t, values=values)
    state = MECHANISMS["drum"].at((w * t, theta - w * t), (w, rate - w), t, values=values)
    J = np.array([[1, 0], [-1, 1]])
    assert_close(J.T @ state.A @ J, formula.A[both])
    assert_close(J.T @ state.h, formula.h[:2])
    assert_close(state.accelerations, J @ formula.accelerations[:2])
    assert_close(J.T @ state.reaction, formula.reaction[:2])
    assert_close(state.elements["drive"].effort, formula.multipliers[0])
    assert_close(state.joints["hinge"].force, formula.multipliers[1:])
    assert_close(state.joints["drum"].force, formula.multipliers[1:])  # passed on by a drum without weight
    assert_close(state.joints["hinge"].torque, 0.0)


@seeds
def test_hammer_released_from_a_hinge_that_time_moves(seed):
    """(hinge_x, hinge_y, hinge_angle) = (u, v, theta); T = T2 + T1 + T0."""
    values, t, theta, rate = grinder_state(seed)
    formula = FORMULAS["released"].at((theta, 0, 0), (rate, 0, 0), t, values=values)
    state = MECHANISMS["released"].at((0, 0, theta), (0, 0, rate), t, values=values)
    J = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert_same_motion(state, formula, J, np.zeros(3))
    assert_close(state.multipliers, formula.multipliers)
    driven = MECHANISMS["drum"].at(
        (values["omega0"] * t, theta - values["omega0"] * t), (values["omega0"], rate - values["omega0"]), t, values
    )
    assert_close(driven.joints["hinge"].force, formula.multipliers)


@seeds
def test_formula_of_the_force_in_the_hinge(seed):
    """Paper 001 releases the hinge; turned from the hammer's axes to those of the ground it is (3.32) and (3.33)."""
    values, t, theta, rate = grinder_state(seed)
    w, system = values["omega0"], MECHANISMS["drum"]
    state = system.at((w * t, theta - w * t), (w, rate - w), t, values=values)
    formula = sp.Matrix(system.joint_reaction("hinge").force)
    point = {sp.Symbol(name): value for name, value in values.items()}
    for numbers, order in ((state.accelerations, 2), (state.v, 1), (state.q, 0)):
        formula = formula.subs(
            {lk.der(q, order) if order else q: x for q, x in zip(system.coordinates, numbers, strict=True)}
        )
    turned = np.array([[np.cos(theta), -np.sin(theta)], [np.sin(theta), np.cos(theta)]])
    expected = FORMULAS["released"].at((theta, 0, 0), (rate, 0, 0), t, values=values).multipliers
    assert_close(turned @ np.array(formula.subs(point), dtype=float).ravel(), expected)


# Digging machine: the same coordinates


def digger_state(seed, numbers):
    """Return random parameters, angles, and rates along the line x - y = a through the scoop."""
    rng = np.random.default_rng(seed)
    values = drawn(digger.MACHINE | numbers, rng)
    shoulder, elbow, rate = rng.uniform(-3, 3), rng.choice([-1, 1]) * rng.uniform(0.5, 2.5), rng.uniform(-2, 2)
    l, b = values["l"], values["b"]
    c1, s1, c12, s12 = np.cos(shoulder), np.sin(shoulder), np.cos(shoulder + elbow), np.sin(shoulder + elbow)
    values["a"] = l * (c1 + b * c12) - l * (s1 + b * s12)
    J = l * np.array([[-s1 - b * s12, -b * s12], [c1 + b * c12, b * c12]])
    slope = np.array([1, -1]) @ J
    return values, (shoulder, elbow), (-slope[1] * rate, slope[0] * rate), J


@seeds
def test_digging_machine_with_a_program_on_top(seed):
    values, q, v, J = digger_state(seed, digger.SOIL)
    formula, state = (systems["digger"].at(q, v, values=values) for systems in (FORMULAS, MECHANISMS))
    assert_same_motion(state, formula, np.eye(2), np.zeros(2))
    assert_close(state.G, formula.G)
    assert_close([state.drives[name] for name in ("M1", "M2")], [formula.drives[name] for name in ("M1", "M2")])
    # Newton for the scoop: weight, soil and the force of the arm; arms without mass pass it on
    acceleration = scoop_acceleration(values, q, v, state.accelerations)
    weight = [0, values["m"] * values["g"]]
    force = values["m"] * acceleration - weight - [values["Xe"], values["Ye"]]
    assert_close(state.joints["phi2"].force, force)
    assert_close(state.joints["phi1"].force, force)
    assert_close(np.asarray(J).T @ force, state.reactions["line"])


def scoop_acceleration(values, q, v, a):
    """Return the acceleration of the scoop, J q'' + J' q', from the directions of both arms."""
    l, b = values["l"], values["b"]
    out = np.zeros(2)
    for length, angle, rate, second in ((l, q[0], v[0], a[0]), (b * l, sum(q), sum(v), sum(a))):
        e, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        out += length * (second * across - rate**2 * e)
    return out


@seeds
def test_digging_machine_at_a_smooth_wall(seed):
    """The slot's force on the scoop is lambda (1, -1), the gradient of x - y - a in the scoop's place."""
    values, q, v, J = digger_state(seed, digger.MOMENTS)
    formula, state = (systems["wall"].at(q, v, values=values) for systems in (FORMULAS, MECHANISMS))
    assert_same_motion(state, formula, np.eye(2), np.zeros(2))
    force = formula.multipliers[0] * np.array([1, -1])
    assert_close(state.joints["line"].force, force)
    assert_close(J.T @ state.joints["line"].force, formula.reaction)
    assert_close(state.joints["line"].torque, 0.0)
