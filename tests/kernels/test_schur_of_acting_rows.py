"""The Schur complement of the rows that act in a run with redundant rows, against the solution without the others."""

import ctypes

import numpy as np
import pytest

from lienket.kernels.memory.workspace import acting_rows_at, least_pivot_at, slots, terms_size
from lienket.kernels.native.calls import make_workspace
from lienket.kernels.native.runtime.library import address

WORDS = (ctypes.c_int64,) * 3 + (ctypes.c_void_p,) * 2
SOLVE = 0


def solved(A, h, G, g0, acting, rank):
    n, s = len(h), len(g0)
    work, iwork = make_workspace(n, s)
    terms = np.concatenate([A.ravel(), h, G.ravel(), g0])
    work[: len(terms)] = terms
    iwork[slots.RANK] = rank
    iwork[acting_rows_at(n, s) + np.array(acting)] = 1
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *WORDS)(address("lienket.kernels.native.schur_solve", "solve_schur"))
    accurate = function(n, s, SOLVE, work.ctypes.data, iwork.ctypes.data)
    solution = work[terms_size(n, s) - n - s : terms_size(n, s)]
    return accurate, solution[:n], solution[n:], work[least_pivot_at(n, s)]


@pytest.mark.parametrize("seed", range(8))
def test_rows_that_act_are_solved_with_and_the_others_have_no_multipliers(seed):
    rng = np.random.default_rng(seed)
    n, rank, s = 7, 4, 9
    B = rng.normal(size=(n, n))
    A, h = B @ B.T + n * np.eye(n), rng.normal(size=n)
    basis, c = rng.normal(size=(rank, n)), rng.normal(size=rank)
    mixing = np.vstack([np.eye(rank), rng.normal(size=(s - rank, rank))])[rng.permutation(s)]
    G, g0 = mixing @ basis, mixing @ c + 1e-6 * rng.normal(size=s)  # beside the surface: slightly contradictory
    acting = np.sort(np.flatnonzero(np.count_nonzero(mixing, axis=1) == 1))
    accurate, a, multipliers, pivot = solved(A, h, G, g0, acting, rank)
    K = np.block([[A, -G[acting].T], [G[acting], np.zeros((rank, rank))]])
    expected = np.linalg.solve(K, np.concatenate([h, -g0[acting]]))
    assert accurate == 1
    np.testing.assert_allclose(a, expected[:n], rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(multipliers[acting], expected[n:], rtol=1e-10, atol=1e-11)
    assert not multipliers[np.setdiff1d(np.arange(s), acting)].any()
    assert 0 < pivot <= 1


@pytest.mark.parametrize(("acting", "rank"), [([0, 1], 3), ([0, 1, 2], 2), ([0, 3, 1], 3)])
def test_too_few_too_many_or_nearly_dependent_rows_are_refused(acting, rank):
    G = np.vstack([np.eye(3, 5), np.eye(1, 5) + 1e-4 * np.eye(3, 5)[2:]])  # row 3 is nearly row 0
    assert solved(np.eye(5), np.ones(5), G, np.zeros(4), acting, rank)[0] == 0
