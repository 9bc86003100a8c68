"""The smallest set of constraints from which another one follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import comb

SEARCHED = 300  # sets tried, in all


def smallest_set(
    names: Iterable[str], earlier: Sequence[str], redundant: set[str], follows: Callable[[tuple[str, ...]], bool]
) -> tuple[str, ...]:
    """The smallest set, in the order of `earlier`; `names` is the set found from independent constraints.

    That set is the only one, unless there are redundant constraints among the earlier ones: with them a smaller set
    may do, so all smaller sets that contain one of them are tried with `follows`, up to a limit.
    """
    names = set(names)
    if redundant:
        left = SEARCHED
        for size in range(1, len(names)):
            left -= comb(len(earlier), size)
            if left < 0:
                break
            for chosen in combinations(earlier, size):
                if redundant.intersection(chosen) and follows(chosen):
                    return chosen
    return tuple(name for name in earlier if name in names)
