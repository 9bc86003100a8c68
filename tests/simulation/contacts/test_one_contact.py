"""The short cut for one contact agrees with the search through all patterns."""

import numpy as np
import pytest

from lienket.simulation.contacts.response import _by_chain, _by_cholesky
from lienket.simulation.contacts.stick_slip import ClosedContact, find_modes, search_modes


@pytest.mark.parametrize("pushes", [True, False])
@pytest.mark.parametrize("moving", [0, 1, -1])
def test_short_cut_and_search_agree(pushes, moving):
    rng, kinds = np.random.default_rng(7), set()
    for _ in range(400):
        root = rng.normal(size=(2, 3))
        S, y0, mu = root @ root.T, rng.normal(size=2), rng.uniform(0, 2)
        touch = ClosedContact(
            "floor", 0, 1, mu, mu * rng.uniform(1, 1.5), pushes, moving, may_stick=bool(rng.integers(4))
        )
        short, long = find_modes(S, y0, [touch]), search_modes(S, y0, [touch])
        assert (short is None) == (long is None)
        kinds.add("none" if long is None else "several" if long.others else long.modes[0].kind)
        if long is not None:
            assert short.modes == long.modes
            assert short.others == long.others
            assert short.forces == pytest.approx(long.forces, rel=1e-9, abs=1e-12)
    assert "slide" in kinds
    assert len(kinds) >= 3  # paradoxes, opening or sticking among them


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_fast_and_robust_elimination_agree(rows):
    """W and accelerations by one factorization agree with row-wise elimination."""
    rng, n = np.random.default_rng(rows), 5
    for _ in range(20):
        root = rng.normal(size=(n, n))
        A = (root @ root.T + 0.3 * np.eye(n)) * np.outer(units := 10.0 ** rng.uniform(-3, 3, n), units)
        h, G, g0 = rng.normal(size=n) * units, rng.normal(size=(rows, n)) * units, rng.normal(size=rows)
        root_W, a = _by_cholesky(A, h, G, g0)
        sure_root, sure_a = _by_chain(A, h, G, g0, list(range(rows)))
        W, sure_W = root_W.T @ root_W, sure_root.T @ sure_root
        assert np.allclose(W * np.outer(units, units), sure_W * np.outer(units, units), atol=1e-9)
        assert np.allclose(a * units, sure_a * units, atol=1e-9)


def test_fast_elimination_refuses_singular_systems():
    A, h = np.eye(3), np.ones(3)
    twice = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])
    assert _by_cholesky(A, h, twice, np.zeros(2)) is None
    assert _by_cholesky(np.diag([1.0, 1.0, 0.0]), h, np.zeros((0, 3)), np.zeros(0)) is None
