"""The allotment of what programs ask to their drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import LienketError
from ..elimination.chain import NumericChain
from ..elimination.metric import Array

NO_BOUND = 1e299
AGAINST = 1e-6
"""What programs that are more than their drives may ask for against each other, as a share of what there is."""
SLIGHTLY = 1e-6
"""How much the squares of drives count beside what is asked, while it is sought which bounds hold."""


def allocate_drives(
    G: Array,
    effects: Array,
    E: Array,
    limits: Array,
    chain: NumericChain,
    programs: Sequence[str],
    drives: Sequence[str],
) -> Callable[[Array], Array]:
    """The function that gives the drives (p) for accelerations asked (m) of the rows G (m x n) of programs.

    effects (n x p) are the accelerations that drives of 1 make, E (n x p) their forces, limits (p x 3) weights and
    bounds. Each program is measured by its own size, so that its units do not matter; for the rank also each drive.
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

    def allot(asked: Array) -> Array:
        u = np.linalg.lstsq(response / root, asked / sizes, rcond=None)[0] / root
        if len(G) > len(drives):  # more rows than drives may be kept, but not against each other
            left, terms = response @ u - asked / sizes, np.abs(response) @ np.abs(u) + np.abs(asked / sizes)
            whole = max(float(np.max(terms)), float(np.linalg.norm(chain.metric.massive.T @ chain.metric.h)))
            if np.any(np.abs(left) > AGAINST * whole):
                raise LienketError(
                    f"The drives {', '.join(drives)} cannot keep {', '.join(map(repr, programs))} at this state, which "
                    "ask for different things. The state must lie on everything that the programs ask for."
                )
        if np.all((least <= u) & (u <= most)):
            return u
        bounds = [np.where(np.abs(b) < NO_BOUND, b * root, np.sign(b) * np.inf) for b in (least, most)]
        u = clip_to_bounds(response / root, asked / sizes, bounds) / root
        near = 1e-14 * np.abs(u)  # at a bound exactly, whatever its root has made of it
        u = np.where(np.abs(u - least) <= near, least, np.where(np.abs(u - most) <= near, most, u))
        return np.clip(u, least, most)

    return allot


def _sizes(lengths: Array, bounds: Array, tolerance: float) -> Array:
    """The lengths of rows or columns; where only rounding is left of one, what it was made of."""
    found: Array = np.where(lengths > tolerance * bounds, lengths, bounds)
    return np.where(found > 0, found, 1.0)


def clip_to_bounds(matrix: Array, right: Array, bounds: Sequence[Array]) -> Array:
    """The x (p) within bounds with the least |matrix x - right|, and of those the shortest."""
    from scipy.optimize import lsq_linear

    p = matrix.shape[1]
    taller = np.vstack([matrix, SLIGHTLY * np.abs(matrix).max() * np.eye(p)])
    x = lsq_linear(taller, np.concatenate([right, np.zeros(p)]), bounds, method="bvls", tol=1e-15).x
    open_ones = (bounds[0] < x) & (x < bounds[1])
    exact = x.copy()
    exact[open_ones] = np.linalg.lstsq(matrix[:, open_ones], right - matrix[:, ~open_ones] @ x[~open_ones], rcond=1e-9)[
        0
    ]
    near = np.abs(exact - x) <= 1e-6 * np.abs(x).max(initial=0.0)
    return exact if np.all(near & (bounds[0] <= exact) & (exact <= bounds[1])) else x
