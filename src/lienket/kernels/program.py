"""Program constraints: drives instead of reactions (theory 10).

    A q'' = h + G1^T lambda + E u,    G2 q'' + g2 = 0,    u = -(G2 W1 E)^-1 (G2 a1 + g2)

a1 and W1 belong to the system under its other constraints G1. More drives than programs: the u of least norm.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..compiled.numbers import RowNumbers
from ..errors import LienketError
from .chain import Chain
from .metric import Array


@dataclass(frozen=True)
class Driven:
    """The drives by name, the force E u of each program by name (n each), and the accelerations they make (n)."""

    drives: dict[str, float]
    forces: dict[str, Array]
    accelerations: Array


def driven(chain: Chain, programs: Sequence[RowNumbers], kept: Collection[tuple[str, int]] = ()) -> Driven:
    """The drives that keep the programs, on top of the constraints in the chain.

    `kept` are rows, (name, number), that the constraints keep already.
    """
    scale = chain.metric.scale
    D = chain.D[:, : chain.D.shape[1] - chain.massless]
    open_rows = [(p.name, k) not in kept for p in programs for k in range(len(p.g0))]
    G = np.concatenate([p.G for p in programs])[open_rows] * scale
    g0 = np.concatenate([p.g0 for p in programs])[open_rows]
    E = np.concatenate([p.E for p in programs], axis=1) * scale[:, None]
    # Each program by its own size, so that its units do not matter; for the rank also each drive by its own.
    reached, pushed = G @ D, D.T @ E
    sizes = _sizes(np.linalg.norm(reached, axis=1), np.abs(G) @ chain.metric.reach, chain.tolerance)
    pushes = _sizes(np.linalg.norm(pushed, axis=0), chain.metric.reach @ np.abs(E), chain.tolerance)
    response = (reached / sizes[:, None]) @ pushed
    rank = np.linalg.matrix_rank(response / pushes, tol=chain.tolerance)
    if rank < len(g0):
        names = ", ".join(repr(p.name) for p in programs)
        drives = ", ".join(name for p in programs for name in p.drives)
        raise LienketError(
            f"The drives {drives} cannot keep {names} at this state: they do not reach the accelerations it prescribes "
            f"(rank {rank} of {len(g0)}). Add a drive that acts on them."
        )
    u = np.linalg.lstsq(response, -(G @ chain.a + g0) / sizes, rcond=None)[0]
    values = iter(u)
    found: dict[str, float] = {}
    forces: dict[str, Array] = {}
    for p in programs:
        own = np.array([next(values) for _ in p.drives])
        found |= {name: float(x) for name, x in zip(p.drives, own, strict=True)}
        forces[p.name] = p.E @ own
    return Driven(found, forces, (chain.a + D @ (pushed @ u)) * scale)


def _sizes(lengths: Array, bounds: Array, tolerance: float) -> Array:
    """The lengths of rows or columns; where only rounding is left of one, what it was made of."""
    found: Array = np.where(lengths > tolerance * bounds, lengths, bounds)
    return np.where(found > 0, found, 1.0)
