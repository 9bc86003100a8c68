"""States that mislead a careless solver: far bodies, light and heavy ones, nearly redundant rows, drives, bent rows."""

import numpy as np
import pytest
from sympy import cos, sin, sqrt

import lienket as lk
from lienket import der

x, y, z = lk.coordinates("x y z")
a = lk.parameters("a")
t = lk.t


def system(*constraints, coordinates=(x, y), kinetic=None, **options):
    energy = sum(der(q) ** 2 for q in coordinates) / 2 if kinetic is None else kinetic
    stated = lk.System("body", list(coordinates), kinetic=energy, **options)
    for name, constraint in zip("ABCDEFGH", constraints, strict=False):
        stated = stated.constrain(name, constraint)
    return stated


@pytest.mark.parametrize("far", [0.0, 1e3, 1e5, 7e6])
def test_a_far_or_heavy_body_hides_no_contradiction_and_no_residual(far):
    kinetic = 0.001 * der(x) ** 2 / 2 + 1e6 * der(y) ** 2 / 2
    assert system(x, x - 1, kinetic=kinetic).at([0, far], [0, 0]).verdicts["B"].status == "contradictory"
    assert not system(x - 1, kinetic=kinetic).at([0, far], [0, 0]).audit.consistent
    assert system(x - 1, kinetic=kinetic).at([1, far], [0, 0]).audit.ok


@pytest.mark.parametrize("gap", [0.0, 5e-9, 1e-8, 3e-8])
def test_rows_that_are_redundant_on_the_surface_do_not_lock_near_it(gap):
    angles = p1, p2, p3, tilt = lk.coordinates("p1 p2 p3 tilt")

    def loop(width, p):
        return [cos(p1) + width * cos(tilt) - width - cos(p), sin(p1) + width * sin(tilt) - sin(p)]

    cranks = system(loop(2, p2), loop(1, p3), coordinates=angles, potential=sin(p1))
    state = cranks.at([0.7 + gap, 0.7, 0.7, 0], [1, 1, 1, 0])
    assert state.audit.consistent
    assert state.accelerations[0] == pytest.approx(-np.cos(0.7) / 3, rel=1e-6)


def test_a_coupled_coordinate_at_rest_raises_no_false_alarm():
    kinetic = der(x) ** 2 + der(x) * der(y) + der(y) ** 2
    assert system(x, kinetic=kinetic, forces={x: 1}).at([0, 0], [0, 0]).audit.ok


def test_a_light_reaction_beside_heavy_forces_keeps_its_digits():
    kinetic = 1e-8 * der(x) ** 2 / 2 + 1e8 * der(y) ** 2 / 2
    state = system(x - y**2, kinetic=kinetic, potential=1e-7 * x + 1e9 * y).at([1, 1], [2, 1])
    # x'' = 2 y y'' + 2 y'^2 = -18 with y'' = -10: lambda = m x'' + 1e-7 to rounding of 1e9/1e8.
    assert state.reaction == pytest.approx([-8e-8, 1.6e-7], rel=1e-9)
    assert state.reactions["A"] == pytest.approx(state.reaction, rel=1e-9)


def test_releasing_under_a_constraint_nonlinear_in_accelerations_solves_anew():
    model = system(x**2 + y**2 - 1, der(x, 2) ** 2 + der(y, 2) ** 2 - 400, forces={x: 3, y: -10})
    q, v = [0.6, 0.8], [0.8, -0.6]
    released = model.at(q, v).release("A")
    assert released.accelerations == pytest.approx(model.release("A").at(q, v).accelerations, rel=1e-12)
    assert np.sum(released.accelerations**2) == pytest.approx(400)


@pytest.mark.parametrize(
    ("row", "forces", "residual"),
    [
        (der(x, 2) ** 2 - 4, {}, lambda a: a[0] ** 2 - 4),
        (der(x, 2) ** 3 - 8, {}, lambda a: a[0] - 2),
        (der(x, 2) * der(y, 2) - 4, {y: -10}, lambda a: a[0] * a[1] - 4),
    ],
)
def test_newton_starts_off_points_with_zero_slope(row, forces, residual):
    assert residual(system(row, forces=forces).at([0, 0], [0, 0]).accelerations) == pytest.approx(0, abs=1e-9)


def test_massless_and_massive_rows_released_in_any_order():
    """x and y have mass, z has none; a released state equals one built without the constraint."""
    kinetic = der(x) ** 2 / 2 + der(y) ** 2
    model = system([x - 2 * y, z - x], z + y, coordinates=(x, y, z), kinetic=kinetic, forces={x: 1, y: -2, z: 3})
    state = model.at([0, 0, 0], [0, 0, 0])
    fresh = model.release("A").at([0, 0, 0], [0, 0, 0])
    assert state.release("A").accelerations == pytest.approx(fresh.accelerations, rel=1e-12)
    assert state.influence("A", "B") == pytest.approx(state.reactions["B"] - fresh.reactions["B"], rel=1e-12)


def test_influence_counts_the_drives():
    model = system(x - y, lk.Program(x - t**2, drives={"F": {x: 1}}), potential=10 * y)
    state = model.at([0, 0], [0, 0])
    assert state.influence("B", "A") == pytest.approx([-7, 7])
    assert state.influence("A", "B") == pytest.approx([12 - 0, 0])
    assert set(state.influence()) == {("A", "B"), ("B", "A")}


def test_a_program_that_a_constraint_keeps_already_needs_no_drive():
    state = system(x - t**2, lk.Program(x - t**2, drives={"F": {x: 1}})).at([0, 0], [0, 0])
    assert state.drives == {"F": 0.0}
    assert state.verdicts["B"].status == "redundant"


def test_a_drive_belongs_to_one_program():
    first = system(lk.Program(x - t, drives={"u": {x: 1}}))
    with pytest.raises(lk.ModelError, match="drive 'u' already belongs to the program 'A'"):
        first.constrain("B", lk.Program(y - t, drives={"u": {y: 1}}))


def test_programs_and_nonlinear_accelerations_are_refused_together():
    model = system(der(x, 2) ** 2 + der(y, 2) ** 2 - 400, lk.Program(x - 5 * t**2, drives={"F": {x: 1}}))
    with pytest.raises(lk.LienketError, match="'B' cannot be solved together with 'A'"):
        model.at([0, 0], [0, 0])


def test_equal_surfaces_in_two_forms_are_redundant_off_them_too():
    model = system(sqrt(x**2 + y**2) - 1, x**2 + y**2 - 1)
    for radius in (1.0, 1.001, 1.01):
        state = model.at([radius, 0], [0, 1])
        assert state.verdicts["B"].status == "redundant"
        assert state.audit.consistent == (radius == 1.0)


def test_an_inertia_below_rounding_counts_as_zero():
    """The mass (x - y)^2, multiplied out, at x = y up to rounding: zero and never negative."""
    model = system(x - y, kinetic=(x**2 - 2 * x * y + y**2) * der(x) ** 2 / 2 + der(y) ** 2 / 2)
    for position in np.linspace(0.1, 2, 40):
        assert model.at([position, position * (1 + 1e-16)], [0, 0]).accelerations == pytest.approx([0, 0])


@pytest.mark.parametrize("tolerance", [-1, 0, 2, float("nan"), True, "a"])
def test_a_tolerance_must_lie_between_zero_and_one(tolerance):
    with pytest.raises(lk.ModelError, match="tolerance: it"):
        system(x).at([0, 0], [0, 0], tolerance=tolerance)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"q": [10**400, 0]}, "x must be a real number"),
        ({"q": {0.5, 1.5}}, "a mapping by name or a sequence"),
        ({"q": np.zeros((2, 2))}, "not an array of shape"),
        ({"values": {"a": 1, a: 2}}, "a is given twice"),
        ({"q": [np.True_, 0]}, "x must be a real number"),
    ],
)
def test_odd_numbers_are_refused(arguments, message):
    with pytest.raises(lk.ModelError, match=message):
        system(x - a).at(**{"q": [0, 0], "v": [0, 0], "values": {"a": 1}} | arguments)


def test_influence_needs_both_names():
    model = system(x, y)
    for ask in (lambda: model.influence("A"), lambda: model.at([0, 0], [0, 0]).influence(on="B")):
        with pytest.raises(lk.LienketError, match="Name two constraints"):
            ask()
    with pytest.raises(lk.LienketError, match="no influence on itself"):
        model.at([0, 0], [0, 0]).influence("A", "A")


def test_the_audit_says_why_accelerations_are_undetermined():
    assert "not determined at this state: y can move" in str(system(kinetic=der(x) ** 2 / 2).at([0, 0], [0, 0]).audit)


def test_velocities_below_the_smallest_normal_number_contradict_nothing():
    """Three points of a body at one height; velocities of 1e-319 have four digits, as the rates of the rows."""
    y, phi = lk.coordinates("y phi")
    body = lk.System("body", [y, phi], kinetic=(der(y) ** 2 + der(phi) ** 2) / 2, potential=y)
    for k, arm in enumerate((0.7308, -0.6410, -0.7545)):
        body = body.constrain(f"foot {k}", y + arm * phi)
    state = body.at([0, 0], [8.095e-320, 3.995e-320])
    assert [verdict.status for verdict in state.verdicts.values()] == ["independent", "independent", "redundant"]
    assert state.accelerations == pytest.approx([0, 0], abs=1e-15)
