"""Why no state satisfies the constraints: which of them, by how much, and which of the values given take part.

The constraints are taken one after another; the first that cannot be satisfied together with those before it is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import StartError
from ...kernels.elimination.metric import Array
from ...kernels.projection import NEARLY, Surface, project, rows_chain, sizes_of
from .level_constraints import WORDS, LevelConstraints
from .multistart import irregular, misfit, search

LISTED = 6


def contradiction(conditions: LevelConstraints, x: Array, fixed: Array, guess: Array) -> StartError:
    """The error, where x (n) is a point with x[fixed] as given from which no solution was reached."""
    free = ~fixed
    conditions, x = _first(conditions, x, guess, free)
    here = conditions.surface(x)
    off = np.abs(here.residual) > NEARLY * sizes_of(here, x)
    # A column may vanish just here, as 2 x does at x = 0: the structure is seen beside it as well.
    structure = (here.G != 0) | (conditions.surface(x + irregular(len(x))).G != 0)
    rows = off | _partners(here, structure, off, free)
    bound = np.any(structure[rows], axis=0)
    given = [name for name, told in zip(conditions.names, fixed & bound, strict=True) if told]
    residuals: dict[str, float] = {}
    for (name, _), residual in zip(_chosen(conditions.labels, off), here.residual[off], strict=True):
        residuals[name] = max(residuals.get(name, 0.0), abs(float(residual)))
    along = list(dict.fromkeys(name for name, _ in _chosen(conditions.labels, rows) if name not in residuals))
    values = dict(zip(conditions.names, guess, strict=True))
    word = WORDS[conditions.level]
    amount = _listed([f"{name!r} is off by {value:.3g}" for name, value in residuals.items()])
    also = f", together with {_listed([repr(name) for name in along])}" if along else ""
    told = f" with {_listed([f'{name} = {values[name]:.6g}' for name in given])} given" if given else ""
    if np.any(bound & free):
        head = f"No {word} were found that satisfy the constraints{told}: where they come nearest, {amount}{also}."
    else:
        head = f"The {word}{told} contradict the constraints: {amount}{also}."
    return StartError(f"{head} {_advice(given, conditions)}", residuals, given)


def _first(conditions: LevelConstraints, x: Array, guess: Array, free: Array) -> tuple[LevelConstraints, Array]:
    """The conditions up to the first constraint that cannot be satisfied, and the point that comes nearest."""
    at = guess
    for count in range(1, len(conditions.model.constraints) + 1):
        part = replace(conditions, constraints=count)
        at, code = project(part.surface, at, free)
        if code < 0:
            found = search(part, guess, at, free) if free.any() else None
            if found is None or not found.solutions:
                best = at if found is None else min((at, found.nearest_miss), key=lambda y: misfit(part, y))
                return part, _blamed(replace(conditions, constraints=count - 1), best, free)
            at = found.solutions[0]
    return conditions, x  # one after another they can be satisfied, but from here it was not found


def _blamed(before: LevelConstraints, x: Array, free: Array) -> Array:
    """The point with the constraints before satisfied again, so that only the last one is off."""
    at, code = project(before.surface, x, free)
    return at if code >= 0 else x


def _partners(here: Surface, structure: Array, off: Array, free: Array) -> Array:
    """The rows with which those that are off conflict (s booleans).

    Those from which they follow, as the free coordinates see them; else those that share free coordinates with them,
    directly or over others.
    """
    found = np.zeros(len(off), dtype=bool)
    if not free.any():
        return found
    chain = rows_chain(here, free)
    numbers = np.array([row.number for row in chain.accepted], dtype=int)
    skipped = [row for row in chain.skipped if off[row.number]]
    for row in skipped:
        found[numbers[chain.coefficients(row.J) != 0]] = True
    if len(skipped) < np.count_nonzero(off):
        joined, before = off.copy(), -1
        while np.count_nonzero(joined) > before:
            before = int(np.count_nonzero(joined))
            joined |= np.any(structure[:, free & np.any(structure[joined], axis=0)], axis=1)
        found |= joined
    return found


def _advice(given: Sequence[str], conditions: LevelConstraints) -> str:
    when = f" (t = {conditions.t:g})" if conditions.t else ""
    if given:
        one = "this value" if len(given) == 1 else "one of these values"
        return f"Change {one}{when}, leave it out, or make it a guess: guess={{{given[0]!r}: ...}}."
    return f"No start value takes part{when}: check the numbers of the system, or give a better guess={{...}}."


def _chosen(labels: Sequence[tuple[str, int]], rows: Array) -> list[tuple[str, int]]:
    return [label for label, chosen in zip(labels, rows, strict=True) if chosen]


def _listed(parts: Sequence[str]) -> str:
    shown = [*parts[:LISTED], *([f"{len(parts) - LISTED} more"] if len(parts) > LISTED else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
