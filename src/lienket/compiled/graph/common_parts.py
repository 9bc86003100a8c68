"""Common parts of many sums, or of many products, so that each is computed once.

SymPy and SymEngine flatten nested sums: of the positions of a chain, x1 + l2 c2, x1 + l2 c2 + l3 c3, ..., they keep
only lists of terms. The function here splits the lists again into shared parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

# [1] lists with one item in common beyond which the item does not help to find common parts
PARTNERS_PER_ITEM_LIMIT = 400

Item = TypeVar("Item", bound=Hashable)


def share_common_parts(lists: Sequence[Sequence[Item]], join: Callable[[frozenset[Item]], Item]) -> list[list[Item]]:
    """Replace common parts of two or more items by join(part), shortest lists first.

    No item may appear twice in a list. Items keep their order within a list.
    """
    left: list[dict[Item, None]] = [dict.fromkeys(items) for items in lists]
    where: dict[Item, set[int]] = defaultdict(set)
    for i, items in enumerate(left):
        for item in items:
            where[item].add(i)
    for i in sorted(range(len(left)), key=lambda i: len(lists[i])):
        for item in left[i]:
            where[item].discard(i)  # only the longer lists remain partners of list i
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
    """Return the largest part of two or more items that list i shares with a longer list, or None."""
    if len(left[i]) < 2:
        return None
    counts: Counter[int] = Counter()
    for item in left[i]:
        if len(where[item]) <= PARTNERS_PER_ITEM_LIMIT:
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
    """Replace the common items of a list by one item, which comes first."""
    for item in common:
        del items[item]
    rest = list(items)
    items.clear()
    items.update(dict.fromkeys([joined, *rest]))
