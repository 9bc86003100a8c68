"""Stage by stage: beta, H, D, C, f as in paper 000, and the theorems they must obey for every example."""

import numpy as np
import pytest
import sympy as sp
from conftest import IDEAL, MODELS
from sympy import cos, sin

import lienket as lk
from lienket import der, derivation

x, y, phi = lk.coordinates("x y phi")
m, J, r, g = lk.parameters("m J r g")
CHOICES = ["pivot", "orthogonal"]


def disc():
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
    return lk.System("disc", [x, y, phi], kinetic=T, potential=m * g * y)


def rolling():
    return disc().constrain("contact", y - r).constrain("rolling", x + r * phi)


def test_the_rolling_disc_stage_by_stage_as_in_paper_000():
    first, second = rolling().stages(choice="orthogonal")
    assert first.beta == sp.Matrix([[0, 1, 0]])
    assert first.H == first.D == sp.Matrix([[1, 0], [0, 0], [0, 1]])
    assert sp.Matrix([[m, 0, 0], [0, 0, J]]) == first.C
    assert first.f == sp.Matrix([0, 0])
    assert second.beta == sp.Matrix([[1, r]])
    assert sp.Matrix([r, -1]) == second.H
    assert sp.Matrix([r, 0, -1]) == second.D
    assert sp.Matrix([[r * m, 0, -J]]) == second.C
    assert second.f == sp.Matrix([0])
    assert [s.freedom for s in (first, second)] == [2, 1]
    assert [s.kind for s in (first, second)] == ["holonomic", "holonomic"]


def test_a_stage_is_accessed_by_index_and_by_name():
    stages = rolling().stages()
    assert stages["rolling"] is stages[1]
    assert [s.name for s in stages[:1]] == ["contact"]
    assert len(stages) == 2
    assert stages.freedom == 1
    with pytest.raises(lk.LienketError, match="did you mean 'rolling'"):
        stages["roling"]


def test_the_free_system_has_no_stage():
    assert len(disc().stages()) == 0
    assert disc().stages().freedom == 3


@pytest.mark.parametrize(
    ("model", "choice"), [(m, c) for m in IDEAL for c in CHOICES if (m, c) != ("andrews_squeezer", "orthogonal")]
)
def test_every_stage_obeys_its_theorems(model, choice, at_random):
    """At random states beta H = 0, D = D_before H, G D = 0 for all rows so far, C = D^T A, f = D^T h, full rank."""
    system = lk.load(MODELS / f"{model}.toml")
    here = at_random(system, seed=5)
    A, h = here.number(system.free.A), here.number(system.free.h)
    before, rows, rates = np.eye(len(A)), [], []
    for stage in system.stages(choice=choice):
        beta, H, D = here.number(stage.beta), here.number(stage.H), here.number(stage.D)
        rows.append(here.number(stage.rows.G))
        rates.append(here.number(stage.rows.g0))
        G, g0 = np.vstack(rows), np.vstack(rates)
        size = np.abs(G).max() * np.abs(D).max()
        assert beta == pytest.approx(rows[-1] @ before, rel=1e-12, abs=1e-12)
        assert np.abs(beta @ H).max() < 1e-12 * np.abs(beta).max() * np.abs(H).max()
        assert before @ H == pytest.approx(D, rel=1e-12, abs=1e-12)
        assert np.abs(G @ D).max() < 1e-12 * size
        assert np.linalg.matrix_rank(D) == stage.freedom == len(A) - np.linalg.matrix_rank(G)
        assert here.number(stage.C) == pytest.approx(D.T @ A, rel=1e-11, abs=1e-12 * np.abs(A).max() * np.abs(D).max())
        assert here.number(stage.f) == pytest.approx(D.T @ h, rel=1e-11, abs=1e-12 * np.abs(h).max() * np.abs(D).max())
        gamma = here.number(stage.gamma)
        assert G @ gamma + g0 == pytest.approx(0 * g0, abs=1e-11 * (1 + np.abs(G).max() * np.abs(gamma).max()))
        before = D


@pytest.mark.parametrize("model", IDEAL)
def test_both_choices_span_the_same_motions(model, at_random):
    system = lk.load(MODELS / f"{model}.toml")
    here = at_random(system, seed=8)
    spans = []
    for choice in CHOICES:
        Q, _ = np.linalg.qr(here.number(system.stages(choice=choice)[-1].D))
        spans.append(Q @ Q.T)
    assert spans[0] == pytest.approx(spans[1], abs=1e-11)
    assert spans[0] == pytest.approx(here.state().D @ here.state().D.T, abs=1e-11)


def test_the_columns_of_an_orthogonal_H_are_orthogonal(at_random):
    system = lk.load(MODELS / "carriage.toml")
    here = at_random(system, seed=1)
    for stage in system.stages(choice="orthogonal"):
        gram = here.number(stage.H).T @ here.number(stage.H)
        assert gram == pytest.approx(np.diag(np.diag(gram)), abs=1e-12)


def test_pivots_are_chosen_where_they_cannot_vanish():
    """Right and left wheel divide by the wheel radius a, not by cos(theta), the first entry of their rows."""
    conditions = [s.conditions for s in lk.load(MODELS / "carriage.toml").stages()]
    theta = lk.coordinates("theta")
    assert conditions == [(), (), (cos(theta),)]


def test_the_user_may_name_the_independent_coordinates():
    crank = lk.load(MODELS / "slider_crank.toml")
    (by_crank,), (by_rod,) = crank.stages(independent=["phi"]), crank.stages(independent=[lk.coordinates("theta")])
    assert by_crank.D[0] == 1
    assert by_rod.D[1] == 1
    assert sp.simplify(by_crank.D[1] * by_rod.D[0]) == 1
    assert [by_crank.conditions, by_rod.conditions] == [(cos(lk.coordinates("theta")),), (cos(phi),)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: s.stages(independent=["x", "phi"]), "x, phi cannot all be independent: 'rolling' relates them"),
        (lambda s: s.stages(independent=["z"]), "no coordinate named 'z'"),
        (lambda s: s.stages(choice="Gram"), "'pivot' or 'orthogonal', not 'Gram'"),
        (lambda s: s.stages(independent="x", choice="orthogonal"), "choice='pivot' only"),
    ],
)
def test_a_choice_that_is_impossible_is_explained(call, message):
    with pytest.raises(lk.LienketError, match=message):
        call(rolling())


def test_a_vector_statement_is_one_stage_with_several_rows():
    pinned = disc().constrain("pin", [x, y - r])
    (stage,) = pinned.stages()
    assert stage.beta.shape == (2, 3)
    assert stage.H.shape == (3, 1)
    assert stage.freedom == 1


def test_a_constraint_changes_the_reactions_it_is_coupled_to_and_no_other():
    """The rods of the pendulum act on each other; contact and rolling of the disc do not (theory 7)."""
    assert [s.changes for s in rolling().stages()] == [(), ()]
    assert [s.changes for s in lk.load(MODELS / "double_pendulum_cartesian.toml").stages()] == [(), ("upper rod",)]


def test_a_later_constraint_may_make_an_earlier_pivot_zero():
    """After division by cos(theta), theta = pi/2 is prescribed: other pivots are chosen."""
    theta = lk.coordinates("theta")
    sledge = lk.System("sledge", [x, y, theta], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(theta) ** 2 / 2)
    edge = sledge.constrain("edge", sin(theta) * der(x) - cos(theta) * der(y))
    assert edge.stages()[0].conditions == (cos(theta),)
    fixed = edge.constrain("heading", theta - sp.pi / 2)
    stages = fixed.stages()
    assert [s.verdict.status for s in stages] == ["independent", "independent"]
    D = stages[-1].D.subs(theta, sp.pi / 2)
    assert sp.Matrix([[0, 1, 0]]) == D.T or sp.Matrix([[0, -1, 0]]) == D.T


def test_one_more_constraint_costs_one_step(monkeypatch):
    base = rolling()
    base.stages()
    calls = []
    original = derivation.add
    monkeypatch.setattr(derivation, "add", lambda *a: calls.append(a[1].name) or original(*a))
    longer = base.constrain("held", phi - g * lk.t)
    longer.stages()
    assert calls == ["held"]
    longer.release("held").stages()
    assert calls == ["held"]
    base.constrain("held", phi - g * lk.t).stages()
    assert calls == ["held"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_constraints_changes_neither_span_nor_freedom(order, at_random):
    carriage = lk.load(MODELS / "carriage.toml")
    bare = carriage
    for c in carriage.constraints:
        bare = bare.release(c.name)
    again = bare
    for k in order:
        again = again.constrain(carriage.constraints[k].name, carriage.constraints[k])
    here = at_random(carriage, seed=3)
    spans = [np.linalg.qr(here.number(s.stages()[-1].D))[0] for s in (carriage, again)]
    assert spans[0] @ spans[0].T == pytest.approx(spans[1] @ spans[1].T, abs=1e-11)


def test_a_released_system_equals_one_without_the_constraint():
    system = rolling().constrain("held", phi - g * lk.t)
    assert system.release("rolling") == disc().constrain("contact", y - r).constrain("held", phi - g * lk.t)
    assert system.release("held").stages()[-1] is rolling().stages()[-1]


def test_the_printed_table():
    text = str(lk.load(MODELS / "carriage.toml").stages())
    lines = text.splitlines()
    assert " ".join(lines[0].split()) == "constraint kind verdict freedom changes the reaction of as long as"
    last = "no side slip velocity independent 2 right wheel, left wheel cos(theta) != 0"
    assert " ".join(lines[-1].split()) == last


def test_stages_of_a_program_have_a_basis_but_no_reduced_form():
    (stage,) = lk.load(MODELS / "digging_machine.toml").stages()
    assert stage.kind == "program"
    assert stage.D.shape == (2, 1)
    with pytest.raises(lk.LienketError, match="'line' is a program"):
        stage.C  # noqa: B018
