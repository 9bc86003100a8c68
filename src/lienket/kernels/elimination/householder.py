"""Algorithms 1 and 2 of paper 000 as printed, with an orthonormal H by a Householder reflection: the plain version.

The solver uses the chain in the metric of A; this version gives the orthonormal basis D, D^T D = I, and checks the
chain. D is unique only up to a right factor: compare D D^T, never D.
"""

from __future__ import annotations

import math

import numpy as np

from ...foundation.arrays import Array


def orthonormal_basis(G: Array, n: int) -> Array:
    """Return D (n x (n - s)) with G D = 0 and D^T D = I, for independent rows G (s x n), one row at a time."""
    D = np.eye(n)
    for J in G:
        beta = (J / math.sqrt(J.dot(J))) @ D
        D = D @ reflection(beta)
    return D


def reflection(beta: Array) -> Array:
    """Return H (m x (m - 1)) with beta H = 0, H^T H = I: columns 2 to m of I - 2 u u^T/u^T u, u = beta +- |beta| e1."""
    u = beta.copy()
    u[0] += math.copysign(math.sqrt(beta.dot(beta)), u[0])
    return np.eye(len(beta))[:, 1:] - np.multiply.outer(u, u[1:] * (2 / u.dot(u)))


def reduced_accelerations(A: Array, h: Array, G: Array, g0: Array) -> Array:
    """Solve C q'' = f with G q'' + g0 = 0 for q'', where C = D^T A, f = D^T h (paper 000, eq. 3.4)."""
    D = orthonormal_basis(G, len(h))
    return np.linalg.solve(np.vstack([D.T @ A, G]), np.concatenate([D.T @ h, -g0]))
