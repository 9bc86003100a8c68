"""docs/errata.md: each formula as printed in the papers fails, and the corrected one holds.

The numbers of the errata are those of docs/errata.md. Formulas "as printed" are written down here once, in the papers'
letters. Where check_values.json has their wrong result it is reproduced, which shows that the paper's formula is meant.
Paper 003 has its own file, test_errata_003.py.
"""

import ast
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from conftest import CASES
from papers import (
    CARRIAGE,
    CONE,
    CRANK,
    CRUSHER,
    DISC,
    GRINDER,
    TWO_RODS,
    assert_close,
    carriage,
    crank,
    crusher,
    differs,
    disc,
    evaluated,
    grinder,
)  # fmt: skip

import lienket as lk
from lienket import der

sin, cos, t = sp.sin, sp.cos, lk.t
TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "errata.md"


def wrong(case_name, key):
    return CASES[case_name]["wrong_if_as_printed"][key]


# Paper 000


def groups(state, first, second):
    rows = {row.name: row for row in state._numbers.rows}
    return rows[first].G, state.reactions[second]


def test_000_influence_has_a_minus():
    """Errata 1 to 3: the cofactors of (2.18), and (2.20) with (2.21), give +P1, which violates (2.15)."""
    state = TWO_RODS.state()
    G1, r2 = groups(state, "upper rod", "lower rod")
    F = G1 @ np.linalg.inv(state.A)
    D1 = state.release("lower rod").D
    B = np.vstack([F, D1.T])
    n, s1 = len(r2), len(F)
    cofactors = np.linalg.det(B) * np.linalg.inv(B).T  # of the entry (alpha, i)
    printed = np.array([[sum(F[:, j] * cofactors[:s1, i]) / np.linalg.det(B) for j in range(n)] for i in range(n)])
    assert_close(printed @ r2, wrong("double_pendulum_cartesian", "delta_r1_with_printed_2_18_sign"))
    twice = np.linalg.solve(B, -np.vstack([-F, np.zeros((n - s1, n))]))  # B x = -B' y with B' = [-F; 0]
    assert_close(twice, printed)
    right = TWO_RODS.evaluated(TWO_RODS.system.influence("lower rod", on="upper rod"))
    assert_close(right, -printed)
    assert_close(F @ right @ r2, -F @ r2)  # (2.15)
    assert differs(F @ printed @ r2, -F @ r2)
    assert_close(D1.T @ right @ r2, np.zeros(n - s1))  # (2.16)
    assert_close(right @ r2, TWO_RODS.expected["delta_r1"])


def test_000_groups_of_the_disc_do_not_interact():
    """Erratum 1: G1 A^-1 G2^T = 0 in the paper's own example, where both signs give the change 0."""
    state = DISC.state()
    G1, r2 = groups(state, "contact", "rolling")
    assert_close(G1 @ np.linalg.inv(state.A) @ state.G[1], [0.0])
    assert_close(DISC.evaluated(DISC.system.influence("rolling", on="contact")) @ r2, np.zeros(3))


def test_000_basis_loses_a_column():
    """Erratum 4: each constraint removes one column of D, not one row."""
    assert [stage.D.shape for stage in disc.build().stages()] == [(3, 2), (3, 1)]
    assert [stage.D.shape for stage in carriage.build().stages()] == [(5, 4), (5, 3), (5, 2)]


def test_000_jacobian_by_the_highest_derivative():
    """Erratum 5: dg/dq of Algorithm 2 is zero for g(q') and points elsewhere for g(q, q')."""
    (cone,) = CONE.system.constraints
    printed = sp.Matrix(cone.expressions).jacobian(CONE.system.coordinates)
    assert printed.is_zero_matrix
    assert_close(CONE.state().G, CASES["appell_hamel"]["expected"]["G"])
    slip = carriage.build().constraints[-1]
    printed = CARRIAGE.evaluated(sp.Matrix(slip.expressions).jacobian(carriage.build().coordinates))[0]
    state = CARRIAGE.state()
    assert_close(np.abs(printed) > 0, [0, 0, 1, 0, 0])
    assert_close(state.G[2], CASES["carriage"]["expected"]["G"][2])
    assert_close(printed @ state.G[2], 0.0)  # orthogonal to the correct row
    D = np.linalg.svd(np.vstack([state.G[:2], printed]))[2][3:].T  # the free motions of the printed row
    assert differs(D.T @ state.reaction, np.zeros(2), by=0.1)  # along which the reaction does work


def literal_algorithm(rows, A, h):
    """Follow Algorithm 2 of paper 000 to the letter: every constraint removes a column, even where beta = 0."""
    D, C, f = np.eye(len(h)), A, h
    for J in rows:
        beta = J @ D
        H = np.linalg.svd(beta[None, :])[2][1:].T  # m - 1 orthonormal columns, orthogonal to beta
        assert_close(beta @ H, np.zeros(H.shape[1]))
        D, C, f = D @ H, H.T @ C, H.T @ f
    return D, C, f


def test_000_dependent_row_without_a_branch_loses_a_freedom():
    """Erratum 6: with y - r = 0 entered twice the reduced system has rank 2 of 3."""
    state = disc.on_the_line().at(*DISC.at_check)
    rows = np.vstack([state.G, state.G])
    D, C, _ = literal_algorithm(rows, state.A, state.h)
    assert D.shape == (3, 1)
    assert np.linalg.matrix_rank(np.vstack([C, rows])) == 2
    once, C_once, _ = literal_algorithm(state.G, state.A, state.h)
    assert once.shape == (3, 2) and np.linalg.matrix_rank(np.vstack([C_once, state.G])) == 3
    again = disc.on_the_line().constrain("contact again", disc.y - disc.r)
    assert again.stages().freedom == 2
    assert again.at(*DISC.at_check).verdicts["contact again"].status == "redundant"
    assert_close(again.at(*DISC.at_check).accelerations, state.accelerations)


# Paper 001, slider-crank

P = crank
phi, theta = crank.phi, crank.theta
KAPPA = P.r * cos(phi) / (P.L * cos(theta))
KAPPA_RATE = (
    -P.r / P.L * (sin(phi) / cos(theta) * der(phi) - cos(phi) / cos(theta) * sp.tan(theta) * der(theta))
)  # 2.22


def crank_equation(left, right):
    """Return phi'' from left phi'' = right at the check state."""
    return float(CRANK.column([right])[0] / CRANK.column([left])[0])


def test_001_equation_of_motion_has_a_minus():
    """Erratum 10: (2.13) with plus gives another acceleration, and its D^T D1 does not even fit together."""
    free = crank.build().free
    D, D_rate = sp.Matrix([1, KAPPA]), sp.Matrix([0, KAPPA_RATE])
    D0, applied, moving = ((D.T * M)[0] for M in (free.A * D, free.h, free.A * D_rate * der(phi)))
    assert_close(CRANK.column(D_rate), CRANK.expected["Ddot"])
    assert_close(crank_equation(D0, applied - moving), CRANK.expected["pidd"])
    plus = crank_equation(D0, applied + moving)
    assert_close(plus, wrong("slider_crank", "phidd_with_plus_sign_2_13"))
    assert differs(plus, CRANK.expected["pidd"])
    with pytest.raises(sp.matrices.exceptions.ShapeError):
        _ = D.T * (D.T * free.A) * der(phi)


def test_001_printed_sign_makes_the_reaction_work():
    """Erratum 10: with plus the reaction has a power, 2 phi'^2 D^T A D'; with minus it has none."""
    state, D, D_rate = CRANK.state(), np.array([1, CRANK.expected["D"][1]]), np.array(CRANK.expected["Ddot"])
    rate = state.v[0]
    for value, power in [
        (CRANK.expected["pidd"], 0.0),
        (wrong("slider_crank", "phidd_with_plus_sign_2_13"), 2 * rate**2 * D @ state.A @ D_rate),
    ]:
        reaction = state.A @ (D * value + D_rate * rate) - state.h
        assert_close(state.v @ reaction, power)
    assert abs(power) > 0.1


def test_001_pseudovelocities_complete_the_constraints():
    """Erratum 9: D comes from the square matrix [b; f], s + n rows; D' = -[b; f]^-1 [b'; f'] D."""
    b, f = crank.build().equations("multipliers")["G"], sp.Matrix([[1, 0]])
    square = sp.Matrix.vstack(b, f)
    assert square.shape == (2, 2) and b.shape == (1, 2)  # b alone has no determinant
    D = square.inv()[:, 1]
    assert_close(CRANK.column(D), CRANK.expected["D"])
    assert_close(CRANK.column(-square.inv() * square.diff(t) * D), CRANK.expected["Ddot"])


def cross_term(angle, factor):
    """Return A12 as in (2.20), with this angle and factor."""
    return factor * (P.m3 * P.L * sin(phi) * sin(theta) - P.m2 * P.a * cos(angle))


def test_001_inertia_of_the_rod():
    """Errata 11 and 12: (2.19), (2.20) lack r and have cos(phi - theta), which no direction of theta gives."""
    A12 = CRANK.expected["A"][0][1]
    A = -P.m2 * P.r * P.a * cos(phi + theta) + P.m3 * P.r * P.L * sin(phi) * sin(theta)  # from C and B, by hand
    for angle, factor, right in [(phi + theta, P.r, True), (phi - theta, P.r, False), (phi - theta, 1, False)]:
        (value,) = CRANK.column([cross_term(angle, factor)])
        assert (not differs(value, A12, by=1e-11)) is right
    assert_close(CRANK.column([A]), A12)
    turned = A.subs(theta, -theta)  # theta with the opposite sign
    for mirrored in (turned, -turned):
        assert differs(CRANK.column([mirrored]), CRANK.column([cross_term(phi - theta, P.r)]))


def velocity_terms(A, q):
    """Return -(1/2) (d_k a_ij + d_j a_ik - d_i a_jk) q_j' q_k' of an inertia matrix."""
    n = len(q)
    rows = []
    for i in range(n):
        terms = [
            (A[i, j].diff(q[k]) + A[i, k].diff(q[j]) - A[j, k].diff(q[i])) * der(q[j]) * der(q[k]) / 2
            for j in range(n)
            for k in range(n)
        ]
        rows.append(-sum(terms))
    return sp.Matrix(rows)


def test_001_velocity_terms_of_the_crank():
    """Erratum 13: (2.24) is not G, nor does it follow from the printed A."""
    printed = sp.Matrix(
        [
            P.m3 * P.r * P.L * sin(phi) * cos(theta) * der(theta) ** 2 - P.m2 * P.a * cos(phi - theta) * der(phi) ** 2,
            -P.m3 * P.L**2 * sin(theta) * cos(theta) * der(theta) ** 2 - P.m2 * P.a * sin(phi - theta) * der(phi) ** 2,
        ]
    )
    free = crank.build().free
    printed_A = sp.Matrix(free.A)
    printed_A[0, 1] = printed_A[1, 0] = cross_term(phi - theta, P.r)
    right = CRANK.column(velocity_terms(free.A, (phi, theta)))
    assert_close(right, CRANK.expected["Gquad"])
    for row in range(2):
        assert differs(CRANK.column(printed)[row], right[row])
        assert differs(CRANK.column(printed)[row], CRANK.column(velocity_terms(printed_A, (phi, theta)))[row])


SLIPS = ("row", "weight", "lost sine", "cosine for sine", "velocity terms")


@pytest.mark.parametrize("slip", [*SLIPS, None])
def test_001_written_out_equation(slip):
    """Erratum 14: each slip of the equation after (2.24) alone changes phi''; without them phi'' is right."""
    A12, (Q1, Q2), (G1, G2) = cross_term(phi + theta, P.r), crank.build().free.Q, crank.build().free.N
    A22 = crank.build().free.A[1, 1]
    A12_left = A12_right = A12
    if slip == "lost sine":
        A12_left = P.r * (P.m3 * P.L * sin(phi) - P.m2 * P.a * cos(phi + theta))
    if slip == "cosine for sine":
        A12_right = P.r * (P.m3 * P.L * sin(phi) * cos(theta) - P.m2 * P.a * cos(phi + theta))
    if slip == "weight":
        Q2 = -P.m2 * P.g * P.a * sin(theta) * cos(theta) - P.F * P.L * sin(theta)
    if slip == "velocity terms":
        G1 = (
            P.m3 * P.r * P.L * sin(phi) * cos(theta) * der(theta) ** 2
            - P.m2 * P.a * P.r * cos(phi - theta) * der(phi) ** 2
        )
    row = -KAPPA if slip == "row" else KAPPA
    left = crank.build().free.A[0, 0] + KAPPA * A12_left + (A12 + KAPPA * A22) * KAPPA
    right = Q1 + G1 + row * (Q2 + G2) - (A12_right + KAPPA * A22) * KAPPA_RATE * der(phi)
    acceleration = crank_equation(left, right)
    assert differs(acceleration, CRANK.expected["pidd"]) is (slip is not None)
    if slip is None:
        assert_close(acceleration, CRANK.expected["pidd"])


# Paper 001, hammer grinder

g, m, R, a, J, J0, w = (getattr(grinder, name) for name in ("g", "m", "R", "a", "J", "J0", "omega0"))
hammer = grinder.theta
u, v = grinder.u, grinder.v


def grinder_energy():
    C = (R * cos(w * t) + u + a * cos(hammer), R * sin(w * t) + v + a * sin(hammer))
    return (J0 * w**2 + J * der(hammer) ** 2 + m * (der(C[0]) ** 2 + der(C[1]) ** 2)) / 2


def test_001_kinetic_energy_of_the_grinder():
    """Errata 22 to 24: T2, T1, T0 of (3.13) to (3.18) as corrected add up to T; each term as printed breaks it."""
    T2 = ((J + m * a**2) * der(hammer) ** 2 + m * der(u) ** 2 + m * der(v) ** 2) / 2
    T2 += m * a * (cos(hammer) * der(v) - sin(hammer) * der(u)) * der(hammer)
    T1 = m * R * w * (a * cos(hammer - w * t) * der(hammer) - sin(w * t) * der(u) + cos(w * t) * der(v))
    T0 = (J0 + m * R**2) * w**2 / 2
    assert sp.simplify(sp.expand(grinder_energy() - T2 - T1 - T0, trig=True)) == 0
    slips = [
        m * a * cos(hammer) * (sin(hammer) - 1) * der(v) * der(hammer),  # (3.13): sin(theta) too many
        m * R * w * (1 - a) * cos(hammer - w * t) * der(hammer),  # (3.14), (3.17): a is missing
        -m * R * w * sin(w * t) * (cos(w * t) - 1) * der(u),  # (3.14): cos(omega0 t) too many
        (J - J0) * w**2 / 2,  # (3.18): J for J0
    ]
    point = ((0.95, 0.1, -0.2), (2.6, 0.4, 0.3), 0.31)
    whole = evaluated(grinder_energy(), grinder.build(), *point)
    for slip in slips:
        assert differs(whole + evaluated(slip, grinder.build(), *point), whole)


def test_001_quadratic_part_is_in_the_velocities():
    """Erratum 16: T2 = q'^T A2 q'/2, not q^T A2 q'/2, with A2 m x m and A1 1 x m."""
    free = grinder.build().free
    q, rates = sp.Matrix(free.coordinates), sp.Matrix([der(x) for x in free.coordinates])
    T2 = [grinder_energy().subs({der(x): k * der(x) for x in free.coordinates}) for k in (2, 1, 0)]
    quadratic = (T2[0] - 2 * T2[1] + T2[2]) / 2  # of T2 + T1 + T0 only T2 has a second difference
    expected = GRINDER.column([quadratic])
    assert_close(GRINDER.column(rates.T * free.A * rates / 2), expected)
    assert differs(GRINDER.column(q.T * free.A * rates / 2), expected)
    assert free.A.shape == (3, 3) and free.momenta.T.shape == (1, 3)


def gyroscopic(sign):
    """Return (3.8) with this sign; the printed one is +1."""
    still = dict.fromkeys(map(der, grinder.build().coordinates), 0)
    A1, q = grinder.build().free.momenta.subs(still), grinder.build().coordinates
    terms = []
    for i in range(3):
        explicit = A1[i].diff(t) - sum(A1[i].diff(x) * der(x) for x in q)  # da_i/dt at fixed q
        terms.append(sum((A1[i].diff(q[j]) - A1[j].diff(q[i])) * der(q[j]) for j in range(3)) + explicit)
    return sign * sp.Matrix(terms)


def test_001_gyroscopic_forces_have_the_other_sign():
    """Erratum 17: (3.8) gives -Qg; the first entry of (3.24) has the right sign."""
    expected = GRINDER.expected["Qg"]
    assert_close(GRINDER.column(gyroscopic(-1)), expected)
    assert_close(GRINDER.column(gyroscopic(+1)), np.negative(expected))
    printed = -m * R * a * sin(hammer - w * t) * w**2
    assert_close(GRINDER.column([printed]), expected[0])
    assert_close(GRINDER.column(grinder.build().free.matrix_form().remainder), expected)


def test_001_inertia_that_depends_on_time():
    """Erratum 18: G of (3.7) needs -(dA2/dt) q', here for a mass that grows."""
    x = lk.coordinates("x")
    free = lk.System("growing mass", [x], kinetic=m * (1 + t) * der(x) ** 2 / 2).free
    assert sp.Matrix([-m * der(x)]) == free.N
    assert velocity_terms(free.A, (x,)).is_zero_matrix  # the terms of (3.7)


def test_001_rheonomic_equation_has_a_minus():
    """Erratum 19: (3.10) with plus, for a drum that speeds up, psi - alpha t^2/2 = 0, where d' is not zero."""
    alpha = lk.parameters("alpha")
    system = grinder.hammer([grinder.psi, hammer, u, v], grinder.psi).constrain("hinge", [u, v])
    system = system.constrain("drive", grinder.psi - alpha * t**2 / 2)
    speed, time = 4.2, 0.31
    values = {alpha: speed, **grinder.VALUES}
    state = system.at([speed * time**2 / 2, 0.95, 0, 0], [speed * time, 2.6, 0, 0], time, values)
    D, d_rate = np.array([0, 1, 0, 0]), np.array([speed, 0, 0, 0])
    minus, plus = ((D @ state.h + sign * D @ state.A @ d_rate) / (D @ state.A @ D) for sign in (-1, 1))
    assert_close(minus, state.accelerations[1])
    assert differs(plus, state.accelerations[1])
    assert system.stages()[-1].d == sp.Matrix([alpha * t, 0, 0, 0])


def test_001_stationary_constraints_with_gyroscopic_forces():
    """Erratum 21: (3.12) refuted by the paper's own example: u = v = 0 are stationary, Qg is not zero."""
    system = grinder.build()
    fixed = [e.subs({u: 0, v: 0, hammer: 0}) for constraint in system.constraints for e in constraint.expressions]
    assert not any(e.has(t) for e in fixed)
    assert system.stages()[-1].d.is_zero_matrix  # d = 0 does follow
    assert np.max(np.abs(GRINDER.column(system.free.matrix_form().remainder))) > 20


def test_001_drum_forces_are_exchanged():
    """Erratum 25: sin(omega0 t) and cos(omega0 t) in (3.24), (3.27), (3.30), (3.32) and (3.33)."""
    printed = [m * R * w**2 * sin(w * t), m * R * w**2 * cos(w * t)]
    forces = GRINDER.column(printed)
    assert_close(forces, [wrong("hammer_grinder", key) for key in ("Qg_u_as_printed", "Qg_v_as_printed")])
    assert_close(forces[::-1], GRINDER.expected["Qg"][1:])
    acceleration = GRINDER.expected["thetadd"]
    R_u = -m * a * sin(hammer) * acceleration - m * g - m * a * cos(hammer) * der(hammer) ** 2
    R_v = m * a * cos(hammer) * acceleration - m * a * sin(hammer) * der(hammer) ** 2
    common = GRINDER.column([R_u, R_v])
    assert_close(common - forces[::-1], GRINDER.expected["lam"])
    for printed_force, right in zip(common - forces, GRINDER.expected["lam"], strict=True):
        assert differs(printed_force, right)


def test_001_weight_of_the_hammer():
    """Erratum 26: g cos(theta) in (3.27), (3.28), (3.30) instead of the g sin(theta) of (3.22)."""
    for weight, expected in [
        (sin(hammer), GRINDER.expected["thetadd"]),
        (cos(hammer), wrong("hammer_grinder", "thetadd_with_printed_g_cos_theta")),
    ]:
        angular_acceleration = -m * a * (g * weight + R * sin(hammer - w * t) * w**2) / (J + m * a**2)
        assert_close(GRINDER.column([angular_acceleration]), expected)
    assert_close(GRINDER.column([-m * g * a * sin(hammer)]), GRINDER.expected["Q"][0])


def test_001_rows_of_the_grinder():
    """Erratum 27: sin for cos in the second row of (3.27); a for 0 in the matrix of (3.30)."""
    printed = m * g + m * a * sin(hammer) * der(hammer) ** 2
    right = m * g + m * a * cos(hammer) * der(hammer) ** 2
    expected = GRINDER.expected["Q"][1] + GRINDER.expected["Gquad"][1]
    assert_close(GRINDER.column([right]), expected)
    assert differs(GRINDER.column([printed]), expected)
    A = sp.Matrix(grinder.build().free.A)
    assert A.is_symmetric() and A[1, 2] == 0
    A[1, 2] = a
    assert not A.is_symmetric()


# Paper 002

M, M0, JC, CW, L, RADIUS, B = (getattr(carriage, name) for name in ("m", "m0", "J", "C", "L", "a", "b"))
x, y, heading, phi1, phi2 = (getattr(carriage, name) for name in ("x", "y", "theta", "phi1", "phi2"))
BESIDE = 1 + M * RADIUS**2 / (2 * CW)


def test_002_velocity_terms():
    """Erratum 28: the sum of (2.8) is 2 dT/dq_j whatever A is; the corrected one is N."""
    q = [lk.coordinates(f"q{i}") for i in (1, 2, 3)]
    entry = {(i, j): sp.Function(f"a{i}{j}")(*q) for i in range(3) for j in range(i, 3)}
    A = sp.Matrix(3, 3, lambda i, j: entry[min(i, j), max(i, j)])
    rates = sp.Matrix([der(e) for e in q])
    T = (rates.T * A * rates)[0] / 2
    for j in range(3):
        pairs = [(k, s) for k in range(3) for s in range(3)]
        printed = sum(
            (A[j, s].diff(q[k]) + A[k, s].diff(q[j]) - A[j, k].diff(q[s])) * rates[k] * rates[s] for k, s in pairs
        )
        assert sp.expand(printed - 2 * T.diff(q[j])) == 0
        N = T.diff(q[j]) - sum(T.diff(rates[j]).diff(q[k]) * rates[k] for k in range(3))
        right = -sum(
            (A[j, s].diff(q[k]) + A[j, k].diff(q[s]) - A[k, s].diff(q[j])) * rates[k] * rates[s] / 2 for k, s in pairs
        )
        assert sp.expand(right - N) == 0
        assert sp.expand(printed - N) != 0


def test_002_reactions_at_rest():
    """Erratum 30: R(q, 0) = -P Q(q, 0) is not zero; the disc at rest is carried, mg for the paper's own disc."""
    still = {disc.Fx: 0, disc.Fy: 0, disc.M: 0}
    state = disc.build().at(DISC.at_check[0], [0, 0, 0], values={**disc.VALUES, **still})
    assert_close(state.reaction, [0, disc.VALUES[disc.m] * disc.VALUES[disc.g], 0])
    assert_close(state.accelerations, [0, 0, 0])
    S = state.G @ np.linalg.solve(state.A, state.G.T)
    assert_close(-state.G.T @ np.linalg.solve(S, state.G @ np.linalg.solve(state.A, state.h)), state.reaction)


def test_002_wheels_left_and_right():
    """Erratum 31: (b) with +b theta' and phi1 is the wheel to the right; the text names them the other way."""
    forward, left = (cos(heading), sin(heading)), (-sin(heading), cos(heading))
    for side, angle, constraint in ((-1, phi1, "right wheel"), (+1, phi2, "left wheel")):
        centre = (x + side * B * left[0], y + side * B * left[1])
        along = sum(der(p) * e for p, e in zip(centre, forward, strict=True)) + RADIUS * der(angle)
        (stated,) = next(c for c in carriage.build().constraints if c.name == constraint).expressions
        assert sp.simplify(along - stated) == 0


def test_002_moment_of_inertia():
    """Erratum 32: 2 m1 b^2, from body and wheels one by one; the printed 2 m b^2 is another number."""
    m1, k0, A = lk.parameters("m1 k0 A")
    rate = der(heading)
    T = M0 * (der(x) ** 2 + der(y) ** 2) / 2 + M0 * L * rate * (cos(heading) * der(y) - sin(heading) * der(x))
    T += M0 * k0**2 * rate**2 / 2
    for side, angle in ((1, phi1), (-1, phi2)):
        centre = (x + side * B * sin(heading), y - side * B * cos(heading))
        T += m1 * sum(der(c) ** 2 for c in centre) / 2 + A * rate**2 / 2 + CW * der(angle) ** 2 / 2
    inertia = lk.System("bodies", carriage.build().coordinates, kinetic=T).free.A
    parts = {M: M0 + 2 * m1, JC: M0 * k0**2 + 2 * m1 * B**2 + 2 * A}
    assert (inertia - carriage.build().free.A.subs(parts)).applyfunc(sp.simplify).is_zero_matrix
    number = CASES["carriage"]["parameters"]
    whole = number["m0"] + 2 * number["m1"]
    printed = number["m0"] * number["k0"] ** 2 + 2 * whole * number["b"] ** 2 + 2 * number["A"]
    assert differs(printed, CARRIAGE.expected["J"])


def printed_inertia():
    A = sp.Matrix(carriage.build().free.A)
    A[1, 2], A[4, 4] = -M0 * L * cos(heading), 0
    return A


def test_002_inertia_matrix():
    """Erratum 33: (g) is neither symmetric nor regular; T (d) gives +m0 L cos(theta) and C."""
    assert not printed_inertia().is_symmetric() and printed_inertia().det() == 0
    rates = [der(q) for q in carriage.build().coordinates]
    across = M0 * L * der(heading) * (der(y) * cos(heading) - der(x) * sin(heading))
    T = M * (der(x) ** 2 + der(y) ** 2) / 2 + JC * der(heading) ** 2 / 2 + across
    T += CW * (der(phi1) ** 2 + der(phi2) ** 2) / 2
    assert (sp.hessian(T, rates) - carriage.build().free.A).expand().is_zero_matrix


def test_002_reduced_matrix():
    """Erratum 34: the entry (2, 2) of D A in (h) is m0 L cos(theta)."""
    stage = carriage.build().stages(independent=[x, heading])[-1]
    assert (stage.D.T * carriage.build().free.A - stage.C).applyfunc(sp.simplify).is_zero_matrix
    assert stage.C[1, 1] == M0 * L * cos(heading)
    assert differs(CARRIAGE.column([M0 * L * sin(heading)]), CARRIAGE.expected["C_reduced"][1][1])


def test_002_constraint_matrix():
    """Errata 35 and 36: b and b0 are the derivatives of (a), (b), (c); (i) and (k) lose three signs."""
    rates = sp.Matrix([der(q) for q in carriage.build().coordinates])
    rows = sp.Matrix([e for c in carriage.build().constraints for e in c.expressions])
    b = rows.jacobian(rates)
    assert_close(CARRIAGE.evaluated(b), CARRIAGE.expected["G"])
    assert_close(CARRIAGE.column(b.diff(t) * rates), CARRIAGE.expected["g0"])
    printed = sp.Matrix(b)
    printed[1, 2], printed[2, 1] = B, cos(heading)
    violated = CARRIAGE.column(printed * rates)  # the velocities of the check state satisfy (a), (b), (c)
    assert abs(violated[0]) < 1e-12 and min(abs(violated[1:])) > 0.5
    assert_close(CARRIAGE.column([-carriage.SPEED * der(heading)]), -CARRIAGE.expected["g0"][2])


def test_002_forgotten_term():
    """Erratum 37: the third entry of (l), (m) is that of -A' q' alone; dT/dq cancels it."""
    A, rates = carriage.build().free.A, sp.Matrix([der(q) for q in carriage.build().coordinates])
    half = -A.diff(t) * rates
    assert_close(CARRIAGE.column(half)[2], wrong("carriage", "Qstar_theta_as_printed"))
    T = (rates.T * A * rates)[0] / 2
    whole = half + sp.Matrix([T.diff(q) for q in carriage.build().coordinates])
    assert_close(CARRIAGE.column(whole), CARRIAGE.expected["Qstar"])
    assert_close(CARRIAGE.column([M0 * L * carriage.SPEED * der(heading)]), CARRIAGE.column(half)[2])


def with_forces(h):
    """Return q'' and R at the check state with these forces in place of Q*."""
    state = CARRIAGE.state()
    G, A = state.G, state.A
    saddle = np.block([[A, -G.T], [G, np.zeros((3, 3))]])
    unknowns = np.linalg.solve(saddle, np.concatenate([h, -state.g0]))
    return unknowns[:5], G.T @ unknowns[5:]


def test_002_system_of_middle_variables():
    """Erratum 38: rows 2, 4 and 5 of (n) fail for the right R^0, Q^0; the corrected rows hold."""
    state = CARRIAGE.state()
    R, Q = np.array(CARRIAGE.expected["R0_middle"]), np.array(CARRIAGE.expected["Q0_middle"])
    c, s, (radius, b, inertia) = (
        *(f(state.q[2]) for f in (np.cos, np.sin)),
        (carriage.VALUES[p] for p in (RADIUS, B, CW)),
    )
    m_number, v_rate = carriage.VALUES[M], CARRIAGE.expected["v"] * state.v[2]
    sides = c * (R[0] + Q[0]) + s * (R[1] + Q[1])
    tan = s / c
    right = [
        sides + b * (R[2] + Q[2]) + radius * R[3],
        sides - b * (R[2] + Q[2]) + radius * R[4],
        s * (R[0] + Q[0]) - c * (R[1] + Q[1]) + v_rate,
        m_number * (R[0] + tan * R[1]) - inertia / (radius * c) * (R[3] + R[4]),
    ]
    assert_close(right, np.zeros(4))
    printed = [
        sides - b * (R[2] + Q[2]) + radius * R[3],
        m_number * (R[0] - tan * R[1]) + s * Q[0] - c * Q[1] - v_rate,
        m_number * (R[0] - tan * R[1]) - inertia / (radius * s) * R[3] - inertia / (radius * c) * R[4],
    ]
    assert np.min(np.abs(printed)) > 0.1
    second = CARRIAGE.evaluated(carriage.build().stages(independent=[x, heading])[-1].C)[1]
    assert_close(second @ R, 0.0)  # the second row of D^0 R^0 = 0, missing in the paper


def printed_reactions(power):
    """Return (p) with L^power where the paper has L^2; the sign of the last row is that of its value."""
    rate, light = der(heading), M0 * L**power / BESIDE * der(heading) ** 2
    return sp.Matrix(
        [
            -M * sp.tan(heading) * der(x) * rate - light * cos(heading),
            M * der(x) * rate - light * sin(heading),
            0,
            -RADIUS / 2 * light,
            -RADIUS / 2 * light,
        ]
    )


def test_002_printed_reactions():
    """Errata 39 and 40: (p) is, but for L^2 in place of L, the solution for the wrong Q* of (m)."""
    printed = CARRIAGE.column(printed_reactions(2))
    assert_close(printed, wrong("carriage", "R_as_printed_p"))
    h = CARRIAGE.state().h + np.array([0, 0, wrong("carriage", "Qstar_theta_as_printed"), 0, 0])
    accelerations, reaction = with_forces(h)
    assert_close(reaction, CARRIAGE.column(printed_reactions(1)))
    assert_close(accelerations[2], wrong("carriage", "thetadd_as_printed"))
    right = CARRIAGE.expected["r"]
    assert [differs(value, r) for value, r in zip(printed, right, strict=True)] == [True] * 5
    assert_close(with_forces(CARRIAGE.state().h)[1], right)


def test_002_printed_motion_gains_energy():
    """Erratum 39: under the printed Q* the kinetic energy grows at the rate m0 L v theta'^2; it must be constant."""
    state = CARRIAGE.state()
    A_rate = CARRIAGE.evaluated(carriage.build().free.A.diff(t))
    h = state.h + np.array([0, 0, wrong("carriage", "Qstar_theta_as_printed"), 0, 0])
    for forces, expected in [
        (state.h, 0.0),
        (h, CARRIAGE.column([M0 * L * carriage.SPEED * der(heading) ** 2])[0]),
    ]:
        accelerations, _ = with_forces(forces)
        assert_close(state.v @ state.A @ accelerations + state.v @ A_rate @ state.v / 2, expected)
    assert expected > 5


# Paper 004


def crusher_accelerations(D, Q):
    """Return q'' from A q'' + q* D q0 = Q."""
    form = crusher.build().free.matrix_form("paper")
    right = CRUSHER.column(Q - form.q_star * D * form.q_0)
    return np.linalg.solve(CRUSHER.evaluated(form.A), right)


def test_004_matrix_of_the_crusher():
    """Erratum 54: D(2, 1) with plus, as printed, gives other accelerations than the printed equations."""
    form = crusher.build().free.matrix_form("paper")
    printed = sp.Matrix(form.D)
    printed[1, 0] = -printed[1, 0]
    kappa = crusher.m2 * crusher.e * crusher.r * sin(crusher.q2)
    assert printed[1, 0] == 2 * kappa
    assert_close(crusher_accelerations(form.D, form.Q), CRUSHER.expected["qdd"])
    accelerations = crusher_accelerations(printed, form.Q)
    assert_close(accelerations, wrong("hammer_crusher", "qdd_with_printed_D"))
    assert differs(accelerations, CRUSHER.expected["qdd"])


def test_004_forces_of_the_crusher():
    """Erratum 55: e sin(q1 - q2) in Q1; as printed Q has no potential."""
    form, q1, q2 = crusher.build().free.matrix_form("paper"), crusher.q1, crusher.q2
    weight = crusher.m2 * crusher.g
    printed = [crusher.M - weight * (crusher.r * sin(q1) + crusher.e * sin(q1 - q2)), form.Q[1]]
    accelerations = crusher_accelerations(form.D, sp.Matrix(printed))
    assert_close(accelerations, wrong("hammer_crusher", "qdd_with_printed_Q"))
    assert differs(accelerations, CRUSHER.expected["qdd"])
    for Q, potential in ((form.Q, True), (printed, False)):
        assert (sp.simplify(Q[0].diff(q2) - Q[1].diff(q1)) == 0) is potential


def test_004_matrix_follows_from_the_inertia_by_one_of_two_formulas():
    """Erratum 57: d a_ik/dq_j - (d a_jk/dq_i)/2 gives the printed matrix; with d a_ij/dq_k in front it does not."""
    A, q = crusher.build().free.A, (crusher.q1, crusher.q2)
    form = crusher.build().free.matrix_form("paper")
    for i in range(2):
        stated = sp.Matrix(2, 2, lambda j, k, i=i: A[i, k].diff(q[j]) - A[j, k].diff(q[i]) / 2)
        other = sp.Matrix(2, 2, lambda j, k, i=i: A[i, j].diff(q[k]) - A[j, k].diff(q[i]) / 2)
        assert (stated - form.block(i)).expand().is_zero_matrix
        assert not (other - form.block(i)).expand().is_zero_matrix


# The wrong values are wrong


@pytest.mark.parametrize(
    ("case_name", "key", "right"),
    [
        ("double_pendulum_cartesian", "delta_r1_with_printed_2_18_sign", "delta_r1"),
        ("slider_crank", "phidd_with_plus_sign_2_13", "pidd"),
        ("hammer_grinder", "thetadd_with_printed_g_cos_theta", "thetadd"),
        ("carriage", "R_as_printed_p", "r"),
        ("carriage", "thetadd_as_printed", "thetadd"),
        ("hammer_crusher", "qdd_with_printed_Q", "qdd"),
        ("hammer_crusher", "qdd_with_printed_D", "qdd"),
    ],
)
def test_printed_values_differ(case_name, key, right):
    assert differs(wrong(case_name, key), CASES[case_name]["expected"][right], by=0.02)


# The document


@lru_cache
def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def named_tests():
    return re.findall(r"(test_\w+\.py)::(test_\w+)", DOCUMENT.read_text(encoding="utf-8"))


def test_document_names_tests_that_exist():
    named = named_tests()
    assert len(named) > 30
    files = {path.name: path for path in TESTS.rglob("test_*.py")}
    missing = [f"{file}::{name}" for file, name in named if file not in files or name not in functions(files[file])]
    assert missing == []


def test_document_names_every_test_of_an_erratum_here():
    for path in Path(__file__).parent.glob("test_errata*.py"):
        mine = {name for name in functions(path) if re.match(r"test_00\d_", name)}
        assert len(mine) > 10
        assert mine - {name for file, name in named_tests() if file == path.name} == set()


def test_document_has_every_erratum_once():
    rows = re.findall(r"^\| ([\d, ]+) \| [ECM]", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    numbers = [int(number) for row in rows for number in row.split(",")]
    assert sorted(numbers) == list(range(1, 58))
