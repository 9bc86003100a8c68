"""The columns of a sensitivity: one for each parameter or start value that it differentiates by."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from .request import PARAMETER

# The residual of a linearized constraint is measured relative to its terms. Where derivatives vanish, all terms are
# rounding; the natural scale of the terms, |G| (|state|/|parameter| + largest derivative in the column), is the floor.
RESIDUAL_SCALE_FLOOR = 1e-4  # [1] part of the natural scale that the terms count as at least


@dataclass(frozen=True, eq=False)
class SensitivityColumns:
    """K columns: `kind` (K) is PARAMETER, POSITION or VELOCITY, `index` (K) the index within its kind."""

    kind: IntArray
    index: IntArray
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def parameters(self) -> IntArray:
        """The parameter of each column, K; -1 where it is a start value."""
        return np.where(self.kind == PARAMETER, self.index, -1).astype(np.int64)

    def units(self, kind: int, count: int) -> Array:
        """Return the derivatives (count x K) of all `count` values of a kind by the columns: 1 or 0."""
        derivatives = np.zeros((count, len(self)))
        columns = np.flatnonzero(self.kind == kind)
        derivatives[self.index[columns], columns] = 1.0
        return derivatives


def sizes_by(parameters: Array, columns: IntArray) -> Array:
    """Return the absolute value of the parameter of each column, K; infinite where it is 0 or there is none (-1)."""
    sizes = np.full(len(columns), np.inf)
    of_parameter = columns >= 0
    values = np.abs(parameters[columns[of_parameter]])
    sizes[of_parameter] = np.where(values > 0, values, np.inf)
    return sizes
