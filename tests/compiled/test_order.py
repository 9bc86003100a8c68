"""The order of pivots, on random structures: complete, and every pivot sure for all numbers of that structure."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

from lienket.compiled.functions.pivot_order import pivot_order

MANY = random_cases(250)


@st.composite
def structures(draw, massless=True):
    """n, s, which coordinates have inertia, and the neighbours: pairs of coordinates and (constraint, coordinate)."""
    n, s = draw(st.integers(1, 8)), draw(st.integers(0, 5))
    inertias = [draw(st.booleans()) or draw(st.booleans()) or not massless for _ in range(n)]
    heavy = [i for i in range(n) if inertias[i]]
    couplings = [(i, j) for i in heavy for j in heavy if j < i]  # no inertia, no product of inertia
    pairs = draw(st.lists(st.sampled_from(couplings), unique=True)) if couplings else []
    for k in range(s):
        on = draw(st.sets(st.integers(0, n - 1), min_size=1))
        pairs += [(n + k, j) for j in sorted(on)]
    return n, s, inertias, pairs


def filled(n, s, pairs):
    """The neighbours as a matrix."""
    found = np.zeros((n + s, n + s), dtype=bool)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


@MANY
@given(structures())
def test_every_unknown_comes_once(structure):
    n, s, inertias, pairs = structure
    order = pivot_order(n, inertias, pairs, n + s)
    if order is not None:
        assert sorted(k for pivot in order.pivots for k in pivot) == list(range(n + s))
        assert order.operations > 0


@MANY
@given(structures())
def test_constraints_come_after_their_coordinates_with_inertia(structure):
    n, s, inertias, pairs = structure
    order = pivot_order(n, inertias, pairs, n + s)
    if order is None:
        return
    place = {k: step for step, pivot in enumerate(order.pivots) for k in pivot}
    for i, j in pairs:
        if i >= n and inertias[j]:
            assert place[j] < place[i]


@MANY
@given(structures())
def test_two_go_together_only_if_they_are_alike_and_have_the_same_neighbours(structure):
    """By elimination of the structure step by step, with everything that fills in."""
    n, s, inertias, pairs = structure
    order = pivot_order(n, inertias, pairs, n + s)
    if order is None:
        return
    around = filled(n, s, pairs)
    for pivot in order.pivots:
        assert len(pivot) in (1, 2)
        beside = [set(np.flatnonzero(around[k])) - set(pivot) for k in pivot]
        if len(pivot) == 2:
            assert (pivot[0] < n) == (pivot[1] < n)
            assert beside[0] == beside[1]
            assert around[pivot[0], pivot[1]]
        for i in beside[0]:
            around[i, [j for j in beside[0] if j != i]] = True
        around[list(pivot), :] = around[:, list(pivot)] = False


def numbered(structure, seed):
    """A random matrix of the structure, A semidefinite."""
    n, s, inertias, pairs = structure
    rng = np.random.default_rng(seed)
    K = np.zeros((n + s, n + s))
    for i, j in pairs:
        K[i, j] = K[j, i] = rng.uniform(0.5, 1) * rng.choice([-1, 1])
    for i in range(n):
        K[i, i] = inertias[i] * (np.sum(np.abs(K[i, :n])) + rng.uniform(0.1, 1))  # dominant, so definite
    return K


@MANY
@given(structures(), st.integers(0, 2**32 - 1))
def test_every_pivot_is_sure_for_any_numbers(structure, seed):
    """With random numbers of the structure each pivot is definite, plus for coordinates, minus for constraints."""
    n, s, inertias, pairs = structure
    order = pivot_order(n, inertias, pairs, n + s)
    if order is None:
        return
    K = numbered(structure, seed)
    if np.linalg.matrix_rank(K, tol=1e-9) < n + s:
        return  # dependent whatever the numbers are, which the guard sees
    for pivot in order.pivots:
        here = list(pivot)
        d = K[np.ix_(here, here)]
        sign = 1.0 if pivot[0] < n else -1.0
        assert np.all(np.linalg.eigvalsh(sign * d) > 1e-11 * np.max(np.abs(d)))
        K = K - K[:, here] @ np.linalg.solve(d, K[here, :])


@MANY
@given(structures())
def test_there_is_an_order_just_if_there_is_inertia_everywhere(structure):
    n, s, inertias, pairs = structure
    assert (pivot_order(n, inertias, pairs, n + s) is not None) == all(inertias)


def test_no_order_where_nothing_is_sure():
    assert pivot_order(2, [False, False], [], 2) is None  # no inertia at all
    assert pivot_order(2, [False, False], [(2, 0), (2, 1)], 3) is None  # and a constraint does not give any
    assert pivot_order(2, [True, False], [], 2) is None  # a massless coordinate that nothing holds
    assert pivot_order(1, [True], [], 2) is None  # a constraint on nothing
    assert pivot_order(0, [], [], 0).pivots == ()


def test_a_massless_coordinate_has_no_sure_pivot_even_where_a_constraint_holds_it():
    assert pivot_order(2, [True, False], [(2, 0), (2, 1)], 3) is None


def test_free_bodies_take_a_few_operations_each():
    """Diagonal: n pivots alone, and the count grows with n and not with n^3."""
    counts = [pivot_order(n, [True] * n, [], n).operations for n in (10, 20, 40)]
    assert counts[1] == 2 * counts[0] and counts[2] == 4 * counts[0]


def test_a_full_matrix_goes_by_twos():
    n = 6
    order = pivot_order(n, [True] * n, [(i, j) for i in range(n) for j in range(i)], n)
    assert [len(pivot) for pivot in order.pivots] == [2, 2, 2]
