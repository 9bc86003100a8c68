"""The scripts of examples/papers against the check values: in numbers, and their formulas evaluated by SymPy."""

from itertools import product
from pathlib import Path

import numpy as np
import papers
import pytest
import sympy as sp
from conftest import CASES
from papers import (
    BOUND,
    CARRIAGE,
    CHECKED,
    CONE,
    CONSTRAINED,
    CRANK,
    CRUSHER,
    DISC,
    DRIVEN,
    EXAMPLES,
    GRINDER,
    HINGED_CRUSHER,
    HINGED_PENDULUM,
    JOINTS,
    METHODS,
    PENDULUM,
    SCRIPT,
    TWO_RODS,
    assert_close,
    carriage,
    crank,
    crusher,
    disc,
    grinder,
    mobility,
    pendulum,
    projector,
    states,
)

import lienket as lk
from lienket import der

DISC_CASE = CASES["rolling_disc_forced"]["expected"]


def each(examples):
    return pytest.mark.parametrize("example", examples, ids=lambda example: example.name)


def independent(example):
    return [lk.coordinates(name) for name in example.independent]


def last_stage(example):
    return example.system.stages(independent=independent(example))[-1]


# The scripts


@pytest.mark.parametrize("name", SCRIPT)
def test_script_prints_its_derivation(name, capsys):
    SCRIPT[name].derivation()
    printed = capsys.readouterr().out
    assert printed.count("Paper:") >= 1  # errors of the paper are mentioned
    assert "nan" not in printed


@pytest.mark.parametrize(
    ("name", "case_name", "key"),
    [
        ("slider_crank", "slider_crank", "state"),
        ("hammer_grinder", "hammer_grinder", "state"),
        ("carriage", "carriage", "state"),
        ("slider_pendulum", "slider_pendulum", "state"),
        ("hammer_crusher", "hammer_crusher", "state"),
        ("rolling_disc", "rolling_disc_forced", None),
    ],
)
def test_script_has_the_state_of_the_check_case(name, case_name, key):
    numbers = SCRIPT[name].numbers()
    state = numbers if key is None else numbers[key]
    case = CASES[case_name]
    assert_close(state.q, case["state"]["q"], rel=1e-15)
    assert_close(state.v, case["state"]["qd"], rel=1e-15)
    assert state.t == case["state"].get("t", 0.0)
    assert_close(state.A, case["expected"]["A"])
    assert_close(state.h, case["expected"]["h"])
    r = case["expected"].get("r", case["expected"].get("stage2", {}).get("r", [0.0] * len(state.q)))
    assert_close(state.reaction, r)


# Numbers


@each(CHECKED)
def test_equations_in_numbers(example):
    state, expected = example.state(), example.expected
    assert_close(state.A, expected["A"])
    assert_close(state.h, expected["h"])
    assert_close(state.accelerations, expected["qdd"])


@each(BOUND)
def test_constraints_in_numbers(example):
    state, expected = example.state(), example.expected
    assert_close(state.G, expected["G"])
    assert_close(state.g0, expected["g0"])
    assert_close(state.reaction, expected["r"])
    assert_close(state.W, expected["W"])
    assert_close(state.D @ state.D.T, expected.get("projector_D", projector(expected["D"])))
    assert_close(sum(state.reactions.values()), expected["r"])
    if "lam" in expected:
        assert_close(state.multipliers, expected["lam"])


@each(EXAMPLES)
def test_every_law_holds_at_the_check_state(example):
    audit = example.state().audit
    assert audit.consistent
    assert audit.accurate, str(audit)


# Formulas


@each(CHECKED)
def test_free_equations_as_formulas(example):
    free = example.system.free
    assert_close(example.evaluated(free.A), example.expected["A"])
    assert_close(example.column(free.h), example.expected["h"])


@each(BOUND)
def test_last_stage_as_formulas(example):
    stage, expected = last_stage(example), example.expected
    D = example.evaluated(stage.D)
    form = example.system.equations("multipliers")
    assert_close(example.evaluated(form["G"]), expected["G"])
    assert_close(example.column(form["g0"]), expected["g0"])
    assert_close(projector(D), expected.get("projector_D", projector(expected["D"])))
    assert_close(mobility(np.array(expected["A"]), D), expected["W"])


@each([e for e in BOUND if e is not DISC])
def test_basis_and_reduced_form_with_the_independent_coordinates_of_the_case(example):
    stage, expected = last_stage(example), example.expected
    assert_close(example.evaluated(stage.D), expected["D"])
    if "C_reduced" in expected:
        assert_close(example.evaluated(stage.C), expected["C_reduced"])
        assert_close(example.column(stage.f), expected["f_reduced"])
        reduced = example.system.equations("reduced", independent=independent(example))
        assert_close(example.evaluated(reduced["C"]), expected["C_reduced"])
        assert_close(example.column(reduced["f"]), expected["f_reduced"])


@each(CHECKED)
def test_accelerations_as_formulas(example):
    accelerations = example.system.accelerations()
    assert_close(example.column([accelerations[x] for x in example.system.coordinates]), example.expected["qdd"])


@each(BOUND)
@pytest.mark.parametrize("method", METHODS)
def test_reactions_as_formulas(example, method):
    reactions = example.system.reactions(method)
    assert_close(example.column(reactions.total), example.expected["r"])
    shares = [example.column(share) for share in reactions.values()]
    assert_close(sum(shares), example.expected["r"])
    if "lam" in example.expected:
        multipliers = np.concatenate([example.column(m) for m in reactions.multipliers.values()])
        assert_close(multipliers, example.expected["lam"])


@each([e for e in BOUND if "R0_middle" in e.expected])
def test_middle_variables(example):
    expected, free = example.expected, example.system.free
    Q0 = example.column(free.A.LUsolve(free.h))
    R0 = np.linalg.solve(example.evaluated(free.A), example.column(example.system.reactions("middle").total))
    assert_close(Q0, expected["Q0_middle"])
    assert_close(R0, expected["R0_middle"])
    assert_close(Q0 + R0, expected["qdd"])  # free acceleration and the part of the constraints


@each(CONSTRAINED)
@pytest.mark.parametrize("form", ["full", "reduced", "multipliers", "pseudovelocity"])
def test_every_form_of_the_equations_holds(example, form):
    point = example.at_check
    state = example.state()
    names = [str(x.func) for x in example.system.coordinates]
    extra = {der(x, 2): a for x, a in zip(example.system.coordinates, state.accelerations, strict=True)}
    extra |= {sp.Symbol(f"r_{x}"): r for x, r in zip(names, state.reaction, strict=True)}
    extra |= {sp.Symbol(f"lambda_{k}"): value for k, value in enumerate(state.multipliers, 1)}
    more = {"independent": independent(example)} if form == "pseudovelocity" else {}
    equations = example.system.equations(form, **more)
    assert len(equations) >= example.system.stages().freedom
    for left, right in equations.lines:
        terms = [abs(x) for side in (left, right) for x in example.column(list(sp.Add.make_args(side)), point, extra)]
        (difference,) = example.column([left - right], point, extra)
        assert abs(difference) <= 1e-11 * max(1.0, *terms), (left, right)


# The disc, stage by stage


def test_disc_stage_by_stage():
    systems = [disc.free_disc(), disc.on_the_line(), disc.build()]
    stages = disc.build().stages(choice="orthogonal")
    for number, system in enumerate(systems):
        expected = DISC_CASE[f"stage{number}"]
        state = system.at(*DISC.at_check)
        assert_close(state.accelerations, expected["qdd"])
        assert_close(state.reaction, expected["r"])
        assert_close(state.D @ state.D.T, projector(expected["D"]))
        if number:
            stage = stages[number - 1]
            for matrix, key in [(stage.rows.G, "J_row"), (stage.beta, "beta"), (stage.H, "H"), (stage.D, "D")]:
                assert_close(DISC.evaluated(matrix), expected[key])
            assert_close(DISC.evaluated(stage.C), expected["C"])
            assert_close(DISC.column(stage.f), expected["f"])
            assert_close(state.multipliers, expected["lam"])
            assert stage.D.shape == (3, 3 - number)
    D = np.array(DISC_CASE["stage2"]["D_orthonormal_up_to_sign"])
    assert_close(D * np.sign(disc.numbers().D[0, 0]) * np.sign(D[0]), disc.numbers().D.ravel())


def test_disc_symbolically():
    """The matrices are those printed in the paper."""
    r, m, J, Fx, M = disc.r, disc.m, disc.J, disc.Fx, disc.M
    contact, rolling = disc.build().stages(choice="orthogonal")
    assert contact.H == contact.D == sp.Matrix([[1, 0], [0, 0], [0, 1]])
    assert sp.Matrix([[m, 0, 0], [0, 0, J]]) == contact.C and contact.f == sp.Matrix([Fx, M])
    assert rolling.beta == sp.Matrix([[1, r]]) and sp.Matrix([r, -1]) == rolling.H
    assert sp.Matrix([r, 0, -1]) == rolling.D and sp.Matrix([[r * m, 0, -J]]) == rolling.C
    paper = {Fx: 0, M: 0}
    assert contact.f.subs(paper).is_zero_matrix and rolling.f.subs(paper).is_zero_matrix


# Influence, removal


@pytest.mark.parametrize(
    ("example", "first", "second"), [(DISC, "contact", "rolling"), (TWO_RODS, "upper rod", "lower rod")]
)
def test_influence_of_the_second_constraint_on_the_first(example, first, second):
    expected = DISC_CASE if example is DISC else example.expected
    state, C = example.state(), example.evaluated(example.system.influence(second, on=first))
    assert_close(state.reactions[first], expected["r_group1"])
    assert_close(state.reactions[second], expected["r_group2"])
    assert_close(state.release(second).reaction, expected["r1_0"])
    assert_close(state.influence(second, on=first), expected["delta_r1"])
    assert_close(C, expected["influence_C_1_of_2"])
    assert_close(C @ np.array(expected["r_group2"]), expected["delta_r1"])
    assert np.trace(C) == pytest.approx(expected.get("trace_C", -1.0), rel=1e-11)


def test_influence_of_the_first_constraint_of_the_disc_on_the_second():
    C = DISC.evaluated(disc.build().influence("contact", on="rolling"))
    assert_close(C, DISC_CASE["influence_C_2_of_1"])


@pytest.mark.parametrize(("name", "number"), [("upper rod", 0), ("lower rod", 1)])
def test_removal_of_a_rod(name, number):
    expected = TWO_RODS.expected["removal"][f"remove_{number}"]
    state = TWO_RODS.state()
    released = state.release(name)
    assert_close(released.accelerations, expected["qdd"])
    assert_close(released.reaction, expected["r"])
    assert_close(released.multipliers, expected["lam_remaining"])
    w = np.array(expected["w"])  # the direction freed by the release: W gains w w^T/(w^T A w)
    assert_close(released.W, state.W + np.outer(w, w) / (w @ state.A @ w))
    assert_close(state.G @ w, [float(k == number) for k in range(2)])
    built = TWO_RODS.system.release(name).at(*TWO_RODS.at_check)
    assert_close(built.accelerations, expected["qdd"])


def test_two_rods_in_angles():
    state = TWO_RODS.state()
    angles, rates = (np.array(CASES["double_pendulum_cartesian"]["state"][key]) for key in ("angles", "angle_rates"))
    a1, a2 = angles
    x1, y1, x2, y2 = state.accelerations
    accelerations = [
        (np.cos(a1) * x1 + np.sin(a1) * y1) / 0.9,
        (np.cos(a2) * (x2 - x1) + np.sin(a2) * (y2 - y1)) / 0.65,
    ]
    assert_close(accelerations, TWO_RODS.expected["angle_accelerations"])
    assert_close(-state.v[0] / state.q[1], rates[0])


# Constraints that depend on each other


def test_redundant_disc():
    case = CASES["rolling_disc_redundant"]["expected"]
    system = disc.redundant()
    state, stage = system.at(*DISC.at_check), system.stages()["both again"]
    assert_close(state.A, case["A"])
    assert_close(state.h, case["h"])
    assert_close(state.G, case["G"])
    assert_close(state.g0, case["g0"])
    assert_close(state.D @ state.D.T, projector(case["D"]))
    assert_close(state.accelerations, case["qdd"])
    assert_close(state.reaction, case["r"])
    assert_close(state.multipliers, case["lam_min_norm"])
    for verdict in (state.verdicts["both again"], stage.verdict):
        assert (verdict.status, verdict.depends_on) == ("redundant", ("contact", "rolling"))
    assert state.verdicts["both again"].always is True
    assert len(state.q) - stage.freedom == case["rank_G"] == np.linalg.matrix_rank(state.G)
    accepted = [k for k, row in enumerate(system.stages()) if row.verdict.status == "independent"]
    assert accepted == case["accepted_rows"]
    assert_close(DISC.evaluated(stage.beta), case["beta_third"])
    assert stage.beta.is_zero_matrix
    assert_close(state.release("both again").multipliers, case["lam_if_third_row_skipped"])
    assert set(state.not_unique) == {"contact", "rolling", "both again"}


@pytest.mark.parametrize("method", METHODS)
def test_redundant_disc_as_formulas(method):
    case, system = CASES["rolling_disc_redundant"]["expected"], disc.redundant()
    reactions = system.reactions(method)
    point = (system, *DISC.at_check)
    assert_close(papers.column(reactions.total, *point), case["r"])
    multipliers = np.concatenate([papers.column(m, *point) for m in reactions.multipliers.values()])
    assert_close(multipliers, case["lam_min_norm"])


def test_contradictory_disc():
    case = CASES["rolling_disc_inconsistent"]["expected"]
    system = disc.contradictory()
    state, stage = system.at(*DISC.at_check), system.stages()["rising line"]
    assert case["status"] == "inconsistent"
    for verdict in (state.verdicts["rising line"], stage.verdict):
        assert (verdict.status, verdict.depends_on) == ("contradictory", ("contact",))
    assert_close(DISC.evaluated(stage.beta), case["beta_second"])
    assert stage.beta.is_zero_matrix
    assert state.audit.consistent  # positions and velocities agree
    with pytest.raises(lk.LienketError, match="'rising line' contradicts 'contact'"):
        _ = state.accelerations
    with pytest.raises(lk.LienketError, match="'rising line' contradicts 'contact'"):
        system.reactions()
    with pytest.raises(lk.LienketError, match="'rising line' contradicts 'contact'"):
        system.equations("reduced")
    alone = state.release("rising line")
    J, g0 = state.G[1], state.g0[1]
    assert pytest.approx(case["schur_scalar_J_W_JT"], abs=1e-15) == J @ alone.W @ J
    assert J @ alone.accelerations + g0 == pytest.approx(case["acceleration_residual"], rel=1e-11)
    saddle = np.block([[state.A, -state.G.T], [state.G, np.zeros((2, 2))]])
    assert np.linalg.det(saddle) == pytest.approx(case["det_KKT"], abs=1e-12)


# Quantities of one example


def test_slider_crank():
    expected, system = CRANK.expected, crank.build()
    D = last_stage(CRANK).D
    form = system.equations("pseudovelocity", independent=["phi"])
    assert_close(CRANK.column(system.free.Q), expected["Q"])
    assert_close(CRANK.column(system.free.N), expected["Gquad"])
    assert_close(CRANK.column(D.diff(lk.t)), expected["Ddot"])
    assert_close(CRANK.column(form["M"]), expected["D0"])
    assert_close(CRANK.column(form["f"]) / CRANK.column(form["M"]), expected["pidd"])
    rate = CASES["slider_crank"]["state"]["qd"][0]
    assert_close(CRANK.column(form["gamma"]), np.array(expected["Ddot"]) * rate)  # D' pi'
    numbers = crank.numbers()
    assert_close(numbers["force at A"], expected["joint_force_A_on_rod"])
    assert_close(numbers["force at B"], expected["joint_force_B_on_rod"])
    assert_close(numbers["force at B"][1:], numbers["state"].multipliers)


def test_slider_crank_joint_forces_as_formulas():
    reactions = crank.with_joints().reactions("accelerations")
    for name, key in [("joint A", "joint_force_A_on_rod"), ("joint B", "joint_force_B_on_rod")]:
        force = JOINTS.column(reactions.multipliers[name])
        assert_close(force, CRANK.expected[key])


def test_hammer_grinder():
    expected, free = GRINDER.expected, grinder.build().free
    still = dict.fromkeys(map(der, grinder.build().coordinates), 0)
    A1 = free.momenta.subs(still)
    A0 = (free.energy - free.statement.potential).subs(still)
    form = free.matrix_form("paper")
    assert_close(GRINDER.column(free.Q), expected["Q"])
    assert_close(GRINDER.column(A1), expected["A1"])
    assert_close(GRINDER.column([A0]), [expected["A0"]])
    assert_close(-GRINDER.column(form.velocity_terms()), expected["Gquad"])
    assert_close(GRINDER.column(form.remainder), np.add(expected["Qg"], expected["Q0_rheonomic"]))
    pseudovelocity = grinder.build().equations("pseudovelocity")
    assert_close(GRINDER.column(pseudovelocity["M"]), expected["D0"])
    assert_close(GRINDER.state().accelerations[0], expected["thetadd"])


def test_hammer_grinder_drum_torque():
    numbers, expected = grinder.numbers(), GRINDER.expected["drum_torque_for_uniform_rotation"]
    assert_close(numbers["torque"], expected)
    assert_close(numbers["torque by statics"], expected)
    assert_close(numbers["driven"].multipliers[1:], GRINDER.expected["lam"])
    assert_close(numbers["driven"].accelerations[1:], GRINDER.expected["qdd"])
    for method in METHODS:
        reactions = grinder.driven().reactions(method)
        assert_close(DRIVEN.column(reactions.multipliers["drive"]), expected)
        assert_close(DRIVEN.column(reactions.multipliers["hinge"]), GRINDER.expected["lam"])
    assert grinder.driven().stages()[-1].d == sp.Matrix([grinder.omega0, 0, 0, 0])


def test_carriage():
    expected, system = CARRIAGE.expected, carriage.build()
    assert_close(carriage.VALUES[carriage.J], expected["J"])
    assert_close(carriage.VALUES[carriage.m], expected["m"])
    assert_close(CARRIAGE.column(system.free.N), expected["Qstar"])
    assert_close(CARRIAGE.column([carriage.SPEED]), expected["v"])
    form = system.equations("pseudovelocity", pseudovelocities={"v": carriage.SPEED, "omega": der(carriage.theta)})
    v, omega = lk.coordinates("v omega")
    extra = {v: expected["v"], omega: carriage.THETA_RATE}
    assert_close(CARRIAGE.evaluated(form["D"]), expected["D_global"])
    rates = np.linalg.solve(CARRIAGE.evaluated(form["M"]), CARRIAGE.column(form["f"], extra=extra))
    assert_close(rates, [expected["vdot"], expected["thetadd"]])
    assert_close(carriage.numbers()["R0"], expected["R0_middle"])
    assert_close(carriage.numbers()["Q0"], expected["Q0_middle"])


def test_carriage_closed_form_of_the_reactions():
    """The reactions are those of theory 13.4."""
    x, theta = carriage.x, carriage.theta
    m, m0, J, C, L, a, b = (getattr(carriage, name) for name in ("m", "m0", "J", "C", "L", "a", "b"))
    J_hat, m_hat = J + 2 * C * b**2 / a**2, m + 2 * C / a**2
    v, w = der(x) / sp.cos(theta), der(theta)
    dv, dw = m0 * L * w**2 / m_hat, -m0 * L * v * w / J_hat
    slip, light = m - m0**2 * L**2 / J_hat, 1 + m * a**2 / (2 * C)
    R = [
        -slip * sp.tan(theta) * der(x) * w - m0 * L * sp.cos(theta) * w**2 / light,
        slip * der(x) * w - m0 * L * sp.sin(theta) * w**2 / light,
        m0 * L * v * w / (1 + J * a**2 / (2 * C * b**2)),
        -C / a * (dv + b * dw),
        -C / a * (dv - b * dw),
    ]
    for point in [CARRIAGE.at_check, *states(CARRIAGE)]:
        assert_close(CARRIAGE.column(R, point), CARRIAGE.state(*point).reaction)


@pytest.mark.parametrize(
    ("example", "module", "hinged", "key"),
    [(PENDULUM, pendulum, HINGED_PENDULUM, "hinge_force_on_pendulum"), (CRUSHER, crusher, HINGED_CRUSHER, "")],
    ids=["pendulum", "crusher"],
)
def test_force_in_the_hinge(example, module, hinged, key):
    expected = example.expected[key] if key else example.expected["redundant"]["hinge_force_on_hammer"]
    numbers = module.numbers()
    assert_close(numbers["force"], expected)
    assert_close(numbers["state"].accelerations, example.expected["qdd"])
    assert_close(example.column(example.system.free.Q), example.expected["Q"])
    for method in METHODS:
        assert_close(hinged.column(hinged.system.reactions(method).multipliers["hinge"]), expected)


def test_redundant_crusher_has_the_coordinates_of_the_case():
    names = [str(x.func) for x in crusher.with_hinge().coordinates]
    assert names == [name.lower() for name in CRUSHER.expected["redundant"]["coordinates"]]


@pytest.mark.parametrize("kind", ["D_canonical", "D_christoffel"])
@each([PENDULUM, CRUSHER])
def test_matrix_form(example, kind):
    form = example.system.free.matrix_form("paper" if kind == "D_canonical" else "christoffel")
    for matrix, key in [(form.D, kind), (form.q_star, "qstar"), (form.q_0, "q0")]:
        assert_close(example.evaluated(matrix), example.expected[key])
    assert_close(example.column(form.velocity_terms()), example.expected["quadratic_term"])


def test_nonlinear_constraint_has_no_velocity_basis():
    assert CONE.system.stages()[-1].d is None
    assert CONE.system.constraints[0].kind == "velocity"


# At random states


LONG = [(JOINTS, method) for method in METHODS if method != "accelerations"]  # formulas of tens of pages
PAIRS = [pair for pair in product(CONSTRAINED, METHODS) if pair not in LONG]


@pytest.mark.parametrize(
    ("example", "method"),
    [*PAIRS, *(pytest.param(*pair, marks=pytest.mark.slow) for pair in LONG)],
    ids=lambda value: getattr(value, "name", value),
)
def test_reactions_as_formulas_are_those_in_numbers(example, method):
    reactions = example.system.reactions(method)
    for point in states(example):
        state = example.state(*point)
        assert_close(example.column(reactions.total, point), state.reaction)
        for name, share in reactions.items():
            assert_close(example.column(share, point), state.reactions[name])
        multipliers = np.concatenate([example.column(m, point) for m in reactions.multipliers.values()])
        assert_close(multipliers, state.multipliers)


@each(EXAMPLES)
def test_equations_as_formulas_are_those_in_numbers(example):
    free, accelerations = example.system.free, example.system.accelerations()
    for point in states(example, seed=2):
        state = example.state(*point)
        assert_close(example.evaluated(free.A, point), state.A)
        assert_close(example.column(free.h, point), state.h)
        values = example.column([accelerations[x] for x in example.system.coordinates], point)
        assert_close(values, state.accelerations)
        assert state.audit.consistent


@each(CONSTRAINED)
def test_stages_as_formulas_are_those_in_numbers(example):
    for point in states(example, seed=3):
        state = example.state(*point)
        for choice in ("pivot", "orthogonal"):
            stage = example.system.stages(choice=choice)[-1]
            D = example.evaluated(stage.D, point)
            assert_close(projector(D), state.D @ state.D.T)
            assert_close(mobility(state.A, D), state.W)
            assert_close(example.evaluated(stage.C, point), D.T @ state.A)
            assert_close(example.column(stage.f, point), D.T @ state.h)
            gamma = example.column(stage.gamma, point)
            assert_close(state.G @ gamma, -state.g0)


@each([e for e in CONSTRAINED if len(e.build().constraints) > 1])
def test_influence_as_formulas_is_that_in_numbers(example):
    table = example.system.influence()
    for point in states(example, seed=4):
        state = example.state(*point)
        for (of, on), C in table.items():
            change = example.evaluated(C, point) @ state.reactions[of]
            before = state.release(of).reactions[on]  # r1 = r1_0 + C r2
            assert_close(before + change, state.reactions[on])
            assert_close(before + state.influence(of, on=on), state.reactions[on])


# Completeness


def test_every_check_value_is_compared_with_something():
    here = "".join(path.read_text() for path in Path(__file__).parent.glob("*.py"))
    assert len(CASES) == 11
    keys = {
        (case["name"], key)
        for case in CASES.values()
        for part in ("expected", "wrong_if_as_printed")
        for key in case.get(part, {})
    }
    assert {key for key in keys if f'"{key[1]}' not in here and not key[1].startswith("stage")} == set()
