"""When a case counts as slower: the ratios new/old of many rounds, their median and spread, and one rule."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LIMIT = 1.03
RULE = (
    f"slower: the median of the ratios and the ratio of the best times are both above {LIMIT:g}, and three quarters\n"
    "of the rounds are above 1; faster: the reverse"
)


@dataclass(frozen=True)
class Ratios:
    """The median of the ratios new/old, the quartiles around their middle half, and the ratio of the best times.

    Other work on the machine makes rounds slower and never faster, so that it moves the best times least.
    """

    median: float
    low: float
    high: float
    best: float


def ratios(pairs: Sequence[tuple[float, float]]) -> Ratios:
    """From the seconds (old, new) of each round, two rounds at least."""
    low, median, high = statistics.quantiles([new / old for old, new in pairs], n=4, method="inclusive")
    best_old, best_new = (min(side) for side in zip(*pairs, strict=True))
    return Ratios(median, low, high, best_new / best_old)


def verdict(found: Ratios) -> str:
    """Whether the new side is "slower", "faster" or the "same": beyond 3 %, and beyond the spread."""
    if min(found.median, found.best) > LIMIT and found.low > 1:
        return "slower"
    if max(found.median, found.best) < 1 / LIMIT and found.high < 1:
        return "faster"
    return "same"
