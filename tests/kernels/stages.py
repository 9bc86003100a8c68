"""Bounds on the error of an answer in double precision where A is singular.

A gives no metric, and row by row elimination passes through systems that may be worse conditioned than the last one:
with k rows accepted, the massless directions Z_k are still free; they are held fixed. Stage k is therefore the system

    [A -R^T; R 0] [a_k; lambda_k] = [h; -c_k],    R = [G_1..k; Z_k^T],    inverse [W_k V_k; . .]

in coordinates scaled to A_ii = 1 (massless ones to the largest share that a row gives them) and with rows of unit
length. Rounding by eps moves a_k by at most eps times

    |W_k| (|A| |a| + |R^T| |lambda_k| + |h|) + |V_k| (|c_k| + |R| |a|),    |a| = |a_k| + |a_k-1|

since a_k is computed from a_k-1. The stages after k turn an error d of a_k into (1 - V_j>k G_j>k) d, V of the last
stage. The bound is the sum over the stages, in sums of n terms followed by a product and a quotient: eps (n + 2).
"""

import numpy as np
from exact import EPS

norm = np.linalg.norm


class Stages:
    """The bounds of this module for A, h, independent rows G, g0 with terms of these sizes, and massless Z (n x z)."""

    def __init__(self, A, h, G, g0, G_size, g0_size, Z):
        n, s = len(h), len(G)
        self.scale = _scale(A, G)
        self.A, self.h = A * self.scale * self.scale[:, None], h * self.scale
        self.lengths = norm(G * self.scale, axis=1)
        G, G_size = (X * self.scale / self.lengths[:, None] for X in (G, G_size))
        g0, g0_size = g0 / self.lengths, g0_size / self.lengths
        Z = np.linalg.qr(Z / self.scale[:, None])[0]
        self.a, moves, turns = np.zeros(n), [], []
        for k in range(s + 1):
            move, turn = self._stage(G[:k], g0[:k], G_size[:k], g0_size[:k], _still(Z, G[:k]))
            moves.append(move)
            turns.append(turn)
        paths = [norm(np.eye(n) - self.V[:, k:] @ G[k:], 2) for k in range(s + 1)]
        big = norm(self.A, 2)
        self.unit = EPS * (n + 2)
        self.turn = np.dot(paths, turns)
        self.accelerations = self.unit * np.dot(paths, moves)
        self.forces = big * self.accelerations + self.unit * (big * norm(self.a) + norm(self.h))
        pulled = norm(self.A @ self.a - self.h)
        self.multipliers = norm(self.V, 2) * (self.forces + self.unit * self.turn * pulled)

    def _stage(self, G, g0, G_size, g0_size, Z):
        """Return the error of a_k by rounding in this stage, and the relative error of the whole inverse."""
        n, s, z = len(self.h), len(G), Z.shape[1]
        R, R_size = np.vstack([G, Z.T]), np.vstack([G_size, np.abs(Z.T)])
        inverse = np.linalg.inv(np.block([[self.A, -R.T], [R, np.zeros((s + z, s + z))]]))
        x = inverse @ np.concatenate([self.h, -g0, np.zeros(z)])
        W, V, size = norm(inverse[:n, :n], 2), norm(inverse[:n, n:], 2), np.abs(x[:n]) + np.abs(self.a)
        big = norm(self.A, 2)
        push = big * norm(size) + norm(R_size.T @ np.abs(x[n:])) + norm(self.h)
        self.a, self.V = x[:n], inverse[:n, n : n + s]
        return W * push + V * (norm(g0_size) + norm(R_size @ size)), 1 + W * big + V * norm(R_size, 2)

    def of_accelerations(self, difference):
        return norm(difference / self.scale)

    def of_forces(self, difference):
        return norm(difference * self.scale)

    def of_multipliers(self, difference):
        return norm(difference * self.lengths)


def _scale(A, G):
    heavy = np.diag(A) > 0
    scale = np.where(heavy, 1 / np.sqrt(np.where(heavy, np.diag(A), 1.0)), 1.0)
    reach = norm((G * scale)[:, heavy], axis=1)
    reach = np.where(reach > 0, reach, norm(G[:, ~heavy], axis=1))
    scale[~heavy] = 1 / np.max(np.abs(G[:, ~heavy]) / reach[:, None], axis=0, initial=0.0)
    return scale


def _still(Z, G):
    """Return the directions in Z that the rows leave free; components below rounding of a row count as zero."""
    if not len(G) or not Z.size:
        return Z
    _, values, turned = np.linalg.svd(G @ Z)
    return Z @ turned[np.sum(values > 1e-7) :].T
