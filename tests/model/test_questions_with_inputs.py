"""Inputs in linearizations, sensitivities, equilibria and drives, in energy balances, files and formulas."""

import numpy as np
import pytest
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der

t = lk.t
x, y = lk.coordinates("x y")
F, u = lk.inputs("F u")
m, k, ell = lk.parameters("m k l")
DIFFERENCE = 1e-4  # [N] step of central differences of accelerations that are polynomials of the inputs

CRANE = lk.System(
    "crane", [x, y], kinetic=m*der(x)**2/2 + (der(x) + ell*cos(y)*der(y))**2/2 + ell**2*sin(y)**2*der(y)**2/2,
    potential=k*x**2/2 - 10*ell*cos(y), forces={x: F + u**2*sin(y), y: u*F*x + u}, inputs=[F, u],
    values={"m": 3, "k": 5, "l": 0.7},
)  # fmt: skip
SPRING = lk.System(
    "spring", [x], kinetic=m*der(x)**2/2, potential=k*x**2/2, forces={x: F}, inputs=[F], values={"m": 2, "k": 8},
)  # fmt: skip


# --- Linearization ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [{}, {"F": 0.8, "u": -1.3}])
def test_columns_of_b_are_differences_of_accelerations(numbers):
    state = {"x": 0.3, "y": 0.4}, {"x": 0.1, "y": -0.6}
    linear = CRANE.linearize(*state, inputs=numbers)
    assert linear.B.shape == (4, 2)
    about = {"F": 0.0, "u": 0.0} | numbers
    for column, name in enumerate(["F", "u"]):
        ends = [
            CRANE.at(*state, inputs=about | {name: about[name] + side * DIFFERENCE}).accelerations for side in (1, -1)
        ]
        np.testing.assert_allclose(linear.B[2:, column], (ends[0] - ends[1]) / (2 * DIFFERENCE), rtol=1e-8, atol=1e-9)
        assert not linear.B[:2, column].any()


def test_the_formula_of_b_has_the_numbers_of_b():
    formulas = CRANE.linearize(symbolic=True)
    numbers = CRANE.linearize({"x": 0, "y": 0}, inputs={"F": 0.8, "u": -1.3}).B
    symbols = {s.name: s for s in formulas.B.free_symbols}
    values = {"m": 3, "k": 5, "l": 0.7, "F": 0.8, "u": -1.3}
    evaluated = formulas.B.subs({symbols[name]: values[name] for name in symbols})
    np.testing.assert_allclose(np.array(evaluated, dtype=float), numbers, rtol=1e-12)


def test_inputs_and_parameters_may_be_columns():
    B = SPRING.linearize({"x": 1}, inputs=["F", "k"]).B
    np.testing.assert_allclose(B, [[0, 0], [1 / 2, -1 / 2]])
    np.testing.assert_allclose(SPRING.linearize(inputs=[F]).B, [[0], [1 / 2]])


def test_an_input_that_is_feedback_belongs_to_a_and_has_no_column():
    linear = SPRING.linearize(inputs={"F": -6 * x - 4 * der(x)})
    np.testing.assert_allclose(linear.A, [[0, 1], [-7, -2]])
    assert linear.B.shape[1] == 0
    with pytest.raises(lk.ModelError, match="so it has no deviation of its own"):
        SPRING.with_inputs({"F": -6 * x}).linearize(inputs=["F"])


def test_an_input_whose_derivatives_enter_has_no_column():
    guided = lk.System(
        "guided", [x, y], kinetic=(der(x)**2 + der(y)**2)/2, potential=(x - y)**2, forces={x: u}, inputs=[F, u],
    ).constrain("guide", y - F)  # fmt: skip
    np.testing.assert_allclose(guided.linearize({"x": 0, "y": 0}).B, [[0], [1]])
    with pytest.raises(lk.LienketError, match="F cannot be an input: it occurs in the constraint 'guide'"):
        guided.linearize({"x": 0, "y": 0}, inputs=["F"])
    damped = lk.System("damped", [x], kinetic=der(x) ** 2, forces={x: der(F)}, inputs=[F])
    with pytest.raises(lk.ModelError, match="a formula with F' needs derivatives of the input F"):
        damped.linearize({"x": 0}, inputs=["F"])


def test_outputs_of_a_linearization_may_contain_inputs():
    linear = SPRING.linearize({"x": 1}, inputs={"F": 3}, outputs={"power": F * der(x), "pull": F - k * x})
    np.testing.assert_allclose(linear.C, [[0, 3], [-8, 0]])
    np.testing.assert_allclose(linear.D, [[0], [1]])
    formulas = SPRING.linearize(symbolic=True, outputs={"pull": F - k * x})
    assert list(formulas.D) == [1]


# --- Sensitivity, equilibrium, drive ----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_the_motion_differentiated_by_a_constant_input(mode):
    """x = F (1 - cos 2 t)/8."""
    of = ["x"] if mode == "adjoint" else ["x", "x'"]
    result = SPRING.sensitivity(until=1, by=["F"], of=of, inputs={"F": 3}, mode=mode)
    expected = [(1 - np.cos(2)) / 8, np.sin(2) / 4]
    np.testing.assert_allclose(result.values[:, 0], expected[: len(of)], rtol=0, atol=1e-10)


def test_sensitivities_under_an_input_that_is_an_expression():
    """x = A (sin t - sin(2 t)/2)/6 under F = A sin t; so is its output F x, differentiated by A."""
    A = lk.parameters("A")
    result = SPRING.sensitivity(
        {"A": 3}, until=1, by=["A"], of=["x", "Fx"], outputs={"Fx": F * x}, inputs={"F": A * sin(t)}
    )
    shape = (np.sin(1) - np.sin(2) / 2) / 6
    np.testing.assert_allclose(result.values[:, 0], [shape, 2 * 3 * np.sin(1) * shape], rtol=1e-9)
    with pytest.raises(lk.ModelError, match="F is neither a parameter nor a start value"):
        SPRING.sensitivity(until=1, by=["F"], inputs={"F": sin(t)})


def test_the_equilibrium_under_a_constant_input():
    assert SPRING.equilibrium(inputs={"F": 4}).q == pytest.approx([0.5], abs=1e-12)
    assert SPRING.with_inputs({"F": "k"}).equilibrium().q == pytest.approx([1], abs=1e-12)
    branch = SPRING.equilibrium(over=("F", [0, 8]))
    assert branch.q[-1] == pytest.approx([1], abs=1e-12)


def test_the_drive_beside_a_known_input():
    drive = SPRING.drive({"x": sin(t)}, {"motor": {x: 1}}, times=[0, 1], inputs={"F": 3 * t})
    np.testing.assert_allclose(drive.drives["motor"], [0, 6 * np.sin(1) - 3], atol=1e-12)


def test_start_values_on_a_constraint_with_an_input():
    lifted = lk.System("lift", [x, y], kinetic=der(x)**2 + der(y)**2, inputs=[F]).constrain("lift", y - F)  # fmt: skip
    q, v = lifted.consistent(inputs={"F": 3 * t + 1}, t=2.0)
    np.testing.assert_allclose([q[1], v[1]], [7, 3])


# --- Energy -----------------------------------------------------------------------------------------------


def test_the_work_of_inputs_constraints_and_laws_is_the_change_of_energy():
    """Two inputs drive a mass on a moving guide with viscous friction along it."""
    block = lk.System(
        "block", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=k*x**2/2 + 20*y,
        forces={x: F, y: 2*F + u*x}, inputs=[F, u], values={"m": 2, "k": 8},
    )  # fmt: skip
    w = lk.inputs("w")
    guided = lk.System(
        "guided", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=k*x**2/2 + 20*y,
        forces={x: F, y: 2*F + u*x}, inputs=[F, u, w], values={"m": 2, "k": 8},
    ).constrain("guide", y - w - x/2, law=lk.laws.Viscous(0.7, slip=der(x)))  # fmt: skip
    free = {"F": 3 * sin(4 * t), "u": -2 * der(y)}
    for system, inputs in ((block, free), (guided, free | {"w": t**2 / 4})):
        motion = system.simulate(start={"x": 0.5, "x'": 1}, until=2, inputs=inputs, rtol=1e-11, atol=1e-13)
        energy = motion.v[:, 0] ** 2 + motion.v[:, 1] ** 2 + 4 * motion["x"] ** 2 + 20 * motion["y"]
        np.testing.assert_allclose(sum(motion.work.values()), energy - energy[0], rtol=0, atol=1e-8)
        np.testing.assert_allclose(motion.energy.work, energy - energy[0], rtol=0, atol=1e-8)
        assert all(np.ptp(motion.work[name]) > 0.01 for name in ("F", "u"))
        assert motion.audit.ok


def test_an_input_in_the_potential_closes_the_balance():
    """V = k (x - u)^2/2: the moved end of the spring does the work of dV/du u'."""
    spring = lk.System("spring", [x], kinetic=der(x)**2/2, potential=2*(x - u)**2, inputs=[u])  # fmt: skip
    motion = spring.simulate(start={"x": 1}, until=2, inputs={"u": sin(3 * t)}, rtol=1e-10)
    energy = motion["x'"] ** 2 / 2 + 2 * (motion["x"] - np.sin(3 * motion.t)) ** 2
    np.testing.assert_allclose(motion.energy.work, energy - energy[0], rtol=0, atol=1e-8)
    assert motion.audit.ok


# --- Files and formulas -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stated",
    [
        {},
        {"F": 2.5},
        {"F": -6 * x - 4 * der(x) + sin(k * t)},
        {"F": lk.table("record", [0, 1, 2], [0.1, 1, 0.3])},
        {"F": "0.1*x"},
    ],
)
def test_a_model_file_holds_inputs(tmp_path, stated):
    system = SPRING.with_inputs(stated)
    lk.save(system, tmp_path / "model.toml")
    assert "[inputs]" in (tmp_path / "model.toml").read_text()
    assert lk.load(tmp_path / "model.toml") == system


def test_units_and_assumptions_of_inputs_in_a_file(tmp_path):
    P = lk.inputs("P", real=True)
    units = {"P": "N", "x": "m", "m": "kg"}
    system = lk.System("cart", [x], kinetic=m * der(x) ** 2, forces={x: P}, inputs=[P], units=units)
    with pytest.raises(lk.ModelError, match="its unit is m"):
        lk.System("cart", [x], kinetic=m * der(x) ** 2, forces={x: P}, inputs=[P], units=units | {"P": "m"})
    lk.save(system.with_inputs({"P": 3}), tmp_path / "model.toml")
    loaded = lk.load(tmp_path / "model.toml")
    assert loaded == system.with_inputs({"P": 3})
    assert loaded.units[P] == "N"


def test_names_in_latex_have_aliases(tmp_path):
    theta, F1 = lk.coordinates(r"\theta"), lk.inputs("F_{1}")
    system = lk.System("motor", [theta], kinetic=der(theta) ** 2, forces={theta: F1}, inputs=[F1])
    for key in ("F_{1}", "F_1", F1):
        motion = system.simulate(until=1, inputs={key: 4}, rtol=1e-11, atol=1e-13)
        assert motion[r"\theta"][-1] == pytest.approx(1, abs=1e-9)
    fed_back = system.with_inputs({"F_1": "-2*theta"})
    lk.save(fed_back, tmp_path / "model.toml")
    assert 'F_1 = {value = "-2*theta", symbol = "F_{1}"}' in (tmp_path / "model.toml").read_text()
    assert lk.load(tmp_path / "model.toml") == fed_back
    served = system.simulate(until=1, inputs={"F_1": lk.Sampled(lambda s, q, v: {"F_1": 4.0}, every=0.5)})
    assert served[r"\theta"][-1] == pytest.approx(1, abs=1e-9)


MODEL = """
lienket = 1
name = "cart"
coordinates = ["x"]
kinetic = "der(x)^2"

[inputs]
F = {inputs}

[forces]
x = "F"
"""


@pytest.mark.parametrize(
    ("text", "reached"), [("4", 1), ('"6*t"', 0.5), ("{value = 4, unit = 'N'}", 1), ("{}", 0), ("{unit = 'N'}", 0)]
)
def test_a_file_states_what_an_input_is(tmp_path, text, reached):
    (tmp_path / "cart.toml").write_text(MODEL.replace("{inputs}", text))
    cart = lk.load(tmp_path / "cart.toml")
    motion = cart.simulate(until=1, rtol=1e-11, atol=1e-13)
    assert motion["x"][-1] == pytest.approx(reached, abs=1e-9)
    assert cart.simulate(until=1, inputs={"F": 8}, rtol=1e-11)["x"][-1] == pytest.approx(2, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "words"), [('"b*t"', r"\[inputs\] F: unknown name 'b'"), ('"F"', r"\[inputs\] F: it contains the input F")]
)
def test_faults_of_inputs_in_a_file_say_where(tmp_path, text, words):
    (tmp_path / "cart.toml").write_text(MODEL.replace("{inputs}", text))
    with pytest.raises(lk.ModelError, match=words):
        lk.load(tmp_path / "cart.toml")


def test_sampled_inputs_are_refused_in_model_files(tmp_path):
    with pytest.raises(lk.ModelError, match="a sampled function, which a file cannot hold"):
        lk.save(SPRING.with_inputs({"F": lk.Sampled(lambda s, q, v: 0, every=1)}), tmp_path / "model.toml")


@pytest.mark.parametrize("ending", ["npz", "csv"])
@pytest.mark.parametrize("stated", [2, "sin(t) - x", lk.table("record", [0, 1, 2], [0.1, 1, 0.3]), None])
def test_a_saved_run_has_its_inputs(tmp_path, ending, stated):
    motion = SPRING.simulate(start={"x": 1}, until=1, inputs={"F": stated})
    lk.save(motion, tmp_path / f"run.{ending}")
    loaded = lk.load(tmp_path / f"run.{ending}")
    assert np.array_equal(loaded.q, motion.q)
    assert np.array_equal(loaded.inputs["F"], motion.inputs["F"])
    np.testing.assert_allclose(loaded.work["F"], motion.work["F"], rtol=1e-12, atol=1e-14)
    assert np.array_equal(loaded.at(0.3).accelerations, motion.at(0.3).accelerations)


def test_formulas_show_inputs_and_their_derivatives():
    guided = lk.System(
        "guided", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, forces={x: F}, inputs=[F, u],
    ).constrain("guide", y - u)  # fmt: skip
    assert guided.free.h[0] == F
    reaction = guided.reactions()["guide"]
    assert sp.simplify(reaction[1] - m * der(u, 2)) == 0 and reaction[0] == 0
    assert "m*x'' = F" in str(guided.equations())
    assert r"\ddot{u}" in guided.reactions().latex()
    assert "F" in guided.equations().latex()
    assert "guide" in str(guided.stages())
    stated = guided.with_inputs({"F": sin(t), "u": 3})
    assert str(stated.equations()) == str(guided.equations())
    assert "input F = sin(t)" in str(stated) and "input u = 3" in str(stated)
