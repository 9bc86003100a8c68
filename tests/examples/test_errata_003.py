"""docs/errata.md on paper 003, the digging machine: printed formulas fail, the corrected ones hold.

Formulas as printed are in the paper's letters, with beta; the machine it states has b = -beta, half its formulas +beta.
"""

import numpy as np
import sympy as sp
from conftest import CASES
from papers import assert_close, differs, digger, evaluated

import lienket as lk
from lienket import der
from lienket.mechanism.chains import force_at, inertia_matrix, potential_energy, velocity_terms

sin, cos, t = sp.sin, sp.cos, lk.t
CASE = CASES["digging_machine_I"]
EXPECTED, NUMBERS = CASE["expected"], CASE["parameters"]
AT = tuple(CASE["state"]["q"]), tuple(CASE["state"]["qd"])
SYSTEM, STATES = digger.build(), digger.numbers()
ARM, SCOOP, LINE, COORDINATES = digger.ARM, digger.SCOOP, digger.LINE, digger.COORDINATES
phi1, phi2 = COORDINATES
m, l, b, g = digger.m, digger.l, digger.b, digger.g
X, Y = digger.Xe, digger.Ye
beta = sp.Symbol("beta")
EXTRA = {beta: NUMBERS["beta"]}
c1, s1, c2, s2 = cos(phi1), sin(phi1), cos(phi2), sin(phi2)
c12, s12 = cos(phi1 + phi2), sin(phi1 + phi2)
w1, w2 = der(phi1), der(phi2)
RATES = sp.Matrix([w1, w2])
V = np.array([[1, -1], [1, 1]]) / np.sqrt(2)


def at_check(formulas, **more):
    extra = EXTRA | {sp.Symbol(name): value for name, value in more.items()}
    return evaluated(formulas, SYSTEM, *AT, extra=extra)


def machine(sign):
    """Return A, Q0 - Q*, weight, soil, f and f0 of the machine with b = sign beta, in formulas."""
    at = {b: sign * beta}
    parts = (
        inertia_matrix(digger.BODIES, COORDINATES),
        velocity_terms(digger.BODIES, COORDINATES),
        sp.Matrix([-potential_energy(digger.BODIES, (0, g)).diff(q) for q in COORDINATES]),
        sp.Matrix(list(force_at(ARM, SCOOP, (X, Y)).values())),
        digger.f,
        SYSTEM.stages()[0].rows.g0,
    )
    return [sp.Matrix(part).subs(at) for part in parts]


# As printed
A_25 = m * l**2 * sp.Matrix([[1 + 2 * beta * c2 + beta**2, beta * (beta + c2)], [beta * (beta + c2), beta]])
INVERSE_26 = sp.Matrix(
    [
        [1 / (m * l**2 * s2**2), -(beta + c2) / (m * beta * l**2 * s2**2)],
        [-(beta + c2) / (m * beta * l**2 * s2**2), (1 + 2 * beta * c2 + beta**2) / (m * beta * l**2 * s2**2)],
    ]
)
WEIGHT_27 = m * g * l * sp.Matrix([c1 - beta * c12, -beta * c12])
Q0_29 = sp.Matrix([0, -m * beta * l**2 * s2 * (w1 + w2) * w1])
Q_STAR_30 = -m * beta * l**2 * s2 * sp.Matrix([(2 * w1 + w2) * w2, w1 * w2])
F_31 = l * sp.Matrix([[(s1 - c1) + beta * (s12 - c12), beta * (c12 + s12)]])
F0_31 = (
    (l * (s1 - c1) + beta * (s12 - c12)) * w1**2 + beta * l * (s12 - c12) * w2**2 + 2 * beta * l * (s12 - c12) * w1 * w2
)


def with_beta_squared(matrix):
    """Return (25) or (26) with beta^2 in the last entry."""
    right = sp.Matrix(matrix)
    right[1, 1] = m * beta**2 * l**2 if matrix is A_25 else matrix[1, 1] / beta
    return right


def test_003_remainder_of_the_constraint_has_velocities():
    """Erratum 41: (5) adds up the second derivatives without the velocities."""
    hessian = at_check(sp.hessian(LINE, COORDINATES))
    velocity = np.array(AT[1])
    assert_close(velocity @ hessian @ velocity, EXPECTED["f0"])
    assert differs(hessian.sum(), EXPECTED["f0"])
    resting = SYSTEM.at(AT[0], (0, 0))
    assert_close(resting.g0, [0.0])  # and does not vanish at rest
    assert abs(hessian.sum()) > 1


def test_003_sign_of_the_reaction_needs_the_velocity():
    """Erratum 42: D R < 0 changes with the sign of D; a dissipative wall has q'^T R <= 0."""
    R = np.array(EXPECTED["coulomb_contact"]["R"])
    D = STATES["smooth wall"].D[:, 0]
    assert (D @ R) * (-D @ R) < 0  # D and -D are both bases of the same motions
    rate = D @ np.array(AT[1])
    assert_close(rate * (D @ R), np.array(AT[1]) @ R)
    assert np.array(AT[1]) @ R < -100
    backwards = -np.array(AT[1])  # this R at the opposite velocity would drive the scoop
    assert backwards @ R > 100
    smooth = STATES["smooth wall"]
    assert_close(smooth.reaction @ smooth.v / 100, 0.0)


def test_003_velocity_forces_have_the_whole_velocity():
    """Erratum 43: with the vectors (q_1' q_i', q_2' q_i') of (8) for q'_i, (29) gives another result."""
    A = sp.Matrix(SYSTEM.free.A)
    right = sp.Matrix([(RATES.T * A.diff(q) * RATES)[0] / 2 for q in COORDINATES])
    assert right.shape == (2, 1)
    assert_close(at_check(right), EXPECTED["Q0_003"])
    star = [RATES * rate for rate in RATES]
    literal = sp.Matrix([(v.T * A.diff(q) * v)[0] / 2 for q, v in zip(COORDINATES, star, strict=True)])
    assert differs(at_check(literal), EXPECTED["Q0_003"])


def test_003_measured_force_needs_the_jacobian():
    """Erratum 44: V R^(tn) is the force in x and y, in newtons; the generalized force is J^T V R^(tn), a moment."""
    V_R = V @ np.array(EXPECTED["env_force_tn"])
    assert_close(V_R, [NUMBERS["Xe"], NUMBERS["Ye"]])
    J = np.array(EXPECTED["J_B"])
    assert_close(J.T @ V_R, EXPECTED["R_generalized"])
    assert differs(V_R, EXPECTED["R_generalized"])
    # The moment M2 of (35) as printed does not keep the line.
    F, h = np.array(EXPECTED["F"])[0], np.array(EXPECTED["h_without_drive_and_contact"])
    M2 = [-(F @ (h + R) + EXPECTED["f0"]) / F[1] for R in (J.T @ V_R, V_R)]
    assert_close(M2[0], EXPECTED["M2_closed_form"])
    assert differs(M2[1], M2[0])


def test_003_two_geometries_are_mixed():
    """Erratum 45: (27) is the machine with b = -beta; (25), (29), (30) and the signs of f0 that with b = +beta."""
    stated, other = machine(-1), machine(+1)
    A = with_beta_squared(A_25)
    for printed, right, mixed in (
        (A, other[0], stated[0]),
        (Q0_29 - Q_STAR_30, other[1], stated[1]),
        (WEIGHT_27, stated[2], other[2]),
    ):
        assert_close(at_check(printed), at_check(right))
        assert differs(at_check(printed), at_check(mixed))
    assert_close(at_check(WEIGHT_27), EXPECTED["Qpi"])


def test_003_mixed_geometries_give_the_moment_of_no_machine():
    """Erratum 45: (33) with M1 = 0, from A, Q0, Q* of one machine and weight and soil of the other."""

    def moment(parts):
        A, N, weight, soil, f, f0 = (at_check(part) for part in parts)
        F = f @ np.linalg.inv(A)
        return float((-(F @ (N + weight + soil) + f0) / F[0, 1])[0, 0])

    stated, other = machine(-1), machine(+1)
    mixed = moment([other[0], other[1], stated[2], stated[3], other[4], other[5]])
    assert_close(moment(stated), EXPECTED["M2_closed_form"])
    assert differs(mixed, moment(stated), by=0.05) and differs(mixed, moment(other), by=0.05)


def test_003_last_entries_of_the_inertia_matrix_and_its_inverse():
    """Erratum 46: with beta for beta^2 neither follows from the geometry, nor is one the inverse of the other."""
    A, inverse = with_beta_squared(A_25), with_beta_squared(INVERSE_26)
    assert_close(at_check(A), at_check(machine(+1)[0]))
    assert (A * inverse - sp.eye(2)).applyfunc(sp.simplify).is_zero_matrix
    assert differs(at_check(A_25 * INVERSE_26), np.eye(2))
    assert differs(at_check(A_25 * inverse), np.eye(2)) and differs(at_check(A * INVERSE_26), np.eye(2))
    assert sp.simplify(A.det() - m**2 * beta**2 * l**4 * s2**2) == 0  # singular at phi2 = 0
    assert sp.simplify(A_25.det().subs(phi2, 0)) != 0  # the printed determinant is not zero there


def test_003_axes_and_the_place_of_the_scoop():
    """Erratum 47: phi1 = 0 puts OA on Ox; gravity acts along +y; the scoop is at (-beta l, 0), not at (a, 0)."""
    A = ARM[:1].position((l, 0))
    assert tuple(A.subs(phi1, 0)) == (l, 0)
    y = ARM.position(SCOOP)[1].subs(b, -beta)
    for q, weight in zip(COORDINATES, WEIGHT_27, strict=True):
        assert sp.simplify(weight - (m * g * y).diff(q)) == 0  # the potential is -m g y: y points down
    here = at_check(ARM.position((digger.a, 0)))
    assert differs(here, EXPECTED["B"])
    assert_close(at_check(ARM.position((-beta * l, 0))), EXPECTED["B"])


def test_003_generalized_forces_of_the_soil():
    """Erratum 48: the factors in the other order; R1 without its minus and with a plus for the product; (-X, -Y)."""
    r, force = sp.Matrix([-beta * l, 0, 1]), sp.Matrix([X, Y, 0])
    t1, t2 = (link.t.matrix for link in ARM.links)
    t11, t21 = (link.t.matrix * link.omega for link in ARM.links)
    right = sp.Matrix([(r.T * t2.T * t11.T * force)[0], (r.T * t21.T * t1.T * force)[0]])
    assert_close(at_check(right), EXPECTED["R_generalized"])
    order = at_check([(r.T * t11.T * t2.T * force)[0], (r.T * t1.T * t21.T * force)[0]]).ravel()
    assert differs(order[0], EXPECTED["R_generalized"][0])
    # The second is not affected: t1 turns about O alone, and rotations of the plane commute.
    assert_close(order[1], EXPECTED["R_generalized"][1])
    R1 = l * (s1 - beta * s12) + X + l * (c1 - beta * c12) * Y
    R2 = l * beta * (s12 * X - c12 * Y)
    assert differs(at_check([R1]), EXPECTED["R_generalized"][0])
    assert_close(at_check([R2]), EXPECTED["R_generalized"][1])  # with (X, Y), as in (34)
    assert_close(at_check([-l * (s1 - beta * s12) * X + l * (c1 - beta * c12) * Y]), EXPECTED["R_generalized"][0])
    assert_close(at_check([R2.subs({X: -X, Y: -Y}, simultaneous=True)]), -EXPECTED["R_generalized"][1])


def test_003_acceleration_of_the_scoop():
    """Erratum 49: beta l inside the bracket, and sine for cosine in the terms with phi2'^2."""
    u1, u2 = der(phi1, 2), der(phi2, 2)
    extra = {u1: -4.981160524283883, u2: 14.936239144140032, beta: NUMBERS["beta"]}
    bracket, square = l * (s1 + beta * l * s12), beta * l
    printed = [
        -bracket * u1 - square * s12 * u2 - l * (c1 + beta * c12) * w1**2 + square * s12 * w2**2
        - 2 * square * c12 * w1 * w2,
        l * (c1 + beta * c12) * u1 + square * c12 * u2 - l * (s1 + beta * s12) * w1**2 - square * c12 * w2**2
        - 2 * square * s12 * w1 * w2,
    ]  # fmt: skip
    corrected = [
        -l * (s1 + beta * s12) * u1 - square * s12 * u2 - l * (c1 + beta * c12) * w1**2 - square * c12 * w2**2
        - 2 * square * c12 * w1 * w2,
        l * (c1 + beta * c12) * u1 + square * c12 * u2 - l * (s1 + beta * s12) * w1**2 - square * s12 * w2**2
        - 2 * square * s12 * w1 * w2,
    ]  # fmt: skip
    by_sympy = ARM.position(SCOOP).subs(b, beta).diff(t, 2)
    right = evaluated(by_sympy, SYSTEM, *AT, extra=extra).ravel()
    assert_close(evaluated(corrected, SYSTEM, *AT, extra=extra).ravel(), right)
    assert_close(evaluated(ARM.acceleration(SCOOP).subs(b, beta), SYSTEM, *AT, extra=extra).ravel(), right)
    values = evaluated(printed, SYSTEM, *AT, extra=extra).ravel()
    assert [differs(x, y) for x, y in zip(values, right, strict=True)] == [True, True]
    # At rest only the first slip remains, in x''; with l = 1 it has no effect.
    still = {w1: 0, w2: 0}
    slips = [(p - c).xreplace(still) for p, c in zip(printed, corrected, strict=True)]
    assert sp.expand(slips[0] + beta * l * (l - 1) * s12 * u1) == 0 and sp.expand(slips[1]) == 0


def test_003_row_of_the_line():
    """Erratum 50: f is the derivative of x - y - a; f0 lacks an l. True for neither sign of b as printed."""
    for sign in (-1, 1):
        _, _, _, _, f, f0 = machine(sign)
        gradient = sp.Matrix([[LINE.diff(q) for q in COORDINATES]]).subs(b, sign * beta)
        assert_close(at_check(gradient), at_check(f))
        # b = -beta reverses the printed signs of beta; no entry becomes right.
        printed = at_check(F_31.subs(beta, sign * beta))
        assert [differs(x, y) for x, y in zip(printed[0], at_check(f)[0], strict=True)] == [True, True]
        assert differs(at_check([F0_31.subs(beta, sign * beta)]), at_check(f0))
        whole = F0_31.subs(beta, sign * beta) + sign * beta * (l - 1) * (s12 - c12) * w1**2
        assert_close(at_check([whole]), at_check(f0))
    corrected = -l * sp.Matrix([[(s1 + c1) + b * (s12 + c12), b * (s12 + c12)]])
    assert_close(at_check(corrected), EXPECTED["f"])


def test_003_an_undriven_joint_is_not_a_fixed_arm():
    """Erratum 51: with M1 = 0 the arm OA moves; with OA fixed the scoop could not move along the line."""
    free = STATES["M1_zero"]
    assert_close(free.reactions["line"][0], 0.0)
    assert abs(free.accelerations[0]) > 5
    held = digger.machine({}, {}).constrain("arm OA", phi1 - AT[0][0]).constrain("line", LINE)
    state = held.at(AT[0], (0, 0))
    assert state.D.shape == (2, 0)  # no motion is left
    assert_close(state.accelerations, [0.0, 0.0])
    # The motion (17) is integrated with A of (25); with its inverse instead it is another motion.
    M = np.array(EXPECTED["drive"]["M1_zero"]["M"])
    forces = np.array(EXPECTED["h_without_drive_and_contact"]) + EXPECTED["R_generalized"] + M
    assert_close(np.linalg.solve(EXPECTED["A"], forces), EXPECTED["drive"]["M1_zero"]["qdd"])
    assert differs(np.linalg.solve(EXPECTED["Ainv"], forces), EXPECTED["drive"]["M1_zero"]["qdd"])


def test_003_one_sign_for_the_friction():
    """Erratum 52: R^(tn) = (-F, N) goes with (X, Y) in (34), not (F, N), and not with (-X, -Y)."""
    tangential, normal = EXPECTED["env_force_tn"]
    F, N = -tangential, normal
    soil = [NUMBERS["Xe"], NUMBERS["Ye"]]
    assert_close(V @ [-F, N], soil)
    assert differs(V @ [F, N], soil) and differs(V @ [-F, N], np.negative(soil))
    alpha = np.pi / 2 - np.pi / 4  # (36), as printed
    inverse = np.array([[np.sin(alpha), np.cos(alpha)], [-np.cos(alpha), np.sin(alpha)]])
    assert_close(inverse @ V, np.eye(2))
    assert_close(inverse @ soil, [-F, N])
