"""Independent, redundant, contradictory: verdicts on the constraint surface, with the smallest set of names."""

import pytest
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der

x, y, z, phi = lk.coordinates("x y z phi")
m, J, r, a, b, g = lk.parameters("m J r a b g")
T = m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2 + J * der(phi) ** 2 / 2
FREE = lk.System("body", [x, y, z, phi], kinetic=T, potential=m * g * z)


def verdicts(*constraints, free=FREE):
    system = free
    for k, c in enumerate(constraints, 1):
        system = system.constrain(f"c{k}", c)
    return [(s.verdict.status, s.verdict.depends_on) for s in system.stages()]


INDEPENDENT = ("independent", ())


@pytest.mark.parametrize(
    ("again", "names"),
    [
        (x - r, ("c1",)),
        (-3 * (x - r), ("c1",)),
        ((x - r) * (2 + sin(phi)), ("c1",)),
        (2 * (x - r) + 3 * (y + r * phi), ("c1", "c2")),
        (der(x), ("c1",)),
        (der(x, 2) * m + 5 * (der(y, 2) + r * der(phi, 2)), ("c1", "c2")),
        (sin(x) * cos(r) - cos(x) * sin(r), ("c1",)),
        ((x - r) ** 2 + (x - r) * y, ("c1",)),
    ],
)
def test_a_redundant_constraint_names_its_sources(again, names):
    assert verdicts(x - r, y + r * phi, again)[-1] == ("redundant", names)


def test_the_smallest_set_may_hold_a_redundant_constraint():
    assert verdicts(x - r, y - r, z - r, x + y + z - 3 * r, 2 * x + 2 * y + 2 * z - 6 * r)[3:] == [
        ("redundant", ("c1", "c2", "c3")),
        ("redundant", ("c4",)),
    ]
    assert verdicts(x - r, y - r, z - r, x + y - 2 * r, x + y + z - 3 * r)[-1] == ("redundant", ("c3", "c4"))


@pytest.mark.parametrize(
    ("against", "names"),
    [
        (x - 2 * r, ("c1",)),
        (x - r - lk.t**2, ("c1",)),
        (der(x) - g, ("c1",)),
        (der(x, 2) - g, ("c1",)),
        (x + y + r * phi, ("c1", "c2")),
        (x**2 - r**2 - 1, ("c1",)),
    ],
)
def test_a_contradictory_constraint_names_its_opponents(against, names):
    assert verdicts(x - r, y + r * phi, against)[-1] == ("contradictory", names)


def test_a_redundant_constraint_becomes_independent_when_its_source_is_released():
    system = FREE.constrain("first", x - r).constrain("again", 2 * x - 2 * r)
    assert system.stages()["again"].verdict.status == "redundant"
    assert system.release("first").stages()["again"].verdict.status == "independent"


def test_a_constraint_with_some_redundant_rows():
    system = FREE.constrain("rail", [x - r, y]).constrain("pin", [x - r, z, y])
    verdict = system.stages()["pin"].verdict
    assert (verdict.status, verdict.depends_on, verdict.rows) == ("redundant", ("rail",), (1, 3))
    assert verdict.sentence == "Rows 1 and 3 of 'pin' are redundant: they follow from 'rail'."
    assert system.stages()["pin"].freedom == 1


def test_rows_of_one_constraint_may_depend_on_each_other():
    verdict = FREE.constrain("pin", [x - r, 2 * x - 2 * r]).stages()[0].verdict
    assert (verdict.status, verdict.depends_on, verdict.rows) == ("redundant", ("pin",), (2,))


A1, A2, A3 = lk.coordinates("alpha beta gamma")


def parallelogram(second=None):
    free = lk.System("parallelogram", [A1, A2, A3], kinetic=J * (der(A1) ** 2 + der(A2) ** 2 + der(A3) ** 2) / 2)
    loop = [a * cos(A1) + b * cos(A2) - b - a * cos(A3), a * sin(A1) + b * sin(A2) - a * sin(A3)]
    system = free.constrain("loop", loop)
    return system if second is None else system.constrain("second coupler", second)


def coupler(share, length):
    """Return the row of a bar between points at this share of the lengths of both cranks."""
    gap = sp.Matrix([b + share * a * (cos(A3) - cos(A1)), share * a * (sin(A3) - sin(A1))])
    return gap.dot(gap) - length**2


def test_the_second_coupler_of_a_parallelogram_is_redundant_on_the_loop_only():
    """Off the loop its row is independent of those of the loop: only points on the constraints decide."""
    stage = parallelogram(coupler(sp.Rational(1, 2), b)).stages()[-1]
    assert stage.verdict.status == "redundant"
    assert stage.verdict.always is True
    assert stage.verdict.depends_on == ("loop",)
    assert stage.freedom == 1
    off = {A1: 0.3, A2: 1.1, A3: 2.0, a: 1.0, b: 1.7}
    rows = [parallelogram().stages()[0].rows.G, stage.rows.G]
    assert sp.Matrix.vstack(*rows).subs(off).rank() == 3


def test_a_second_coupler_of_another_length_locks_the_loop():
    stages = parallelogram(coupler(sp.Rational(1, 2), r)).stages()
    assert stages[-1].verdict.status == "independent"
    assert stages.freedom == 0


def test_two_circles_about_one_centre_contradict_each_other():
    assert verdicts(x**2 + y**2 - r**2, x**2 + y**2 - 4 * r**2)[-1] == ("contradictory", ("c1",))


def test_a_nonholonomic_constraint_is_judged_at_velocities_that_satisfy_it():
    """With x' = r the row x' y' - r y' = 0 is always satisfied, and x' y' = 0 is equivalent to y' = 0."""
    assert verdicts(der(x) - r, der(x) * der(y) - r * der(y))[-1] == ("redundant", ("c1",))
    assert verdicts(der(x) - r, der(x) * der(y))[-1] == INDEPENDENT


def test_contradictory_systems_have_no_equations():
    system = FREE.constrain("here", x - r).constrain("there", x - 2 * r)
    for ask in (system.equations, system.reactions, system.accelerations, system.influence):
        with pytest.raises(lk.LienketError, match="'there' contradicts 'here'"):
            ask()


def test_more_rows_than_coordinates():
    statuses = verdicts(x - r, y - r, z - r, phi - r, x + phi - 2 * r, x - phi)
    assert statuses == [INDEPENDENT] * 4 + [("redundant", ("c1", "c4"))] * 2


def test_a_locked_system_has_no_freedom_and_only_reactions():
    locked = FREE.constrain("all", [x - r, y, z, phi])
    assert locked.stages().freedom == 0
    assert locked.stages()[0].D.shape == (4, 0)
    reactions = locked.reactions()
    assert list(reactions.total) == [0, 0, m * g, 0]
    assert locked.at([1, 0, 0, 0], [0] * 4, values={"m": 2, "J": 1, "g": 3, "r": 1}).reaction == pytest.approx(
        [0, 0, 6, 0]
    )


def test_a_verdict_at_a_state_says_whether_it_always_holds():
    again = FREE.constrain("first", x - r).constrain("again", 3 * x - 3 * r)
    values = {"m": 1.0, "J": 1.0, "g": 9.81, "r": 0.5}
    assert again.at([0.5, 0, 0, 0], [0] * 4, values=values).verdicts["again"].always is True
    sometimes = FREE.constrain("first", x - r).constrain("arm", x + y * sin(phi) - r)
    verdict = sometimes.at([0.5, 0, 0, 0], [0] * 4, values=values).verdicts["arm"]
    assert (verdict.status, verdict.always, verdict.depends_on) == ("redundant", False, ("first",))
    assert {str(c) for c in verdict.condition} == {"sin(phi(t))", "y(t)"}
    assert verdict.sentence == (
        "'arm' is redundant in this configuration: it follows from 'first', where y = 0 and sin(phi) = 0."
    )


def test_parameters_that_allow_no_position_are_adjusted():
    """Random lengths rarely let this chain of rods close; the verdict needs adjusted parameters."""
    closed = FREE.constrain("far", x**2 + y**2 - (100 + r) ** 2).constrain("near", (x - 99) ** 2 + y**2 - b**2)
    assert [s.verdict.status for s in closed.stages()] == ["independent", "independent"]
