"""Other points from which to seek a state that satisfies the constraints: few, spread out, and always the same.

Angles are told by their effect: turned by 2 pi, every row is what it was. They are tried a quarter and a half turn on,
mirrored, and at random; other coordinates with the opposite sign, and at random within a few orders of magnitude.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ...kernels.projection import NEARLY, project, sizes_of
from .level_constraints import POSITIONS, LevelConstraints

TURN = 2 * np.pi
MOST, LEAST, WORK = 48, 12, 1000
"""Points tried: WORK divided by the free coordinates, within these bounds."""
QUIET = 12
"""Solutions in a row that are known already, after which no more are sought."""
STEPS, HALVINGS = 30, 6  # a point from which it takes more is not worth while
MAGNITUDES = (1.0, 0.3, 3.0, 0.1, 10.0)
UNKNOWN = tuple(10.0**k for k in (0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6))
"""Sizes of random moves, against the largest coordinate that is no angle; where all are 0, their unit is not known."""
SAME = 1e-5
"""Solutions nearer to each other than this, against the size of their coordinates, are one; double roots blur."""


@dataclass(frozen=True)
class Search:
    """The solutions found in order, each different; `nearest_miss` is where residuals were smallest otherwise."""

    solutions: tuple[Array, ...]
    nearest_miss: Array


def search(conditions: LevelConstraints, guess: Array, base: Array, free: Array) -> Search:
    """Solutions from points around `base`; angles are brought within half a turn of the guess."""
    angles = periodic(conditions, guess) & free
    found: list[Array] = []
    miss, least, quiet = base, misfit(conditions, base), 0
    moving = free & np.any(conditions.surface(base + irregular(len(base))).G != 0, axis=0)
    for x in _points(base, moving, angles):
        if not np.isfinite(conditions.surface(x).residual).all():
            continue
        x, code = project(conditions.surface, x, free, STEPS, HALVINGS)
        if code < 0:
            left = misfit(conditions, x)
            miss, least = (x, left) if left < least else (miss, least)
            continue
        near = turned_to(conditions, x, guess, free, angles)
        if near is None:
            continue
        x, quiet = near, quiet + 1
        if not any(same(x, y, angles) for y in found):
            found.append(x)
            quiet = 0
        if quiet >= QUIET:
            break
    return Search(tuple(found), miss)


def misfit(conditions: LevelConstraints, x: Array) -> float:
    """The largest residual at x as a share of its terms; infinite where it is no number."""
    here = conditions.surface(x)
    share = np.max(np.abs(here.residual) / np.where(here.residual == 0, 1.0, sizes_of(here, x)), initial=0.0)
    return float(share) if np.isfinite(share) else np.inf


def periodic(conditions: LevelConstraints, x: Array) -> Array:
    """Which coordinates are angles (n booleans): turned by 2 pi, no row changes, at a point without any pattern."""
    n = len(x)
    if conditions.level != POSITIONS:
        return np.zeros(n, dtype=bool)
    point = x + irregular(n)
    here = conditions.surface(point)
    reach = 1e-10 * np.abs(here.G).sum(axis=1)
    limit = 1e-10 * sizes_of(here, point) + reach
    found = np.zeros(n, dtype=bool)
    for i in np.flatnonzero(np.any(here.G != 0, axis=0)):
        there = conditions.surface(point + TURN * (np.arange(n) == i))
        # G as well: in x^2 - 1e12 the change of the residual is lost beside its terms.
        unturned = np.all(np.abs(there.G - here.G) <= reach[:, None])
        found[i] = unturned and np.all(np.abs(there.residual - here.residual) <= limit)
    return found


def irregular(n: int) -> Array:
    """N numbers between 0.3 and 0.9 without any pattern: multiples of the golden ratio."""
    return 0.3 + 0.6 * np.mod(0.6180339887498949 * np.arange(1, n + 1), 1.0)


def turned_to(conditions: LevelConstraints, x: Array, guess: Array, free: Array, angles: Array) -> Array | None:
    """The same solution with every angle within half a turn of the guess; None if it is none then.

    Beside an angle of 1e16 any residual is rounding: Newton's step from a place where a row hardly depends on it.
    """
    turns = np.where(angles, np.round((x - guess) / TURN), 0.0)
    if not turns.any():
        return x
    x = x - TURN * turns
    if misfit(conditions, x) > NEARLY:
        return None
    x, code = project(conditions.surface, x, free)
    return x if code >= 0 else None


def same(x: Array, y: Array, angles: Array, where: Array | None = None) -> bool:
    """Whether two solutions are one, in the coordinates `where`."""
    distance = np.abs(x - y)
    distance = np.where(angles, np.abs(distance - TURN * np.round(distance / TURN)), distance)
    length = np.max(np.where(angles, 0.0, np.maximum(np.abs(x), np.abs(y))), initial=0.0)
    close = distance <= SAME * np.where(angles, 1.0, length)
    return bool(np.all(close if where is None else close[where]))


def _points(base: Array, free: Array, angles: Array) -> Iterator[Array]:
    """The points from which to seek, at most MOST."""
    places = np.flatnonzero(free)
    count = int(np.clip(WORK // max(len(places), 1), LEAST, MOST))
    number = 0
    for x in _regular_points(base, free, angles):
        if 2 * number >= count:
            break
        number += 1
        yield x
    rng = np.random.default_rng(len(places))
    largest = np.max(np.abs(np.where(angles, 0.0, base)), initial=0.0)
    length, magnitudes = (largest, MAGNITUDES) if largest else (1.0, UNKNOWN)
    for k in range(count - number):
        spread = np.where(angles, np.pi * rng.uniform(-1, 1, len(base)), length * rng.normal(size=len(base)))
        spread = np.where(angles, spread, spread * magnitudes[k % len(magnitudes)])
        yield base + np.where(free, spread, 0.0)


def _regular_points(base: Array, free: Array, angles: Array) -> Iterator[Array]:
    """Everything mirrored; all angles turned; one coordinate after another turned or mirrored."""
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
