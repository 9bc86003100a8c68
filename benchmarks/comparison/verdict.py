"""Verdict on a case: slower, faster or same, from the ratios new/old of many rounds."""

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
    """Median and quartiles of the ratios new/old, and the ratio of the best times.

    Other work on the machine makes rounds slower and never faster, so it affects the best times least.
    """

    median: float
    low: float
    high: float
    best: float


def ratios(pairs: Sequence[tuple[float, float]]) -> Ratios:
    """Return the ratios from the seconds (old, new) of at least two rounds."""
    low, median, high = statistics.quantiles([new / old for old, new in pairs], n=4, method="inclusive")
    best_old, best_new = (min(side) for side in zip(*pairs, strict=True))
    return Ratios(median, low, high, best_new / best_old)


def verdict(found: Ratios) -> str:
    """Return "slower" or "faster" if the difference exceeds 3 % and the spread of the rounds, otherwise "same"."""
    if min(found.median, found.best) > LIMIT and found.low > 1:
        return "slower"
    if max(found.median, found.best) < 1 / LIMIT and found.high < 1:
        return "faster"
    return "same"
