"""Distances in the metric of A, and the admissible point nearest to a guess."""

from __future__ import annotations

import numpy as np

from ...kernels.elimination.metric import Array
from ...kernels.projection import Surface, project, shortest
from .level_constraints import LevelConstraints

# [1] squared component of a coordinate's direction in the free motions, below which the rows determine the coordinate
DETERMINED_COMPONENT = 1e-9
ROW_SPACE_RANK_TOLERANCE = 1e-7  # [1] singular value of scaled rows, relative to the largest, that counts as zero
APPROACH_LIMIT = 30  # [iterations] towards the guess
APPROACH_TOLERANCE = 1e-9  # [1] step towards the guess, relative to the distance, at which the iteration ends
APPROACH_PROGRESS = 1e-12  # [1] relative decrease of the distance below which the iteration ends


def length(A: Array, d: Array) -> float:
    """Return the length of d (n) in the metric of A, sqrt(d^T A d); massless coordinates weigh as the lightest one."""
    inertia = np.diag(A)
    heavy = inertia > 0
    light = np.min(inertia[heavy]) if heavy.any() else 1.0
    return float(np.sqrt(max(d @ A @ d, 0.0) + light * np.sum(d[~heavy] ** 2)))


def fixed_by_rows(surface: Surface, free: Array) -> Array:
    """Return which free coordinates (n booleans) the rows determine: their directions are combinations of rows."""
    determined = np.zeros(len(free), dtype=bool)
    G = surface.G[:, free]
    units = np.linalg.norm(G, axis=0)
    G = G / np.where(units > 0, units, 1.0)
    sizes = np.linalg.norm(G, axis=1)
    if not sizes.any():
        return determined
    _, values, V = np.linalg.svd(G[sizes > 0] / sizes[sizes > 0, None], full_matrices=False)
    rows = V[values > ROW_SPACE_RANK_TOLERANCE * values[0]]
    determined[free] = np.sum(rows**2, axis=0) > 1 - DETERMINED_COMPONENT
    return determined


def towards_guess(conditions: LevelConstraints, guess: Array, x: Array, free: Array) -> Array:
    """Move a solution x along the constraints towards the guess while its distance decreases; return it.

    The direction d = (I - A^-1 G^T S^+ G) (guess - x) is the admissible part of the way to the guess.
    """
    A = conditions.surface(guess).A
    distance = length(A, x - guess)
    fraction = 1.0
    for _ in range(APPROACH_LIMIT):
        surface = conditions.surface(x)
        to_guess = np.where(free, guess - x, 0.0)
        d = to_guess + shortest(Surface(surface.A, surface.G, surface.G @ to_guess), free)[1]
        if length(A, d) <= APPROACH_TOLERANCE * distance:
            break
        moved, code = project(conditions.surface, x + fraction * d, free)
        remaining = length(A, moved - guess)
        if code < 0 or not remaining < distance:
            fraction *= 0.5
            continue
        x, done = moved, remaining >= (1 - APPROACH_PROGRESS) * distance
        distance = remaining
        if done:
            break
    return x
