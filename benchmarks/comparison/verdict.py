"""When a case counts as slower: the ratios new/old of many rounds, their median and spread, and one rule."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LIMIT = 1.03
RULE = f"slower: median above {LIMIT:g} and three quarters of the rounds above 1; faster: the reverse"


@dataclass(frozen=True)
class Spread:
    """The median of ratios, and the quartiles between which the middle half of them lies."""

    median: float
    low: float
    high: float


def spread(ratios: Sequence[float]) -> Spread:
    """The median and the quartiles; a single ratio is all three."""
    if len(ratios) == 1:
        return Spread(ratios[0], ratios[0], ratios[0])
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return Spread(median, low, high)


def verdict(found: Spread) -> str:
    """Whether the new side is "slower", "faster" or the "same": beyond 3 %, and beyond the spread."""
    if found.median > LIMIT and found.low > 1:
        return "slower"
    if found.median < 1 / LIMIT and found.high < 1:
        return "faster"
    return "same"
