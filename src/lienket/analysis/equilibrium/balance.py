"""Whether the end of a search is an equilibrium: its residual is rounding, in every direction by itself.

A small residual is not enough. Where forces only fade with the distance, as exp(-x) and 1/x^2 do, they are as small as
one likes without balancing, and a further Newton step is as long as the way so far; beyond some distance they even
underflow to zero. A direction without any stiffness is neutral only if its forces cancel.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from .forces_at_rest import ForcesAtRest

BALANCE_TOLERANCE = 1e-10  # [1] unbalanced force, relative to the largest forces, or relative step that counts as zero
BALANCED_STEP_LIMIT = 1e-4  # [1] relative step above which a small unbalanced force is not a balance
CANCELLATION_TOLERANCE = 1e-12  # [1] unbalanced force, relative to the forces in its direction, that has cancelled
STIFFNESS_RANK_TOLERANCE = 1e-12  # [1] singular value, relative to the largest, that counts as zero
REACHABLE_TOLERANCE = 1e-6  # [1] part of the residual outside the range of its derivative that counts as zero
MOVES = (0.3, 0.6, 0.9)  # [1] of the position, along a direction, at which a force that fades is larger
VANISHING_RATIO = 1e-14  # [1] force, relative to that at another position, that counts as zero
FADED_RATIO = 1e-10  # [1] force next to where it counts as zero, relative to the same, below which it fades gradually
BOUNDARY_HALVINGS = 60  # [halvings] of the way on which a force vanishes
BOUNDARY_MARGIN = 0.05  # [1] of the way before the place where a force vanishes


def is_balanced(rest: ForcesAtRest, begin: Array, size: float) -> bool:
    """Return whether the residual at the end of a search from `begin` (n) is rounding.

    `size` is that of the largest forces met.
    """
    n = rest.bound.D.shape[1]
    r, rates = rest.residual[:n], rest.residual[n:]
    small = float(np.linalg.norm(r)) <= BALANCE_TOLERANCE * size
    small &= float(np.linalg.norm(rates)) <= BALANCE_TOLERANCE * max(float(np.linalg.norm(rest.of.scale)), 1.0)
    U, values, V = np.linalg.svd(rest.slope, full_matrices=False)
    along = U.T @ rest.residual
    counted = values > STIFFNESS_RANK_TOLERANCE * (values[0] if values.size else 0.0)
    reachable = np.linalg.norm(rest.residual - U[:, counted] @ along[counted]) <= REACHABLE_TOLERANCE * rest.misfit
    reach = np.maximum(np.abs(rest.q), 1.0)
    directions = rest.movable @ V.T
    steps = directions * np.where(values > 0, along / np.where(values > 0, values, 1.0), 0.0)
    largest = float(np.max(np.abs(steps[:, counted].sum(axis=1)) / reach, initial=0.0))
    if not (small and largest <= BALANCED_STEP_LIMIT):
        return bool(reachable and largest <= BALANCE_TOLERANCE)
    lengths = np.max(np.abs(steps) / reach[:, None], axis=0, initial=0.0)  # of the step in each direction
    cancelled = np.abs(along) <= CANCELLATION_TOLERANCE * (np.abs(U.T) @ _sizes(rest))
    doubtful = ~counted & ~cancelled & ((lengths > BALANCED_STEP_LIMIT) | (values == 0))
    fading = any(_grows(rest, direction, size) for direction in directions[:, doubtful].T)
    return not fading and not _vanishes(rest, begin, size)


def _grows(rest: ForcesAtRest, direction: Array, size: float) -> bool:
    """Return whether the force along a direction is more than rounding farther along it, and turns nowhere.

    On both sides of a balance, as that of a force x^7, the forces have opposite signs.
    """
    unit = direction / np.max(np.abs(direction))
    reach = float(np.max(np.maximum(np.abs(rest.q), 1.0) * np.abs(unit)))
    pairs = [[rest.of.at(rest.q + way * reach * unit) for way in (-share, share)] for share in MOVES]
    forces = np.array([[float(at.force @ unit) for at in pair] for pair in pairs if all(at.finite for at in pair)])
    forces = np.where(np.abs(forces) > BALANCE_TOLERANCE * size, forces, 0.0).reshape(-1, 2)
    return bool(np.any(forces) and not np.any(forces[:, 0] * forces[:, 1] < 0))


def _sizes(rest: ForcesAtRest) -> Array:
    """Return the sizes of the terms of the residual: of the forces along each free direction, then of the rates."""
    terms = rest.terms
    forces = np.abs(terms["h"]) + np.abs(terms["G"]).T @ np.abs(rest.multipliers)
    n = rest.bound.D.shape[1]
    return np.concatenate([np.abs(rest.bound.D).T @ forces, np.ones(len(rest.residual) - n)])


def _vanishes(rest: ForcesAtRest, begin: Array, size: float) -> bool:
    """Return whether a force has become zero by rounding only, as exp(-x^2) has at x = 40.

    It is followed from the beginning, and from positions along its coordinate, to where it is zero. A force that ends
    at a place, as that of a spring which loses contact, is not small before this place.
    """
    reach, here = np.maximum(np.abs(rest.q), 1.0), np.abs(rest.terms["h"])
    zero = here <= BALANCE_TOLERANCE * size
    if not zero.any():
        return False
    sides = [rest.q + sign * share * reach * unit for unit in np.eye(len(reach)) for sign in (-1, 1) for share in MOVES]
    for start in (begin, *sides):
        first = np.abs(rest.of.at(start).terms["h"])
        gone = zero & np.isfinite(first) & (first > BALANCE_TOLERANCE * size) & (here <= VANISHING_RATIO * first)
        if any(_fades(rest, start, int(i), float(first[i])) for i in np.flatnonzero(gone)):
            return True
    return False


def _fades(rest: ForcesAtRest, start: Array, i: int, first: float) -> bool:
    """Return whether the force on coordinate i, `first` at a position, becomes zero gradually on the way from there."""
    way = rest.q - start

    def force(share: float) -> float:
        """Return the size of the force after a share of the way, relative to the first."""
        return abs(float(rest.of.at(start + share * way).terms["h"][i])) / first

    low, high = 0.0, 1.0  # the force is not zero at the first and zero at the second
    for _ in range(BOUNDARY_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if force(middle) > VANISHING_RATIO else (low, middle)
    return force((1 - BOUNDARY_MARGIN) * low) < FADED_RATIO
