"""Theorems of theory 4 and 6 on random systems with dependent rows: which are redundant, which contradict others."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from exact import exact
from hypothesis import given
from systems import (
    Plan,
    constraint,
    contradict,
    dependent,
    examples,
    independent,
    lengths_of,
    plans,
    rank,
    split_bound,
)

from lienket.elimination.verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT
from lienket.errors import LienketError


def rows_of(system, name, numbers=None):
    """Return the indices in the system of the rows of a constraint, or of some of them."""
    return [k for k, (other, row) in enumerate(system.labels) if other == name and (numbers is None or row in numbers)]


def smallest_sets(system, name):
    """Return every smallest set of constraints up to `name` from which its dependent rows follow."""
    own = rows_of(system, name)
    old = [k for k in own if k not in system.news]
    sources = {other: rows_of(system, other) for other in system.names[: system.names.index(name)]}
    sources[name] = [k for k in own if k in system.news]
    for size in range(len(sources) + 1):
        sets = [chosen for chosen in combinations(sources, size) if _follow(system, sources, chosen, old)]
        if sets:
            return sets
    raise AssertionError("the rows follow from nothing")


def _follow(system, sources, chosen, rows):
    source_rows = [k for name in chosen for k in sources[name]]
    return rank(system.X[source_rows + rows]) == rank(system.X[source_rows])


def check_verdicts(system, status=REDUNDANT):
    for name, verdict in system.state().verdicts.items():
        old = [row for row, k in enumerate(rows_of(system, name), 1) if k not in system.news]
        assert verdict.rows == tuple(old)
        assert verdict.of == len(rows_of(system, name))
        assert verdict.status == (status if old else INDEPENDENT)
        if old:
            assert verdict.depends_on in smallest_sets(system, name), verdict.sentence


@examples(4)
@given(plans())
def test_redundant_constraints_are_reported_with_the_fewest_names(plan):
    ones = replace(plan, groups=(1,) * plan.n)
    check_verdicts(dependent(ones, share=np.random.default_rng(plan.seed).choice([0.2, 0.5, 0.7])))


@examples(5)
@given(plans())
def test_redundant_rows_of_larger_constraints_are_reported_with_the_fewest_names(plan):
    check_verdicts(dependent(plan))


@examples(4)
@given(plans())
def test_redundant_constraints_change_no_reaction_and_share_it_by_least_norm(plan):
    system = dependent(plan)
    state, bound = system.state(), system.bound
    a, r, multipliers = exact(*system.independent)
    assert bound.of_accelerations(state.accelerations - a) <= bound.accelerations
    assert bound.of_forces(state.reaction - r) <= bound.forces
    least = np.linalg.pinv(system.K.T) @ multipliers
    assert np.linalg.norm((state.multipliers - least) * lengths_of(system)) <= split_bound(system, 0.0)
    check_not_unique(system, state)


def check_not_unique(system, state):
    """Check that not_unique holds every constraint whose reaction can change, and none whose multipliers cannot."""
    null = np.linalg.svd(system.K.T)[2][len(system.news) :]
    multipliers, reactions = set(), set()
    for name in system.names:
        rows = rows_of(system, name)
        multipliers |= {name} if np.any(np.abs(null[:, rows]) > 1e-9) else set()
        reactions |= {name} if np.any(np.abs(null[:, rows] @ system.K[rows]) > 1e-9) else set()
    assert reactions <= set(state.not_unique) <= multipliers


@examples(4)
@given(plans(least=2, constraints=2))
def test_a_contradiction_is_reported_with_the_fewest_names(plan):
    rng = np.random.default_rng([plan.seed, 3])
    system = dependent(plan)
    old = [k for k in range(len(system.X)) if k not in system.news]
    if not old:
        return
    name, _ = system.labels[old[-1]]
    if [k for k in old if k in rows_of(system, name)] == old[-1:]:
        wrong = contradict(system.only(system.names[: system.names.index(name) + 1]), old[-1], rng)
        check_contradiction(wrong, name)


def check_contradiction(system, name):
    state = system.state()
    verdict = state.verdicts[name]
    assert verdict.status == CONTRADICTORY
    assert verdict.depends_on in smallest_sets(system, name), verdict.sentence
    assert all(v.status != CONTRADICTORY for other, v in state.verdicts.items() if other != name)
    for what in ("accelerations", "reaction", "reactions", "multipliers", "W", "influences"):
        with pytest.raises(LienketError, match=repr(name)):
            getattr(state, what)
    assert state.release(name).verdicts == system.without(name).state().verdicts


@examples(4)
@given(plans(least=4))
def test_the_constraints_named_by_a_contradiction_disagree_with_it(plan):
    rng = np.random.default_rng([plan.seed, 4])
    system = dependent(replace(plan, groups=(1,) * plan.n), share=0.6)
    for k in range(len(system.X)):
        if k not in system.news and rng.random() < 0.5:
            system = contradict(system, k, rng)
    for name, verdict in system.state().verdicts.items():
        if verdict.status != INDEPENDENT:
            check_agreement(system, rows_of(system, name), verdict)


def check_agreement(system, rows, verdict):
    """Check that the row agrees with the named constraints if it is redundant, and disagrees if contradictory."""
    named = [k for name in verdict.depends_on for k in rows_of(system, name)]
    weights = np.linalg.lstsq(system.X[named].T, system.X[rows].T, rcond=None)[0].T
    terms = np.abs(weights) @ np.abs(system.g0[named]) + np.abs(system.g0[rows])
    differ = np.abs(weights @ system.g0[named] - system.g0[rows]) > 1e-9 * terms
    assert np.any(differ) == (verdict.status == CONTRADICTORY), verdict.sentence


def test_a_zero_row_is_redundant_or_contradicts_itself():
    system = independent(Plan(1, 4, (1, 1), 2, True))
    idle = replace(system, groups=(*system.groups, constraint("idle", np.zeros((1, 4)), np.zeros(1)))).state()
    assert (idle.verdicts["idle"].status, idle.verdicts["idle"].depends_on) == (REDUNDANT, ())
    wrong = replace(system, groups=(*system.groups, constraint("idle", np.zeros((1, 4)), np.ones(1)))).state()
    assert wrong.verdicts["idle"].status == CONTRADICTORY
    with pytest.raises(LienketError, match="'idle'"):
        _ = wrong.accelerations
