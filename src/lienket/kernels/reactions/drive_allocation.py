"""Allocation of the accelerations that programs prescribe to their drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from ..elimination.chain import NumericChain

NO_BOUND = 1e299  # [force] absolute value of a bound of a drive above which it counts as none
PROGRAM_CONFLICT_TOLERANCE = 1e-6  # [1] relative inconsistency allowed if there are more programs than drives
# [1] weight of the drives, relative to the largest response, in the search for the active bounds
CLIPPING_PENALTY = 1e-6
CLIPPING_ITERATIONS = 20  # [iterations] limit of the search for the active bounds, for each drive
CLIPPING_ROUNDING = 1e-15  # [1] slope of the sum, relative to its terms, that counts as rounding


def allocate_drives(
    G: Array,
    effects: Array,
    E: Array,
    limits: Array,
    chain: NumericChain,
    programs: Sequence[str],
    drives: Sequence[str],
) -> Callable[[Array], Array]:
    """Return the function from prescribed accelerations (m) of the rows G (m x n) of programs to the drives (p).

    effects (n x p) are the accelerations by unit drives, E (n x p) their forces, limits (p x 3) weights and bounds.
    Each program is scaled by its size, so that its units do not matter; for the rank each drive is scaled too. Where
    bounds keep drives from satisfying all programs, each row counts relative to the largest effect of a drive on it.
    """
    scale, D = chain.metric.scale, chain.D[:, : chain.D.shape[1] - chain.massless]
    sizes = _sizes(np.linalg.norm(G * scale @ D, axis=1), np.abs(G * scale) @ chain.metric.reach, chain.tolerance)
    force = E * scale[:, None]
    pushes = _sizes(np.linalg.norm(D.T @ force, axis=0), chain.metric.reach @ np.abs(force), chain.tolerance)
    response = G @ effects / sizes[:, None]
    rank = np.linalg.matrix_rank(response / pushes, tol=chain.tolerance)
    if rank < min(len(G), len(drives)):
        raise LienketError(
            f"The drives {', '.join(drives)} cannot keep {', '.join(map(repr, programs))} at this state: they do not "
            f"reach the accelerations it prescribes (rank {rank} of {min(len(G), len(drives))}). Add a drive that acts "
            "on them."
        )
    weights, least, most = limits.T
    root = np.sqrt(weights)

    def allocate(prescribed: Array) -> Array:
        """Return the drives for prescribed accelerations."""
        u = np.linalg.lstsq(response / root, prescribed / sizes, rcond=None)[0] / root
        if len(G) > len(drives):  # more rows than drives can be kept if they are consistent
            residual, terms = (
                response @ u - prescribed / sizes,
                np.abs(response) @ np.abs(u) + np.abs(prescribed / sizes),
            )
            largest_term = max(float(np.max(terms)), float(np.linalg.norm(chain.metric.massive.T @ chain.metric.h)))
            if np.any(np.abs(residual) > PROGRAM_CONFLICT_TOLERANCE * largest_term):
                raise LienketError(
                    f"The drives {', '.join(drives)} cannot keep {', '.join(map(repr, programs))} at this state: "
                    "the accelerations that the programs prescribe contradict each other. The state must satisfy all "
                    "programs."
                )
        if np.all((least <= u) & (u <= most)):
            return u
        rows = _sizes(np.abs(response).max(axis=1, initial=0.0), np.ones(len(G)), 0.0)  # as in native/bounded_drives
        bounds = weighted_bounds(least, most, root)
        u = clip_to_bounds(response / rows[:, None] / root, prescribed / sizes / rows, bounds) / root
        rounding = 1e-14 * np.abs(u)  # exactly at a bound in spite of the rounding of the roots
        u = np.where(np.abs(u - least) <= rounding, least, np.where(np.abs(u - most) <= rounding, most, u))
        return np.clip(u, least, most)

    return allocate


def _sizes(lengths: Array, bounds: Array, tolerance: float) -> Array:
    """Return the lengths of rows or columns; where a length is only rounding, the bound of its terms."""
    sizes: Array = np.where(lengths > tolerance * bounds, lengths, bounds)
    return np.where(sizes > 0, sizes, 1.0)


def weighted_bounds(least: Array, most: Array, root: Array) -> tuple[Array, Array]:
    """Return the bounds (p each) of the drives times the roots of their weights, infinite where there is none."""
    return (
        np.where(least > -NO_BOUND, least, -np.inf) * root,
        np.where(most < NO_BOUND, most, np.inf) * root,
    )


def clip_to_bounds(matrix: Array, right: Array, bounds: tuple[Array, Array]) -> Array:
    """Return the x (p) within bounds with the least |matrix x - right|, and of those the shortest.

    A component whose bounds coincide has no choice; the others are solved for with it in place. Without rows, every x
    is as good, and the shortest is the one nearest to zero.
    """
    least, most = bounds
    x = np.clip(np.zeros(matrix.shape[1]), least, most)
    movable = least < most
    if not matrix.any() or not movable.any():
        return x
    remaining = right - matrix[:, ~movable] @ x[~movable]
    x[movable] = _clip_movable(matrix[:, movable], remaining, (least[movable], most[movable]))
    return x


def _clip_movable(matrix: Array, right: Array, bounds: tuple[Array, Array]) -> Array:
    """Return the x (p) of `clip_to_bounds` where every lower bound lies below the upper one.

    The active-set method: components at their bounds are held, the others solved for as far as the first bound on the
    way, and of the held ones that is freed whose release reduces the sum fastest. (`scipy.optimize.lsq_linear` with
    "bvls" sometimes ends before its conditions hold.)
    """
    p, (least, most) = matrix.shape[1], bounds
    taller = np.vstack([matrix, (CLIPPING_PENALTY * np.abs(matrix).max() or 1.0) * np.eye(p)])
    wanted = np.concatenate([right, np.zeros(p)])
    x = np.clip(np.linalg.lstsq(taller, wanted, rcond=None)[0], least, most)
    free = (least < x) & (x < most)
    for _ in range(CLIPPING_ITERATIONS * p):
        x, met = _towards_optimum(taller, wanted, bounds, x, free)
        if met is None:
            met = _worth_freeing(taller, wanted, bounds, x, free)
        if met is None:
            break
        free[met] = not free[met]
    exact = x.copy()
    exact[free] = np.linalg.lstsq(matrix[:, free], right - matrix[:, ~free] @ x[~free], rcond=1e-9)[0]
    close = np.abs(exact - x) <= 1e-6 * np.abs(x).max(initial=0.0)
    return exact if np.all(close & (least <= exact) & (exact <= most)) else x


def _towards_optimum(
    matrix: Array, right: Array, bounds: tuple[Array, Array], x: Array, free: BoolArray
) -> tuple[Array, int | None]:
    """Return x (p) with its free components at their optimum, or at the first bound on the way and which one it is."""
    target = x.copy()
    target[free] = np.linalg.lstsq(matrix[:, free], right - matrix[:, ~free] @ x[~free], rcond=None)[0]
    beyond = np.flatnonzero((target < bounds[0]) | (target > bounds[1]))
    if not len(beyond):
        return target, None
    reached = np.where(target > x, bounds[1], bounds[0])
    fractions = (reached[beyond] - x[beyond]) / (target[beyond] - x[beyond])
    first = int(beyond[np.argmin(fractions)])
    x = np.clip(x + np.min(fractions) * (target - x), *bounds)
    x[first] = reached[first]
    return x, first


def _worth_freeing(matrix: Array, right: Array, bounds: tuple[Array, Array], x: Array, free: BoolArray) -> int | None:
    """Return the component at a bound whose release reduces |matrix x - right|^2 fastest, or None."""
    slope = matrix.T @ (matrix @ x - right)
    rounding = CLIPPING_ROUNDING * np.abs(matrix).T @ (np.abs(matrix) @ np.abs(x) + np.abs(right))
    gain = np.where(x == bounds[1], slope, -slope)  # at the upper bound a positive slope: a smaller x is better
    gain[free] = 0.0
    best = int(np.argmax(gain - rounding))
    return best if gain[best] > rounding[best] else None
