"""Positions and velocities brought back to their constraints, in numbers: the plain version.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton's steps, each the shortest in the metric of A (theory 4: w = E L^-1 g has G w = g and D^T A w = 0). Rows that
depend on others are skipped; massless directions move as far as rows bind them. Coordinates may be held: then A and G
are those of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .elimination.chain import NumericChain, constrain, free_chain
from .elimination.metric import SAFE, Array
from .elimination.residual_scales import OTHERS as _OTHERS

STEPS = 20
HALVINGS = 20
SOLVED = 1e-14
"""A residual that is none, as a share of the terms it is made of."""
NEARLY = 1e-10
"""What may be left where steps no longer improve it: then it is rounding."""
CLEAR = 1e-6
"""Pivots, squared, above which rows are independent beyond doubt and need not be looked at one at a time."""
OTHERS = _OTHERS[0]
CONTRADICTORY, NOT_CONVERGING = -1, -5


class Surface(NamedTuple):
    """A (n x n) and the rows that take part: G (s x n) and their residuals (s), at a point."""

    A: Array
    G: Array
    residual: Array


def project(
    surface: Callable[[Array], Surface],
    x: Array,
    free: Array | None = None,
    steps: int = STEPS,
    halvings: int = HALVINGS,
) -> tuple[Array, int]:
    """The point x (n) moved until the residuals vanish, and the number of steps, or a negative code.

    x is q or v; `surface` gives what the constraints on it are. `free` (n booleans) tells which coordinates may move,
    all unless it is given; a step is halved at most `halvings` times. -1: rows that depend on others contradict them;
    -5: it does not converge.
    """
    here = surface(x)
    for step in range(steps):
        sizes = sizes_of(here, x)
        misfit = _misfit(here, sizes, np.arange(len(sizes)))
        if misfit <= SOLVED:
            return x, step
        accepted, move = shortest(here, free)
        bound = _misfit(here, sizes, accepted)
        if bound <= SOLVED:
            return x, _verdict(step, misfit, bound)
        moved = sizes + np.abs(here.G) @ np.abs(move)  # terms may grow: rounding where there were none is no misfit
        before = _misfit(here, moved, accepted)
        for halving in range(halvings if bound > NEARLY else 1):
            fraction = 0.5**halving
            there = surface(x + fraction * move)
            if _misfit(there, moved, accepted) <= (1 - 1e-4 * fraction) * before:
                break
        else:
            return x, _verdict(step, misfit, bound)
        x, here = x + fraction * move, there
    return x, NOT_CONVERGING


def rows_chain(here: Surface, free: Array | None = None) -> NumericChain:
    """The chain of the rows in order, as the free coordinates see them."""
    A, G = _seen(here, free)
    return constrain(free_chain(A, np.zeros(len(A)), G), "", G, here.residual)


def _seen(here: Surface, free: Array | None) -> tuple[Array, Array]:
    return (here.A, here.G) if free is None else (here.A[np.ix_(free, free)], here.G[:, free])


def shortest(here: Surface, free: Array | None) -> tuple[Array, Array]:
    """The numbers of the rows that are accepted, and the shortest move (n) that makes them vanish to first order."""
    A, G = _seen(here, free)
    if not len(A):
        return np.zeros(0, dtype=int), np.zeros(len(here.A))
    accepted = np.arange(len(G))
    move = _regular(A, G, here.residual)
    if move is None:
        chain = rows_chain(here, free)
        accepted = np.array([row.number for row in chain.accepted], dtype=int)
        move = -chain.lifted(here.residual[accepted]) * chain.metric.scale
    if free is None:
        return accepted, move
    whole = np.zeros(len(here.A))
    whole[free] = move
    return accepted, whole


def _regular(A: Array, G: Array, residual: Array) -> Array | None:
    """-A^-1 G^T S^-1 residual, the short way for many rows; None where it cannot be trusted.

    A = L L^T and L^-1 G^T = Q R give the step -L^-T Q R^-T residual.
    """
    inertia = np.diag(A)
    if len(G) > len(A) or np.min(inertia) <= 0:
        return None
    scale = 1 / np.sqrt(inertia)
    try:
        L = np.linalg.cholesky(A * scale * scale[:, None])
        if np.min(np.diag(L)) ** 2 <= SAFE:
            return None
        B = np.linalg.solve(L, (G * scale).T)
        lengths = np.linalg.norm(B, axis=0)
        if np.min(lengths, initial=1.0) == 0:
            return None
        Q, R = np.linalg.qr(B / lengths)
        if np.min(np.abs(np.diag(R)), initial=1.0) ** 2 <= CLEAR:
            return None
        return -scale * np.linalg.solve(L.T, Q @ np.linalg.solve(R.T, residual / lengths))
    except np.linalg.LinAlgError:
        return None


def sizes_of(here: Surface, x: Array) -> Array:
    """The sizes of the terms of the residuals (s): |G| |x|, and a little of what the largest motion makes of a row."""
    inertia = np.diag(here.A)
    unit = np.where(inertia > 0, 1 / np.sqrt(np.where(inertia > 0, inertia, 1.0)), 0.0)
    most = np.max(np.abs(x) * np.sqrt(np.where(inertia > 0, inertia, 0.0)), initial=0.0)
    return np.abs(here.residual) + np.abs(here.G) @ np.abs(x) + OTHERS * most * (np.abs(here.G) @ unit)


def _misfit(here: Surface, sizes: Array, rows: Array) -> float:
    """The largest residual of some rows, as a share of the sizes."""
    residual = np.abs(here.residual[rows])
    return float(np.max(residual / np.where(residual == 0, 1.0, sizes[rows]), initial=0.0))


def _verdict(step: int, misfit: float, bound: float) -> int:
    """What it means that no step makes the residuals of the accepted rows (`bound`) smaller."""
    if misfit <= NEARLY:
        return step  # what is left is rounding
    return CONTRADICTORY if bound <= NEARLY else NOT_CONVERGING
