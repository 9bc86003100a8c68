"""The rounding of emitted accelerations is that of a stable elimination, also where rows nearly agree.

In the metric of A, let b = A^(-1/2) h, u = A^(1/2) a, and scale the rows of B = G A^(-1/2), and g0 with them, to unit
length. The solution is u = b + B^T l, S l = -(B b + g0), S = B B^T. The entries of S have errors of eps. Cholesky's
factor solves an S that is wrong by some eps in each entry, and its right side has errors of eps (|b| + |g0|), so l has
the error S^-1 x with |x| <= c eps (|l| + |b| + |g0|). With the least singular value s of B, |B^T S^-1 x| <= |x|/s:

    |error of u|  <=  c eps ((|l| + |b| + |g0|)/s + |b| + |u|).

An elimination that is not stable, such as one by inverses of 2 x 2 pivots of nearly equal rows, has up to 1/s^3.
"""

import numpy as np
import pytest
from test_digit_guard import exact
from test_guard import Matrices

EPS = float(np.finfo(float).eps)
FACTOR = 8.0  # c, the number of operations in an entry: at most n + s = 9
AGREEING = 300.0  # [1] 1/s^2 from which rows count as nearly equal


def glued(rng, n, s):
    """Return bodies of different masses, glued or geared in pairs: A, h, G, g0 (60 each), and where G has entries."""
    pattern, count = np.zeros((s, n), bool), 60
    for row in pattern:
        row[rng.choice(n, 2, replace=False)] = True
    masses = 10 ** rng.uniform(-3, 3, (count, n))
    G = rng.normal(size=(count, s, n)) * pattern
    G = np.where(rng.random((count, s, 1)) < 0.6, np.sign(G), G)
    h = rng.normal(size=(count, n)) * 10 ** rng.uniform(-1, 1, (count, n)) * (rng.random((count, n)) < 0.6)
    return np.eye(n) * masses[:, :, None], h, G, rng.normal(size=(count, s)) * (rng.random((count, s)) < 0.3), pattern


@pytest.mark.parametrize("dense", [False, True], ids=["written out", "vector code"])
def test_nearly_equal_rows_lose_no_more_digits_than_they_must(dense):
    rng, seen = np.random.default_rng(5), 0
    while seen < 60:
        n = int(rng.integers(4, 6))
        s = int(rng.integers(3, n))
        A, h, G, g0, pattern = glued(rng, n, s)
        system = Matrices(n, s, np.eye(n, dtype=bool), pattern, dense)
        states = system.flat(A, h, G, g0)
        status, out = system.motion.many(np.zeros(len(states)), states, states, np.zeros(0), np.zeros((len(states), 0)))
        for k in np.flatnonzero(status == 0):
            root = np.sqrt(np.diag(A[k]))
            lengths = np.linalg.norm(G[k] / root, axis=1)
            least = np.linalg.svd(G[k] / root / lengths[:, None], compute_uv=False)[-1]
            if least > AGREEING**-0.5:
                continue
            u, seen = root * exact(A[k], h[k], G[k], g0[k]), seen + 1
            b, rest, multipliers = h[k] / root, g0[k] / lengths, out[k, n:] * lengths
            through_rows, others = (sum(map(np.linalg.norm, x)) for x in ((b, rest, multipliers), (b, u)))
            error = np.linalg.norm(root * out[k, :n] - u)
            assert error <= FACTOR * EPS * (through_rows / least + others), (n, s, k)
