"""Programs of higher relative degree: hidden rows against closed solutions, and programs that cannot be kept."""

import numpy as np
import pytest
import sympy as sp
from servo import CASE, CRANE_DRIVES, LEANING, X, Z, crane, exact_crane, l, masses, polar_crane, r, s, theta, x, z

import lienket as lk
from lienket import der, t
from lienket.assembly.programs import hidden_of
from lienket.errors import LienketError


def with_program(system, statement, drives):
    return hidden_of(system.constrain("path", lk.Program(statement, drives=drives)).statement)


def same_up_to_number(expression, expected):
    quotient = sp.cancel(sp.together(expression / expected))
    return quotient.is_number and quotient != 0


def test_the_hidden_row_of_the_crane_is_the_angle_of_its_rope():
    hidden = with_program(crane(), [x - X, z - Z], CRANE_DRIVES)
    assert hidden.realisable
    (row,) = hidden.rows
    assert row.level == 0
    assert row.of == ("path[0]", "path[1]")
    assert same_up_to_number(row.expression, LEANING)
    assert hidden.degrees == {"path[0]": 4, "path[1]": 4}


def test_the_rope_angle_does_not_depend_on_how_the_crane_is_stated():
    free = crane().release("rope")
    rooted = free.constrain("rope", sp.sqrt((x - s) ** 2 + z**2) - l)
    assert same_up_to_number(with_program(rooted, [x - X, z - Z], CRANE_DRIVES).rows[0].expression, LEANING)
    ends = [s + l * sp.sin(theta) - X, l * sp.cos(theta) - Z]
    (row,) = with_program(polar_crane(), ends, {"F": {s: 1}, "M_n": {l: -1 / r}}).rows
    leaning = LEANING.subs({x: s + l * sp.sin(theta), z: l * sp.cos(theta)})
    assert row.level == 0
    assert same_up_to_number(sp.expand(row.expression), sp.expand(leaning / l))


@pytest.mark.parametrize("time", [1.0, 1.5, 2.0])
def test_the_decisive_rows_give_the_drives_of_the_closed_form(time):
    hidden = with_program(crane(), [x - X, z - Z], CRANE_DRIVES)
    state = [sp.lambdify(t, [f, sp.diff(f, t)]) for f in (exact_crane()["s"], exact_crane()["l"], X, Z)]
    q, v = np.array([f(time) for f in state]).T
    here = (
        crane()
        .constrain("path", [x - X, z - Z])
        .constrain("hidden program 1", hidden.rows[0].expression)
        .at(q, v, time)
    )
    number = {("rope", 0): 0, ("path", 0): 1, ("path", 1): 2, ("hidden program 1", 0): 3}
    rows = [number[row] for row in hidden.decisive]
    G2, g2 = here.G[rows], here.g0[rows]
    G1, E, none = here.G[:1], np.array([[1, 0], [0, -1 / CASE["params"]["r"]], [0, 0], [0, 0]]), np.zeros((3, 3))
    M = np.block([[here.A, -G1.T, -E], [np.vstack([G1, G2]), none]])
    solved = np.linalg.solve(M, np.concatenate([here.h, -here.g0[:1], -g2]))
    expected = next(e["value"] for e in CASE["expected"] if e["t"] == time)
    np.testing.assert_allclose(solved[5:], expected[3:], rtol=1e-10)
    np.testing.assert_allclose(q[:2], expected[:2], rtol=1e-13)


def test_masses_and_springs_need_two_derivatives_more_for_each_spring():
    for n in (2, 3, 4):
        chain = masses(n)
        q = chain.coordinates
        hidden = with_program(chain, q[-1] - sp.sin(t), {"F": {q[0]: 1}})
        assert hidden.degrees == {"path": 2 * n}
        assert len(hidden.rows) == n - 1
        # x_(i) from the equation of motion of the next mass, one spring after another
        k = [sp.Symbol(f"k{i}") for i in range(1, n)]
        m = [sp.Symbol(f"m{i}") for i in range(1, n + 1)]
        laws = {n - 1: sp.sin(t)}
        for i in range(n - 1, 0, -1):
            pulled = k[i] * (laws[i] - laws[i + 1]) if i + 1 < n else 0
            laws[i - 1] = sp.expand(laws[i] + (m[i] * sp.diff(laws[i], t, 2) + pulled) / k[i - 1])
        for row in hidden.rows:
            assert row.level == 0
            assert sp.simplify(row.expression.subs({q[i]: law for i, law in laws.items()})) == 0


def test_a_damper_between_drive_and_output_leaves_a_velocity():
    chain = masses(2, damping=True)
    x1, x2 = chain.coordinates
    hidden = with_program(chain, x2 - sp.sin(t), {"F": {x1: 1}})
    (row,) = hidden.rows
    d, k, m2 = sp.symbols("d k1 m2")
    assert row.level == 1
    assert same_up_to_number(row.expression, d * (der(x1) - der(x2)) + k * (x1 - x2) + m2 * sp.sin(t))
    assert hidden.degrees == {"path": 3}


def test_a_flexible_joint():
    q1, q2 = lk.coordinates("q1 q2")
    a, b, k, w = lk.parameters("a b k w")
    arm = lk.System("joint", [q1, q2], kinetic=(a * der(q1) ** 2 + b * der(q2) ** 2) / 2,
                    potential=w * (1 - sp.cos(q1)) + k * (q1 - q2) ** 2 / 2)  # fmt: skip
    law = sp.sin(2 * t)
    for statement, degree in ((q1 - law, 4), (der(q1) - law.diff(t), 3)):
        hidden = with_program(arm, statement, {"M": {q2: 1}})
        asked = a * law.diff(t, 2) + w * sp.sin(q1) + k * (q1 - q2)
        assert same_up_to_number(hidden.rows[0].expression, asked)
        assert hidden.degrees == {"path": degree}


def test_velocities_that_cancel_on_the_constraints_are_eliminated():
    # q2 is held to q1 by a constraint, so the damper between them never works; k holds q3 to q2.
    q1, q2, q3 = lk.coordinates("q1 q2 q3")
    k, d = lk.parameters("k d")
    system = lk.System("held", [q1, q2, q3], kinetic=(der(q1) ** 2 + der(q2) ** 2 + der(q3) ** 2) / 2,
                       potential=k * (q2 - q3) ** 2 / 2, forces={q3: d * (der(q1) - der(q2))})  # fmt: skip
    hidden = with_program(system.constrain("held", q1 - q2), q3 - sp.sin(t), {"F": {q1: 1}})
    assert hidden.rows[0].level == 0
    assert same_up_to_number(hidden.rows[0].expression, k * (q2 - q3) + sp.sin(t))
    assert hidden.degrees == {"path": 4}


def test_a_drive_at_the_output_has_no_hidden_rows():
    chain = masses(2)
    x1, _ = chain.coordinates
    hidden = with_program(chain, x1 - sp.sin(t), {"F": {x1: 1}})
    assert hidden.rows == ()
    assert hidden.degrees == {"path": 2}
    assert hidden.decisive == (("path", 0),)


def test_two_outputs_of_different_degree_and_a_drive_more_than_needed():
    chain = masses(3)
    x1, x2, x3 = chain.coordinates
    hidden = with_program(chain, [x1 - sp.sin(t), x3 - sp.cos(t)], {"F": {x1: 1}, "P": {x2: 1}})
    assert hidden.degrees == {"path[0]": 2, "path[1]": 4}
    more = with_program(chain, x3 - sp.cos(t), {"F": {x1: 1}, "P": {x2: 1}, "R": {x3: 2}})
    assert more.rows == ()


def test_programs_that_cannot_be_kept_are_refused_with_a_reason():
    x1, x2 = lk.coordinates("x1 x2")
    apart = lk.System("apart", [x1, x2], kinetic=(der(x1) ** 2 + der(x2) ** 2) / 2)
    never = with_program(apart, x2 - sp.sin(t), {"F": {x1: 1}})
    assert not never.realisable
    assert "not appear in the first 2 derivatives of 'path'" in never.reason
    assert "sin(t) = 0" in never.reason
    anyway = with_program(apart, x2 - 2 * t, {"F": {x1: 1}})
    assert "holds for any drives" in anyway.reason
    few = with_program(apart, [x1 - t, x2 - t], {"F": {x1: 1}})
    assert "1 drive (F) cannot keep 2 programs" in few.reason
    twice = with_program(apart, [x1 - t, 2 * x1 - 2 * t], {"F": {x1: 1}, "P": {x2: 1}})
    assert "not determined" in twice.reason
    against = with_program(apart.constrain("wall", x1 - 1), x1 - 2, {"F": {x1: 1}})
    assert "contradicts 'wall'" in against.reason


def test_a_program_for_a_motion_that_no_drive_changes_is_refused():
    # No drive acts on the pendulum, so its angle cannot follow q1 = t.
    q1, q2 = lk.coordinates("q1 q2")
    alone = lk.System("pendulum", [q1, q2], kinetic=(der(q1) ** 2 + der(q2) ** 2) / 2, potential=-sp.cos(q1))
    hidden = with_program(alone, q1 - t, {"M": {q2: 1}})
    assert not hidden.realisable
    assert "'path'" in hidden.reason


def test_nonlinear_in_the_accelerations_is_refused():
    x1, x2 = lk.coordinates("x1 x2")
    bent = lk.System("bent", [x1, x2], kinetic=(der(x1) ** 2 + der(x2) ** 2) / 2).constrain("b", der(x1, 2) ** 2 - 4)
    with pytest.raises(LienketError, match="'b' is nonlinear"):
        with_program(bent, x2 - t, {"F": {x2: 1}})
