"""Saddle-point system of accelerations, projections and their derivatives, solved for many right sides at once.

    A x = h + G^T y,      G x + g0 = 0

by the chain of kernels/elimination/chain.py: rows that depend on others are skipped (their y is 0), and massless
directions move only as far as rows bind them. In scaled coordinates, with the directions E and the triangle L = G E of
the accepted rows and the free directions D, D^T A D = I:

    x = -E L^-1 g0 + D D^T (h + A E L^-1 g0),      L^T y = E^T (A x - h)
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...kernels.elimination.chain import constrain, free_chain


class SaddleSolver:
    """Solver of the system of A (n x n) and G (s x n); `accepted` are the indices of the independent rows."""

    def __init__(self, A: Array, G: Array) -> None:
        n = len(A)
        self.n, self.s = n, len(G)
        if n == 0:
            self.accepted = np.zeros(0, dtype=int)
            return
        chain = constrain(free_chain(A, np.zeros(n), G), "", G, np.zeros(len(G)))
        self.accepted = np.array([row.number for row in chain.accepted], dtype=int)
        self._A, self._scale = chain.metric.A, chain.metric.scale[:, None]
        self._D = chain.D[:, : chain.D.shape[1] - chain.massless]
        self._E, self._L = chain.E, chain.L

    def solve(self, h: Array, g0: Array) -> tuple[Array, Array]:
        """Return x (n x K) and y (s x K) for h (n x K) and g0 (s x K)."""
        y = np.zeros((self.s, h.shape[1]))
        if self.n == 0:
            return np.zeros((0, h.shape[1])), y
        pushed = h * self._scale
        x = -self._E @ _solve_lower(self._L, g0[self.accepted])
        x = x + self._D @ (self._D.T @ (pushed - self._A @ x))
        y[self.accepted] = _solve_lower(self._L, self._E.T @ (self._A @ x - pushed), transposed=True)
        return x * self._scale, y

    def multipliers(self, push: Array) -> Array:
        """Return y (s) with G^T y = push (n), nonzero on the accepted rows only."""
        y = np.zeros(self.s)
        if self.n:
            pushed = self._E.T @ (push * self._scale[:, 0])
            y[self.accepted] = _solve_lower(self._L, pushed[:, None], transposed=True)[:, 0]
        return y

    def correction(self, residual: Array) -> Array:
        """Return the shortest correction (n x K) in the metric of A that removes residuals (s x K) of accepted rows."""
        return self.solve(np.zeros((self.n, residual.shape[1])), residual)[0]


def _solve_lower(L: Array, b: Array, transposed: bool = False) -> Array:
    """Solve L x = b, or L^T x = b, for a lower triangle L."""
    from scipy.linalg import solve_triangular

    if not len(L):
        return np.zeros((0, b.shape[1]))
    return solve_triangular(L, b, lower=True, trans="T" if transposed else "N", check_finite=False)
