"""SymbolTable: the names of a system and the default numbers of its parameters, without formulas."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...errors import Faults, did_you_mean
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class SymbolTable:
    """Names of the coordinates (n) and parameters (p) of a system, in the order in which its machine code takes them.

    `defaults` (p) are the default numbers, None where there is none; what is not a finite number is reported when it
    is read. `signs` are the indices of the parameters that are signs of contacts, which users do not state. `unused`
    are (kind of entry, name) of numbers and units that nothing uses. `inputs` are the names of all inputs; those that
    are numbers are parameters too. The laws and programs are valid at the default numbers if `sound`; they depend on
    the parameters with the indices `of_laws`.
    """

    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    defaults: tuple[Any, ...]
    signs: tuple[int, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()
    sound: bool = True
    of_laws: tuple[int, ...] = ()
    inputs: tuple[str, ...] = ()

    @cached_property
    def visible(self) -> tuple[str, ...]:
        """Names of the parameters that users state as values: neither signs of contacts nor inputs."""
        return tuple(name for k, name in enumerate(self.parameters) if k not in self.signs and name not in self.inputs)

    @cached_property
    def defaults_by_name(self) -> dict[str, Any]:
        """Default numbers by name."""
        pairs = zip(self.parameters, self.defaults, strict=True)
        return {name: number for name, number in pairs if number is not None}

    @cached_property
    def numbers(self) -> Array | None:
        """Default numbers (p), None unless every parameter has one and the laws are valid with them."""
        if not self.sound or not all(type(x) is float for x in self.defaults):
            return None
        return np.array(self.defaults, dtype=float)

    def report_unused(self, faults: Faults) -> None:
        """Report the names of waiting numbers and units, which neither the system nor its constraints use."""
        for where, text in self.unused:
            what = f"neither the system nor its constraints use {text!r}{did_you_mean(text, self.parameters)}"
            faults.add(where, what, "Correct the name in the system, or leave it out.")

    def changes_laws(self, numbers: Array) -> bool:
        """Return whether numbers (p) of the parameters may make a law or program invalid."""
        return not self.sound or any(numbers[k] != self.defaults[k] for k in self.of_laws)
