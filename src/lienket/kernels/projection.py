"""Positions and velocities brought back to their constraints, in numbers: the plain version.

    q <- q - A^-1 G^T S^+ g(q),    v <- v - A^-1 G^T S^+ g'(q, v)

Newton's steps, each the shortest in the metric of A (theory 4: w = E L^-1 g has G w = g and D^T A w = 0). Rows that
depend on others are skipped; massless directions move as far as rows bind them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .chain import Chain, constrain, free_chain
from .metric import Array
from .sizes import OTHERS as _OTHERS

STEPS = 20
HALVINGS = 20
SOLVED = 1e-14
"""A residual that is none, as a share of the terms it is made of."""
NEARLY = 1e-10
"""What may be left where steps no longer improve it: then it is rounding."""
OTHERS = _OTHERS[0]
CONTRADICTORY, NOT_CONVERGING = -1, -5


class Surface(NamedTuple):
    """A (n x n) and the rows that take part: G (s x n) and their residuals (s), at a point."""

    A: Array
    G: Array
    residual: Array


def project(surface: Callable[[Array], Surface], x: Array) -> tuple[Array, int]:
    """The point x (n) moved until the residuals vanish, and the number of steps, or a negative code.

    x is q or v; `surface` gives what the constraints on it are. -1: rows that depend on others contradict them;
    -5: it does not converge.
    """
    here = surface(x)
    for step in range(STEPS):
        sizes = _sizes(here, x)
        misfit = _misfit(here, sizes, np.arange(len(sizes)))
        if misfit <= SOLVED:
            return x, step
        chain = _chain(here)
        accepted = np.array([row.number for row in chain.accepted], dtype=int)
        bound = _misfit(here, sizes, accepted)
        if bound <= SOLVED:
            return x, _verdict(step, misfit, bound)
        move = -chain.lifted(here.residual[accepted]) * chain.metric.scale
        for halving in range(HALVINGS if bound > NEARLY else 1):
            fraction = 0.5**halving
            there = surface(x + fraction * move)
            if _misfit(there, sizes, accepted) <= (1 - 1e-4 * fraction) * bound:
                break
        else:
            return x, _verdict(step, misfit, bound)
        x, here = x + fraction * move, there
    return x, NOT_CONVERGING


def _chain(here: Surface) -> Chain:
    """The chain of the rows in order."""
    return constrain(free_chain(here.A, np.zeros(len(here.A)), here.G), "", here.G, here.residual)


def _sizes(here: Surface, x: Array) -> Array:
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
