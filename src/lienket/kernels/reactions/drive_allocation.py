"""Allocation of the accelerations that programs prescribe to their drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ..elimination.chain import NumericChain

NO_BOUND = 1e299  # [force] absolute value of a bound of a drive above which it counts as none
PROGRAM_CONFLICT_TOLERANCE = 1e-6  # [1] relative inconsistency allowed if there are more programs than drives
# [1] weight of the drives, relative to the largest response, in the search for the active bounds
CLIPPING_PENALTY = 1e-6


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
    Each program is scaled by its size, so that its units do not matter; for the rank each drive is scaled too.
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
        bounds = [np.where(np.abs(b) < NO_BOUND, b * root, np.sign(b) * np.inf) for b in (least, most)]
        u = clip_to_bounds(response / root, prescribed / sizes, bounds) / root
        rounding = 1e-14 * np.abs(u)  # exactly at a bound in spite of the rounding of the roots
        u = np.where(np.abs(u - least) <= rounding, least, np.where(np.abs(u - most) <= rounding, most, u))
        return np.clip(u, least, most)

    return allocate


def _sizes(lengths: Array, bounds: Array, tolerance: float) -> Array:
    """Return the lengths of rows or columns; where a length is only rounding, the bound of its terms."""
    sizes: Array = np.where(lengths > tolerance * bounds, lengths, bounds)
    return np.where(sizes > 0, sizes, 1.0)


def clip_to_bounds(matrix: Array, right: Array, bounds: Sequence[Array]) -> Array:
    """Return the x (p) within bounds with the least |matrix x - right|, and of those the shortest."""
    from scipy.optimize import lsq_linear

    p = matrix.shape[1]
    taller = np.vstack([matrix, CLIPPING_PENALTY * np.abs(matrix).max() * np.eye(p)])
    x = lsq_linear(taller, np.concatenate([right, np.zeros(p)]), bounds, method="bvls", tol=1e-15).x
    free = (bounds[0] < x) & (x < bounds[1])
    exact = x.copy()
    exact[free] = np.linalg.lstsq(matrix[:, free], right - matrix[:, ~free] @ x[~free], rcond=1e-9)[0]
    close = np.abs(exact - x) <= 1e-6 * np.abs(x).max(initial=0.0)
    return exact if np.all(close & (bounds[0] <= exact) & (exact <= bounds[1])) else x
