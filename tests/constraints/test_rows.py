"""Every kind of constraint as G q'' + g0 = 0: against the time derivatives that SymPy takes of the statement itself."""

import pytest
import sympy as sp
from sympy import cos, sin, sqrt

import lienket as lk
from lienket import der, derivation

x, y, phi = lk.coordinates("x y phi")
m, r, k, L, c = lk.parameters("m r k L c")
t = lk.t
FREE = lk.System("three coordinates", [x, y, phi], kinetic=m * (der(x) ** 2 + der(y) ** 2 + der(phi) ** 2) / 2)

STATEMENTS = {
    "holonomic": x**2 + y**2 - L**2,
    "holonomic with angles": r * sin(phi) - y * cos(phi),
    "rheonomic": x * cos(c * t) + y * sin(c * t) - r * t**2,
    "linear nonholonomic": sin(phi) * der(x) - cos(phi) * der(y),
    "linear with b0 and time": t * der(x) + x * der(phi) - c * sin(c * t) * y,
    "nonlinear nonholonomic": k**2 * (der(x) ** 2 + der(y) ** 2) - der(phi) ** 2,
    "nonlinear with time": sqrt(der(x) ** 2 + der(y) ** 2 + 1) - t * x,
    "acceleration": x * der(x, 2) + sin(phi) * der(y, 2) - c * der(x) ** 2 + t,
    "nonlinear acceleration": der(x, 2) ** 2 + der(y, 2) ** 2 - c**2,
}
LEVEL = {"holonomic": 0, "holonomic with angles": 0, "rheonomic": 0, "acceleration": 2, "nonlinear acceleration": 2}


def rows_of(statement, name="c"):
    system = FREE.constrain(name, statement)
    return derivation.rows(system.statement, system.constraints[-1])


def accelerations():
    return sp.Matrix([der(q, 2) for q in (x, y, phi)])


def same(left, right):
    """Return whether two expressions are equal at two random points, by SymPy's evaluation in 40 digits."""
    difference = left - right
    for seed in (3, 7):
        point = {}
        for i, q in enumerate((x, y, phi)):
            for order in (2, 1):
                point[der(q, order)] = sp.Rational(seed * 17 + 5 * i + order, 23 + i)
            point[q] = sp.Rational(seed + 3 * i + 1, 7)
        point |= {s: sp.Rational(seed + 2 * j + 1, 5 + j) for j, s in enumerate((m, r, k, L, c, t))}
        if abs(difference.xreplace(point).evalf(40)) > 1e-30:
            return False
    return True


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_rows_are_the_statement_differentiated_down_to_accelerations(name):
    statement = STATEMENTS[name]
    for _ in range(2 - LEVEL.get(name, 1)):
        statement = sp.diff(statement, t)
    rows = rows_of(STATEMENTS[name])
    assert same((rows.G * accelerations())[0] + rows.g0[0], statement)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_row_is_the_derivative_by_the_highest_derivative(name):
    level = LEVEL.get(name, 1)
    highest = [q if level == 0 else der(q, level) for q in (x, y, phi)]
    expected = [sp.diff(STATEMENTS[name], q) for q in highest]
    assert all(same(a, b) for a, b in zip(rows_of(STATEMENTS[name]).G, expected, strict=True))


@pytest.mark.parametrize("name", STATEMENTS)
def test_residuals_exist_where_the_kind_has_them(name):
    rows, level = rows_of(STATEMENTS[name]), LEVEL.get(name, 1)
    outward = rows.engine.outward
    assert len(rows.position) == (level == 0)
    assert len(rows.velocity) == (level <= 1)
    if level == 0:
        assert same(outward(rows.position[0]), STATEMENTS[name])
        assert same(outward(rows.velocity[0]), sp.diff(STATEMENTS[name], t))
    if level == 1:
        assert same(outward(rows.velocity[0]), STATEMENTS[name])


@pytest.mark.parametrize("name", STATEMENTS)
def test_b0_is_the_term_of_a_velocity_row_without_velocities(name):
    rows = rows_of(STATEMENTS[name])
    if LEVEL.get(name, 1) == 2 or name.startswith("nonlinear"):
        assert rows.b0 is None
    else:
        velocities = sp.Matrix([der(q) for q in (x, y, phi)])
        velocity = (rows.G * velocities)[0] + rows.engine.outward(rows.b0[0])
        assert same(velocity, rows.engine.outward(rows.velocity[0]))


def test_only_accelerations_that_enter_nonlinearly_need_newton():
    assert [name for name in STATEMENTS if rows_of(STATEMENTS[name]).nonlinear] == ["nonlinear acceleration"]


def test_rows_that_only_look_nonlinear_are_linear():
    assert rows_of((der(x) + der(y)) ** 2 - (der(x) - der(y)) ** 2 - 4 * der(x) * der(y) + der(phi)).b0 is not None
    assert not rows_of((der(x, 2) + 1) ** 2 - der(x, 2) ** 2).nonlinear


def test_a_list_makes_several_rows_under_one_name():
    rows = rows_of([x - r, y - r * t])
    assert sp.Matrix([[1, 0, 0], [0, 1, 0]]) == rows.G
    assert len(rows) == 2
    assert list(rows.g0) == [0, 0]


def test_a_program_has_the_rows_of_its_statement_and_the_columns_of_its_drives():
    rows = rows_of(lk.Program(x**2 + y - c * t, drives={"motor": {phi: r, "x": 2}}))
    ideal = rows_of(x**2 + y - c * t)
    assert rows.kind == "program"
    assert rows.G == ideal.G
    assert rows.g0 == ideal.g0
    ((name, column),) = rows.drives
    assert name == "motor"
    assert [rows.engine.outward(e) for e in column] == [2, 0, r]


# A positive multiplier acts where the expression grows: each kind holds a body at rest under the force F along x.
HELD = {
    "holonomic": x - r,
    "velocity": der(x),
    "acceleration": der(x, 2),
    "nonlinear velocity": der(x) + der(x) ** 3,
    "nonlinear acceleration": der(x, 2) + der(x, 2) ** 3,
}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", HELD)
def test_the_sign_of_the_multiplier(kind, sign):
    force = lk.parameters("F")
    body = lk.System("body", [x], kinetic=m * der(x) ** 2 / 2, forces={x: force}).constrain("hold", sign * HELD[kind])
    state = body.at(
        {"x": 1.5}, {"x": 0.0}, values={"m": 2.0, "F": -3.0, "r": 1.5} if kind == "holonomic" else {"m": 2.0, "F": -3.0}
    )
    assert state.reactions["hold"] == pytest.approx([3.0], rel=1e-12)
    assert state.multipliers == pytest.approx([3.0 * sign], rel=1e-12)
