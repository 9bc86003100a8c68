"""A, B, C and D against differences of states that satisfy the constraints, for every kind of constraint."""

import mechanisms
import numpy as np
import pytest
import sympy as sp
from sympy import cos, exp, sin

import lienket as lk
from lienket import der

STEP = 1e-4


def moving_pendulum():
    """Return a planar pendulum of point mass on a support that moves up and down: a rheonomic constraint."""
    m, c, w, F = lk.parameters("m c w F")
    x, y = lk.coordinates("x y")
    free = lk.System(
        "driven", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * m * y,
        forces={x: F - c * der(x), y: F * x * der(y)}, values={m: 1.4, c: 0.3, w: 5.0, F: 0.2},
    )  # fmt: skip
    return free.constrain("rod", x**2 + (y - 0.1 * cos(w * lk.t)) ** 2 - 1), {"x": 0.6, "x'": 1.1}, {"y": -0.8}


def knife_edge():
    """Return a knife edge on a slope with a force along it: a linear nonholonomic constraint."""
    F, k = lk.parameters("F k")
    x, y, phi = lk.coordinates("x y phi")
    free = lk.System(
        "knife edge", [x, y, phi], kinetic=(der(x) ** 2 + der(y) ** 2 + 0.3 * der(phi) ** 2) / 2,
        potential=2 * sin(x) + k * phi**2, forces={x: F * cos(phi), y: F * sin(phi)}, values={F: 0.7, k: 0.4},
    )  # fmt: skip
    edge = free.constrain("edge", der(x) * sin(phi) - der(y) * cos(phi))
    return edge, {"x": 0.2, "y": -1.0, "phi": 0.5, "x'": 1.2, "phi'": 0.8}, {"y'": 0.6}


def constant_speed():
    """Return a mass of constant speed: a nonlinear nonholonomic constraint (after Appell and Hamel)."""
    s, F = lk.parameters("s F")
    x, y, z = lk.coordinates("x y z")
    free = lk.System(
        "constant speed", [x, y, z], kinetic=(der(x) ** 2 + 2 * der(y) ** 2 + der(z) ** 2) / 2, potential=x * y * z,
        forces={z: F * der(x)}, values={s: 0.9, F: 1.5},
    )  # fmt: skip
    kept = free.constrain("speed", der(x) ** 2 + der(y) ** 2 - exp(0.1 * z) * der(z) ** 2)
    return kept, {"x": 0.2, "y": 0.5, "z": 0.3, "x'": 0.7, "y'": 0.5}, {"z'": 0.8}


def acceleration_rows():
    """Return a system with a constraint on accelerations that contains a parameter."""
    u, k = lk.parameters("u k")
    x, y = lk.coordinates("x y")
    free = lk.System("pushed", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2 + x**2 * der(y) ** 2) / 2,
                     potential=k * x**2 * y, values={u: 0.4, k: 2.0})  # fmt: skip
    return free.constrain("law", der(x, 2) - y * der(y, 2) - u * sin(x) * der(y)), dict(
        zip(("x", "y", "x'", "y'"), (0.4, 0.7, 0.3, -0.9), strict=True)
    ), {}  # fmt: skip


def bent_acceleration():
    """Return a system with a constraint that is nonlinear in the accelerations."""
    u = lk.parameters("u")
    x, y = lk.coordinates("x y")
    free = lk.System("bent", [x, y], kinetic=(der(x) ** 2 + 3 * der(y) ** 2) / 2, potential=x * x * y + 3 * y,
                     values={u: 0.4})  # fmt: skip
    law = der(x, 2) + 0.2 * der(x, 2) ** 3 - der(y, 2) * x - u * der(y)
    return free.constrain("law", law), dict(zip(("x", "y", "x'", "y'"), (0.4, 0.7, 0.3, -0.9), strict=True)), {}


def redundant_four_bar():
    """Return a four-bar in nine coordinates with one redundant row."""
    system = mechanisms.four_bar("bodies")
    x3, y3 = (next(q for q in system.coordinates if str(q) == f"{name}(t)") for name in ("x3", "y3"))
    more = system.constrain("circle", (x3 - mechanisms.FOUR_BAR[3]) ** 2 + y3**2 - mechanisms.FOUR_BAR[2] ** 2 / 4)
    return (
        more,
        {"p": 1.0, "p'": 1.5},
        {"s": 0.5, "w": 1.5, "x2": 1.5, "y2": 1.5, "x3": 3, "y3": 1, "x1": 0.3, "y1": 0.4},
    )


SYSTEMS = [moving_pendulum, knife_edge, constant_speed, acceleration_rows, bent_acceleration, redundant_four_bar]
TIME = 0.3


def completed(system, independent, guess, values):
    """Return the whole state that follows from the independent values."""
    return system.consistent(independent, values, guess=guess, t=TIME, others=False)


def rates(system, independent, guess, values=None):
    q, v = completed(system, independent, guess, values)
    state = system.at(q, v, TIME, values)
    names = [str(x.func) for x in system.coordinates]
    rate_of = dict(zip([*names, *(f"{n}'" for n in names)], [*state.v, *state.accelerations], strict=True))
    return np.array([rate_of[name] for name in independent]), state


def difference(function, step=STEP):
    """Return the derivative at 0 by differences of order six."""
    pairs = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
    return sum(w * (function(k * step) - function(-k * step)) for k, w in pairs) / step


@pytest.mark.parametrize("make", SYSTEMS)
def test_matrix_a_is_the_derivative_of_consistent_motions(make):
    system, independent, guess = make()
    q, v = completed(system, independent, guess, None)
    linear = system.linearize(q, v, TIME, independent=list(independent))
    assert linear.states == tuple(independent)
    for k, name in enumerate(independent):
        column = difference(lambda d, name=name: rates(system, independent | {name: independent[name] + d}, guess)[0])
        assert linear.A[:, k] == pytest.approx(column, rel=1e-8, abs=1e-8)

        def state(d, name=name):
            return np.concatenate(list(completed(system, independent | {name: independent[name] + d}, guess, None)))

        assert linear.T[:, k] == pytest.approx(difference(state), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("make", SYSTEMS[:-1])
def test_the_choice_of_states_is_a_change_of_coordinates(make):
    system, independent, guess = make()
    q, v = completed(system, independent, guess, None)
    first, second = system.linearize(q, v, TIME), system.linearize(q, v, TIME, independent=list(independent))
    indices = [[*first.coordinates, *(f"{x}'" for x in first.coordinates)].index(name) for name in independent]
    S = first.T[indices]  # derivatives of the requested states by the chosen ones
    assert pytest.approx(first.T, abs=1e-9) == second.T @ S
    assert np.linalg.cond(S) < 1e4


@pytest.mark.parametrize("make", [moving_pendulum, knife_edge, constant_speed, acceleration_rows, bent_acceleration])
def test_matrices_b_c_and_d_are_derivatives(make):
    system, independent, guess = make()
    x, y = system.coordinates[:2]
    inputs = [p.name for p in system.parameters if p.name in ("F", "u", "k")]
    push = lk.parameters("lambda_1")
    outputs = {"mixed": x * der(y, 2) + der(x) * sin(y), "push": push * x + inputs_of(system, inputs[0]) ** 2}
    q, v = completed(system, independent, guess, None)
    linear = system.linearize(q, v, TIME, inputs=inputs, outputs=outputs, independent=list(independent))
    assert linear.inputs == tuple(inputs)
    assert linear.outputs == ("mixed", "push")

    def shown(state, number):
        a, (q1, q2), v1 = state.accelerations, state.q[:2], state.v[0]
        return np.array([q1 * a[1] + v1 * np.sin(q2), state.multipliers[0] * q1 + number**2])

    numbers = {str(p): float(x) for p, x in system.values.items()}
    for k, name in enumerate(independent):

        def moved(d, name=name):
            state = rates(system, independent | {name: independent[name] + d}, guess)[1]
            return shown(state, numbers[inputs[0]])

        assert linear.C[:, k] == pytest.approx(difference(moved), rel=1e-8, abs=1e-8)
    for k, name in enumerate(inputs):

        def pushed(d, name=name):
            values = numbers | {name: numbers[name] + d}
            x, state = rates(system, independent, guess, values)
            return np.concatenate([x, shown(state, values[inputs[0]])])

        column = difference(pushed)
        assert linear.B[:, k] == pytest.approx(column[: len(independent)], rel=1e-8, abs=1e-8)
        assert linear.D[:, k] == pytest.approx(column[len(independent) :], rel=1e-8, abs=1e-8)


def inputs_of(system, name):
    return next(p for p in system.parameters if p.name == name)


def test_outputs_default_to_the_states():
    linear = mechanisms.pendulum().linearize([0.2], inputs=["g"])
    assert linear.outputs == linear.states
    assert np.array_equal(linear.C, np.eye(2))
    assert np.array_equal(linear.D, np.zeros((2, 1)))


def test_accelerations_and_multipliers_at_a_hanging_pendulum():
    """The rod carries m g = -2 lambda l: lambda = -m g/(2 l), and its derivative by g is -m/(2 l)."""
    y = lk.coordinates("y")
    plane = mechanisms.pendulum_in_the_plane()
    linear = plane.linearize([0, -0.7], inputs=["g"], outputs={"lambda": lk.parameters("lambda_1"), "a": der(y, 2)})
    assert pytest.approx(np.array([[-2 / 1.4], [0.0]]), abs=1e-15) == linear.D
    assert pytest.approx(np.zeros((2, 2)), abs=1e-15) == linear.C


def test_reactions_are_outputs_like_the_multipliers_they_are_made_of():
    x, y = lk.coordinates("x y")
    g = lk.parameters("g", positive=True)
    plane = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y, values={"g": 9.81})
    pendulum = plane.constrain("rod", x**2 + y**2 - 1)
    push = lk.parameters("lambda_1")
    by_name = {"row": lk.multiplier("rod"), "on y": lk.reaction("rod", y), "whole": lk.reaction("rod")}
    same = {"row": push, "on y": 2 * y * push, "whole": -2 * push}  # the rod pulls
    state = {"x": 0.6, "y": -0.8}, {"x": 0.4, "y": 0.3}
    one, other = (pendulum.linearize(*state, inputs=["g"], outputs=outputs) for outputs in (by_name, same))
    assert np.abs(one.C).min(axis=1).max() > 0.1
    np.testing.assert_allclose(one.C, other.C, rtol=1e-12)
    np.testing.assert_allclose(one.D, other.D, rtol=1e-12)
    formulas = pendulum.linearize({"y": -1}, symbolic=True, inputs=["g"], outputs=by_name)
    assert list(formulas.D) == [-sp.Rational(1, 2), 1, 1]  # at rest the rod carries g
