"""The problems behind contacts that share a load: the largest margin of inequalities, linear complementarity."""

import numpy as np
import pytest
from scipy.optimize import linprog

from lienket.kernels.reactions.force_margin import largest_margin
from lienket.kernels.reactions.lemke import lemke


def test_largest_margin_is_that_of_a_linear_programme():
    """b + B z >= m: by duality m = min of p b over p >= 0, p B = 0, sum p = 1, if below the cap."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        k, d = rng.integers(2, 12), rng.integers(1, 5)
        b, B = rng.normal(size=k), np.round(rng.normal(size=(k, d)), int(rng.integers(0, 3)))
        margin, z = largest_margin(b, B, 10.0)
        assert np.min(b + B @ z) == pytest.approx(margin, abs=1e-9) or margin == 10.0
        program = linprog(
            np.append(np.zeros(d), -1.0), np.column_stack([-B, np.ones(k)]), b, bounds=[(None, None)] * d + [(None, 10)]
        )
        assert margin == pytest.approx(-program.fun, abs=1e-9)


def test_lemke_solves_monotone_problems():
    """For M = N N^T + skew every problem has a solution, also degenerate ones, and Lemke's method finds it."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        m = int(rng.integers(1, 12))
        N, skew = rng.normal(size=(m, m)), rng.normal(size=(m, m))
        M, q = N @ N.T + skew - skew.T, np.round(rng.normal(size=m))
        z = lemke(M, q, np.ones(m))
        w = M @ z + q
        assert min(w.min(), z.min()) > -1e-9 * (1 + np.abs(M).max() * z.max())
        assert np.abs(w * z).max() < 1e-8 * (1 + np.abs(M).max() * z.max() ** 2)
