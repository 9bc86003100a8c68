"""Problem: a model with numbers for its parameters, as integrators see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import lru_cache
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel
from ..foundation.frozen_dataclass import dataclass
from .memory import addresses

Array = Any

NO_CORNERS = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Problem:
    """The compiled model, the numbers of its parameters, and the names of its coordinates (n).

    `corners` are times, increasing, at which a derivative of the forces jumps: points of tables read over time.
    """

    model: CompiledModel
    parameters: Array
    names: tuple[str, ...]
    corners: Array = field(default_factory=lambda: NO_CORNERS)

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.model.n

    @property
    def s(self) -> int:
        """The number of rows of constraints."""
        return self.model.s

    @property
    def level(self) -> Array:
        """The level of each row (s): 0 holonomic, 1 on velocities, 2 on accelerations."""
        return self.model.levels

    @property
    def addresses(self) -> Array:
        """The addresses of the functions in the order of `memory`, and the sizes."""
        return _addresses(self.model)

    def addresses_for(self, needs: Iterable[tuple[int, str]]) -> Array:
        """The same with functions that only some methods need, each by its place and name."""
        found = self.addresses.copy()
        for place, name in needs:
            found[place] = self.model.address(name)
        return found


@lru_cache(maxsize=128)  # many runs of one model, perhaps with other parameters
def _addresses(model: CompiledModel) -> Array:
    found = np.zeros(len(addresses), dtype=np.int64)
    names = {
        addresses.MOTION: "motion",
        addresses.TERMS: "terms",
        addresses.SURFACE: "surface",
        addresses.BALANCE: "balance",
    }
    for place, name in names.items():
        found[place] = model.address(name)
    found[addresses.POWER] = model.address("power")
    for what, name in enumerate(("position_correction", "velocity_correction")):
        if np.any(model.levels <= what):
            found[addresses.POSITION_CORRECTION + what] = model.address(name) or -1
    found[addresses.COORDINATES], found[addresses.ROWS] = model.n, model.s
    return found
