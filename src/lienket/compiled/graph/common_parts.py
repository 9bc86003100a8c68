"""Common parts of many sums, or of many products: what several have in common is computed once.

SymPy and SymEngine flatten nested sums: of the positions of a chain, x1 + l2 c2, x1 + l2 c2 + l3 c3, ..., they keep
only lists of terms. Here each list is taken apart again so that the lists share their parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

PARTNERS = 400  # lists looked at for one item; an item in more of them says little

Item = TypeVar("Item", bound=Hashable)


def share_common_parts(lists: Sequence[Sequence[Item]], join: Callable[[frozenset[Item]], Item]) -> list[list[Item]]:
    """The lists with common parts of two items or more replaced by what `join` makes of them, shortest lists first.

    No item may appear twice in a list. The order of items in a list is kept.
    """
    left: list[dict[Item, None]] = [dict.fromkeys(items) for items in lists]
    where: dict[Item, set[int]] = defaultdict(set)
    for i, items in enumerate(left):
        for item in items:
            where[item].add(i)
    for i in sorted(range(len(left)), key=lambda i: len(lists[i])):
        for item in left[i]:
            where[item].discard(i)  # it is done with, once the longer ones have taken what they share
        while (common := _largest_common(left, where, i)) is not None:
            joined = join(common)
            others = set.intersection(*(where[item] for item in common))
            for k in (i, *sorted(others)):
                _replace(left[k], common, joined)
            for item in common:
                where[item] -= others
            where[joined] |= others
    return [list(items) for items in left]


def _largest_common(left: list[dict[Item, None]], where: dict[Item, set[int]], i: int) -> frozenset[Item] | None:
    """The largest part, of two items or more, that list i has in common with a list after it."""
    if len(left[i]) < 2:
        return None
    counts: Counter[int] = Counter()
    for item in left[i]:
        if len(where[item]) <= PARTNERS:
            counts.update(where[item])
    if not counts:
        return None
    most = max(counts.values())
    if most < 2:
        return None
    partner = min(k for k, count in counts.items() if count == most)
    common = frozenset(item for item in left[i] if item in left[partner])
    return common if len(common) > 1 else None


def _replace(items: dict[Item, None], common: frozenset[Item], joined: Item) -> None:
    for item in common:
        del items[item]
    rest = list(items)
    items.clear()
    items.update(dict.fromkeys([joined, *rest]))
