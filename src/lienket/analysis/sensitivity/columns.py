"""Directions: by what a sensitivity differentiates, one column for each, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .request import PARAMETER

Array = Any


LITTLE = 1e-4
"""Where the terms of a linearised constraint are a smaller share than this of what is natural, state/size with the size
of what one differentiates by, or the largest derivative by the same, its residual is measured by this share:
derivatives that vanish leave rounding only."""


@dataclass(frozen=True, eq=False)
class SensitivityColumns:
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


def sizes_by(parameters: Array, columns: Array) -> Array:
    """The size of the parameter of each column, K; infinite where there is none (-1) or it is 0."""
    found = np.full(len(columns), np.inf)
    chosen = columns >= 0
    sizes = np.abs(parameters[columns[chosen]])
    found[chosen] = np.where(sizes > 0, sizes, np.inf)
    return found
