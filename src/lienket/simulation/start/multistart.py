"""Search for states that satisfy the constraints from several initial points: few, spread out, deterministic.

A coordinate is recognized as an angle if no row changes when it is turned by 2 pi. Angles are varied by a quarter and
a half turn, mirrored, and at random; other coordinates by the opposite sign, and at random over a few orders of
magnitude.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.projection import PROJECTION_ROUNDING, UNDERFLOW, project, sizes_of
from ...kernels.projection_of_many import project_many, sizes_of_many
from .level_constraints import POSITIONS, LevelConstraints

TURN = 2 * np.pi
DISCARDED = -99  # code of a point from which angles of rounding were reached
MOST_POINTS = 48  # [points] tried at most
FEWEST_POINTS = 12  # [points] tried at least
POINT_BUDGET = 1000  # [points] times free coordinates; within the two bounds it gives the number of points
REPEATED_SOLUTIONS_LIMIT = 12  # [solutions] in a row that are already known, after which the search ends
SEARCH_STEP_LIMIT = 30  # [iterations] of Newton's method from one point
SEARCH_HALVING_LIMIT = 6  # [halvings] of a Newton step from one point
MAGNITUDES = (1.0, 0.3, 3.0, 0.1, 10.0)
MAGNITUDES_WITHOUT_SCALE = tuple(10.0**k for k in (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6))
"""Sizes of random moves, relative to the largest coordinate that is not an angle; without scale where all are 0."""
# [1] distance of two solutions, relative to their coordinates, below which they are equal; double roots are inaccurate
EQUAL_SOLUTIONS = 1e-5
PERIOD_TOLERANCE = 1e-10  # [1] change of a row over 2 pi, relative to its terms, below which it counts as periodic


@dataclass(frozen=True)
class Search:
    """Distinct solutions in the order in which they were found; `nearest_miss` has the smallest residuals otherwise."""

    solutions: tuple[Array, ...]
    nearest_miss: Array


def search(conditions: LevelConstraints, guess: Array, base: Array, free: BoolArray) -> Search:
    """Search for solutions from points around `base`; their angles are within half a turn of the guess."""
    angles = periodic(conditions, guess) & free
    solutions: list[Array] = []
    miss, least, repeated = base, misfit(conditions, base), 0
    moving = free & np.any(conditions.surface(base + irregular(len(base))).G != 0, axis=0)
    for x, code in _projected(conditions, np.array(list(_points(base, moving, angles))), free, guess, angles):
        if code == DISCARDED:
            continue
        if code < 0:
            residual = misfit(conditions, x)
            miss, least = (x, residual) if residual < least else (miss, least)
            continue
        repeated += 1
        if not solutions or not equal(x, np.array(solutions), angles).any():
            solutions.append(x)
            repeated = 0
        if repeated >= REPEATED_SOLUTIONS_LIMIT:
            break
    return Search(tuple(solutions), miss)


def _projected(
    conditions: LevelConstraints, points: Array, free: BoolArray, guess: Array, angles: BoolArray
) -> Iterator[tuple[Array, int]]:
    """Yield the end of Newton's method from each point, turned to the guess, and its code; DISCARDED: no solution."""
    points = points[np.isfinite(conditions.surfaces(points).residual).all(axis=1)]
    x, codes = project_many(conditions.surfaces, points, free, SEARCH_STEP_LIMIT, SEARCH_HALVING_LIMIT)
    solved = codes >= 0
    x[solved], codes[solved] = _turned_to(conditions, x[solved], guess, free, angles)
    yield from zip(x, codes.tolist(), strict=True)


def _turned_to(
    conditions: LevelConstraints, x: Array, guess: Array, free: BoolArray, angles: BoolArray
) -> tuple[Array, Array]:
    """Return solutions (N x n) as `turned_to` does, and their codes (N): 0, or DISCARDED."""
    turns = np.where(angles, np.round((x - guess) / TURN), 0.0)
    codes, turned = np.zeros(len(x), dtype=int), turns.any(axis=1)
    if not turned.any():
        return x, codes
    back = x[turned] - TURN * turns[turned]
    surface = conditions.surfaces(back)
    residual = np.abs(surface.residual)
    sizes = np.where(residual <= UNDERFLOW, 1.0, sizes_of_many(surface, back))
    rounding = (residual / sizes).max(axis=1, initial=0.0) <= PROJECTION_ROUNDING
    moved, ends = project_many(conditions.surfaces, back, free)
    x = x.copy()
    x[turned] = moved
    codes[turned] = np.where(rounding & (ends >= 0), 0, DISCARDED)
    return x, codes


def misfit(conditions: LevelConstraints, x: Array) -> float:
    """Return the largest residual at x relative to its terms; infinite where it is not finite."""
    surface = conditions.surface(x)
    sizes = np.where(np.abs(surface.residual) <= UNDERFLOW, 1.0, sizes_of(surface, x))
    largest = np.max(np.abs(surface.residual) / sizes, initial=0.0)
    return float(largest) if np.isfinite(largest) else np.inf


def periodic(conditions: LevelConstraints, x: Array) -> BoolArray:
    """Return which coordinates are angles (n booleans): turned by 2 pi at an irregular point, no row changes."""
    n = len(x)
    if conditions.level != POSITIONS:
        return np.zeros(n, dtype=bool)
    point = x + irregular(n)
    original = conditions.surface(point)
    limit_G = PERIOD_TOLERANCE * np.abs(original.G).sum(axis=1)
    limit = PERIOD_TOLERANCE * sizes_of(original, point) + limit_G
    angles = np.zeros(n, dtype=bool)
    for i in np.flatnonzero(np.any(original.G != 0, axis=0)):
        turned = conditions.surface(point + TURN * (np.arange(n) == i))
        # G is compared as well: in x^2 - 1e12 rounding hides the change of the residual.
        equal_G = np.all(np.abs(turned.G - original.G) <= limit_G[:, None])
        angles[i] = equal_G and np.all(np.abs(turned.residual - original.residual) <= limit)
    return angles


def irregular(n: int) -> Array:
    """Return n irregular numbers between 0.3 and 0.9: fractional parts of multiples of the golden ratio."""
    return 0.3 + 0.6 * np.mod(0.6180339887498949 * np.arange(1, n + 1), 1.0)


def turned_to(conditions: LevelConstraints, x: Array, guess: Array, free: BoolArray, angles: BoolArray) -> Array | None:
    """Return a solution with every angle moved to within half a turn of the guess; None if it is not a solution then.

    That happens with angles of about 1e16, where any residual is rounding: a Newton step from a point at which the rows
    hardly depend on the angle leads there.
    """
    turns = np.where(angles, np.round((x - guess) / TURN), 0.0)
    if not turns.any():
        return x
    x = x - TURN * turns
    if misfit(conditions, x) > PROJECTION_ROUNDING:
        return None
    x, code = project(conditions.surface, x, free)
    return x if code >= 0 else None


def equal(x: Array, y: Array, angles: BoolArray, where: BoolArray | None = None) -> BoolArray | np.bool_:
    """Return whether solutions x and y (... x n) are equal in the coordinates `where`, angles up to full turns."""
    distance = np.abs(x - y)
    distance = np.where(angles, np.abs(distance - TURN * np.round(distance / TURN)), distance)
    length = np.where(angles, 0.0, np.maximum(np.abs(x), np.abs(y))).max(axis=-1, initial=0.0)
    close = distance <= EQUAL_SOLUTIONS * np.where(angles, 1.0, length[..., None])
    return np.all(close if where is None else close[..., where], axis=-1)


def _points(base: Array, free: BoolArray, angles: BoolArray) -> Iterator[Array]:
    """Yield the initial points of the search, at most MOST_POINTS: regular ones, then random ones."""
    dimension = int(np.count_nonzero(free))
    count = int(np.clip(POINT_BUDGET // max(dimension, 1), FEWEST_POINTS, MOST_POINTS))
    number = 0
    for x in _regular_points(base, free, angles):
        if 2 * number >= count:
            break
        number += 1
        yield x
    rng = np.random.default_rng(dimension)
    largest = np.max(np.abs(np.where(angles, 0.0, base)), initial=0.0)
    length, magnitudes = (largest, MAGNITUDES) if largest else (1.0, MAGNITUDES_WITHOUT_SCALE)
    for k in range(count - number):
        spread = np.where(angles, np.pi * rng.uniform(-1, 1, len(base)), length * rng.normal(size=len(base)))
        spread = np.where(angles, spread, spread * magnitudes[k % len(magnitudes)])
        yield base + np.where(free, spread, 0.0)


def _regular_points(base: Array, free: BoolArray, angles: BoolArray) -> Iterator[Array]:
    """Yield points with all coordinates mirrored, all angles turned, and single coordinates turned or mirrored."""
    yield np.where(free, -base, base)
    yield np.where(angles, np.pi - base, base)
    yield base + np.where(angles, np.pi, 0.0)
    for i in np.flatnonzero(free):
        one = np.arange(len(base)) == i
        if angles[i]:
            for turn in (np.pi, np.pi / 2, -np.pi / 2):
                yield base + turn * one
        elif base[i] != 0:
            yield np.where(one, -base, base)
