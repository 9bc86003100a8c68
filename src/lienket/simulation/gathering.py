"""Gathering: events that come ever sooner, as a ball bounces, infinitely often before a time.

The intervals between them shrink like a geometric series, d, d r, d r^2, ...; what is left of it is d r/(1 - r). A run
must not come too near to that time: once a bounce is smaller than rounding it is not seen, and the ball is through.
"""

from __future__ import annotations

from collections import deque

LOOKED_AT = 4
"""Times of an event that are looked at: three intervals, two ratios."""
SLOW = 0.999
"""A ratio from which on nothing is said."""


class Gathering:
    """The last times of each event."""

    def __init__(self) -> None:
        self._times: dict[int, deque[float]] = {}

    def meet(self, event: int, t: float) -> float:
        """The time before which an event that has just happened will happen without end; infinite if it will not."""
        times = self._times.setdefault(event, deque(maxlen=LOOKED_AT))
        times.append(t)
        if len(times) < LOOKED_AT:
            return float("inf")
        a, b, c, d = times
        first, second, third = b - a, c - b, d - c
        if not (first > 0 and second <= SLOW * first and third <= SLOW * second):
            return float("inf")
        ratio = max(second / first, third / second) if third > 0 else 0.0
        return d + third * ratio / (1 - ratio)
