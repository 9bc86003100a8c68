"""StatedStart: the start of a motion as stated, in numbers."""

from __future__ import annotations

from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class StatedStart:
    """Positions and velocities q and v (n each): stated, guessed, or 0.

    `fixed_q` and `fixed_v` (n booleans) mark the stated ones, which must not change, `guessed_q` and `guessed_v` the
    guessed ones.
    """

    q: Array
    v: Array
    fixed_q: BoolArray
    fixed_v: BoolArray
    guessed_q: BoolArray
    guessed_v: BoolArray
