"""Problem: a compiled model with parameter values, the input of the integrators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import lru_cache

import numpy as np

from ..compiled.model import CompiledModel
from ..foundation.arrays import Array, IntArray
from ..foundation.frozen_dataclass import dataclass
from .known_times.time_function import TimeFunction
from .memory import addresses

NO_CORNERS = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Problem:
    """Compiled model, values of its parameters (p) and names of its coordinates (n).

    `corners` are increasing times at which a derivative of the forces jumps: the points of tables over time. Crossings
    of the `time_functions` are known times, at which steps end.
    """

    model: CompiledModel
    parameters: Array
    names: tuple[str, ...]
    corners: Array = field(default_factory=lambda: NO_CORNERS)
    time_functions: tuple[TimeFunction, ...] = ()

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.model.n

    @property
    def s(self) -> int:
        """Number of constraint rows."""
        return self.model.s

    @property
    def level(self) -> IntArray:
        """Level of each row (s): 0 holonomic, 1 on velocities, 2 on accelerations."""
        return self.model.levels

    @property
    def addresses(self) -> IntArray:
        """Addresses of the model's functions and sizes of the model, in the layout `memory.Addresses`."""
        return _addresses(self.model)

    def addresses_for(self, needs: Iterable[str]) -> IntArray:
        """Return the addresses with those of further functions, given by their names."""
        functions = self.addresses.copy()
        for name in needs:
            functions[getattr(addresses, name.upper())] = self.model.address(name)
        return functions


@lru_cache(maxsize=128)  # one model often serves many runs with different parameters
def _addresses(model: CompiledModel) -> IntArray:
    """Return the array `addresses` of a model without the kernels of a method."""
    functions = np.zeros(len(addresses), dtype=np.int64)
    names = {
        addresses.MOTION: "motion",
        addresses.TERMS: "terms",
        addresses.SURFACE: "surface",
        addresses.BALANCE: "balance",
    }
    for index, name in names.items():
        functions[index] = model.address(name)
    functions[addresses.POWER] = model.address("power")
    for level, name in enumerate(("position_correction", "velocity_correction")):
        if np.any(model.levels <= level):
            functions[addresses.POSITION_CORRECTION + level] = model.address(name) or -1
    functions[addresses.COORDINATES], functions[addresses.ROWS] = model.n, model.s
    return functions
