"""Rows that share a very light coordinate: independent as they are stated, nearly parallel in the metric of A."""

import numpy as np
import pytest

import lienket as lk
from lienket import der
from lienket.kernels.elimination.chain import constrain, free_chain, refined
from lienket.kernels.elimination.pivoted_rows import independent_rows, measured_rows
from lienket.kernels.native import calls as native

ROWS = np.array([[1.0, -1.0, 0.0], [0.0, -1.0, 1.0]])  # x - y = 0, z - y = 0: one body with the mass of all three


def plain_accelerations(A, h, G, g0):
    chain = free_chain(A, h, G)
    for k in range(len(G)):
        chain = constrain(chain, str(k), G[k : k + 1], g0[k : k + 1])
    return refined(chain).a * chain.metric.scale, len(chain.skipped)


@pytest.mark.parametrize("light", [1e-6, 1e-12, 1e-18, 1e-24, 1e-30])
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2], [2, 0, 1]])
def test_three_bodies_of_which_one_is_light_move_as_one(light, order):
    """a = F/(sum of masses) for every body, wherever the force acts, and lambda = G^-T (A a - h)."""
    masses = np.array([2.0, light, 3.0])
    G = ROWS[:, order]
    for loaded in range(3):
        h = np.where(np.arange(3) == loaded, 7.0, 0.0)[order]
        A = np.diag(masses[order])
        a = np.full(3, 7.0 / masses.sum())
        expected = np.linalg.lstsq(G.T, A @ a - h, rcond=None)[0]
        found, skipped = plain_accelerations(A, h, G, np.zeros(2))
        assert skipped == 0
        assert found == pytest.approx(a, rel=1e-13)
        solution = native.solve(A, h, G, np.zeros(2), try_schur=False)
        assert solution.status == 2
        assert solution.a == pytest.approx(a, rel=1e-13)
        assert solution.multipliers == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("light", [1.0, 1e-12, 1e-18, 1e-24])
def test_a_row_that_follows_from_the_others_stays_dependent(light):
    """x - z = 0 follows from x - y = 0 and z - y = 0 for every mass of y, in each order, also beside other rows."""
    A, h = np.diag([2.0, light, 3.0, 5.0]), np.array([7.0, 0.0, 1.0, 4.0])
    stated = np.array([[1.0, -1, 0, 0], [0, -1, 1, 0], [1, 0, -1, 0], [1e3, 0, -1e3, 0]])
    a = np.append(np.full(3, 8.0 / (5.0 + light)), 0.8)
    for shift in range(4):
        G = np.roll(stated, shift, axis=0)
        found, skipped = plain_accelerations(A, h, G, np.zeros(4))
        assert skipped == 2
        assert found == pytest.approx(a, rel=1e-12)
        solution = native.solve(A, h, G, np.zeros(4))
        assert solution.status == 3
        assert solution.a == pytest.approx(a, rel=1e-12)
        assert G.T @ solution.multipliers == pytest.approx(A @ a - h, rel=1e-12, abs=1e-12)
        chosen = independent_rows(measured_rows(A, G))
        assert chosen.rank == 2
        assert chosen.combinations @ G[list(chosen.rows)] == pytest.approx(G, abs=1e-9)


@pytest.mark.parametrize("light", [1e-12, 1e-24])
def test_contradictory_rows_on_a_light_coordinate_are_reported(light):
    """x'' = y'', z'' = y'' and x'' = z'' + 1 contradict each other."""
    A, G = np.diag([2.0, light, 3.0]), np.vstack([ROWS, [1.0, 0.0, -1.0]])
    assert native.solve(A, np.array([7.0, 0.0, 0.0]), G, np.array([0.0, 0.0, -1.0])).status == -1


def test_a_run_with_a_shared_light_coordinate():
    """Two carts joined by a plate of 1e-20 kg: x = F t^2/(2 M) to the tolerance, from code, at a state and in a run."""
    x, y, z = lk.coordinates("x y z")
    T = der(x) ** 2 + 5e-21 * der(y) ** 2 + 3 * der(z) ** 2 / 2
    carts = lk.System("carts", [x, y, z], kinetic=T, forces={x: 10.0})
    carts = carts.constrain("left", x - y).constrain("right", z - y)
    assert {verdict.status for verdict in carts.at([0] * 3, [0] * 3).verdicts.values()} == {"independent"}
    assert carts.at([0] * 3, [0] * 3).accelerations == pytest.approx(np.full(3, 2.0), rel=1e-13)
    run = carts.simulate(until=1.0)
    assert run.q[-1] == pytest.approx(np.ones(3), rel=1e-9)
    assert run.audit.ok
