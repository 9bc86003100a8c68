"""A state that satisfies its constraints, near a guess, with some of its numbers held.

Newton's steps from the guess, each the shortest in the metric of A (kernels/projection.py). If what follows the first
step is at most half of it, the solution is the one near the guess (after Kantorovich). If the steps wander or fail,
other points are tried as well, and of all solutions the nearest to the guess in the metric of A is taken.
"""

from __future__ import annotations

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ...kernels.projection import SOLVED, Surface, project, sizes_of
from .contradiction import contradiction
from .level_constraints import LevelConstraints
from .multistart import TURN, irregular, periodic, same, search, turned_to
from .nearest_point import fixed_by_rows, length, towards_guess

ROUNDED = 1e-6
"""Residuals up to this share of their terms are the rounding of typed numbers: held values give way to them."""
NOTHING = 1e-14
"""The same where all terms are zero, for coordinates of about this size: sin(pi) is one."""
STEPS = 50
DRAWN = 4  # of the solutions found, so many of the nearest are drawn nearer still


@dataclass(frozen=True)
class Assembly:
    """The solution taken, x (n), and other ones, nearest first."""

    x: Array
    others: tuple[Array, ...] = ()


@dataclass(frozen=True)
class _Near:
    """Where Newton's steps lead; whether that is a solution, and whether it is surely the one near the guess."""

    x: Array
    solved: bool
    sure: bool


def assemble(conditions: LevelConstraints, guess: Array, fixed: Array, others: bool) -> Assembly:
    """The x (n) near the guess with x[fixed] as given that satisfies the conditions; with `others`, further ones too.

    Raises StartError if there is none. Others are told apart by coordinates that the conditions determine; those
    that are left some freedom differ in any case. What is taken does not depend on `others`.
    """
    free = ~fixed
    with np.errstate(all="ignore"):
        here = conditions.surface(guess)
        conditions.check(here, guess)
        if np.all(np.abs(here.residual) <= SOLVED * sizes_of(here, guess)):
            near = _Near(guess, True, True)
        else:
            near = _newton(conditions, here, guess, free)
        if not near.solved:
            polished = _polished(conditions, near.x)
            if polished is not None:
                return Assembly(polished)
        if near.sure and not (others and _several(conditions, near.x, free)):
            return Assembly(near.x)
        if not near.solved and (not free.any() or _linear(conditions, here, guess, free)):
            raise contradiction(conditions, near.x, fixed, guess)
        return _sought(conditions, here, guess, fixed, near, others)


def _newton(conditions: LevelConstraints, here: Surface, guess: Array, free: Array) -> _Near:
    first, code = project(conditions.surface, guess, free, steps=1)
    if code >= 0:
        return _Near(first, True, True)
    x, code = project(conditions.surface, first, free, steps=STEPS)
    if code >= 0 and np.any(np.abs(x - guess) > TURN / 2):
        near = turned_to(conditions, x, guess, free, periodic(conditions, guess) & free)
        if near is None:
            return _Near(guess, False, False)
        x = near
    contracts = length(here.A, x - first) <= length(here.A, first - guess) / 2
    return _Near(x, code >= 0, code >= 0 and contracts)


def _polished(conditions: LevelConstraints, x: Array) -> Array | None:
    """The solution next to x with everything moved, if x misses it by rounding only."""
    here = conditions.surface(x)
    limit = np.maximum(ROUNDED * sizes_of(here, x), NOTHING * np.abs(here.G).sum(axis=1))
    if not np.all(np.abs(here.residual) <= limit):
        return None
    found, code = project(conditions.surface, x)
    return found if code >= 0 else None


def _several(conditions: LevelConstraints, x: Array, free: Array) -> bool:
    """Whether there could be further solutions: some coordinates are determined, by rows that are not linear."""
    if not free.any():
        return False
    here = conditions.surface(x)
    return bool(fixed_by_rows(here, free).any()) and not _linear(conditions, here, x, free)


def _linear(conditions: LevelConstraints, here: Surface, x: Array, free: Array) -> bool:
    """Whether the rows are linear in the free coordinates: G does not change, at two points without any pattern."""
    size = np.max(np.abs(x), initial=0.0) or 1.0
    d = np.where(free, irregular(len(x)), 0.0)
    return all(np.array_equal(conditions.surface(x + step * d).G, here.G) for step in (size, -0.7))


def _sought(
    conditions: LevelConstraints, here: Surface, guess: Array, fixed: Array, near: _Near, others: bool
) -> Assembly:
    """The solution found already if it is sure, or the nearest one found from many points; and the others."""
    free = ~fixed
    angles = periodic(conditions, guess) & free
    found = search(conditions, guess, near.x, free)
    known = [*([near.x] if near.solved else []), *found.solutions]
    if not known:
        raise contradiction(conditions, found.nearest_miss, fixed, guess)

    def way(x: Array) -> tuple[float, float]:
        # Mirror images are equally far; rounding must not decide between them, so the more positive one comes first.
        return float(f"{length(here.A, x - guess):.7g}"), -float(x.sum())

    known.sort(key=way)
    if near.sure:
        taken = near.x
    else:
        drawn = [towards_guess(conditions, guess, x, free) for x in known[:DRAWN]]
        taken = min(drawn, key=way)
    if not others:
        return Assembly(taken)
    points = [conditions.surface(x) for x in (taken, *known)]
    where = np.logical_and.reduce([fixed_by_rows(point, free) for point in points])
    kept = [taken]
    for x in known if where.any() else ():
        if not any(same(x, y, angles, where) for y in kept):
            kept.append(x)
    return Assembly(taken, tuple(kept[1:]))
