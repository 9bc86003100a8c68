"""The order of the pivots of the saddle matrix [A G^T; G 0], from its structure alone.

The next pivot is the unknown with the fewest neighbours among those whose pivot has a definite sign: a coordinate,
since it has inertia, or a constraint whose coordinates have all been eliminated. A coordinate without inertia would
need a constraint as its pivot whose entry may be small, which a fixed order cannot check; there is no order then. Two
unknowns with equal neighbours form a 2 x 2 pivot, which saves a division.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...foundation.frozen_dataclass import dataclass

Pivot = tuple[int, ...]


@dataclass(frozen=True)
class Order:
    """Pivots in order, unknowns from n on being constraints, and an estimate of their operations."""

    pivots: tuple[Pivot, ...]
    operations: int


def pivot_order(n: int, inertias: Sequence[bool], pairs: Iterable[tuple[int, int]], unknowns: int) -> Order | None:
    """Return the order for the neighbours (i, j) among the unknowns; None if some pivot has no definite sign.

    `inertias` (n) tells which coordinates have inertia by structure.
    """
    if not all(inertias):
        return None
    neighbours_of: list[set[int]] = [set() for _ in range(unknowns)]
    for i, j in pairs:
        neighbours_of[i].add(j)
        neighbours_of[j].add(i)
    waiting = {k: {j for j in neighbours_of[k] if j < n} for k in range(n, unknowns)}
    if not all(waiting.values()):
        return None  # a row without any coordinate
    remaining = set(range(unknowns))
    pivots: list[Pivot] = []
    operations = 0
    while remaining:
        pivot = _next(n, remaining, neighbours_of, waiting)
        pivots.append(pivot)
        neighbours = neighbours_of[pivot[0]] - set(pivot)
        size, count = len(pivot), len(neighbours)
        operations += size * (count * (count + 1) + 5 * count + 4 * size)
        for k in pivot:
            remaining.remove(k)
        for i in neighbours:
            neighbours_of[i] |= neighbours
            neighbours_of[i] -= {i, *pivot}
            if i >= n:
                waiting[i] -= set(pivot)
    return Order(tuple(pivots), operations)


def _next(n: int, remaining: set[int], neighbours_of: list[set[int]], waiting: dict[int, set[int]]) -> Pivot:
    """Return the next pivot; `waiting` are the coordinates of each constraint that are not eliminated yet."""
    definite = [k for k in remaining if not waiting.get(k)]
    first = min(definite, key=lambda k: (len(neighbours_of[k]), k))
    closed = neighbours_of[first] | {first}
    for k in sorted(definite):
        if k != first and (k < n) == (first < n) and neighbours_of[k] | {k} == closed:
            return first, k
    return (first,)
