"""Theorems of theory 4 and 7 on random systems: releasing constraints, and their influence on each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from systems import dependent, examples, independent, lengths_of, plans, split_bound

from lienket.kernels.elimination.chain import constrain
from lienket.kernels.elimination.release import release

WHICH = st.integers(0, 5)


def labels(rows):
    return [(row.name, row.number) for row in rows]


def check_equal(released, system, before):
    """Check that the released state equals one built anew; `before` are the bounds of the systems it came from."""
    built, bound = system.state(), system.bound
    assert sorted(labels(released._chain.accepted)) == sorted(labels(built._chain.accepted))
    assert labels(released._chain.skipped) == labels(built._chain.skipped)
    turned = sum(b.projector for b in (*before, bound))
    moved = sum(b.accelerations + b.projector * b.motion for b in (*before, bound))
    assert bound.of_responses(released.W - built.W) <= turned
    assert bound.of_accelerations(released.accelerations - built.accelerations) <= moved
    assert released.verdicts == built.verdicts
    difference = (released.multipliers - built.multipliers) * lengths_of(system)
    assert np.linalg.norm(difference) <= split_bound(system, moved)


@examples(7)
@given(plans(constraints=2, least=2), st.lists(WHICH, min_size=1, max_size=3))
def test_a_released_state_equals_one_built_without_the_constraint(plan, picks):
    system = dependent(plan, share=0.4)
    state, before = system.state(), []
    for pick in picks:
        if len(system.names) > 1:
            name = system.names[pick % len(system.names)]
            state, before, system = state.release(name), [*before, system.bound], system.without(name)
            check_equal(state, system, before)


@examples(3)
@given(plans(constraints=1))
def test_releasing_the_last_undoes_adding(plan):
    system = dependent(plan)
    *_, last = system.groups
    shorter = system.without(last.name)
    state = shorter.state()
    chain = release(constrain(state._chain, last.name, last.G, last.g0), last.name)
    bound, rest = system.bound, shorter.bound
    scale = chain.metric.scale
    assert labels(chain.accepted) == labels(state._chain.accepted)
    moved = bound.accelerations + rest.accelerations + bound.projector * bound.motion
    assert bound.of_accelerations((chain.a - state._chain.a) * scale) <= moved
    D = chain.D * scale[:, None]
    assert bound.of_responses(D @ D.T - state.W) <= bound.projector + rest.projector


@examples(3)
@given(plans(constraints=2, least=2), WHICH)
def test_a_released_chain_keeps_its_basis(plan, pick):
    system = independent(plan)
    name = system.names[pick % len(system.names)]
    chain, bound = release(system.state()._chain, name), system.bound
    rest = system.without(name).bound
    D, E = (bound.L.T @ (X * (chain.metric.scale / bound.scale)[:, None]) for X in (chain.D, chain.E))
    assert np.linalg.norm(D.T @ D - np.eye(D.shape[1]), 2) <= bound.projector
    assert np.linalg.norm(E.T @ E - np.eye(E.shape[1]), 2) <= bound.projector
    assert np.linalg.norm(D.T @ E) <= bound.projector * np.sqrt(E.shape[1])
    rows = (chain.G / chain.metric.scale * bound.scale) @ bound.back.T / rest.lengths[:, None]
    assert np.all(np.abs(rows @ D) <= bound.projector)
    assert np.all(np.abs(np.triu(rows @ E, 1)) <= bound.projector)
    assert np.all(np.diag(rows @ E) > 0)


@examples(5)
@given(plans(constraints=2, least=2))
def test_influence_is_the_change_by_building_without_the_constraint(plan):
    system = dependent(plan, share=np.random.default_rng(plan.seed).choice([0.0, 0.3]))
    state = system.state()
    whole, table = state.reactions, state.influences
    assert set(table) == {(of, on) for of in system.names for on in system.names if of != on}
    for of in system.names:
        rest = system.without(of)
        without, moved = rest.state().reactions, released_motion(system, rest)
        allowed = (split_bound(system, 0.0) + split_bound(rest, moved)) * np.sqrt(len(system.X))
        for on in rest.names:
            difference = table[of, on] - (whole[on] - without[on])
            assert system.bound.of_forces(difference) <= allowed
            assert np.array_equal(state.influence(of, on), table[of, on])


def released_motion(system, rest):
    return sum(b.accelerations + b.projector * b.motion for b in (system.bound, rest.bound))


@examples(5)
@given(plans(constraints=2, least=2))
def test_influence_lemma(plan):
    system = independent(plan)
    *first, second = system.names
    one = system.only(first)
    state, alone, n = system.state(), one.state(), plan.n
    C = system.A @ alone.W - np.eye(n)
    check_projector(C, one, alone)
    r1, r2 = sum(state.reactions[name] for name in first), state.reactions[second]
    bound, rest = system.bound, one.bound
    lost = bound.multipliers * np.sqrt(len(system.X)) + rest.forces + projector_bound(one, alone) * bound.of_forces(r2)
    assert bound.of_forces(r1 - alone.reaction - C @ r2) <= lost
    changes = sum(state.influence(second, name) for name in first)
    slack = split_bound(one, released_motion(system, one)) * np.sqrt(len(system.X))
    assert bound.of_forces(changes - C @ r2) <= lost + slack
    check_schur(system, one, r2)


def projector_bound(system, state):
    """Return the bound for L^-1 C L: the error of W, and rounding of C = A W - 1 before the change of metric."""
    bound = system.bound
    A = np.abs(system.A) * bound.scale * bound.scale[:, None]
    W = np.abs(state.W) / bound.scale / bound.scale[:, None]
    return bound.projector + bound.unit * np.linalg.norm(np.abs(bound.back) @ A @ W @ np.abs(bound.L), 2)


def check_projector(C, system, state):
    """Check C = A W1 - 1 = -P1, P1 the projector on the forces of group 1; in L^-1 C L its norm is 1."""
    bound, s = system.bound, len(system.X)
    seen = bound.back @ (C * bound.scale[:, None] / bound.scale) @ bound.L
    off = projector_bound(system, state)
    G = (system.G * bound.scale) @ bound.back.T / bound.lengths[:, None]
    assert np.linalg.norm(seen + np.linalg.pinv(G) @ G, 2) <= off
    assert np.linalg.norm(seen @ seen + seen, 2) <= 3 * off
    assert abs(np.trace(seen) + s) <= off * len(C)
    assert np.linalg.matrix_rank(seen, tol=0.5) == s
    assert np.linalg.norm(seen - seen.T, 2) <= 2 * off
    check_basis(seen, system, bound.L.T @ (state.D / bound.scale[:, None]), off)


def check_basis(seen, system, motions, off):
    """Check D1^T C = 0 and C = A D1 (D1^T A D1)^-1 D1^T - 1, with G1 D1 = 0 up to rounding in the user's units."""
    bound = system.bound
    size = np.max(np.linalg.norm(system.G, axis=1) / bound.lengths)
    least = np.linalg.svd(motions)[1][-1] if motions.size else 1.0
    off += bound.unit * bound.k * np.sqrt(len(system.X)) * size / least
    directions = np.linalg.qr(motions)[0]
    assert np.linalg.norm(directions.T @ seen) <= off * np.sqrt(len(seen))
    assert np.linalg.norm(directions @ directions.T - np.eye(len(seen)) - seen, 2) <= 2 * off


def check_schur(system, one, r2):
    """Check the reaction of group 2 against G2 W1 G2^T lambda2 = -(G2 a1 + g2)."""
    alone, bound, rest = one.state(), system.bound, one.bound
    last = system.groups[-1]
    lengths = bound.lengths[-len(last.g0) :]
    G, g0 = last.G / lengths[:, None], last.g0 / lengths
    S = G @ alone.W @ G.T
    mu = -np.linalg.solve(S, G @ alone.accelerations + g0)
    wrong = rest.projector * np.linalg.norm(mu) + rest.accelerations + np.linalg.norm(g0) * bound.unit
    allowed = wrong * np.sqrt(len(g0)) / np.linalg.svd(S)[1][-1] + bound.multipliers
    assert bound.of_forces(G.T @ mu - r2) <= allowed * np.sqrt(len(g0))
