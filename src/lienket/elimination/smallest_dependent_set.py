"""Smallest set of constraints from which another constraint follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import comb

SUBSETS_LIMIT = 300  # [sets] subsets tried in the search for the smallest dependent set


def smallest_set(
    names: Iterable[str], earlier: Sequence[str], redundant: set[str], follows: Callable[[tuple[str, ...]], bool]
) -> tuple[str, ...]:
    """Return the smallest set, in the order of `earlier`; `names` is the set among the independent constraints.

    That set is unique unless some of the earlier constraints are redundant. In that case smaller sets that contain a
    redundant constraint are tested by `follows`, up to SUBSETS_LIMIT of them.
    """
    names = set(names)
    if redundant:
        left = SUBSETS_LIMIT
        for size in range(1, len(names)):
            left -= comb(len(earlier), size)
            if left < 0:
                break
            for chosen in combinations(earlier, size):
                if redundant.intersection(chosen) and follows(chosen):
                    return chosen
    return tuple(name for name in earlier if name in names)
