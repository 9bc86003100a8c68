"""Distances in the metric of A, and the admissible point nearest to a guess."""

from __future__ import annotations

import math

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...kernels.projection import Surface
from ...kernels.projection_of_many import project_many, shortest_of_many
from .level_constraints import LevelConstraints

# [1] squared component of a coordinate's direction in the free motions, below which the rows determine the coordinate
DETERMINED_COMPONENT = 1e-9
ROW_SPACE_RANK_TOLERANCE = 1e-7  # [1] singular value of scaled rows, relative to the largest, that counts as zero
APPROACH_LIMIT = 30  # [iterations] towards the guess
APPROACH_TOLERANCE = 1e-9  # [1] step towards the guess, relative to the distance, at which the iteration ends
APPROACH_PROGRESS = 1e-12  # [1] relative decrease of the distance below which the iteration ends


def length(A: Array, d: Array) -> float:
    """Return the length of d (n) in the metric of A, sqrt(d^T A d); massless coordinates weigh as the lightest one."""
    inertia = A.diagonal()
    heavy = inertia > 0
    if heavy.all():
        return math.sqrt(max(float(d @ A @ d), 0.0))
    light = np.min(inertia[heavy]) if heavy.any() else 1.0
    return float(np.sqrt(max(float(d @ A @ d), 0.0) + light * np.sum(d[~heavy] ** 2)))


def fixed_by_rows(surface: Surface, free: BoolArray) -> BoolArray:
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


def towards_guess(conditions: LevelConstraints, guess: Array, points: Array, free: BoolArray) -> Array:
    """Move solutions (N x n) along the constraints towards the guess while their distances decrease; return them.

    The direction d = (I - A^-1 G^T S^+ G) (guess - x) is the admissible part of the way to the guess.
    """
    A = conditions.surface(guess).A
    x, going = points.copy(), np.arange(len(points))
    distance, fraction = np.array([length(A, y - guess) for y in x]), np.ones(len(x))
    for _ in range(APPROACH_LIMIT):
        if not len(going):
            break
        surface = conditions.surfaces(x[going])
        to_guess = np.where(free, guess - x[going], 0.0)
        residual = (surface.G @ to_guess[:, :, None])[:, :, 0]
        d = to_guess + shortest_of_many(surface._replace(residual=residual), free)[1]
        on_the_way = ~(np.array([length(A, y) for y in d]) <= APPROACH_TOLERANCE * distance[going])
        going, d = going[on_the_way], d[on_the_way]
        moved, codes = project_many(conditions.surfaces, x[going] + fraction[going, None] * d, free)
        remaining = np.array([length(A, y - guess) for y in moved])
        nearer = (codes >= 0) & (remaining < distance[going])
        fraction[going[~nearer]] *= 0.5
        slow = nearer & (remaining >= (1 - APPROACH_PROGRESS) * distance[going])
        x[going[nearer]], distance[going[nearer]] = moved[nearer], remaining[nearer]
        going = going[~slow]
    return x
