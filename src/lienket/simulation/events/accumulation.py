"""Accumulation of events: infinitely many events before a finite time, as for a bouncing ball.

The intervals between them shrink like a geometric series d, d r, d r^2, ...; the sum of its remaining terms is
d r/(1 - r). A run must detect this in time: a bounce below rounding is not found, and the ball would pass the floor.
"""

from __future__ import annotations

from dataclasses import dataclass

SHRINKING_NEEDED = 3  # [intervals] that must shrink before an accumulation is predicted
LARGEST_RATIO = 0.999  # [1] ratio of successive intervals above which they do not shrink
SMALLEST_RATIO = 1e-3  # [1] ratio of successive intervals below which a new series starts


@dataclass(slots=True)
class _Series:
    """Time of the last event, interval before it, its ratio to the previous one, longest interval, their number."""

    t: float
    interval: float = 0.0
    ratio: float = 0.0
    longest: float = 0.0
    count: int = 0


class EventAccumulation:
    """Intervals of each event in a run."""

    def __init__(self, begin: float, share: float) -> None:
        """Start at the time `begin`; an accumulation closer than `share` times the longest interval is reported."""
        self._begin, self._share = begin, share
        self._series: dict[int, _Series] = {}

    def predict(self, event: int, t: float) -> float | None:
        """Record an event at t; return the time at which its events accumulate, if that is near, otherwise None."""
        x = self._series.setdefault(event, _Series(self._begin))
        interval, before = t - x.t, x.ratio
        x.ratio = interval / x.interval if x.interval > 0 else 0.0
        x.t, x.interval = t, interval
        if not SMALLEST_RATIO < x.ratio <= LARGEST_RATIO:
            x.longest, x.count = interval, 1
            return None
        x.count += 1
        if x.count <= SHRINKING_NEEDED:
            return None
        ratio = max(before, x.ratio)
        left = interval * ratio / (1 - ratio)
        return t + left if left < self._share * x.longest else None
