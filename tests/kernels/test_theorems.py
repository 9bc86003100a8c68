"""Theorems of theory 3 to 6 on random systems: bases, equations, methods, order, units. For bounds see exact.py."""

import numpy as np
import pytest
from exact import EPS, exact, method_bounds
from hypothesis import given
from systems import Plan, contradict, dependent, examples, independent, lengths_of, plans

from lienket.kernels.elimination.householder import orthonormal_basis, reduced_accelerations
from lienket.kernels.reactions.methods import METHODS


@examples(4)
@given(plans())
def test_orthonormal_basis_of_the_free_motions(plan):
    system = dependent(plan)
    D = system.state().D
    n, s = len(system.h), len(system.news)
    assert D.shape == (n, n - s)
    unit = EPS * (n + 2) * (s + 1)
    assert np.linalg.norm(D.T @ D - np.eye(n - s), 2) <= unit * n
    terms = np.abs(system.K) @ np.linalg.norm(system.G[system.news], axis=1)
    blur = np.linalg.norm(np.abs(system.X) @ np.abs(system.pool), axis=1)
    assert np.all(np.linalg.norm(system.G @ D, axis=1) <= unit * (terms + blur))


@examples(4)
@given(plans())
def test_chain_keeps_its_basis_in_the_metric_of_inertia(plan):
    system = dependent(plan)
    chain, bound = system.state()._chain, system.bound
    D, E = (bound.L.T @ (X * (chain.metric.scale / bound.scale)[:, None]) for X in (chain.D, chain.E))
    assert [(row.name, row.number) for row in chain.accepted] == [system.labels[k] for k in system.news]
    assert np.linalg.norm(D.T @ D - np.eye(D.shape[1]), 2) <= bound.unit * bound.f
    assert np.linalg.norm(E.T @ E - np.eye(E.shape[1]), 2) <= bound.unit * bound.f
    if D.size and E.size:
        assert np.linalg.norm(D.T @ E, 2) <= bound.unit * bound.f
    rows = (chain.G / chain.metric.scale * bound.scale) @ bound.back.T / bound.lengths[:, None]
    assert np.all(np.abs(rows @ D) <= bound.unit * bound.w)
    assert np.all(np.abs(np.triu(rows @ E, 1)) <= bound.unit * bound.w)
    assert np.all(np.diag(rows @ E) > 0)


@examples(5)
@given(plans())
def test_equations_constraints_and_ideality(plan):
    system = dependent(plan)
    state, bound = system.state(), system.bound
    a, total = state.accelerations, sum(state.reactions.values())
    pulled = lengths_of(system) @ np.abs(state.multipliers)
    short = 2 * bound.forces + bound.projector * (bound.motion + pulled)
    assert bound.of_forces(state.A @ a - state.h - state.reaction) <= bound.forces
    assert bound.of_forces(state.A @ a - state.h - total) <= short
    missed = (state.G @ a + state.g0)[system.news] / bound.lengths
    assert np.linalg.norm(missed) <= 2 * bound.accelerations * np.sqrt(len(missed))
    sizes = np.linalg.norm(state.G, axis=1)
    assert np.linalg.norm(state.D.T @ total) <= ideality(system, state) * sizes @ np.abs(state.multipliers)
    assert bound.of_forces(state.A @ state.W @ state.reaction) <= short


def ideality(system, state):
    """Return the bound on J D relative to |J|, for the worst of the rows."""
    terms = np.linalg.norm(np.abs(system.X) @ np.abs(system.pool), axis=1)
    terms += np.abs(system.K) @ np.linalg.norm(system.G[system.news], axis=1)
    return EPS * (len(state.h) + 2) * (len(system.news) + 1) * np.max(terms / np.linalg.norm(state.G, axis=1))


@examples(2)
@given(plans(spread=2))
def test_audit_finds_a_mild_system_in_order(plan):
    audit = dependent(plan).state().audit
    assert audit.ok, str(audit)


@examples(10)
@given(plans())
def test_four_methods_and_the_chain_agree_with_fifty_digits(plan):
    system = independent(plan)
    state, bound = system.state(), system.bound
    a, r, multipliers = exact(*system.independent)
    assert bound.of_accelerations(state.accelerations - a) <= bound.accelerations
    assert bound.of_forces(state.reaction - r) <= bound.forces
    assert bound.of_multipliers(state.multipliers - multipliers) <= bound.multipliers
    metric, scale = state._chain.metric, state._chain.metric.scale
    scaled = metric.A, metric.h, state._chain.G, state._chain.g0
    allowed = method_bounds(*scaled, a / scale, r * scale, multipliers)
    reactions = {name: method(*scaled) for name, method in METHODS.items()}
    for name, value in reactions.items():
        assert np.linalg.norm(value - r * scale) <= allowed[name], name
        assert np.linalg.norm(value - state.reaction * scale) <= allowed[name] + in_norm(bound, scale), name


def in_norm(bound, scale):
    """Return the bound on forces in the plain norm of scaled coordinates."""
    return bound.forces * np.linalg.norm(bound.L, 2) * np.max(scale / bound.scale)


@examples(4)
@given(plans())
def test_reduced_form_and_full_form_agree(plan):
    system = independent(plan)
    state, bound = system.state(), system.bound
    A, h, G, g0 = state._chain.metric.A, state._chain.metric.h, state._chain.G, state._chain.g0
    full = np.linalg.solve(np.block([[A, -G.T], [G, np.zeros((len(G), len(G)))]]), np.concatenate([h, -g0]))
    reduced = reduced_accelerations(A, h, G, g0)
    D = orthonormal_basis(G, len(h))
    C, f = D.T @ A, D.T @ h
    a = state.accelerations / state._chain.metric.scale
    allowed = reduced_bound(A, h, G, g0, a)
    assert np.linalg.norm(reduced - a) <= allowed + bound.accelerations * np.linalg.norm(bound.back, 2)
    assert np.linalg.norm(C @ a - f) <= bound.forces * np.linalg.norm(bound.L, 2)
    assert np.linalg.norm(full[: len(h)] - reduced) <= allowed + kkt_bound(A, h, G, g0, full)


def reduced_bound(A, h, G, g0, a):
    return method_bounds(A, h, G, g0, a, A @ a - h, np.zeros(len(g0)))["reduced"]


def kkt_bound(A, h, G, g0, x):
    K = np.block([[A, -G.T], [G, np.zeros((len(G), len(G)))]])
    return EPS * len(K) ** 2 * np.linalg.cond(K) * np.linalg.norm(x)


@examples(5)
@given(plans(least=2, constraints=2))
def test_order_changes_neither_accelerations_nor_reactions(plan):
    system = dependent(plan, share=np.random.default_rng(plan.seed).choice([0.0, 0.4]))
    other = system.only(np.random.default_rng([plan.seed, 1]).permutation(system.names).tolist())
    one, two, first, second = system.state(), other.state(), system.bound, other.bound
    allowed = first.accelerations + second.accelerations
    assert first.of_accelerations(one.accelerations - two.accelerations) <= allowed
    assert first.of_forces(one.reaction - two.reaction) <= first.forces + second.forces
    if len(system.news) == len(system.X):
        for name in system.names:
            assert first.of_forces(one.reactions[name] - two.reactions[name]) <= share_bound(first, second)


def share_bound(*bounds):
    """Return the bound for the reaction of one of independent constraints, |N_i^T mu_i| with |N_i| <= sqrt(s)."""
    return sum(b.multipliers * np.sqrt(len(b.lengths)) for b in bounds)


@examples(5)
@given(plans())
def test_units_change_no_verdict_and_no_motion(plan):
    rng = np.random.default_rng([plan.seed, 2])
    system = dependent(plan)
    units = 10.0 ** rng.uniform(-3, 3, plan.n)
    rows = 10.0 ** rng.uniform(-4, 4, len(system.X)) * rng.choice([-1, 1], len(system.X))
    other = system.in_units(units, rows)
    one, two, bound, changed = system.state(), other.state(), system.bound, other.bound
    assert one.verdicts == two.verdicts
    allowed = bound.accelerations + changed.accelerations
    assert bound.of_accelerations(one.accelerations - two.accelerations * units) <= allowed
    assert bound.of_forces(one.reaction - two.reaction / units) <= bound.forces + changed.forces
    if len(system.news) == len(system.X):
        same = bound.of_multipliers(one.multipliers - two.multipliers * rows)
        assert same <= bound.multipliers + changed.multipliers
    else:
        old = next(k for k in range(len(system.X)) if k not in system.news)
        wrong = contradict(system, old, rng)
        assert wrong.state().verdicts == wrong.in_units(units, rows).state().verdicts


def test_bounds_are_small_enough_to_tell_right_from_wrong():
    assert tightness(independent, spread=0) == pytest.approx(0.0, abs=1e-12)
    assert tightness(independent, spread=8) == pytest.approx(0.0, abs=1e-4)


def tightness(kind, spread):
    """Return the median of the bound on accelerations relative to the accelerations."""
    bounds = [kind(Plan(seed, 8, (2, 1, 2), spread, seed % 2 == 0)).bound for seed in range(40)]
    return np.median([b.accelerations / b.motion for b in bounds])
