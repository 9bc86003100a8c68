"""The order of the pivots of the saddle matrix [A G^T; G 0], from its structure alone.

Always the unknown with the fewest neighbours comes next, of those whose pivot has a sure sign. A coordinate is sure if
it has inertia, or once a constraint on it has been eliminated; a constraint is sure once all its coordinates with
inertia are. Two unknowns with the same neighbours go together, as a pivot of 2 x 2: one division and one wait less.

A pivot may vanish all the same for every matrix of the structure, as that of two constraints held by one mass. So a
matrix of the structure with random numbers is eliminated along, and what vanishes there is not taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

VANISHED = 1e-9  # of the terms of a pivot

Pivot = tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """The pivots in order, unknowns n and up being constraints, and about how many operations they take."""

    pivots: tuple[Pivot, ...]
    operations: int


def pivot_order(n: int, inertias: Sequence[bool], pairs: Iterable[tuple[int, int]], unknowns: int) -> Order | None:
    """The order for the neighbours (i, j) among the unknowns; None if at some point no pivot is sure.

    `inertias` (n) says which coordinates have inertia by structure.
    """
    pairs = list(pairs)
    around: list[set[int]] = [set() for _ in range(unknowns)]
    for i, j in pairs:
        around[i].add(j)
        around[j].add(i)
    supported = [*inertias, *[False] * (unknowns - n)]
    waiting = {k: {j for j in around[k] if supported[j]} for k in range(n, unknowns)}
    trial = _Trial(n, inertias, pairs, unknowns)
    left = set(range(unknowns))
    pivots: list[Pivot] = []
    operations = 0
    while left:
        sure = [k for k in sorted(left) if supported[k] and not (k >= n and waiting[k]) and trial.holds((k,))]
        pivot = _next(n, sure, around, trial)
        if not pivot:
            return None
        pivots.append(pivot)
        trial.eliminate(pivot)
        neighbours = around[pivot[0]] - set(pivot)
        size, count = len(pivot), len(neighbours)
        operations += size * (count * (count + 1) + 5 * count + 4 * size)
        for k in pivot:
            left.remove(k)
        for i in neighbours:
            around[i] |= neighbours
            around[i] -= {i, *pivot}
            supported[i] |= (i < n) != (pivot[0] < n)
            if i >= n:
                waiting[i] -= set(pivot)
    return Order(tuple(pivots), operations)


def _next(n: int, sure: list[int], around: list[set[int]], trial: _Trial) -> Pivot:
    if not sure:
        return ()
    first = min(sure, key=lambda k: (len(around[k]), k))
    closed = around[first] | {first}
    for k in sure:
        if k != first and (k < n) == (first < n) and around[k] | {k} == closed and trial.holds((first, k)):
            return first, k
    return (first,)


class _Trial:
    """A matrix of the structure with random numbers and a definite A, eliminated along."""

    def __init__(self, n: int, inertias: Sequence[bool], pairs: Sequence[tuple[int, int]], unknowns: int) -> None:
        random = np.random.default_rng(1)
        K: Any = np.zeros((unknowns, unknowns))
        for i, j in pairs:
            K[i, j] = K[j, i] = random.uniform(0.5, 1.0)
        for i in range(n):
            K[i, i] = inertias[i] * (1.0 + np.sum(K[i, :n]))
        self._K, self._sizes = K, np.abs(np.diag(K))

    def holds(self, pivot: Pivot) -> bool:
        """Whether the pivot does not vanish."""
        i, j = pivot[0], pivot[-1]
        if i == j:
            return bool(abs(self._K[i, i]) > VANISHED * self._sizes[i])
        determinant = self._K[i, i] * self._K[j, j] - self._K[i, j] ** 2
        return bool(abs(determinant) > VANISHED * self._sizes[i] * self._sizes[j])

    def eliminate(self, pivot: Pivot) -> None:
        """Take the pivot out of the rest."""
        here = list(pivot)
        rows = self._K[here]
        taken = rows.T @ np.linalg.solve(self._K[np.ix_(here, here)], rows)
        self._K = self._K - taken
        self._sizes = self._sizes + np.abs(np.diag(taken))
