"""Gathering: events that come ever sooner, as a ball bounces, infinitely often before a time.

The intervals between them shrink like a geometric series, d, d r, d r^2, ...; what is left of it is d r/(1 - r). A run
must not come too near to that time: once a bounce is smaller than rounding it is not seen, and the ball is through.
"""

from __future__ import annotations

from dataclasses import dataclass

INTERVALS = 3
"""Intervals that shrink, before anything is said."""
SLOW = 0.999
"""A ratio from which on they do not."""
ABRUPT = 1e-3
"""A ratio below which a new series begins: what was before has nothing to do with it."""


@dataclass(slots=True)
class _Series:
    """The time of the last event, the interval before it and its ratio to that before; the longest, how many."""

    t: float
    interval: float = 0.0
    ratio: float = 0.0
    longest: float = 0.0
    count: int = 0


class EventAccumulation:
    """The intervals of each event in a run that began at a time; `share` of the longest may be left of a series."""

    def __init__(self, begin: float, share: float) -> None:
        self._begin, self._share = begin, share
        self._series: dict[int, _Series] = {}

    def meet(self, event: int, t: float) -> float | None:
        """The time before which an event that has just happened will happen without end, if that is near."""
        x = self._series.setdefault(event, _Series(self._begin))
        interval, before = t - x.t, x.ratio
        x.ratio = interval / x.interval if x.interval > 0 else 0.0
        x.t, x.interval = t, interval
        if not ABRUPT < x.ratio <= SLOW:
            x.longest, x.count = interval, 1
            return None
        x.count += 1
        if x.count <= INTERVALS:
            return None
        ratio = max(before, x.ratio)
        left = interval * ratio / (1 - ratio)
        return t + left if left < self._share * x.longest else None
