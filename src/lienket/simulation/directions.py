"""Directions: by what a sensitivity differentiates, one column for each, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.stated_sensitivity import PARAMETER

Array = Any


@dataclass(frozen=True, eq=False)
class Directions:
    """K columns: `kind` (K) is PARAMETER, POSITION or VELOCITY, `place` (K) which of them; and their names."""

    kind: Array
    place: Array
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def parameters(self) -> Array:
        """The parameter of each column, K; -1 where it is a start value."""
        return np.where(self.kind == PARAMETER, self.place, -1).astype(np.int64)

    def units(self, kind: int, count: int) -> Array:
        """The derivatives of `count` values of a kind by the columns: 1 in its place, count x K."""
        found = np.zeros((count, len(self)))
        own = np.flatnonzero(self.kind == kind)
        found[self.place[own], own] = 1.0
        return found
