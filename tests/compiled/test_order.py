"""The order of pivots on random structures: complete, with pivots that are definite for all numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

from lienket.compiled.functions.pivot_order import pivot_order

MANY = random_cases(250)


@st.composite
def structures(draw, massless=True):
    """Draw n, s, the coordinates with inertia, and the couplings: pairs of coordinates and (constraint, coordinate)."""
    n, s = draw(st.integers(1, 8)), draw(st.integers(0, 5))
    inertias = [draw(st.booleans()) or draw(st.booleans()) or not massless for _ in range(n)]
    heavy = [i for i in range(n) if inertias[i]]
    couplings = [(i, j) for i in heavy for j in heavy if j < i]  # without inertia there are no products of inertia
    pairs = draw(st.lists(st.sampled_from(couplings), unique=True)) if couplings else []
    for k in range(s):
        on = draw(st.sets(st.integers(0, n - 1), min_size=1))
        pairs += [(n + k, j) for j in sorted(on)]
    return n, s, inertias, pairs


def filled(n, s, pairs):
    """Return the couplings as a matrix."""
    neighbours = np.zeros((n + s, n + s), dtype=bool)
    for i, j in pairs:
        neighbours[i, j] = neighbours[j, i] = True
    return neighbours


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
    step_of = {k: step for step, pivot in enumerate(order.pivots) for k in pivot}
    for i, j in pairs:
        if i >= n and inertias[j]:
            assert step_of[j] < step_of[i]


@MANY
@given(structures())
def test_pivots_of_two_are_of_one_kind_and_have_equal_neighbours(structure):
    """Checked by elimination of the structure step by step, with fill-in."""
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
    """Return a random matrix of the structure, A semidefinite."""
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
def test_every_pivot_is_definite_for_any_numbers(structure, seed):
    """For random numbers each pivot is positive definite for coordinates, negative definite for constraints."""
    n, s, inertias, pairs = structure
    order = pivot_order(n, inertias, pairs, n + s)
    if order is None:
        return
    K = numbered(structure, seed)
    if np.linalg.matrix_rank(K, tol=1e-9) < n + s:
        return  # structurally dependent, which the guard detects
    for pivot in order.pivots:
        here = list(pivot)
        d = K[np.ix_(here, here)]
        sign = 1.0 if pivot[0] < n else -1.0
        assert np.all(np.linalg.eigvalsh(sign * d) > 1e-11 * np.max(np.abs(d)))
        K = K - K[:, here] @ np.linalg.solve(d, K[here, :])


@MANY
@given(structures())
def test_order_exists_exactly_if_all_coordinates_have_inertia(structure):
    n, s, inertias, pairs = structure
    assert (pivot_order(n, inertias, pairs, n + s) is not None) == all(inertias)


def test_no_order_without_definite_pivots():
    assert pivot_order(2, [False, False], [], 2) is None  # no inertia at all
    assert pivot_order(2, [False, False], [(2, 0), (2, 1)], 3) is None  # a constraint adds no inertia
    assert pivot_order(2, [True, False], [], 2) is None  # an unconstrained massless coordinate
    assert pivot_order(1, [True], [], 2) is None  # a constraint without coordinates
    assert pivot_order(0, [], [], 0).pivots == ()


def test_constrained_massless_coordinate_has_no_definite_pivot():
    assert pivot_order(2, [True, False], [(2, 0), (2, 1)], 3) is None


def test_free_bodies_take_a_few_operations_each():
    """For a diagonal matrix the count of operations grows with n, not with n^3."""
    counts = [pivot_order(n, [True] * n, [], n).operations for n in (10, 20, 40)]
    assert counts[1] == 2 * counts[0] and counts[2] == 4 * counts[0]


def test_full_matrix_has_pivots_of_two():
    n = 6
    order = pivot_order(n, [True] * n, [(i, j) for i in range(n) for j in range(i)], n)
    assert [len(pivot) for pivot in order.pivots] == [2, 2, 2]
