"""StatedStart: the start of a motion as stated, in numbers."""

from __future__ import annotations

from typing import Any

from ...foundation.frozen_dataclass import dataclass

Array = Any


@dataclass(frozen=True)
class StatedStart:
    """Positions and velocities q and v (n each): stated, guessed, or 0.

    `fixed_q` and `fixed_v` (n booleans) mark the stated ones, which must not change, `guessed_q` and `guessed_v` the
    guessed ones.
    """

    q: Array
    v: Array
    fixed_q: Array
    fixed_v: Array
    guessed_q: Array
    guessed_v: Array
