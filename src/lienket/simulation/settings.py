"""How a run is made: method, tolerances, steps."""

from __future__ import annotations

from typing import Any

from ..foundation.frozen_dataclass import dataclass

Array = Any

UNKNOWN = (-1, 1e300)
"""How accelerations are usually found, before the first step."""


@dataclass(frozen=True, eq=False)
class Settings:
    """How a run is made: the method asked for, tolerances (atol: 2 n), a fixed step or 0, most rows to keep."""

    method: str
    rtol: float
    atol: Array
    step: float = 0.0
    largest: float = float("inf")
    most_rows: int = 200_000
