"""The solution in 50 digits, and bounds on the error of an answer in double precision.

In coordinates scaled to A_ii = 1 let A = L L^T. Put y = L^T q'', y0 = L^-1 h, and let the rows of G L^-T, made unit
vectors by their lengths, be N with N y + c = 0 and y = y0 + N^T mu. Numbers that are off by eps, entry by entry,
turn the unit matrix in front of y into 1 + F, rows into N + dN, and move y0 and c, with

    |F| <= eps f, f = | |L^-1| |A| |L^-T| |        |dN_i| <= eps w, w = max_i | |J_i| |L^-T| | / |J_i L^-T|
    |dy0| <= eps | |L^-1| |h| |                    |dc| <= eps |c|

The inverse of [1 -N^T; N 0] has the blocks P, N^+, N^+T and (N N^T)^-1 with |P| = 1 and |N^+| = k, k the inverse of
the least singular value of N. So to first order, with push = |dy0|/eps + f |y| + w |mu| sqrt(s) and
miss = |c| + w |y| sqrt(s),

    |dy| <= eps (push + k miss),    |dmu| <= eps (k push + k^2 miss),    |dP| <= eps (f + k w sqrt(s))

An algorithm that makes such errors in each of s + 1 stages, in sums of n terms followed by a product and a quotient,
has (n + 2) (s + 1) times as much. No number here is fitted to results.
"""

import mpmath
import numpy as np

EPS = 2.0**-53
DIGITS = 50


def solved(M, B):
    """Return the solution of M X = B in 50 digits, as an array of mpf."""
    with mpmath.workdps(DIGITS):
        N = len(M)
        K = np.hstack([precise(M), precise(B).reshape(N, -1)])
        for k in range(N):
            p = k + int(np.argmax(np.abs(K[k:, k])))
            K[[k, p]] = K[[p, k]]
            K[k + 1 :, k:] -= np.outer(K[k + 1 :, k] / K[k, k], K[k, k:])
        for k in reversed(range(N)):
            K[k, N:] = (K[k, N:] - K[k, k + 1 : N] @ K[k + 1 :, N:]) / K[k, k]
        return K[:, N:].reshape(np.shape(B))


def precise(values):
    return np.vectorize(mpmath.mpf, otypes=[object])(values)


def rounded(values):
    return np.vectorize(float, otypes=[float])(values)


def exact(A, h, G, g0):
    """Return q'', r and lambda from [A -G^T; G 0] [q''; lambda] = [h; -g0], for independent rows."""
    n = len(h)
    x = solved(np.block([[A, -G.T], [G, np.zeros((len(G), len(G)))]]), np.concatenate([h, -g0]))
    with mpmath.workdps(DIGITS):
        r = precise(G.T) @ x[n:] if len(G) else np.zeros(n)
    return rounded(x[:n]), rounded(r), rounded(x[n:])


class Bound:
    """The bounds of this module for A, h and independent rows G, g0 whose terms have the sizes G_size, g0_size."""

    def __init__(self, A, h, G, g0, G_size, g0_size):
        n, s = len(h), len(G)
        self.scale = 1 / np.sqrt(np.diag(A))
        A, h, G = A * self.scale * self.scale[:, None], h * self.scale, G * self.scale
        self.L = np.linalg.cholesky(A)
        self.back = np.linalg.inv(self.L)
        rows = G @ self.back.T
        self.lengths = np.linalg.norm(rows, axis=1)
        N, c, y0 = rows / self.lengths[:, None], g0 / self.lengths, self.back @ h
        inverse = np.linalg.pinv(N, rcond=1e-12)
        self.k = np.linalg.norm(inverse, 2) if s else 0.0
        y = y0 - inverse @ (N @ y0 + c)
        mu = inverse.T @ (y - y0)
        size = np.abs(self.back)
        self.f = np.linalg.norm(size @ np.abs(A) @ size.T, 2)
        self.w = np.max(np.linalg.norm((G_size * self.scale) @ size.T, axis=1) / self.lengths, initial=0.0)
        root = np.sqrt(s)
        push = np.linalg.norm(size @ np.abs(h)) + self.f * np.linalg.norm(y) + self.w * np.linalg.norm(mu) * root
        miss = np.linalg.norm(g0_size / self.lengths) + self.w * np.linalg.norm(y) * root
        self.unit = EPS * (n + 2) * (s + 1)
        self.accelerations = self.unit * (push + self.k * miss)
        self.forces = self.accelerations + self.unit * push
        self.multipliers = self.unit * (self.k * push + self.k**2 * miss)
        self.projector = self.unit * (self.f + self.k * self.w * root)
        self.motion = np.linalg.norm(y) + np.linalg.norm(y0)

    def of_accelerations(self, difference):
        """Return the length of a difference of accelerations, |dy|."""
        return np.linalg.norm(self.L.T @ (difference / self.scale))

    def of_forces(self, difference):
        """Return the length of a difference of forces, |L^-1 dr|."""
        return np.linalg.norm(self.back @ (difference * self.scale))

    def of_multipliers(self, difference):
        """Return the length of a difference of multipliers of the rows, |dmu|."""
        return np.linalg.norm(difference * self.lengths)

    def of_responses(self, difference):
        """Return the size of a difference of W = D (D^T A D)^-1 D^T, |dP|."""
        return np.linalg.norm(self.L.T @ (difference / self.scale / self.scale[:, None]) @ self.L, 2)


def method_bounds(A, h, G, g0, a, r, multipliers):
    """Return bounds on |dr| for the methods of theory 6, and on |dq''| for the reduced form, from their linear solves.

    A solve M x = b with errors dM, db is off by |M^-1| (|dM| |x| + |db|). Solving with A gives A^-1 G^T and A^-1 h a
    relative error of cond A; the basis D is off by the inverse of the least singular value of the unit rows of G.
    """
    norm = np.linalg.norm
    n, s = len(h), len(g0)
    big, size, turn = norm(A, 2), norm(G, 2), 1 / np.linalg.svd(G / norm(G, axis=1)[:, None])[1][-1]
    D = np.linalg.svd(G)[2][s:].T
    loss = np.linalg.cond(A)
    back, free = np.linalg.solve(A, G.T), np.linalg.solve(A, h)
    S, B, M = G @ back, np.vstack([back.T, D.T]), np.vstack([G, D.T @ A])
    b = loss * size * norm(free) + norm(g0)
    S_inverse, B_inverse, M_inverse = (1 / np.linalg.svd(X)[1][-1] for X in (S, B, M))
    pulled = S_inverse * (loss * size * norm(back, 2) * norm(multipliers) + b)
    middle = M_inverse * ((norm(M, 2) + turn * big) * norm(a - free) + b)
    reduced = M_inverse * ((norm(M, 2) + turn * big) * norm(a) + turn * norm(h) + norm(g0))
    bounds = {
        "multipliers": size * (pulled + norm(multipliers)),
        "direct": B_inverse * ((loss * norm(back, 2) + norm(B, 2) + turn) * norm(r) + b),
        "middle": big * (middle + norm(a - free)),
        "accelerations": big * (reduced + norm(a)) + norm(h),
        "reduced": reduced,
    }
    return {name: EPS * (n + 2) * (s + 1) * value for name, value in bounds.items()}
