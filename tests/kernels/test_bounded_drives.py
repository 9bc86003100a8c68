"""Drives within bounds: the kernel against the conditions of Karush, Kuhn and Tucker, and against SciPy.

least |M u - b|^2 + d^2 sum w u^2,      least <= u <= most,      d a ten-millionth of the largest |M|/sqrt(w)
"""

import numpy as np
import pytest
from bounded_entry import bounded
from scipy.optimize import lsq_linear

NONE = 1e300
SHAPES = [(1, 1), (1, 2), (1, 4), (2, 1), (2, 2), (2, 3), (3, 2), (2, 5), (3, 3), (4, 3), (3, 6), (6, 3)]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)
CASES = range(400)


def case(shape, seed, hard=False):
    """Return M, b, weights and bounds; if `hard`, with zero or parallel columns and with equal or missing bounds."""
    m, p = shape
    rng = np.random.default_rng([m, p, seed, hard])
    M, b = rng.normal(size=(m, p)), rng.normal(size=m) * 10 ** rng.uniform(-1, 1)
    weights = 10 ** rng.uniform(-1, 1, p) if rng.random() < 0.5 else np.ones(p)
    least, most = np.sort(rng.normal(size=(2, p)) * rng.choice([0.3, 1.0, 3.0]), axis=0)
    least[rng.random(p) < 0.2], most[rng.random(p) < 0.2] = -NONE, NONE
    if hard:
        for k in range(p):
            what = rng.integers(6)
            if what == 0:
                M[:, k] = 0.0
            elif what == 1:
                M[:, k] = M[:, rng.integers(p)] * rng.choice([-1.0, 1.0, 2.0])
            elif what == 2:
                least[k] = most[k] = rng.integers(-1, 2)
            elif what == 3:
                least[k], most[k] = (0.0, NONE) if rng.random() < 0.5 else (-1.0, 1.0)
    return M, b, weights, least, most


def check_optimal(M, b, weights, least, most, u):
    """Check the KKT conditions: the slope is zero for a free drive and points out of the bounds for one at a bound."""
    d = 1e-7 * np.max(np.abs(M) / np.sqrt(weights), initial=0.0)
    left = M @ u - b
    slope = M.T @ left + d**2 * weights * u
    forces = np.abs(b) + np.abs(M) @ np.abs(u)
    size = np.abs(M).T @ forces + d * np.sqrt(weights) * np.max(forces)
    assert np.all((least <= u) & (u <= most))
    at_least, at_most = u == least, u == most
    assert np.all(slope[~at_most] >= -1e-11 * size[~at_most])  # else a larger u would be better
    assert np.all(slope[~at_least] <= 1e-11 * size[~at_least])


def by_scipy(M, b, weights, least, most, share=1e-5):
    """Return SciPy's solution with a larger d: with d = 1e-7 its slopes d^2 are below SciPy's resolution."""
    root = np.sqrt(weights)
    d = share * np.max(np.abs(M) / root)
    matrix, right = np.vstack([M / root, d * np.eye(len(root))]), np.concatenate([b, np.zeros(len(root))])
    low, high = (np.where(np.abs(x) < NONE / 10, x * root, np.sign(x) * np.inf) for x in (least, most))
    return lsq_linear(matrix, right, (low, high), method="bvls", tol=1e-15, max_iter=1000).x / root


def without_bounds(M, b, weights):
    root = np.sqrt(weights)
    return np.linalg.lstsq(M / root, b, rcond=None)[0] / root


@shapes
def test_drives_satisfy_the_kkt_conditions(shape):
    inside = held = 0
    for seed in CASES:
        data = M, b, weights, least, most = case(shape, seed)
        u, reached = bounded(*data)
        assert reached
        free = without_bounds(M, b, weights)
        if np.all((least <= free) & (free <= most)):
            inside += 1
            assert np.allclose(u, free, rtol=0, atol=1e-12 * (1 + np.linalg.cond(M)) * np.max(np.abs(free)))
        else:
            held += 1
            check_optimal(*data, u)
    assert inside > 5 and held > 50


@pytest.mark.parametrize("shape", [s for s in SHAPES if s[1] > 1], ids=str)
def test_drives_agree_with_scipy(shape):
    """Where bounds are active, up to the effect of SciPy's larger d."""
    for seed in CASES[:100]:
        data = M, b, weights, least, most = case(shape, seed)
        free = without_bounds(M, b, weights)
        if np.all((least <= free) & (free <= most)):
            continue
        u, other = bounded(*data)[0], by_scipy(*data)
        open_ones = (least < u) & (u < most)
        scaled = M / np.sqrt(weights)
        least_push = np.linalg.svd(scaled[:, open_ones])[1][-1] if open_ones.any() else 1.0
        moved = 1e-8 + 10 * (1e-5 * np.max(np.abs(scaled)) / least_push) ** 2  # relative change of u by d
        assert np.allclose(u, other, rtol=0, atol=moved * np.max(np.abs(u)) * np.sqrt(max(weights) / min(weights)))


@shapes
def test_degenerate_drives(shape):
    """Zero or parallel columns, and coinciding or missing bounds: b is reached exactly if M has full rank."""
    m, p = shape
    refused = 0
    for seed in CASES:
        data = M, _, weights, least, most = case(shape, seed, hard=True)
        u, reached = bounded(*data)
        full = np.linalg.matrix_rank(M / np.sqrt(weights), tol=1e-9 * (np.max(np.abs(M)) or 1.0)) == min(m, p)
        assert reached == full
        refused += not full
        if reached and not np.all((least <= without_bounds(*data[:3])) & (without_bounds(*data[:3]) <= most)):
            check_optimal(*data, u)
    assert refused < len(CASES)


def test_one_drive_is_clipped_to_its_bound():
    u, reached = bounded(np.array([[2.0]]), np.array([5.0]), np.ones(1), np.array([-1.0]), np.array([1.0]))
    assert reached and u[0] == 1.0
    u, _ = bounded(np.array([[2.0]]), np.array([5.0]), np.ones(1), np.array([-3.0]), np.array([3.0]))
    assert u[0] == pytest.approx(2.5, abs=1e-15)


def test_a_free_drive_takes_over_from_one_at_its_bound():
    """u1 + u2 = 3 with weights 1 and 3 and |u1| <= 1: shares 9/4 and 3/4 without the bound, 1 and 2 with it."""
    M, b, w = np.array([[1.0, 1.0]]), np.array([3.0]), np.array([1.0, 3.0])
    u, _ = bounded(M, b, w, np.array([-NONE, -NONE]), np.array([NONE, NONE]))
    assert u == pytest.approx([9 / 4, 3 / 4], abs=1e-14)
    u, _ = bounded(M, b, w, np.array([-1.0, -NONE]), np.array([1.0, NONE]))
    assert u == pytest.approx([1, 2], abs=1e-12)


def test_the_search_ends_at_its_conditions():
    """Many drives with narrow bounds: the KKT conditions hold, so the iteration limit was not reached."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        m, p = int(rng.integers(1, 10)), int(rng.integers(10, 30))
        M, b = rng.normal(size=(m, p)), 10 * rng.normal(size=m)
        least = -rng.uniform(0, 0.5, p)
        data = M, b, np.ones(p), least, least + rng.uniform(0, 1, p)
        u, _ = bounded(*data)
        free = without_bounds(*data[:3])
        if not np.all((least <= free) & (free <= data[4])):
            check_optimal(*data, u)
