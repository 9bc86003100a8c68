"""Contacts by brute force: every combination of signs and modes is tried, each as one large linear system.

    A a - G^T lambda - T^T phi = f
    closed   G_k a + g_k = 0        open    lambda_k = 0
    slides   phi_k = -mu d s lambda_k       sticks  T_k a = 0       neither   phi_k = 0

The unknowns a (n), lambda (s) and phi (s) are solved at once; nothing is eliminated, no S is formed.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

SLACK = 1e-9


@dataclass(frozen=True)
class Way:
    """One solution: modes of the rows, a, lambda, phi; `near`: the determinant has the sign it has without friction."""

    modes: tuple
    a: np.ndarray
    normal: np.ndarray
    friction: np.ndarray
    near: bool

    @property
    def sticking(self):
        return sum(mode == "sticks" for mode, _, _ in self.modes)


def choices(kind, slip):
    """Return the possible (mode, direction, sense) of a row of this kind with this slip."""
    if kind == "ideal":
        return [("closed", 0, 1)]
    if kind == "smooth":
        return [("closed", 0, 1), ("open", 0, 1)]
    senses = (1, -1) if kind == "coulomb" else (1,)
    directions = (1, -1) if slip == 0 else (int(np.sign(slip)),)
    options = [("slides", d, s) for d in directions for s in senses]
    options += [("sticks", 0, 1)] if slip == 0 else []
    return options + ([("open", 0, 1)] if kind == "unilateral" else [])


def solution(A, f, G, g, T, mu, modes):
    """Return the matrix and a, lambda, phi in these modes; None if the system is singular."""
    n, s = len(f), len(g)
    K, right = np.zeros((n + 2 * s, n + 2 * s)), np.zeros(n + 2 * s)
    K[:n, :n], K[:n, n : n + s], K[:n, n + s :], right[:n] = A, -G.T, -T.T, f
    for k, (mode, direction, sense) in enumerate(modes):
        if mode == "open":
            K[n + k, n + k] = 1
        else:
            K[n + k, :n], right[n + k] = G[k], -g[k]
        if mode == "sticks":
            K[n + s + k, :n] = T[k]
        else:
            K[n + s + k, n + s + k] = 1
            K[n + s + k, n + k] = mu[k] * direction * sense if mode == "slides" else 0.0
    if np.linalg.cond(K) > 1e13:
        return None
    x = np.linalg.solve(K, right)
    return K, x[:n], x[n : n + s], x[n + s :]


def obeys(mode, direction, sense, kind, slipping, opening, sliding, pressed, rubbed, static):
    """Return the smallest margin by which one contact obeys its inequalities; negative if one is violated."""
    if mode == "open":
        return opening
    margins = [np.inf]
    if kind in ("unilateral", "smooth"):
        margins.append(pressed)
    if mode == "sticks":
        margins.append(static * abs(pressed) - abs(rubbed))
    if mode == "slides":
        margins.append(sense * pressed)
        if slipping == 0:
            margins.append(direction * sliding)
    return min(margins)


def ways(numbers, kinds):
    """Return every solution that obeys the laws, and whether any inequality is close to its limit."""
    A, f, G, g, T, v = numbers.A, numbers.f, numbers.G, numbers.g, numbers.T, numbers.v
    mu, static = numbers.more["mu"], numbers.more["static"]
    slips = [0.0 if abs(slip) < 1e-12 else slip for slip in T @ v]
    solutions, narrow = [], False
    for modes in product(*(choices(kind, slip) for kind, slip in zip(kinds, slips, strict=True))):
        answer = solution(A, f, G, g, T, mu, modes)
        if answer is None:
            narrow = True
            continue
        K, a, normal, friction = answer
        size = 1 + max(np.max(np.abs(x)) for x in (a, normal, friction))
        margin = min(
            obeys(*modes[k], kinds[k], slips[k], G[k] @ a + g[k], T[k] @ a, normal[k], friction[k], static[k])
            for k in range(len(g))
        )
        narrow = narrow or abs(margin) < 1e-6 * size
        if margin >= -SLACK * size:
            smooth, *_ = solution(A, f, G, g, T, 0 * mu, modes)
            near = np.linalg.slogdet(K)[0] == np.linalg.slogdet(smooth)[0]
            solutions.append(Way(modes, a, normal, friction, near))
    return solutions, narrow
