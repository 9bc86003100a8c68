"""Settings of a run: method, tolerances, step size."""

from __future__ import annotations

from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass

# Usual status of the accelerations and limit of their growth, counts[STATUS_USUAL] and control[GROWTH], before a run.
UNKNOWN_STATUS = (-1, 1e300)
COARSE_CLOCK = 64.0  # [1] times relative to the length of a run, above which their rounding limits the steps


@dataclass(frozen=True, eq=False)
class Settings:
    """Settings of a run: method, tolerances (atol: 2 n), fixed step size or 0, largest step size, most rows."""

    method: str
    rtol: float
    atol: Array
    step: float = 0.0
    largest: float = float("inf")
    most_rows: int = 200_000
