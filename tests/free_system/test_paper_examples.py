"""The free parts of the papers' examples: symbolically as corrected, and at the check values."""

import pytest
import sympy as sp
from conftest import CASES, MODELS, evaluated

import lienket as lk
from lienket import der

sin, cos = sp.sin, sp.cos

FILES = {
    "rolling_disc_forced": "rolling_disc",
    "rolling_disc_redundant": "rolling_disc",
    "double_pendulum_cartesian": "double_pendulum_cartesian",
    "slider_crank": "slider_crank",
    "hammer_grinder": "hammer_grinder",
    "carriage": "carriage",
    "slider_pendulum": "slider_pendulum",
    "hammer_crusher": "hammer_crusher",
    "appell_hamel": "appell_hamel",
}


def free(name):
    return lk.load(MODELS / f"{name}.toml").free


def same(actual, expected):
    """Return whether two matrices are equal everywhere (SymPy's simplify, not the package's own zero test)."""
    return (sp.Matrix(actual) - sp.Matrix(expected)).applyfunc(sp.simplify).is_zero_matrix


@pytest.mark.parametrize("case_name", FILES)
def test_inertia_and_forces_at_the_check_values(case_name):
    case = CASES[case_name]
    system = free(FILES[case_name])
    for row, expected in zip(evaluated(system.A, case), case["expected"]["A"], strict=True):
        assert row == pytest.approx(expected, rel=1e-12, abs=1e-14)
    assert evaluated(system.h, case) == pytest.approx(case["expected"]["h"], rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(
    ("case_name", "what", "key"),
    [
        ("slider_crank", "Q", "Q"),
        ("slider_crank", "N", "Gquad"),
        ("hammer_grinder", "Q", "Q"),
        ("slider_pendulum", "Q", "Q"),
        ("hammer_crusher", "Q", "Q"),
        ("carriage", "N", "Qstar"),
    ],
)
def test_applied_and_velocity_forces_are_separate(case_name, what, key):
    case = CASES[case_name]
    expected = case["expected"][key]
    assert evaluated(getattr(free(FILES[case_name]), what), case) == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_hammer_grinder_velocity_terms_are_quadratic_gyroscopic_and_rheonomic():
    expected = CASES["hammer_grinder"]["expected"]
    total = [sum(parts) for parts in zip(expected["Gquad"], expected["Qg"], expected["Q0_rheonomic"], strict=True)]
    terms = evaluated(free("hammer_grinder").N, CASES["hammer_grinder"])
    assert terms == pytest.approx(total, rel=1e-12, abs=1e-13)


def test_digging_machine_at_the_check_values():
    case = CASES["digging_machine_I"]
    system = free("digging_machine")
    for row, expected in zip(evaluated(system.A, case), case["expected"]["A"], strict=True):
        assert row == pytest.approx(expected, rel=1e-12)
    without = {"Xe": 0.0, "Ye": 0.0}
    expected_h = case["expected"]["h_without_drive_and_contact"]
    assert evaluated(system.h, case, without) == pytest.approx(expected_h, rel=1e-12)
    assert evaluated(system.Q, case, without) == pytest.approx(case["expected"]["Qpi"], rel=1e-12)
    contact = [a - b for a, b in zip(evaluated(system.Q, case), evaluated(system.Q, case, without), strict=True)]
    assert contact == pytest.approx(case["expected"]["R_generalized"], rel=1e-12)
    Q0, Qstar = (case["expected"][key] for key in ("Q0_003", "Qstar_003"))
    assert evaluated(system.N, case) == pytest.approx([a - b for a, b in zip(Q0, Qstar, strict=True)], rel=1e-12)


@pytest.mark.parametrize("case_name", ["slider_pendulum", "hammer_crusher"])
def test_free_accelerations_of_paper_004(case_name):
    case = CASES[case_name]
    system = free(case_name)
    A, h = (sp.Matrix(evaluated(m, case)) for m in (system.A, system.h))
    assert list(A.LUsolve(h)) == pytest.approx(case["expected"]["qdd"], rel=1e-11)


def test_hammer_crusher_as_printed_in_the_paper_gives_other_accelerations():
    wrong = CASES["hammer_crusher"]["wrong_if_as_printed"]
    right = CASES["hammer_crusher"]["expected"]["qdd"]
    system = free("hammer_crusher")
    q1, q2 = system.coordinates
    m2, e, g = lk.parameters("m2 e g")
    # The paper prints e sin(q1 - q2) in Q1 (erratum 55); the check value of that slip is reproduced, so it is excluded.
    slip = sp.Matrix([-m2 * g * e * (sin(q1 - q2) - sin(q1 + q2)), 0])
    case = CASES["hammer_crusher"]
    A, h = sp.Matrix(evaluated(system.A, case)), sp.Matrix(evaluated(system.h + slip, case))
    assert list(A.LUsolve(h)) == pytest.approx(wrong["qdd_with_printed_Q"], rel=1e-11)
    assert abs(wrong["qdd_with_printed_Q"][0] - right[0]) > 1


def test_rolling_disc_symbolically():
    m, J, g, Fx, Fy, M = lk.parameters("m J g Fx Fy M")
    system = free("rolling_disc")
    assert sp.diag(m, m, J) == system.A
    assert system.h == sp.ImmutableMatrix([Fx, Fy - m * g, M])


def test_slider_crank_symbolically():
    J1, J2, m2, m3, r, L, a, g, F, Md = lk.parameters("J1 J2 m2 m3 r L a g F Md")
    phi, theta = lk.coordinates("phi theta")
    system = free("slider_crank")
    A12 = r * (m3 * L * sin(phi) * sin(theta) - m2 * a * cos(phi + theta))
    A = [
        [J1 + (m2 + m3 * sin(phi) ** 2) * r**2, A12],
        [A12, J2 + m2 * a**2 + m3 * L**2 * sin(theta) ** 2],
    ]
    assert sp.ImmutableMatrix(A) == system.A  # to the letter: the readable form is the corrected one of theory 13.2
    coupling = m2 * a * sin(phi + theta)
    N = [
        -m3 * r**2 * sin(phi) * cos(phi) * der(phi) ** 2
        - r * (m3 * L * sin(phi) * cos(theta) + coupling) * der(theta) ** 2,
        -m3 * L**2 * sin(theta) * cos(theta) * der(theta) ** 2
        - r * (m3 * L * cos(phi) * sin(theta) + coupling) * der(phi) ** 2,
    ]
    assert same(system.N, N)
    Q = [Md - F * r * sin(phi) + m2 * g * r * cos(phi), -m2 * g * a * cos(theta) - F * L * sin(theta)]
    assert same(system.Q, Q)


def test_hammer_grinder_symbolically():
    J, m, R, a, w, g = lk.parameters("J m R a omega0 g")
    theta, _, _ = lk.coordinates("theta u v")
    t = lk.t
    system = free("hammer_grinder")
    A = [
        [J + m * a**2, -m * a * sin(theta), m * a * cos(theta)],
        [-m * a * sin(theta), m, 0],
        [m * a * cos(theta), 0, m],
    ]
    assert same(system.A, A)
    assert same(system.Q, [-m * g * a * sin(theta), m * g, 0])
    quadratic = sp.Matrix([0, m * a * cos(theta), m * a * sin(theta)]) * der(theta) ** 2
    moving = m * R * w**2 * sp.Matrix([-a * sin(theta - w * t), cos(w * t), sin(w * t)])
    assert same(system.N, quadratic + moving)


def test_carriage_symbolically():
    m0, m1, k0, L, b, A, C = lk.parameters("m0 m1 k0 L b A C")
    theta = lk.coordinates("theta")
    system = free("carriage")
    m, J = m0 + 2 * m1, m0 * k0**2 + 2 * m1 * b**2 + 2 * A
    expected = sp.diag(m, m, J, C, C)
    expected[0, 2] = expected[2, 0] = -m0 * L * sin(theta)
    expected[1, 2] = expected[2, 1] = m0 * L * cos(theta)  # erratum 33: the sign is plus
    assert same(system.A, expected)
    # Erratum 37: the third entry is zero, not m0 L v theta'.
    assert same(system.N, m0 * L * der(theta) ** 2 * sp.Matrix([cos(theta), sin(theta), 0, 0, 0]))


def test_digging_machine_symbolically():
    m, l, b, g, Xe, Ye = lk.parameters("m l b g Xe Ye")
    phi1, phi2 = lk.coordinates("phi1 phi2")
    c1, s1, c2, s2 = cos(phi1), sin(phi1), cos(phi2), sin(phi2)
    c12, s12 = cos(phi1 + phi2), sin(phi1 + phi2)
    system = free("digging_machine")
    A12 = m * l**2 * b * (b + c2)
    assert same(system.A, [[m * l**2 * (1 + 2 * b * c2 + b**2), A12], [A12, m * l**2 * b**2]])
    v1, v2 = der(phi1), der(phi2)
    Q0 = sp.Matrix([0, -m * b * l**2 * s2 * (v1 + v2) * v1])
    Qstar = -m * b * l**2 * s2 * sp.Matrix([(2 * v1 + v2) * v2, v1 * v2])
    assert same(system.N, Q0 - Qstar)
    gravity = m * g * l * sp.Matrix([c1 + b * c12, b * c12])
    contact = sp.Matrix(
        [-l * (s1 + b * s12) * Xe + l * (c1 + b * c12) * Ye, -b * l * s12 * Xe + b * l * c12 * Ye]
    )  # errata 44, 45, 48
    assert same(system.Q, gravity + contact)
