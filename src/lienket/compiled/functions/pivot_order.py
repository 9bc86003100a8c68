"""The order of the pivots of the saddle matrix [A G^T; G 0], from its structure alone.

Always the unknown with the fewest neighbours comes next, of those whose pivot has a sure sign: a coordinate, as it has
inertia, or a constraint once all its coordinates have been eliminated. A coordinate without inertia would have to be
held by a constraint that may be weak against it, which no fixed order can see; there is no order then. Two unknowns
with the same neighbours go together, as a pivot of 2 x 2: one division and one wait less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...foundation.frozen_dataclass import dataclass

Pivot = tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """The pivots in order, unknowns n and up being constraints, and about how many operations they take."""

    pivots: tuple[Pivot, ...]
    operations: int


def pivot_order(n: int, inertias: Sequence[bool], pairs: Iterable[tuple[int, int]], unknowns: int) -> Order | None:
    """The order for the neighbours (i, j) among the unknowns; None if some pivot is never sure.

    `inertias` (n) says which coordinates have inertia by structure.
    """
    if not all(inertias):
        return None
    around: list[set[int]] = [set() for _ in range(unknowns)]
    for i, j in pairs:
        around[i].add(j)
        around[j].add(i)
    waiting = {k: {j for j in around[k] if j < n} for k in range(n, unknowns)}
    if not all(waiting.values()):
        return None  # a row without any coordinate
    left = set(range(unknowns))
    pivots: list[Pivot] = []
    operations = 0
    while left:
        pivot = _next(n, left, around, waiting)
        pivots.append(pivot)
        neighbours = around[pivot[0]] - set(pivot)
        size, count = len(pivot), len(neighbours)
        operations += size * (count * (count + 1) + 5 * count + 4 * size)
        for k in pivot:
            left.remove(k)
        for i in neighbours:
            around[i] |= neighbours
            around[i] -= {i, *pivot}
            if i >= n:
                waiting[i] -= set(pivot)
    return Order(tuple(pivots), operations)


def _next(n: int, left: set[int], around: list[set[int]], waiting: dict[int, set[int]]) -> Pivot:
    sure = [k for k in left if not waiting.get(k)]
    first = min(sure, key=lambda k: (len(around[k]), k))
    closed = around[first] | {first}
    for k in sorted(sure):
        if k != first and (k < n) == (first < n) and around[k] | {k} == closed:
            return first, k
    return (first,)
