"""Projection of many points at once: Newton's method of `projection.project` in step, one stack of matrices for all.

A search tries dozens of initial points, and Newton steps of small systems cost more time in Python than in arithmetic.
The results are those of `project` from each point, to the last bit: NumPy treats the matrices of a stack one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..foundation.arrays import Array, BoolArray, IntArray
from .elimination.metric import UNPIVOTED_LIMIT
from .elimination.residual_scales import POSITION_MOTION_SHARE, TERMS_SHARE
from .projection import (
    INDEPENDENT_PIVOT,
    NOT_CONVERGING,
    PROJECTION_HALVINGS,
    PROJECTION_ROUNDING,
    PROJECTION_STEPS,
    PROJECTION_TOLERANCE,
    UNDERFLOW,
    Surface,
    inertia_roots,
    shortest,
    verdict,
)

HALVINGS_AT_ONCE = 5  # [halvings] of a Newton step tried together


def project_many(
    surfaces: Callable[[Array], Surface],
    points: Array,
    free: BoolArray,
    steps: int = PROJECTION_STEPS,
    halvings: int = PROJECTION_HALVINGS,
) -> tuple[Array, IntArray]:
    """Return the points (N x n) moved until the residuals vanish, and the steps or codes (N); see `project`.

    `surfaces` returns the constraints at several points, with a first axis for these.
    """
    x, codes = points.copy(), np.full(len(points), NOT_CONVERGING)
    left, current = np.arange(len(points)), surfaces(x)  # points that are still moved, and the constraints there
    for step in range(steps):
        sizes = sizes_of_many(current, x[left])
        misfit = _misfits(current.residual, sizes)
        done = misfit <= PROJECTION_TOLERANCE
        codes[left[done]] = step
        left, sizes, misfit, current = left[~done], sizes[~done], misfit[~done], _chosen(current, ~done)
        if not len(left):
            break
        accepted, move = shortest_of_many(current, free)
        bound = _misfits(np.where(accepted, current.residual, 0.0), sizes)
        moved = sizes + _times(np.abs(current.G), np.abs(move))
        progress, ahead, trial = _stepped(surfaces, x[left], current, (accepted, move, moved, bound), halvings)
        for k in np.flatnonzero(~progress):
            codes[left[k]] = verdict(step, float(misfit[k]), float(bound[k]))
        left, current = left[progress], _chosen(trial, progress)
        x[left] = ahead[progress]
    return x, codes


def _stepped(
    surfaces: Callable[[Array], Surface],
    x: Array,
    current: Surface,
    step: tuple[BoolArray, Array, Array, Array],
    halvings: int,
) -> tuple[BoolArray, Array, Surface]:
    """Return which points (N booleans) make progress, and all points and constraints after their steps.

    A step is halved until the residuals of the accepted rows decrease; it is tried once if they are rounding, and not
    at all if they vanish. `step` has the accepted rows, the moves, the sizes of terms after them, and the residuals.
    """
    accepted, move, moved, bound = step
    before = _misfits(np.where(accepted, current.residual, 0.0), moved)
    ahead, trial, progress = x.copy(), current, np.zeros(len(x), dtype=bool)
    going = np.flatnonzero(~(bound <= PROJECTION_TOLERANCE))
    for fractions in _fractions(halvings):
        if fractions[0] < 1:
            going = going[bound[going] > PROJECTION_ROUNDING]
        if not len(going):
            break
        # each of these points with each fraction of its step, and the longest step that is good enough
        points = (x[going, None] + fractions[:, None] * move[going, None]).reshape(-1, x.shape[1])
        at, tried = surfaces(points), np.repeat(going, len(fractions))
        after = _misfits(np.where(accepted[tried], at.residual, 0.0), moved[tried]).reshape(len(going), -1)
        smaller = after <= (1 - 1e-4 * fractions) * before[going, None]
        chosen = np.any(smaller, axis=1)
        if len(fractions) == 1 and len(going) == len(x) and chosen.all():  # the usual case
            return chosen, points, at
        if trial is current:
            trial = Surface(*(part.copy() for part in current))
        done, best = going[chosen], (np.arange(len(going)) * len(fractions) + smaller.argmax(axis=1))[chosen]
        progress[done], ahead[done] = True, points[best]
        for part, new in zip(trial, at, strict=True):
            part[done] = new[best]
        going = going[~chosen]
    return progress, ahead, trial


def _fractions(halvings: int) -> Iterator[Array]:
    """Yield the fractions of a step that are tried at once: the whole step, then several halvings."""
    yield np.ones(1)
    for first in range(1, halvings, HALVINGS_AT_ONCE):
        yield 0.5 ** np.arange(first, min(first + HALVINGS_AT_ONCE, halvings), dtype=float)


def _chosen(surface: Surface, points: BoolArray) -> Surface:
    """Return the constraints at some of the points (N booleans)."""
    return surface if points.all() else Surface(*(part[points] for part in surface))


def shortest_of_many(current: Surface, free: BoolArray) -> tuple[BoolArray, Array]:
    """Return which rows are accepted (N x s booleans), and the shortest steps (N x n); see `projection.shortest`."""
    count, s, n = current.G.shape
    accepted, move = np.ones((count, s), dtype=bool), np.zeros((count, n))
    partial = not free.all()
    A, G = (current.A[:, free][:, :, free], current.G[:, :, free]) if partial else current[:2]
    regular, steps = _regular(A, G, current.residual) if A.shape[1] else (np.zeros(count, dtype=bool), A[:, :, 0:0])
    if regular.all() and not partial:
        return accepted, steps
    move[np.ix_(regular, free)] = steps[regular]
    for k in np.flatnonzero(~regular):
        rows, move[k] = shortest(Surface(*(part[k] for part in current)), free)
        accepted[k] = np.isin(np.arange(s), rows)
    return accepted, move


def _regular(A: Array, G: Array, residual: Array) -> tuple[BoolArray, Array]:
    """Return which surfaces (N booleans) are regular as in `projection.shortest`, and their steps (N x n)."""
    count, n = A.shape[:2]
    inertia = np.diagonal(A, axis1=1, axis2=2)
    nothing = np.zeros(count, dtype=bool), np.zeros((count, n))
    if G.shape[1] > n or (inertia <= 0).any():
        return nothing
    scale = 1 / np.sqrt(inertia)
    try:
        L = np.linalg.cholesky(A * scale[:, None, :] * scale[:, :, None])
        regular = np.diagonal(L, axis1=1, axis2=2).min(axis=1) ** 2 > UNPIVOTED_LIMIT
        B = np.linalg.solve(L, (G * scale[:, None, :]).transpose(0, 2, 1))
        lengths = np.sqrt((B * B).sum(axis=1))
        regular &= lengths.min(axis=1, initial=1.0) != 0
        Q, R = np.linalg.qr(B / lengths[:, None, :])
        pivots = np.abs(np.diagonal(R, axis1=1, axis2=2)).min(axis=1, initial=1.0)
        regular &= pivots**2 > INDEPENDENT_PIVOT
        inner = Q @ np.linalg.solve(R.transpose(0, 2, 1), (residual / lengths)[:, :, None])
        return regular, -scale * np.linalg.solve(L.transpose(0, 2, 1), inner)[:, :, 0]
    except np.linalg.LinAlgError:  # one of them is singular: each is solved by itself
        return nothing


def sizes_of_many(current: Surface, x: Array) -> Array:
    """Return the sizes of the terms of the residuals (N x s) at points x (N x n); see `projection.sizes_of`."""
    inertia, G, x = np.diagonal(current.A, axis1=1, axis2=2), np.abs(current.G), np.abs(x)
    root, unit = inertia_roots(inertia)
    most = (x * root).max(axis=1, initial=0.0)
    terms = np.abs(current.residual) + TERMS_SHARE * current.terms
    return terms + _times(G, x) + (POSITION_MOTION_SHARE * most)[:, None] * _times(G, unit)


def _misfits(residual: Array, sizes: Array) -> Array:
    """Return the largest residual relative to the sizes at each point (N)."""
    residual = np.abs(residual)
    return (residual / np.where(residual <= UNDERFLOW, 1.0, sizes)).max(axis=1, initial=0.0)


def _times(matrices: Array, vectors: Array) -> Array:
    """Return the products of N matrices with N vectors."""
    return (matrices @ vectors[:, :, None])[:, :, 0]
