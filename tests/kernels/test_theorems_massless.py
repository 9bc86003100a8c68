"""Theorems of theory 4, 5 and 15 on random systems with singular A. The bounds are those of stages.py."""

import re
from dataclasses import replace

import numpy as np
import pytest
from exact import exact
from hypothesis import given
from hypothesis import strategies as st
from massless import Massless, massless, massless_plans, stages
from systems import Plan, System, constraint, constraints_of, examples
from test_theorems_verdicts import check_verdicts

from lienket.elimination.verdict import REDUNDANT
from lienket.errors import LienketError
from lienket.kernels.elimination.chain import constrain
from lienket.kernels.elimination.householder import reduced_accelerations


@examples(6)
@given(massless_plans())
def test_massless_parts_follow_the_exact_solution(drawn):
    system, Z = massless(drawn)
    state, bound = system.state(), stages(system, Z)
    a, r, multipliers = exact(*system.independent)
    assert bound.of_accelerations(state.accelerations - a) <= bound.accelerations
    assert bound.of_forces(state.reaction - r) <= bound.forces
    computed = state._chain.multipliers(state.reaction * state._chain.metric.scale)
    assert bound.of_multipliers(computed - multipliers) <= bound.multipliers
    assert bound.of_forces(sum(state.reactions.values()) - r) <= bound.forces + shared(system, state, bound)


def shared(system, state, bound):
    """Return the bound for the sum of the shares: errors of multipliers and of the coefficients of redundant rows."""
    lengths = np.linalg.norm(system.G * bound.scale, axis=1)
    pulled = lengths @ np.abs(state.multipliers)
    return bound.unit * bound.turn * pulled + bound.multipliers * np.sqrt(len(lengths))


@examples(1)
@given(massless_plans())
def test_reduced_form_needs_no_inverse_of_inertia(drawn):
    system, Z = massless(drawn, share=0.0)
    A, h, G, g0 = system.independent
    a = exact(A, h, G, g0)[0]
    D = np.linalg.svd(G)[2][len(G) :].T
    M = np.vstack([D.T @ A, G])
    size = np.linalg.norm(M, 2) * np.linalg.norm(a) + np.linalg.norm(h) + np.linalg.norm(g0)
    turn = 1 / np.linalg.svd(G)[1][-1]
    allowed = stages(system, Z).unit * len(h) * turn * size / np.linalg.svd(M)[1][-1]
    assert np.linalg.norm(reduced_accelerations(A, h, G, g0) - a) <= allowed


@examples(2)
@given(massless_plans())
def test_verdicts_where_parts_are_massless(drawn):
    system, _ = massless(replace(drawn, plan=replace(drawn.plan, groups=(1,) * sum(drawn.plan.groups))), share=0.4)
    check_verdicts(system)


@examples(2)
@given(massless_plans())
def test_units_change_nothing_where_parts_are_massless(drawn):
    rng = np.random.default_rng([drawn.plan.seed, 2])
    system, Z = massless(drawn)
    units = 10.0 ** rng.uniform(-3, 3, drawn.plan.n)
    other = system.in_units(units, 10.0 ** rng.uniform(-4, 4, len(system.X)))
    one, two = system.state(), other.state()
    first, second = stages(system, Z), stages(other, Z / units[:, None])
    assert one.verdicts == two.verdicts
    allowed = first.accelerations + second.accelerations
    assert first.of_accelerations(one.accelerations - two.accelerations * units) <= allowed
    assert first.of_forces(one.reaction - two.reaction / units) <= first.forces + second.forces


@examples(5)
@given(massless_plans(constraints=2, spread=2), st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_releasing_a_massless_part_equals_building_without_it(drawn, picks):
    drawn = replace(drawn, plan=replace(drawn.plan, groups=(1,) * sum(drawn.plan.groups)))
    system, Z = massless(drawn, share=0.3)
    state, wrong = system.state(), stages(system, Z).accelerations
    for pick in picks[: len(system.names) - 1]:
        name = system.names[pick % len(system.names)]
        rest = system.without(name)
        state, built = state.release(name), rest.state()
        assert state._chain.massless == built._chain.massless
        assert state.verdicts == built.verdicts
        if built._chain.massless:
            check_adding_back(state, system, name, stages(system, Z), wrong)
            return
        wrong = released_bound(system, rest, Z, wrong)
        assert stages(rest, Z).of_accelerations(state.accelerations - built.accelerations) <= wrong
        system = rest


def released_bound(system, rest, Z, wrong):
    """Return the bound for a - w (w^T (A a - h))/(w^T A w), w a column of V, then perhaps with a waiting row added.

    An error of a grows by the norm of this map and of the later ones; the relative error of w is `turn`.
    """
    full, last = stages(system, Z), stages(rest, Z)
    loss = max(loss_along(full, w) for w in full.V.T)
    size = np.linalg.norm(full.a) + np.linalg.norm(last.a)
    return (wrong * (1 + loss) + full.unit * full.turn * size * (1 + loss)) * last.turn + last.accelerations


def loss_along(bound, w):
    pushed = bound.A @ w
    inertia = w @ pushed
    return np.linalg.norm(w) * np.linalg.norm(pushed) / inertia if inertia > 1e-9 * (w @ w) else 0.0


def check_adding_back(state, system, name, bound, wrong):
    """Check that a freed massless part is undetermined, and that adding its constraint again restores the state."""
    with pytest.raises(LienketError, match="can move without any mass moving"):
        _ = state.accelerations
    group = next(group for group in system.groups if group.name == name)
    again = constrain(state._chain, name, group.G, group.g0)
    allowed = (wrong + bound.unit * bound.turn * np.linalg.norm(bound.a)) * bound.turn
    built = system.state().accelerations
    assert again.massless == 0
    assert bound.of_accelerations(again.a * again.metric.scale - built) <= allowed


@examples(1)
@given(massless_plans(), st.integers(0, 11))
def test_a_massless_direction_left_free_is_named(drawn, pick):
    system, Z = massless(drawn)
    n, z = Z.shape
    direction = Z @ np.random.default_rng([drawn.plan.seed, 5]).normal(size=z)
    if drawn.coordinates:
        direction = Z[:, pick % z]
    onto = np.eye(n) - np.outer(direction, direction) / (direction @ direction)
    G = system.G @ onto
    sizes = [len(group.g0) for group in system.groups]
    state = replace(system, groups=constraints_of(sizes, G, G @ system.h)).state()
    with pytest.raises(LienketError, match="can move without any mass moving") as caught:
        _ = state.accelerations
    named = set(re.findall(r"q\d+", str(caught.value)))
    assert named >= {f"q{i}" for i in np.flatnonzero(np.abs(direction) > 1e-3)}
    if drawn.coordinates:
        assert named == {f"q{np.argmax(direction)}"}


def test_a_massless_direction_is_detected_beside_nearly_parallel_coordinates():
    for seed in range(20):
        system, Z = nearly_parallel(np.random.default_rng(seed))
        bound = stages(system, Z)
        a = exact(*system.independent)[0]
        assert bound.of_accelerations(system.state().accelerations - a) <= bound.accelerations


def nearly_parallel(rng):
    """Return a system with two nearly parallel coordinates: without pivoting, elimination of A loses the remainder."""
    angle = 10.0 ** rng.uniform(-4, -3)
    M = np.array([[1, 0], [-np.cos(angle), -np.sin(angle)], [0.3, 1]]) * rng.uniform(0.5, 2, (3, 1))
    G, g0 = rng.normal(size=(1, 3)), np.ones(1)
    return System(M @ M.T, np.ones(3), (constraint("c1", G, g0),), np.eye(1), G, g0), np.linalg.svd(M.T)[2][2:].T


def test_a_system_without_any_mass_accepts_a_zero_row():
    groups = (constraint("idle", np.zeros((1, 1)), np.zeros(1)), constraint("still", np.ones((1, 1)), np.ones(1)))
    state = System(np.zeros((1, 1)), np.zeros(1), groups, np.eye(2), np.ones((1, 1)), np.ones(1)).state()
    assert state.verdicts["idle"].status == REDUNDANT
    assert state.accelerations == pytest.approx([-1.0])


def test_a_massless_coordinate_is_named():
    system, Z = massless(Massless(Plan(3, 4, (1, 1), 1, False), 1, True, False), share=0.0)
    free = system.G * (1 - Z[:, 0])
    state = replace(system, groups=constraints_of([1, 1], free, system.g0)).state()
    with pytest.raises(LienketError, match=f": q{np.argmax(Z[:, 0])} can move"):
        _ = state.accelerations
