"""The digging machine of paper 003: every check value, the identities of its program, its singular poses, a dig."""

import numpy as np
import pytest
import sympy as sp
from conftest import CASES
from papers import assert_close, column, digger, digging, evaluated

import lienket as lk
from lienket import der
from lienket.mechanism.chains import force_at, inertia_matrix, potential_energy, velocity_terms

ARM, SCOOP, BODIES, COORDINATES = digger.ARM, digger.SCOOP, digger.BODIES, digger.COORDINATES
DRIVES, LINE, MACHINE = digger.DRIVES, digger.LINE, digger.MACHINE
phi1, phi2 = COORDINATES
m, l, a, b, g = digger.m, digger.l, digger.a, digger.b, digger.g
CASE = CASES["digging_machine_I"]
EXPECTED, NUMBERS = CASE["expected"], CASE["parameters"]
AT = tuple(CASE["state"]["q"]), tuple(CASE["state"]["qd"])
STATES = digger.numbers()
SYSTEM = digger.build()
choices = pytest.mark.parametrize("choice", DRIVES)
SOIL = np.array([NUMBERS["Xe"], NUMBERS["Ye"]])
V = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # columns t and n of the line


def at_check(formulas):
    return evaluated(formulas, SYSTEM, *AT)


def forces(by_coordinate):
    return column(sp.Matrix([by_coordinate[q] for q in COORDINATES]), SYSTEM, *AT)


# The check values


def test_script_has_the_numbers_of_the_check_case():
    assert AT == (digger.POSITION, digger.VELOCITY)
    mine = {str(symbol): value for symbol, value in (MACHINE | digger.SOIL).items()}
    assert mine == {key: NUMBERS[key] for key in mine}
    assert NUMBERS["b"] == -NUMBERS["beta"]
    for wanted in ("ideal_contact", "coulomb_contact"):
        assert list(digger.MOMENTS.values()) == EXPECTED[wanted]["M"]


def test_inertia_and_forces():
    assert_close(at_check(inertia_matrix(BODIES, COORDINATES)), EXPECTED["A"])
    assert_close(at_check(sp.Matrix(SYSTEM.free.A).inv()), EXPECTED["Ainv"])
    Q0, Q_star = digger.velocity_forces()
    assert_close(at_check(Q0), EXPECTED["Q0_003"])
    assert_close(at_check(Q_star), EXPECTED["Qstar_003"])
    N = at_check(velocity_terms(BODIES, COORDINATES)).ravel()
    assert_close(N, np.subtract(EXPECTED["Q0_003"], EXPECTED["Qstar_003"]))
    weight = sp.Matrix([-potential_energy(BODIES, (0, g)).diff(q) for q in COORDINATES])
    assert_close(at_check(weight), EXPECTED["Qpi"])
    assert_close(forces(force_at(ARM, SCOOP, (0, m * g))), EXPECTED["Qpi"])
    assert_close(N + EXPECTED["Qpi"], EXPECTED["h_without_drive_and_contact"])


def test_scoop_and_the_force_of_the_soil():
    assert_close(at_check(ARM.position(SCOOP)), EXPECTED["B"])
    assert_close(at_check(ARM.jacobian(SCOOP, COORDINATES)), EXPECTED["J_B"])
    assert_close(digger.JACOBIAN(*AT[0]), EXPECTED["J_B"])
    assert_close(forces(force_at(ARM, SCOOP, (digger.Xe, digger.Ye))), EXPECTED["R_generalized"])
    tn = V.T @ SOIL
    assert_close(tn, EXPECTED["env_force_tn"])
    assert_close(forces(force_at(ARM, SCOOP, tn, turned=digger.THETA)), EXPECTED["R_generalized"])


def test_program_in_formulas():
    (stage,) = SYSTEM.stages()
    assert_close(at_check(stage.rows.G), EXPECTED["f"])
    assert_close(at_check(stage.rows.g0), EXPECTED["f0"])
    assert_close(at_check(digger.f * sp.Matrix(SYSTEM.free.A).inv()), EXPECTED["F"])
    (stage,) = SYSTEM.stages(independent=[phi2])
    assert_close(at_check(stage.D), EXPECTED["D"])


@pytest.mark.parametrize("name", STATES)
def test_state_in_numbers(name):
    state, length = STATES[name], np.sqrt(2) if name == "rough wall" else 1.0  # its row was scaled to a unit vector
    assert_close(state.A, EXPECTED["A"])
    assert_close(length * state.G, EXPECTED["G"])
    assert_close(length * state.g0, EXPECTED["g0"])
    assert_close(state.D @ state.D.T, EXPECTED["projector_D"])
    assert state.audit.consistent and state.audit.accurate
    if name in DRIVES:
        assert_close(state.h, np.add(EXPECTED["h_without_drive_and_contact"], EXPECTED["R_generalized"]))


@choices
def test_drives(choice):
    state, expected = STATES[choice], EXPECTED["drive"][choice]
    assert_close(state.reactions["line"], expected["M"])
    assert_close(state.accelerations, expected["qdd"])
    assert_close(digger.scoop_acceleration(state), expected["scoop_acceleration"])
    assert list(state.drives) == list(DRIVES[choice])


def test_drives_by_name():
    assert_close(STATES["M1_zero"].drives["M2"], EXPECTED["M2_closed_form"])
    assert_close([STATES["min_norm"].drives[name] for name in ("M1", "M2")], EXPECTED["drive"]["min_norm"]["M"])
    assert_close(STATES["along_f_T"].drives["mu"] * np.array(EXPECTED["f"]), EXPECTED["drive"]["along_f_T"]["M"])


def test_ideal_contact():
    state, expected = STATES["smooth wall"], EXPECTED["ideal_contact"]
    assert_close(state.W, EXPECTED["W"])
    assert_close(state.h, expected["h"])
    assert_close(state.accelerations, expected["qdd"])
    assert_close(state.reaction, expected["r"])
    assert_close(state.multipliers, expected["lam"])
    contact = np.linalg.solve(np.array(EXPECTED["J_B"]).T, state.reaction)
    assert_close(contact, expected["contact_force_xy"])


def test_coulomb_contact():
    """The line as a rough wall, (x - y - a)/sqrt(2) = 0, whose multiplier is the normal force: lk.Coulomb."""
    state, expected = STATES["rough wall"], EXPECTED["coulomb_contact"]
    contact, J = state.contacts["line"], digger.JACOBIAN(*AT[0])
    assert contact.mode == "slides"
    assert_close(abs(contact.normal), expected["normal_force"])
    assert_close(abs(contact.friction), expected["mu"] * expected["normal_force"])
    assert_close(state.reaction, expected["R"])
    assert_close(state.reactions["line"], expected["R"])
    assert_close(state.accelerations, expected["qdd"])
    friction = state.exerted["line"]
    assert_close(np.linalg.solve(J.T, friction), expected["friction_xy"])
    assert_close(np.linalg.solve(J.T, state.reaction), expected["contact_force_xy"])
    smooth = STATES["smooth wall"]
    # Only the tangential part of friction acts.
    assert_close(smooth.accelerations + smooth.W @ friction, expected["qdd"])
    assert state.v @ state.reaction < 0  # a wall that takes energy out: (16), corrected
    assert state.audit.consistent and state.audit.accurate
    assert digger.FRICTION[digger.mu] == NUMBERS["mu"] == expected["mu"]


def test_coulomb_contact_by_hand():
    """S lambda - G A^-1 tau mu |lambda| = -(G A^-1 h + g0), one unknown and two signs to try (theory 9)."""
    state, mu = STATES["smooth wall"], NUMBERS["mu"]
    G, g0 = state.G[0] / np.sqrt(2), state.g0[0] / np.sqrt(2)
    J_t = V[:, 0] @ digger.JACOBIAN(*AT[0])
    tau = J_t * np.sign(J_t @ state.v)
    F = np.linalg.solve(state.A, G)
    S, rubbed, right = F @ G, mu * (F @ tau), -(F @ state.h + g0)
    normal_forces = [x for sign in (1, -1) if sign * (x := right / (S - sign * rubbed)) >= 0]
    assert len(normal_forces) == 1 and abs(rubbed) < S  # unique
    assert_close(STATES["rough wall"].contacts["line"].normal, normal_forces[0])


def test_every_part_of_the_check_case_is_compared_here():
    with open(__file__, encoding="utf-8") as file:
        here = file.read()
    nested = {key for part in ("drive", "ideal_contact", "coulomb_contact") for key in EXPECTED[part]}
    assert {key for key in {*EXPECTED, *nested} - {*DRIVES} if f'"{key}"' not in here} == set()


# Identities of theory 13.5


@choices
def test_newton_for_the_scoop(choice):
    """m times the acceleration of the scoop is weight, soil and the force of the arms, J^-T M."""
    state = STATES[choice]
    push = np.linalg.solve(np.array(EXPECTED["J_B"]).T, state.reactions["line"])
    weight = np.array([0.0, NUMBERS["m"] * NUMBERS["g"]])
    assert_close(NUMBERS["m"] * digger.scoop_acceleration(state), weight + SOIL + push)


def test_choices_are_what_their_names_say():
    """The least norm is the least of the three; "along f^T" is the least in the metric A^-1."""
    moments = {choice: STATES[choice].reactions["line"] for choice in DRIVES}
    inverse = np.array(EXPECTED["Ainv"])
    assert min(moments, key=lambda choice: moments[choice] @ moments[choice]) == "min_norm"
    assert min(moments, key=lambda choice: moments[choice] @ inverse @ moments[choice]) == "along_f_T"
    F = np.array(EXPECTED["F"])[0]
    M = moments["min_norm"]
    assert_close(M[0] / M[1], F[0] / F[1])  # along F^T
    assert_close([F @ moment for moment in moments.values()], np.full(3, F @ moments["M1_zero"]))


def vanishes(expression):
    """Return whether an expression in sines and cosines of phi1, phi2 is zero everywhere, by s^2 + c^2 = 1."""
    numerator = sp.numer(sp.together(sp.expand_trig(expression)))
    (s1, c1), (s2, c2) = ((sp.Symbol(f"s{i}"), sp.Symbol(f"c{i}")) for i in (1, 2))
    rates = {der(phi1): sp.Symbol("w1"), der(phi2): sp.Symbol("w2")}
    letters = {sp.sin(phi1): s1, sp.cos(phi1): c1, sp.sin(phi2): s2, sp.cos(phi2): c2}
    polynomial = sp.expand(numerator.xreplace(rates).xreplace(letters))
    circles = [s1**2 + c1**2 - 1, s2**2 + c2**2 - 1]
    return sp.reduced(polynomial, circles, s1, s2, c1, c2)[1] == 0


def test_collapse():
    """f A^-1 J^T = grad/m and f A^-1 (Q0 - Q*) + f0 = 0: (33) has neither velocities nor the tangential force."""
    F = digger.f * sp.Matrix(SYSTEM.free.A).inv()
    across = F * ARM.jacobian(SCOOP, COORDINATES).T - sp.Matrix([[1, -1]]) / m
    assert vanishes(across[0]) and vanishes(across[1]) and not vanishes(across[0] + 1 / m)
    Q0, Q_star = digger.velocity_forces()
    (stage,) = SYSTEM.stages()
    assert vanishes((F * (Q0 - Q_star))[0] + stage.rows.g0[0])
    assert not vanishes((F * (Q0 + Q_star))[0] + stage.rows.g0[0])
    motors = sp.Matrix([digger.M1, digger.M2])
    assert vanishes((F * (motors + sp.Matrix(SYSTEM.free.h)))[0] + stage.rows.g0[0] - digger.collapsed())
    assert not digger.collapsed().has(sp.Derivative)
    assert sp.simplify(digger.collapsed().diff(digger.Xe) + digger.collapsed().diff(digger.Ye)) == 0


def test_moment_of_one_motor_in_closed_form():
    """M1 = 0 on the line: M2 = -(b l^2 sin(phi2)/a)(m g - Xe + Ye)."""
    closed = -b * l**2 * sp.sin(phi2) / a * (m * g - digger.Xe + digger.Ye)
    left = digger.collapsed().subs({digger.M1: 0, digger.M2: closed}).subs(a, LINE + a)
    assert vanishes(left)
    assert_close(column([closed], SYSTEM, *AT), EXPECTED["M2_closed_form"])


# Singular poses


def pose(elbow, heading=None):
    """Return a pose with this phi2 and the scoop in direction `heading` from O, and a of the line through the scoop."""
    ratio = NUMBERS["b"]
    turned = np.arctan2(ratio * np.sin(elbow), 1 + ratio * np.cos(elbow))
    shoulder = 0.55 if heading is None else heading - turned
    q = (shoulder, elbow)
    x, y = evaluated(ARM.position(SCOOP), SYSTEM, q, (0, 0)).ravel()
    return q, x - y


def test_a_line_through_the_base_cannot_be_kept_by_one_motor():
    """At a = 0 the force of M2 lies along the line; M1 alone keeps it, and so do both together."""
    q, offset = pose(2.1, heading=np.pi / 4)
    assert_close(offset, 0.0)
    values = {a: 0.0}
    with pytest.raises(lk.LienketError, match="The drives M2 cannot keep 'line' at this state"):
        digger.build("M1_zero").at(q, (0, 0), values=values).drives  # noqa: B018
    base = digger.build().release("line").constrain("line", lk.Program(LINE, drives={"M1": {phi1: 1}}))
    alone = base.at(q, (0, 0), values=values).drives["M1"]
    both = digger.build().at(q, (0, 0), values=values).drives
    assert_close([both["M1"], both["M2"]], [alone, 0.0])


@pytest.mark.parametrize("distance", [1e-1, 1e-2, 1e-3])
def test_moment_fades_towards_the_straight_arm(distance):
    """M2 follows sin(phi2) to zero while M2/(l sin(phi2)), its force on the scoop, stays and A becomes singular."""
    q, offset = pose(distance)
    state = digger.build("M1_zero").at(q, (0, 0), values={a: offset})
    weight = NUMBERS["m"] * NUMBERS["g"] - NUMBERS["Xe"] + NUMBERS["Ye"]
    closed = -NUMBERS["b"] * NUMBERS["l"] ** 2 * np.sin(distance) / offset * weight
    # The condition number of A is 1/distance^2, which costs as many digits.
    assert_close(state.drives["M2"], closed, rel=1e-13 / distance**2)
    assert_close(np.linalg.det(state.A), (35 * 0.8 * 1.6**2 * np.sin(distance)) ** 2, rel=1e-12 / distance**2)


@pytest.mark.parametrize("elbow", [0.0, np.pi])
@pytest.mark.parametrize("build", [digger.build, digger.smooth_wall])
def test_straight_arm_has_a_massless_motion(build, elbow):
    """At phi2 = 0 and pi the arms can move while the scoop rests: the acceleration of that motion is undetermined."""
    q, offset = pose(elbow)
    state = build().at(q, (0, 0), values={a: offset})
    assert abs(np.linalg.det(state.A)) < 1e-10 * np.max(state.A) ** 2
    with pytest.raises(lk.LienketError, match="phi1"):
        state.accelerations  # noqa: B018


# A dig


@pytest.fixture(scope="module")
def soil():
    return digging.record()


@pytest.fixture(scope="module")
def dug(soil):
    return digging.dig(soil)


def test_path_of_the_scoop(soil):
    """The poses put the scoop at its point of the line with its speed, the derivative of the path length."""
    q, v = digging.poses(soil.t)
    for where, rate, time in zip(q[::20], v[::20], soil.t[::20], strict=True):
        x, y = evaluated(ARM.position(SCOOP), SYSTEM, where, rate).ravel()
        assert_close([x - y - MACHINE[a], x - digging.START + digging.way(time) / np.sqrt(2)], [0.0, 0.0])
        speed = sp.diff(digging.way(lk.t, sp.sin), lk.t).subs(lk.t, time)
        assert_close(digger.JACOBIAN(*where) @ rate, np.full(2, -float(speed) / np.sqrt(2)))
    assert_close(digging.way(digging.DURATION), digging.LENGTH)
    assert np.all(np.sin(q[:, 1]) > 0.5)  # far from the straight arm


def test_moments_on_time_are_those_of_statics_and_newton(soil, dug):
    """M = J^T (m a - weight - soil) with the acceleration along the path."""
    second = sp.lambdify(lk.t, sp.diff(digging.way(lk.t, sp.sin), lk.t, 2))
    for i in range(0, len(soil.t), 6):
        a_B = -second(soil.t[i]) / np.sqrt(2) * np.ones(2)
        push = NUMBERS["m"] * a_B - [0, NUMBERS["m"] * NUMBERS["g"]] - [soil.X[i], soil.Y[i]]
        assert_close(dug.moments["on time"][i], digger.JACOBIAN(*dug.q[i]).T @ push)
    assert np.max(np.abs(dug.along["on time"] + second(soil.t))) < 1e-13


def test_moments_that_keep_the_line(soil, dug):
    factor = -NUMBERS["b"] * NUMBERS["l"] ** 2 * np.sin(dug.q[:, 1]) / NUMBERS["a"]
    closed = factor * (NUMBERS["m"] * NUMBERS["g"] - soil.X + soil.Y)
    assert_close(dug.moments["M1_zero"][:, 1], closed, rel=1e-10)
    assert_close(dug.moments["M1_zero"][:, 0], np.zeros(len(soil.t)))
    sizes = {choice: np.linalg.norm(dug.moments[choice], axis=1) for choice in dug.moments}
    for choice in dug.moments:
        assert np.all(sizes["min_norm"] <= sizes[choice] * (1 + 1e-12))
    assert np.ptp(dug.along["M1_zero"]) > 1  # the program leaves the motion along the line open


def test_friction_is_identified_from_the_record(soil, dug):
    """Normal and tangential force add up to the record; the soil takes energy out; its coefficient is recovered."""
    assert_close(V @ np.array([dug.tangential, dug.normal]), np.array([soil.X, soil.Y]))
    assert np.all(dug.slip <= 1e-12) and np.all(dug.normal < 0)
    assert np.sum(dug.tangential * dug.slip) < -100
    deviation = 4.0 / np.linalg.norm(dug.normal)  # standard deviation of the coefficient by the noise
    assert 0 < abs(dug.friction - digging.FRICTION) < 3 * deviation < 0.005


def test_record_is_the_same_each_time(soil):
    again, other = digging.record(), digging.record(seed=1)
    assert np.array_equal(again.X, soil.X) and np.array_equal(again.Y, soil.Y)
    assert not np.array_equal(other.X, soil.X)
    assert "SYNTHETIC" in digging.record.__doc__


def test_scripts_print_their_results(dug, capsys):
    digging.table_of(dug)
    printed = capsys.readouterr().out
    assert f"{dug.moments['M1_zero'][0, 1]:.1f}" in printed and "nan" not in printed
    digger.program()
    assert "f0" in capsys.readouterr().out


def test_rates_and_accelerations_of_the_scoop_by_sympy():
    """The lambdified acceleration of the script equals the second derivative of the position."""
    where = ARM.position(SCOOP).diff(lk.t, 2)
    state = STATES["min_norm"]
    extra = dict(zip([der(q, 2) for q in COORDINATES], state.accelerations, strict=True))
    assert_close(digger.scoop_acceleration(state), column(where, SYSTEM, *AT, extra=extra))
