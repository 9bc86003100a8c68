"""The order of the pivots of the saddle matrix [A G^T; G 0], from its structure alone.

Always the unknown with the fewest neighbours comes next, of those whose pivot has a sure sign. A coordinate is sure if
it has inertia, or once a constraint on it has been eliminated; a constraint is sure once all its coordinates with
inertia are. Two unknowns with the same neighbours go together, as a pivot of 2 x 2: one division and one wait less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    around: list[set[int]] = [set() for _ in range(unknowns)]
    for i, j in pairs:
        around[i].add(j)
        around[j].add(i)
    supported = [*inertias, *[False] * (unknowns - n)]
    waiting = {k: {j for j in around[k] if supported[j]} for k in range(n, unknowns)}
    left = set(range(unknowns))
    pivots: list[Pivot] = []
    operations = 0
    while left:
        pivot = _next(n, left, around, supported, waiting)
        if not pivot:
            return None
        pivots.append(pivot)
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


def _next(n: int, left: set[int], around: list[set[int]], supported: list[bool], waiting: dict[int, set[int]]) -> Pivot:
    sure = [k for k in left if supported[k] and not (k >= n and waiting[k])]
    if not sure:
        return ()
    first = min(sure, key=lambda k: (len(around[k]), k))
    closed = around[first] | {first}
    for k in sorted(sure):
        if k != first and (k < n) == (first < n) and around[k] | {k} == closed:
            return first, k
    return (first,)
