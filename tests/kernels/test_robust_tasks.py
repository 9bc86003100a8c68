"""Tasks of the robust solution: multipliers of given accelerations, and the chain alone, as in the whole solution."""

import ctypes

import numpy as np
import pytest

from lienket.kernels.memory.workspace import accelerations_at, slots
from lienket.kernels.native import calls as native
from lienket.kernels.native.robust_solve import CHAIN, ELIMINATION, MULTIPLIERS, REDUNDANT, SOLVE
from lienket.kernels.native.runtime.library import address
from lienket.kernels.native.schur_solve import JUDGE

WORDS = [ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]


def solve_robust(task, terms, n, s, given=None):
    """Return the status and [a | multipliers] of a task."""
    work, iwork = native.make_workspace(n, s)
    work[: len(terms)] = terms
    place = slice(accelerations_at(n, s), accelerations_at(n, s) + n + s)
    if given is not None:
        work[place][:n] = given
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *WORDS)(address("lienket.kernels.native.robust_solve", "solve_robust"))
    return function(n, s, task, work.ctypes.data, iwork.ctypes.data), work[place].copy()


@pytest.mark.parametrize("seed", range(60))
def test_multipliers_of_given_accelerations_are_those_of_the_whole_solution(seed):
    """A a = h + G^T lambda holds with the accelerations given; also with a massless direction or a repeated row."""
    rng = np.random.default_rng([31, seed])
    n = int(rng.integers(2, 9))
    s = int(rng.integers(1, n))
    M = rng.normal(size=(n, n))
    massless = seed % 3 == 1
    if massless:
        M[-1] = 0.0
    A, h, G, g0 = M @ M.T, rng.normal(size=n), rng.normal(size=(s, n)), rng.normal(size=s)
    repeated = seed % 3 == 2
    if repeated:
        G, g0, s = np.vstack([G, 2 * G[0]]), np.append(g0, 2 * g0[0]), s + 1
    terms = np.concatenate([A.ravel(), h, G.ravel(), g0])
    status, whole = solve_robust(SOLVE, terms, n, s)
    assert status == (REDUNDANT if repeated else ELIMINATION)
    again, answer = solve_robust(MULTIPLIERS, terms, n, s, whole[:n])
    size = np.abs(whole).max() * np.linalg.cond(G if not repeated else G[:-1])
    assert again == status
    assert np.abs(A @ answer[:n] - h - G.T @ answer[n:]).max() < 1e-11 * max(size, 1) * np.abs(A).max()
    assert answer[n:] == pytest.approx(whole[n:], abs=1e-10 * max(size, 1))
    assert solve_robust(CHAIN, terms, n, s)[0] == status


@pytest.mark.parametrize("rank", [0, 1])
def test_doubtful_accelerations_are_judged_by_the_rows_that_act(rank):
    """x = 0 is stated twice, and beside it the second row, left out, asks for another acceleration (rank 1)."""
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *WORDS)(address("lienket.kernels.native.schur_solve", "solve_schur"))
    for a, good in (([0.0, 2.0], rank == 1), ([1e-3, 2.0], False)):
        work, iwork = native.make_workspace(2, 2)
        terms = [*np.eye(2).ravel(), 1.0, 2.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1e-6]  # A, h, G, g0
        work[: len(terms)], iwork[slots.RANK] = terms, rank
        solution = slice(accelerations_at(2, 2), accelerations_at(2, 2) + 4)
        work[solution] = [*a, -1.0, 0.0]
        assert bool(function(2, 2, JUDGE, work.ctypes.data, iwork.ctypes.data)) == good
        if good:
            assert work[solution].tolist() == [*a, -1.0, 0.0]
