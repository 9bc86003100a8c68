"""Total reaction r of all constraints by four methods that must agree (theory 6).

Each takes the free system A (n x n), h (n) and independent constraint rows G (s x n), g0 (s), and returns r (n).
The first three need A^-1; the last does not.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ..elimination.householder import orthonormal_basis, reduced_accelerations


def by_multipliers(A: Array, h: Array, G: Array, g0: Array) -> Array:
    """Return r = G^T lambda, lambda = -S^-1 (G A^-1 h + g0), S = G A^-1 G^T."""
    S = G @ np.linalg.solve(A, G.T)
    return -G.T @ np.linalg.solve(S, G @ np.linalg.solve(A, h) + g0)


def direct(A: Array, h: Array, G: Array, g0: Array) -> Array:
    """Solve B r = [-(G A^-1 h + g0); 0], B = [G A^-1; D^T] (paper 000, eq. 2.10 and 2.11)."""
    D = orthonormal_basis(G, len(h))
    B = np.vstack([np.linalg.solve(A, G.T).T, D.T])
    return np.linalg.solve(B, np.concatenate([-(G @ np.linalg.solve(A, h) + g0), np.zeros(D.shape[1])]))


def by_middle_variables(A: Array, h: Array, G: Array, g0: Array) -> Array:
    """Return r = A R0, A Q0 = h, [G; D^T A] R0 = [-(G Q0 + g0); 0] (paper 002, eq. 2.12 to 2.17); q'' = Q0 + R0."""
    D = orthonormal_basis(G, len(h))
    Q0 = np.linalg.solve(A, h)
    R0 = np.linalg.solve(np.vstack([G, D.T @ A]), np.concatenate([-(G @ Q0 + g0), np.zeros(D.shape[1])]))
    return A @ R0


def from_accelerations(A: Array, h: Array, G: Array, g0: Array) -> Array:
    """Return r = A q'' - h with q'' from the reduced form (paper 001, eq. 3.11); A may be singular."""
    return A @ reduced_accelerations(A, h, G, g0) - h


METHODS = {
    "multipliers": by_multipliers,
    "direct": direct,
    "middle": by_middle_variables,
    "accelerations": from_accelerations,
}
