"""Verdicts on difficult constraint surfaces: rounded numbers, several branches, no real point, equal letters."""

import itertools

import numpy as np
import pytest
import sympy as sp
from sympy import cos, exp, log, sin, sqrt

import lienket as lk
from lienket import der

x, y, z = lk.coordinates("x y z")
a, b, c, k = lk.parameters("a b c k")
t = lk.t


def system(*constraints, coordinates=(x, y, z), **options):
    energy = sum(der(q) ** 2 for q in coordinates) / 2
    stated = lk.System("body", list(coordinates), kinetic=energy, **options)
    for name, constraint in zip("ABCDEFGH", constraints, strict=False):
        stated = stated.constrain(name, constraint)
    return stated


def last(*constraints, **options):
    return system(*constraints, **options).stages()[-1].verdict


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_parameters_of_different_constraints_are_different_numbers(order):
    """z = a, y = b, x = c, x = y are contradictory in any order, since b and c are independent."""
    rows = [z - a, y - b, x - c, x - y]
    statuses = [s.verdict.status for s in system(*[rows[k] for k in order]).stages()]
    against = max(order.index(k) for k in (1, 2, 3))
    assert statuses == ["contradictory" if position == against else "independent" for position in range(4)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (x - (0.1 + 0.2), x - 0.3),
        (0.1 * x + 0.2 * y - 0.3, x + 2 * y - 3),
        (x - float(np.sin(0.5)) * y, float(np.cos(0.5)) * x - float(np.sin(0.5)) * float(np.cos(0.5)) * y),
        (x / 3 + y, 0.3333333333333333 * x + y),
        (lk.catalogue.rod((0, 0), (x, y), 7e6), lk.catalogue.distance((0, 0), (x, y), 7e6)),
        (1e9 * x - 1, x - 1e-9),
    ],
)
def test_rounded_numbers_agree_to_rounding(first, second):
    verdict = last(first, second)
    assert (verdict.status, verdict.depends_on) == ("redundant", ("A",))


@pytest.mark.parametrize("seed", range(6))
def test_formulas_and_numbers_judge_rounded_rows_alike(seed):
    rng = np.random.default_rng(seed)
    rows = [sum(float(w) * q for w, q in zip(rng.normal(size=3), (x, y, z), strict=True)) for _ in range(2)]
    third = sum(float(w) * row for w, row in zip(rng.normal(size=2), rows, strict=True))
    model = system(*rows, third)
    state = model.at([0, 0, 0], [0, 0, 0])
    assert [s.verdict.status for s in model.stages()] == [v.status for v in state.verdicts.values()]
    assert state.verdicts["C"].status == "redundant"


@pytest.mark.parametrize("row", [x * y, y * sin(z), (x - 1) * (x + 1), sin(x), x * y * z])
def test_surfaces_of_several_branches_take_one_freedom(row):
    stages = system(row).stages()
    assert stages[0].verdict.status == "independent"
    assert stages.freedom == 2
    assert system(row, coordinates=(x, y, z)).equations("reduced").lines


def test_a_branch_is_closed_by_another_constraint():
    stages = system(x * y, x - 1).stages()
    assert [s.verdict.status for s in stages] == ["independent", "independent"]
    assert sp.Matrix([[0, 0, 1]]) == stages[-1].D.T


@pytest.mark.parametrize("rows", [[x**2 + 1], [exp(x) + 1], [x**2 + y**2 - 1, y - 2], [der(x) ** 2 + der(y) ** 2 + 1]])
def test_the_table_reports_constraints_that_no_state_satisfies(rows):
    stages = system(*rows).stages()
    assert not stages[-1].satisfied
    assert f"No state was found that satisfies '{'AB'[len(rows) - 1]}'" in stages.text()


@pytest.mark.parametrize("rows", [[log(x) + 1, log(-x) + 1], [sqrt(x - 5) - y, sqrt(3 - x) - y]])
def test_constraints_without_a_common_domain_are_refused_in_words(rows):
    with pytest.raises(lk.LienketError, match="has no real value"):
        system(*rows).stages()


@pytest.mark.parametrize(
    ("rows", "status", "names"),
    [
        ([x**2 + y**2 - 1, y, x - 1], "redundant", ("A", "B")),
        ([x**2 + y**2 - 1, x, y], "contradictory", ("A", "B")),
        ([x, y, z, [x - 1, y]], "contradictory", ("A",)),
    ],
)
def test_the_named_constraints_are_enough_by_themselves(rows, status, names):
    verdict = last(*rows)
    assert (verdict.status, verdict.depends_on) == (status, names)


def test_only_the_contradicting_rows_are_reported():
    verdict = last([x], [y], [y, x - 1])
    assert (verdict.rows, verdict.sentence[:22]) == ((2,), "Row 2 of 'C' contradic")
    assert verdict == system([x], [y], [y, x - 1]).at([0, 0, 0], [0, 0, 0]).verdicts["C"]


@pytest.mark.parametrize(
    ("rows", "adds"),
    [([der(x) - 1, x - t], "position"), ([der(x, 2) - 5, x - 5 * t**2 / 2], "position"), ([x, der(x)], "")],
)
def test_a_position_that_velocities_leave_open_is_reported(rows, adds):
    verdict = last(*rows)
    assert (verdict.status, verdict.adds) == ("redundant", adds)
    assert ("fixes a position that 'A' leaves open" in verdict.sentence) == bool(adds)


def test_systems_on_the_same_free_system_keep_their_own_symbols():
    positive = sp.Symbol("k", positive=True)
    one, two = system(x - k * y), system(x - positive * y)
    assert one.free is two.free
    one.stages(), two.stages()
    assert one.stages()[0].J.subs(k, 3)[1] == -3
    assert two.stages()[0].J.subs(positive, 3)[1] == -3
    assert one.equations("full")["D"].free_symbols == {k}


def test_cached_results_are_immutable():
    reactions = system(x - a).reactions()
    with pytest.raises(TypeError):
        reactions.shares["A"] = 0
    state = system(x - a).at([0, 0, 0], [0, 0, 0], values={"a": 0})
    with pytest.raises(ValueError, match="read-only"):
        state.A[0, 0] = 7.0


def test_accelerations_do_not_bind_velocities():
    """The row y'' = 2 x'' leaves y' free: the force -y' must not become -2 x'."""
    model = system(der(y, 2) - 2 * der(x, 2), coordinates=(x, y), forces={x: -der(y)})
    assert model.stages()[0].d is None
    equations = model.equations("pseudovelocity")
    assert equations["f"] == sp.Matrix([-der(y)])
    assert equations["M"] == sp.Matrix([[5]])
    assert model.at([0, 0], [1, 5]).accelerations == pytest.approx([-1, -2])


@pytest.mark.parametrize("energy", [(der(x) + der(y)) ** 2 / 2, der(x) ** 2 / 2])
def test_a_free_part_without_mass_has_no_formula(energy):
    free = lk.System("massless", [x, y], kinetic=energy, forces={x: 2})
    with pytest.raises(lk.LienketError, match="accelerations are not determined"):
        free.accelerations()


def test_names_of_pseudovelocities_avoid_parameters():
    pi1 = lk.parameters("pi1")
    text = system(x - pi1 * y**2, coordinates=(x, y)).equations("pseudovelocity", choice="orthogonal").text()
    assert "sigma1'" in text
    new = system(x - y**2, coordinates=(x, y)).equations("pseudovelocity", pseudovelocities={"v": k * der(y)})
    assert new["D"] == sp.Matrix([2 * y / k, 1 / k])


def test_touching_circles_are_reported_as_unsatisfied():
    """The circles meet in one point, where their rows are parallel; points off it cannot decide."""
    stages = system((x - 1) ** 2 + y**2 - 1, (x + 1) ** 2 + y**2 - 1).stages()
    assert not stages[-1].satisfied
    assert cos not in {f.func for f in stages[-1].conditions}
