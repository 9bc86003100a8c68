"""Distances in the metric of A, and the point of the constraints that is nearest to a guess."""

from __future__ import annotations

import numpy as np

from ...kernels.elimination.metric import Array
from ...kernels.projection import Surface, project, shortest
from .level_constraints import LevelConstraints

DETERMINED = 1e-9  # squared share of a coordinate's direction in motions left free, below which it is fixed by the rows
TRIES = 30
ARRIVED = 1e-9  # share of the distance that a way may have left to go
BETTER = 1e-12  # share by which a distance must shrink for another try


def length(A: Array, d: Array) -> float:
    """The length of d (n) in the metric of A, sqrt(d^T A d); massless coordinates count like the lightest one."""
    inertia = np.diag(A)
    heavy = inertia > 0
    light = np.min(inertia[heavy]) if heavy.any() else 1.0
    return float(np.sqrt(max(d @ A @ d, 0.0) + light * np.sum(d[~heavy] ** 2)))


def fixed_by_rows(here: Surface, free: Array) -> Array:
    """Which of the free coordinates the rows leave no motion, n booleans: those whose direction is a sum of rows."""
    found = np.zeros(len(free), dtype=bool)
    G = here.G[:, free]
    units = np.linalg.norm(G, axis=0)
    G = G / np.where(units > 0, units, 1.0)
    sizes = np.linalg.norm(G, axis=1)
    if not sizes.any():
        return found
    _, values, V = np.linalg.svd(G[sizes > 0] / sizes[sizes > 0, None], full_matrices=False)
    found[free] = np.sum(V[values > 1e-7 * values[0]] ** 2, axis=0) > 1 - DETERMINED
    return found


def towards_guess(conditions: LevelConstraints, guess: Array, x: Array, free: Array) -> Array:
    """A solution drawn along the constraints towards the guess, as long as it comes nearer.

    d = (I - A^-1 G^T S^+ G) (guess - x) is the way to the guess as far as the rows leave it free.
    """
    A = conditions.surface(guess).A
    way = length(A, x - guess)
    fraction = 1.0
    for _ in range(TRIES):
        here = conditions.surface(x)
        wish = np.where(free, guess - x, 0.0)
        d = wish + shortest(Surface(here.A, here.G, here.G @ wish), free)[1]
        if length(A, d) <= ARRIVED * way:
            break
        there, code = project(conditions.surface, x + fraction * d, free)
        left = length(A, there - guess)
        if code < 0 or not left < way:
            fraction *= 0.5
            continue
        x, done = there, left >= (1 - BETTER) * way
        way = left
        if done:
            break
    return x
