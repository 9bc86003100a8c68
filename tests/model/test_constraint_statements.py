"""Constraint statements: classified by their highest derivative, checked where the kind is stated."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der

x, y, z = lk.coordinates("x y z")
m, r, k = lk.parameters("m r k")
FREE = lk.System("particle", [x, y, z], kinetic=m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2)


def stated(statement):
    return FREE.constrain("c", statement).constraints[0]


@pytest.mark.parametrize(
    ("statement", "kind", "affine", "rheonomic"),
    [
        (y - r, "holonomic", True, False),
        (x**2 + y**2 - r**2, "holonomic", True, False),
        (x - sp.sin(lk.t), "holonomic", True, True),
        (der(x) + r * der(y), "velocity", True, False),
        (y * der(x) - lk.t, "velocity", True, True),
        (k**2 * (der(x) ** 2 + der(y) ** 2) - der(z) ** 2, "velocity", False, False),
        (der(x) * (der(y) + 1) - der(x) * der(y), "velocity", True, False),
        (der(x, 2) - der(y) ** 2, "acceleration", True, False),
        (der(x, 2) ** 2 + der(y, 2) - r, "acceleration", False, False),
        (sp.Eq(der(x), r), "velocity", True, False),
        (lk.Holonomic(x - r), "holonomic", True, False),
        (lk.Velocity(der(x)), "velocity", True, False),
        (lk.Acceleration(der(x, 2)), "acceleration", True, False),
    ],
)
def test_kind_follows_from_the_highest_derivative(statement, kind, affine, rheonomic):
    constraint = stated(statement)
    assert (constraint.kind, constraint.affine, constraint.rheonomic) == (kind, affine, rheonomic)
    assert constraint.level == ("holonomic", "velocity", "acceleration").index(kind)


def test_an_equation_is_left_minus_right():
    assert stated(sp.Eq(x, r * y)).expressions == (x - r * y,)


def test_a_list_or_a_column_makes_several_rows_under_one_name():
    for statement in ([x, y - r], (x, y - r), sp.Matrix([x, y - r]), lk.Holonomic([x, y - r])):
        assert stated(statement).expressions == (x, y - r)


def test_a_program_names_its_drives():
    constraint = stated(lk.Program(x - sp.cos(lk.t), drives={"motor": {x: 1, "z": r}}))
    assert constraint.kind == "program" and constraint.level == 0
    assert constraint.drives == (("motor", ((x, 1), (z, r))),)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (lk.Holonomic(der(x)), "stated as holonomic, but its highest derivative makes it velocity"),
        (lk.Velocity(x), "stated as velocity, but its highest derivative makes it holonomic"),
        (lk.Acceleration(der(x)), "stated as acceleration, but"),
        (der(x, 3), "a derivative of order 3"),
        ([x, der(y)], "rows are of different kinds \\(holonomic and velocity\\)"),
        ([], "it has no expression"),
        (m - 2, "contains no coordinate, so it constrains nothing"),
        ("x - r", "the text 'x - r' is not an expression"),
        (lk.coordinates("w") - r, "w\\(t\\) is not among the coordinates"),
        (sp.Symbol("x") - r, "a parameter is named x like a coordinate"),
        (lk.Program(x), "a program needs drives"),
        (lk.Program(x, drives={"motor": {m: 1}}), "drive 'motor' acts on m, which is not a coordinate"),
        (lk.Program(x, drives={"motor": 3}), "drive 'motor' needs a mapping"),
        (lk.Program(x, drives={"motor": {x: 1, "x": 2}}), "drive 'motor' has two factors for x"),
        (lk.Program(x, drives={"motor": {x: 0}}), "drive 'motor' has only zero factors"),
        (lk.Program(x, drives={"1": {x: 1}, 1: {y: 1}}), "two drives have the same name"),
        ({x: 1, y: 2}, "an expression was expected, not"),
        (lk.Program(x, drives={"motor": {x: der(x, 2)}}), "it contains x''"),
    ],
)
def test_statements_that_are_no_constraints_are_refused(statement, message):
    with pytest.raises(lk.ModelError, match=message):
        FREE.constrain("c", statement)


def test_a_program_keeps_its_drives_in_another_system():
    program = stated(lk.Program(x - lk.t, drives={"motor": {x: 1}}))
    other = lk.System("other", [y, x], kinetic=m * (der(x) ** 2 + der(y) ** 2))
    assert other.constrain("p", program).constraints[0].drives == (("motor", ((x, 1),)),)


@pytest.mark.parametrize("name", ["", "  ", 3, "two\nlines"])
def test_a_constraint_needs_a_printable_name(name):
    with pytest.raises(lk.ModelError, match="its name must be a printable text"):
        FREE.constrain(name, x)


def test_two_constraints_cannot_share_a_name():
    with pytest.raises(lk.ModelError, match="constraint 'c': there are 2 constraints with this name"):
        FREE.constrain("c", x).constrain("c", y)


@pytest.mark.parametrize("statement", [y >= r, [x - r, y > 0]])
def test_an_inequality_is_refused_with_the_law_that_states_it(statement):
    with pytest.raises(lk.ModelError, match=r"an inequality was given, y >=? .*\n.*law=lk\.laws\.Unilateral"):
        stated(statement)
