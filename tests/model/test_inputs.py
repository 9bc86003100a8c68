"""Inputs: every form of a function of time, against closed solutions; where it may stand; what is refused."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy as sp
from sympy import cos, exp, sin

import lienket as lk
from lienket import der
from lienket.compiled.machine import build

t = lk.t
x, y = lk.coordinates("x y")
F, u = lk.inputs("F u")
m, k, c, a = lk.parameters("m k c a")
FINE = {"rtol": 1e-11, "atol": 1e-13}
CLOSED = 1e-9  # [m] the runs have tolerances of 1e-11

CART = lk.System("cart", [x], kinetic=m * der(x) ** 2 / 2, forces={x: F}, inputs=[F], values={"m": 2})
SPRING = lk.System(
    "spring",
    [x],
    kinetic=m * der(x) ** 2 / 2,
    potential=k * x**2 / 2,
    forces={x: F},
    inputs=[F],
    values={"m": 2, "k": 8},
)
PLANE = lk.System("plane", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2, inputs=[F, u], values={"m": 2})
SAMPLED = lk.Sampled(lambda s, q, v: 1.0, every=0.1)


class Gain:
    """A controller with a state of its own, equal to any other and without a hash."""

    def __init__(self, gain):
        self.gain = gain

    def __eq__(self, other):
        return True

    __hash__ = None

    def __call__(self, s, q, v):
        return self.gain

    def force(self, s, q, v):
        return 2 * self.gain


def final(system, stated, until=1.0, **more):
    motion = system.simulate(until=until, inputs={"F": stated}, **FINE, **more)
    assert motion.outcome.complete
    return motion["x"][-1]


# --- Forms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (None, 0),
        (4, 1),
        (4.0, 1),
        (np.float64(4), 1),
        (Fraction(9, 2), 9 / 8),
        (sp.Rational(9, 2), 9 / 8),
        (4 * sp.pi, math.pi),
        ("8/2", 1),
        (6 * t, 1 / 2),
        ("6*t", 1 / 2),
        (sin(t), (1 - math.sin(1)) / 2),
        (m * exp(-t), math.exp(-1)),
        (lk.table("ramp", [0, 1, 2], [0, 6, 12]), 1 / 2),
        (lk.table("ramp", [0, 1, 2], [0, 6, 12], kind="linear"), 1 / 2),
        (2 * lk.table("ramp", [0, 1, 2], [0, 6, 12])(t) + 4, 2),
        (lk.function("decay", math.exp), (math.e - 2) / 2),
        (lambda s, q, v: 6 * s, 1 / 2),
        (partial(lambda gain, s, q, v: gain * s, 6), 1 / 2),
        (Gain(4.0), 1),
        (Gain(4.0).force, 2),
        (lk.Sampled(lambda s, q, v: 4, every=0.3), 1),
    ],
)
def test_the_forms_of_an_input_move_a_cart_as_the_closed_solution_says(stated, expected):
    assert final(CART, stated) == pytest.approx(expected, abs=CLOSED)


@pytest.mark.parametrize(
    "feedback",
    [
        -6 * x - 4 * der(x),
        "-6*x - 4*der(x)",
        -k * x * 3 / 4 - 4 * der(x),
        lambda s, q, v: -6 * q[0] - 4 * v[0],
    ],
)
def test_feedback_makes_another_spring_and_a_damper(feedback):
    """2 x'' + 4 x' + 14 x = 0: x = exp(-t) (cos w t + sin(w t)/w) with w^2 = 6."""
    w = math.sqrt(6)
    expected = math.exp(-1) * (math.cos(w) + math.sin(w) / w)
    assert final(SPRING, feedback, start={"x": 1}) == pytest.approx(expected, abs=CLOSED)


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_a_python_function_under_every_kind_of_method(method):
    w = math.sqrt(6)
    expected = math.exp(-1) * (math.cos(w) + math.sin(w) / w)
    reached = final(SPRING, lambda s, q, v: -6 * q[0] - 4 * v[0], start={"x": 1}, method=method)
    assert reached == pytest.approx(expected, abs=CLOSED)


def test_two_python_functions_that_are_equal_are_not_confused():
    assert final(CART, Gain(4.0)) == pytest.approx(1, abs=CLOSED)
    assert final(CART, Gain(8.0)) == pytest.approx(2, abs=CLOSED)


def test_one_python_function_serves_two_inputs_and_names_in_latex():
    F1 = lk.inputs("F_{1}")
    cart = lk.System("cart", [x], kinetic=der(x) ** 2, forces={x: F + F1}, inputs=[F, F1])
    push = Gain(2.0)
    passes = lk.Event("passes", when=x - 1 / 4)
    motion = cart.simulate(until=1, inputs={"F": push, "F_1": push}, events=[passes], **FINE)
    assert motion["x"][-1] == pytest.approx(1, abs=CLOSED)
    np.testing.assert_allclose(motion.events["passes"], [0.5], rtol=1e-9)
    curve = lk.function("first", math.exp), lk.function("second", math.exp)
    assert final(cart, curve[0](t) + curve[1](t)) == pytest.approx(math.e - 2, abs=CLOSED)


def test_stated_in_the_system_and_again_in_the_run():
    system = CART.with_inputs({"F": 4})
    assert system.simulate(until=1, **FINE)["x"][-1] == pytest.approx(1, abs=CLOSED)
    assert final(system, 8) == pytest.approx(2, abs=CLOSED)
    assert CART.simulate(until=1)["x"][-1] == 0
    assert system != CART and system.with_inputs({"F": None}) == CART
    assert CART.with_inputs(None) is CART


def test_inputs_are_columns_of_the_run():
    motion = PLANE.simulate(until=1, start={"x'": 1}, inputs={"F": 3, u: t * x})
    assert list(motion.inputs) == ["F", "u"]
    assert set(motion.inputs["F"]) == {3.0}
    np.testing.assert_allclose(motion.inputs["u"], motion.t * motion["x"], rtol=1e-14)
    assert {"F", "u"} <= set(motion.to_dict())


def test_the_outcome_says_what_was_not_given():
    assert "not given" not in CART.simulate(until=0.1, inputs={"F": 0}).outcome
    assert "The input F was not given and is 0." in CART.simulate(until=0.1).outcome
    assert "The inputs F, u were not given and are 0." in PLANE.simulate(until=0.1).outcome
    assert "The input u was not given and is 0." in PLANE.simulate(until=0.1, inputs={"F": t}).outcome


def test_numbers_of_parameters_that_only_an_input_uses():
    assert final(CART, a * t, values={"a": 6}) == pytest.approx(1 / 2, abs=CLOSED)
    early = lk.System("cart", [x], kinetic=der(x) ** 2, forces={x: F}, inputs=[F], values={"a": 6})
    assert final(early, a * t) == final(early, "a*t") == pytest.approx(1 / 2, abs=CLOSED)
    with pytest.raises(lk.ModelError, match="a has no number"):
        CART.simulate(until=1, inputs={"F": a * t})


def test_values_in_the_order_of_the_parameters_do_not_count_inputs():
    assert [p.name for p in SPRING.parameters] == ["k", "m"]
    np.testing.assert_allclose(SPRING.at([1], [0], values=[6, 3], inputs={"F": 3}).accelerations, [-1])


# --- Constraints ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "positions"),
    [
        (sin(2 * t), lambda s: (np.sin(2 * s), 2 * np.cos(2 * s), -4 * np.sin(2 * s))),
        ("t^3", lambda s: (s**3, 3 * s**2, 6 * s)),
        (0.7, lambda s: (0.7 + 0 * s, 0 * s, 0 * s)),
        (None, lambda s: (0 * s, 0 * s, 0 * s)),
        (lk.table("path", np.linspace(0, 1, 6), np.linspace(0, 1, 6) ** 2), lambda s: (s**2, 2 * s, 2 + 0 * s)),
    ],
)
def test_a_guide_moves_as_its_input_says(stated, positions):
    """x = F(t): x' = F', x'' = F'', and the reaction of the guide is m F''."""
    motion = PLANE.constrain("guide", x - F).simulate(until=1, inputs={"F": stated}, **FINE)
    assert motion.outcome.complete and motion.audit.ok
    expected = positions(motion.t)
    for column, values in zip(("x", "x'", "x''"), expected, strict=True):
        np.testing.assert_allclose(motion[column], values, rtol=0, atol=1e-9)
    np.testing.assert_allclose(motion.reactions["guide"][:, 0], 2 * expected[2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("level", [1, 2])
def test_velocities_and_accelerations_as_an_input_says(level):
    motion = PLANE.constrain("guide", der(x, level) - F).simulate(until=1, inputs={"F": cos(3 * t)}, **FINE)
    s = motion.t
    expected = np.sin(3 * s) / 3 if level == 1 else (1 - np.cos(3 * s)) / 9
    np.testing.assert_allclose(motion["x"], expected, rtol=0, atol=CLOSED)
    acceleration = -3 * np.sin(3 * s) if level == 1 else np.cos(3 * s)
    np.testing.assert_allclose(motion["x''"], acceleration, rtol=0, atol=CLOSED)


def test_a_derivative_of_an_input_in_a_constraint_and_in_a_force():
    guide = PLANE.constrain("guide", x - der(F) - u)
    motion = guide.simulate(until=1, inputs={"F": sin(t), "u": t}, **FINE)
    np.testing.assert_allclose(motion["x"], np.cos(motion.t) + motion.t, rtol=0, atol=CLOSED)
    damped = lk.System("damped", [x], kinetic=der(x) ** 2 / 2, forces={x: der(F, 2)}, inputs=[F])
    reached = damped.simulate(until=1, start={"x'": 3}, inputs={"F": t**3}, **FINE)
    assert reached["x"][-1] == pytest.approx(4, abs=CLOSED)
    assert np.array_equal(reached.work["F"] > 0, reached.t > 0)


def test_the_support_of_a_pendulum_in_its_kinetic_energy():
    """A mass m on a spring in a box that moves by F: m (x'' + F'') = -k x, from T = m (x' + F')^2/2."""
    box = lk.System("box", [x], kinetic=(der(x) + der(F)) ** 2, potential=4 * x**2, inputs=[F])
    motion = box.simulate(until=1, inputs={"F": t**2 / 2}, **FINE)
    np.testing.assert_allclose(motion["x"], (np.cos(2 * motion.t) - 1) / 4, rtol=0, atol=CLOSED)


def test_a_python_function_of_time_has_derivatives_if_they_are_given():
    speed = PLANE.constrain("guide", der(x) - F)
    known = lk.function("wave", math.sin, derivatives=[math.cos])
    assert final(speed, known) == pytest.approx(1 - math.cos(1), abs=CLOSED)
    with pytest.raises(lk.LienketError, match="The derivative of wave by its first argument is needed here"):
        final(speed, lk.function("wave", math.sin))
    with pytest.raises(lk.LienketError, match="A second derivative of wave is needed here"):
        final(PLANE.constrain("guide", x - F), known)


def test_sampled_functions_and_velocities_are_refused_in_constraints():
    for row in (x - F, der(x) - F):
        guide = PLANE.constrain("guide", row)
        with pytest.raises(lk.ModelError, match=r"a sampled function jumps, but the constraint 'guide' needs"):
            guide.simulate(until=1, inputs={"F": SAMPLED})
        with pytest.raises(lk.ModelError, match=r"a sampled function jumps"):
            PLANE.with_inputs({"F": SAMPLED}).constrain("guide", row)
    assert final(PLANE.constrain("guide", der(x, 2) - F), SAMPLED) == pytest.approx(1 / 2, abs=CLOSED)
    guide = PLANE.constrain("guide", x - F)
    for stated in (y, -der(y), lambda s, q, v: 0.0):
        with pytest.raises(lk.ModelError, match=r"depends on the state, but the constraint 'guide' is differ"):
            guide.simulate(until=1, inputs={"F": stated})
    with pytest.raises(lk.ModelError, match=r"depends on the state, but the constraint 'guide' is differ"):
        PLANE.with_inputs({"F": -der(y)}).constrain("guide", x - F)


def test_feedback_is_refused_in_energies():
    """A potential V(q, F) is differentiated at given F; V(q, e(q)) would be another system than its equations."""
    spring = lk.System("spring", [x], kinetic=der(x) ** 2, potential=(x - F) ** 2, inputs=[F])
    for stated in (x / 2, -der(x), lambda s, q, v: q[0] / 2):
        with pytest.raises(lk.ModelError, match="depends on the state, but the potential is differentiated"):
            spring.simulate(until=1, inputs={"F": stated})
    moving = lk.System("moving", [x], kinetic=(der(x) + der(F)) ** 2, inputs=[F])
    with pytest.raises(lk.ModelError, match="the kinetic energy is differentiated"):
        moving.simulate(until=1, inputs={"F": x})


def test_feedback_of_positions_in_a_constraint_on_velocities():
    """x' = F with F = -2 x: x = exp(-2 t)."""
    speed = PLANE.constrain("speed", der(x) - F)
    assert final(speed, -2 * x, start={"x": 1}) == pytest.approx(math.exp(-2), abs=1e-8)
    with pytest.raises(lk.ModelError, match="the constraint 'speed' is differentiated"):
        speed.simulate(until=1, inputs={"F": der(y)})


def test_a_constraint_on_an_input_alone_constrains_nothing():
    with pytest.raises(lk.ModelError, match="contains no coordinate, so it constrains nothing"):
        PLANE.constrain("nothing", F - 1)


# --- Faults -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"G": 1}, "'G' is not an input of this system"),
        ({"x": 1}, "'x' is not an input of this system"),
        ({"F": True}, "was expected, not True"),
        ({"F": float("nan")}, "not a finite number"),
        ({"F": float("inf")}, "not a finite number"),
        ({"F": 10**400}, "must be a real number"),
        ({"F": sp.I}, "a real number was expected"),
        ({"F": sp.oo}, "a real number was expected"),
        ({"F": [1, 2]}, "an expression was expected"),
        ({"F": "sin("}, "expected a number"),
        ({"F": "b*t"}, "unknown name 'b'"),
        ({"F": u}, "it contains the input u"),
        ({"F": F + 1}, "it contains the input F"),
        ({"F": lk.inputs("w")}, r"w\(t\) is not among the coordinates"),
        ({"F": der(x, 2)}, "no derivative above the velocity"),
        ({"F": sp.Symbol("x")}, "a parameter named x like a coordinate"),
        ({"F": sp.Symbol("u")}, "a parameter named u like an input"),
        ({"F": sp.Symbol("t", real=True)}, "a symbol t that is not time"),
        ({"F": sp.Symbol("m", positive=True)}, "two different symbols are both named m"),
        ({"F": lambda s: 0}, r"must take \(t, q, v\)"),
        ({"F": lk.function("g", lambda p, q: p)}, "takes 2 arguments"),
        ({"F": 1, F: 2}, "F has two entries"),
        ({"F": lk.table("F", [0, 1], [0, 1])}, "function 'F': it is named like an input"),
        ({"F": lk.table("m", [0, 1], [0, 1])}, "function 'm': it is named like a parameter"),
        ({"F": lk.table("g", [0, 1], [0, 1]), "u": lk.table("g", [0, 1], [1, 1])}, "two different tables"),
        ([F], "a mapping from inputs"),
        ("F", "a mapping from inputs"),
    ],
)
def test_faults_of_inputs_are_named(stated, words):
    with pytest.raises(lk.ModelError, match=words):
        PLANE.simulate(until=1, inputs=stated)


def test_all_faults_at_once():
    with pytest.raises(lk.ModelError, match="has 3 faults"):
        PLANE.with_inputs({"F": True, "u": "b", "w": 1})


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ("F", "F is not a function of time"),
        ([m], "m is not a function of time"),
        ([x], "x is a coordinate too"),
        ([F, F], "F is an input too"),
        ([F, lk.inputs("m")], "a parameter is named m like an input"),
        ([], r"F\(t\) is not among the coordinates"),
    ],
)
def test_faults_of_the_list_of_inputs_are_named(inputs, words):
    with pytest.raises(lk.ModelError, match=words):
        lk.System("cart", [x], kinetic=m * der(x) ** 2, forces={x: F}, inputs=inputs)


def test_inputs_are_not_values():
    with pytest.raises(lk.ModelError, match="it is an input"):
        lk.System("cart", [x], kinetic=der(x) ** 2, forces={x: F}, inputs=[F], values={"F": 1})
    for question in (
        lambda: CART.simulate({"F": 1}, until=1),
        lambda: CART.at([0], [0], values={F: 1}),
        lambda: CART.consistent(values={"F": 1}),
        lambda: SPRING.linearize(values={"F": 1}),
        lambda: SPRING.equilibrium(values={"F": 1}),
        lambda: SPRING.sensitivity({"F": 1}, until=1, by=["k"]),
    ):
        with pytest.raises(lk.ModelError, match=r"values\[F\]: it is an input\n.*State it in inputs="):
            question()


def test_a_system_without_inputs_has_none_to_state():
    plain = lk.System("plain", [x], kinetic=der(x) ** 2)
    with pytest.raises(lk.ModelError, match="this system has no inputs"):
        plain.simulate(until=1, inputs={"F": 1})


def test_an_output_does_not_take_the_name_of_an_input():
    with pytest.raises(lk.ModelError, match="an input has this name"):
        CART.simulate(until=1, outputs={"F": x})


def test_outputs_may_contain_inputs_and_their_derivatives():
    motion = CART.simulate(until=1, inputs={"F": t**2}, outputs={"power": F * der(x), "slope": der(F)})
    np.testing.assert_allclose(motion.outputs["power"], motion.t**2 * motion["x'"], rtol=1e-14)
    np.testing.assert_allclose(motion.outputs["slope"], 2 * motion.t, rtol=1e-14)


# --- Code -------------------------------------------------------------------------------------------------


def test_another_number_compiles_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path))
    compiled, original = [], build.object_code
    monkeypatch.setattr(build, "object_code", lambda text, *more: compiled.append(text) or original(text, *more))
    p = lk.coordinates("p_compiled")
    cart = lk.System("cart", [p], kinetic=der(p) ** 2, forces={p: F + u}, inputs=[F, u])
    cart.simulate(until=1, inputs={"F": 1.0})
    assert compiled
    compiled.clear()
    for stated in ({"F": 2}, {"F": 3.5, "u": -1}, {}, {"u": sp.pi}, {"F": None}):
        cart.simulate(until=1, inputs=stated)
    assert not compiled
    cart.simulate(until=1, inputs={"F": lk.Sampled(lambda s, q, v: 1.0, every=0.3)})
    compiled.clear()
    cart.simulate(until=1, inputs={"F": lk.Sampled(lambda s, q, v: 2.0, every=0.2)})
    assert not compiled
    cart.simulate(until=1, inputs={"F": sin(t)})
    assert compiled


def test_compiled_code_takes_inputs_as_parameters():
    code = SPRING.compile(outputs={"pull": F - k * x})
    assert [p.name for p in code.parameters] == ["F", "k", "m"]
    result = code.evaluate(0.0, [[1.0], [2.0]], [[0.0], [0.0]], values={"F": 4})
    np.testing.assert_allclose(result.accelerations, [[-2], [-6]])
    np.testing.assert_allclose(code.evaluate(0.0, [[1.0]], [[0.0]]).accelerations, [[-4]])
    fixed = SPRING.with_inputs({"F": 3 * t}).compile()
    assert [p.name for p in fixed.parameters] == ["k", "m"]
    np.testing.assert_allclose(fixed.evaluate(2.0, [[1.0]], [[0.0]]).accelerations, [[-1]])
