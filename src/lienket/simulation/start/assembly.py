"""Solution of the constraints near a guess, with some coordinates fixed.

Newton's method from the guess, each step the shortest in the metric of A (kernels/projection.py). If the steps after
the first add up to at most half of it, the solution is the one near the guess (after Kantorovich). Otherwise, or if
Newton's method fails, other initial points are tried, and the solution nearest to the guess in the metric of A is used.

`native.near_guess` is the compiled version of the first case, which is the usual one.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.projection import PROJECTION_TOLERANCE, Surface, project, sizes_of
from .contradiction import contradiction
from .level_constraints import LevelConstraints
from .multistart import TURN, equal, irregular, periodic, search, turned_to
from .nearest_point import fixed_by_rows, length, towards_guess

TYPED_ROUNDING = 1e-6  # [1] residual relative to its terms that counts as rounding of typed values; fixed ones adapt
ZERO_ROUNDING = 1e-14  # [1] rounding of a coordinate near zero, as in sin(pi), where all terms of a residual vanish
NEWTON_LIMIT = 50  # [iterations] of Newton's method from the guess
CONTRACTION_LIMIT = 0.5  # [1] way after the first Newton step, relative to this step, up to which a solution is certain
APPROACHED_SOLUTIONS = 4  # [solutions] nearest to the guess that are moved closer to it


@dataclass(frozen=True)
class Assembly:
    """Solution x (n), and other solutions, nearest first."""

    x: Array
    others: tuple[Array, ...] = ()


@dataclass(frozen=True)
class _NewtonResult:
    """End x (n) of Newton's method; whether it is a solution, and whether it is certainly the one near the guess."""

    x: Array
    solved: bool
    certain: bool


def assemble(conditions: LevelConstraints, guess: Array, fixed: BoolArray, others: bool) -> Assembly:
    """Return the solution x (n) near the guess with x[fixed] unchanged; with `others`, further solutions as well.

    Raises StartError if there is none. Other solutions are distinguished by the coordinates that the constraints
    determine, since the remaining ones are arbitrary. The solution x does not depend on `others`.
    """
    free = ~fixed
    with np.errstate(all="ignore"):
        surface = conditions.surface(guess)
        conditions.check(surface, guess)
        if not len(surface.residual):
            return Assembly(guess)
        if np.all(np.abs(surface.residual) <= PROJECTION_TOLERANCE * sizes_of(surface, guess)):
            near = _NewtonResult(guess, True, True)
        else:
            near = _newton(conditions, surface, guess, free)
        if not near.solved:
            rounded = solution_within_rounding(conditions, near.x)
            if rounded is not None:
                return Assembly(rounded)
        if near.certain:
            return Assembly(near.x, other_solutions(conditions, near.x, guess, fixed) if others else ())
        if not near.solved and (not free.any() or _linear(conditions, surface, guess, free)):
            raise contradiction(conditions, near.x, fixed, guess)
        return _multistart(conditions, surface, guess, fixed, near, others)


def other_solutions(conditions: LevelConstraints, x: Array, guess: Array, fixed: BoolArray) -> tuple[Array, ...]:
    """Return the solutions other than x, which is certainly the one near the guess; nearest first."""
    free = ~fixed
    with np.errstate(all="ignore"):
        if not _may_have_others(conditions, x, free):
            return ()
        near = _NewtonResult(x, True, True)
        return _multistart(conditions, conditions.surface(guess), guess, fixed, near, others=True).others


def _newton(conditions: LevelConstraints, surface: Surface, guess: Array, free: BoolArray) -> _NewtonResult:
    """Apply Newton's method from the guess; angles of the solution are moved to within half a turn of it."""
    path: list[Array] = []
    x, code = project(conditions.surface, guess, free, steps=1 + NEWTON_LIMIT, at=surface, path=path)
    if code >= 0 and not path:
        return _NewtonResult(x, True, True)
    first = path[0] if path else guess
    if code >= 0 and np.any(np.abs(x - guess) > TURN / 2):
        near = turned_to(conditions, x, guess, free, periodic(conditions, guess) & free)
        if near is None:
            return _NewtonResult(guess, False, False)
        x = near
    contracts = length(surface.A, x - first) <= CONTRACTION_LIMIT * length(surface.A, first - guess)
    return _NewtonResult(x, code >= 0, code >= 0 and contracts)


def solution_within_rounding(conditions: LevelConstraints, x: Array) -> Array | None:
    """Return the solution next to x, fixed coordinates included, if the residuals at x are rounding; else None."""
    surface = conditions.surface(x)
    sizes = np.maximum(surface.terms, sizes_of(surface, x))
    limit = np.maximum(TYPED_ROUNDING * sizes, ZERO_ROUNDING * np.abs(surface.G).sum(axis=1))
    if not np.all(np.abs(surface.residual) <= limit):
        return None
    solution, code = project(conditions.surface, x)
    return solution if code >= 0 else None


def _may_have_others(conditions: LevelConstraints, x: Array, free: BoolArray) -> bool:
    """Return whether there may be further solutions: nonlinear rows determine some coordinates."""
    if not free.any() or not conditions.rows or conditions.linear_by_kind:
        return False
    surface = conditions.surface(x)
    return not _linear(conditions, surface, x, free) and bool(fixed_by_rows(surface, free).any())


def _linear(conditions: LevelConstraints, surface: Surface, x: Array, free: BoolArray) -> bool:
    """Return whether the rows are linear in the free coordinates: G is equal at two irregular points."""
    size = np.max(np.abs(x), initial=0.0) or 1.0
    d = np.where(free, irregular(len(x)), 0.0)
    return all(np.array_equal(conditions.surface(x + step * d).G, surface.G) for step in (size, -0.7))


def _multistart(
    conditions: LevelConstraints, surface: Surface, guess: Array, fixed: BoolArray, near: _NewtonResult, others: bool
) -> Assembly:
    """Return the solution of Newton's method if it is certain, otherwise the nearest of a search; and the others."""
    free = ~fixed
    angles = periodic(conditions, guess) & free
    result = search(conditions, guess, near.x, free)
    solutions = [*([near.x] if near.solved else []), *result.solutions]
    if not solutions:
        raise contradiction(conditions, result.nearest_miss, fixed, guess)

    def distance(x: Array) -> tuple[float, float]:
        """Return the sort key: the distance to the guess, rounded, so that of mirror images the more positive wins."""
        return float(f"{length(surface.A, x - guess):.7g}"), -float(x.sum())

    solutions.sort(key=distance)
    if near.certain:
        nearest = near.x
    else:
        approached = towards_guess(conditions, guess, np.array(solutions[:APPROACHED_SOLUTIONS]), free)
        nearest = min(approached, key=distance)
    if not others:
        return Assembly(nearest)
    surfaces = [conditions.surface(x) for x in (nearest, *solutions)]
    where = np.logical_and.reduce([fixed_by_rows(each, free) for each in surfaces])
    distinct = [nearest]
    for x in solutions if where.any() else ():
        if not any(equal(x, y, angles, where) for y in distinct):
            distinct.append(x)
    return Assembly(nearest, tuple(distinct[1:]))
