"""Explanation why no state satisfies the constraints: which of them, by how much, and the start values involved.

Constraints are added one after another; the first that cannot be satisfied together with the previous ones is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import StartError
from ...foundation.arrays import Array, BoolArray
from ...kernels.projection import PROJECTION_ROUNDING, Surface, project, rows_chain, sizes_of
from .level_constraints import LEVEL_NAMES, LevelConstraints
from .listed import listed
from .multistart import irregular, misfit, search


def contradiction(conditions: LevelConstraints, x: Array, fixed: BoolArray, guess: Array) -> StartError:
    """Return the StartError for a point x (n) with the given x[fixed], from which no solution was reached."""
    free = ~fixed
    conditions, x = _first_unsatisfied(conditions, x, guess, free)
    surface = conditions.surface(x)
    off = np.abs(surface.residual) > PROJECTION_ROUNDING * sizes_of(surface, x)
    # A column may vanish at this very point, as 2 x does at x = 0: the structure is also read at a point beside it.
    structure = (surface.G != 0) | (conditions.surface(x + irregular(len(x))).G != 0)
    rows = off | _conflicting_rows(surface, structure, off, free)
    involved = np.any(structure[rows], axis=0)
    given = [name for name, chosen in zip(conditions.names, fixed & involved, strict=True) if chosen]
    residuals: dict[str, float] = {}
    for (name, _), residual in zip(_labels_of(conditions.labels, off), surface.residual[off], strict=True):
        residuals[name] = max(residuals.get(name, 0.0), abs(float(residual)))
    partners = list(dict.fromkeys(name for name, _ in _labels_of(conditions.labels, rows) if name not in residuals))
    values = dict(zip(conditions.names, guess, strict=True))
    level = LEVEL_NAMES[conditions.level]
    amount = listed([f"{name!r} is off by {value:.3g}" for name, value in residuals.items()])
    also = f", together with {listed([repr(name) for name in partners])}" if partners else ""
    start = f" with {listed([f'{name} = {values[name]:.6g}' for name in given])} given" if given else ""
    if np.any(involved & free):
        head = f"No {level} were found that satisfy the constraints{start}: where they come nearest, {amount}{also}."
    else:
        head = f"The {level}{start} contradict the constraints: {amount}{also}."
    return StartError(head, residuals, given, _advice(given, conditions))


def _first_unsatisfied(
    conditions: LevelConstraints, x: Array, guess: Array, free: BoolArray
) -> tuple[LevelConstraints, Array]:
    """Return the constraints up to the first that cannot be satisfied, and the point with the smallest residuals."""
    at = guess
    for count in range(1, len(conditions.model.constraints) + 1):
        part = replace(conditions, constraints=count)
        at, code = project(part.surface, at, free)
        if code < 0:
            result = search(part, guess, at, free) if free.any() else None
            if result is None or not result.solutions:
                best = at if result is None else min((at, result.nearest_miss), key=lambda y: misfit(part, y))
                return part, _satisfying(replace(conditions, constraints=count - 1), best, free)
            at = result.solutions[0]
    return conditions, x  # one after another they can be satisfied, but no solution was found from the guess


def _satisfying(before: LevelConstraints, x: Array, free: BoolArray) -> Array:
    """Project x onto the previous constraints, so that only the last one has a residual; return x if that fails."""
    at, code = project(before.surface, x, free)
    return at if code >= 0 else x


def _conflicting_rows(surface: Surface, structure: BoolArray, off: BoolArray, free: BoolArray) -> BoolArray:
    """Return the rows with which the rows `off` conflict (s booleans).

    These are the rows on which they depend linearly in the free coordinates; for independent ones, the rows that share
    free coordinates with them, directly or through other rows.
    """
    conflicting = np.zeros(len(off), dtype=bool)
    if not free.any():
        return conflicting
    chain = rows_chain(surface, free)
    numbers = np.array([row.number for row in chain.accepted], dtype=int)
    skipped = [row for row in chain.skipped if off[row.number]]
    for row in skipped:
        conflicting[numbers[chain.coefficients(row.J) != 0]] = True
    if len(skipped) < np.count_nonzero(off):
        connected, before = off.copy(), -1
        while np.count_nonzero(connected) > before:
            before = int(np.count_nonzero(connected))
            connected |= np.any(structure[:, free & np.any(structure[connected], axis=0)], axis=1)
        conflicting |= connected
    return conflicting


def _advice(given: Sequence[str], conditions: LevelConstraints) -> str:
    """Return a sentence on what to change."""
    when = f" (t = {conditions.t:g})" if conditions.t else ""
    if given:
        one = "this value" if len(given) == 1 else "one of these values"
        return f"Change {one}{when}, leave it out, or make it a guess: guess={{{given[0]!r}: ...}}."
    return f"No start value is involved{when}: check the parameters of the system, or give a better guess={{...}}."


def _labels_of(labels: Sequence[tuple[str, int]], rows: BoolArray) -> list[tuple[str, int]]:
    """Return the labels of the rows (s booleans)."""
    return [label for label, chosen in zip(labels, rows, strict=True) if chosen]
