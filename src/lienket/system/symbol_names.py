"""Names of the symbols of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..foundation.frozen_dataclass import dataclass
from ..language.written_names import aliases

if TYPE_CHECKING:
    from . import System


@dataclass(frozen=True)
class SymbolNames:
    """Names of a system, its coordinates, parameters and inputs; parameters that have a number; aliases of LaTeX."""

    system: str
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    inputs: tuple[str, ...]
    numbered: frozenset[str]
    aliases: dict[str, str]


def names_of(system: System) -> SymbolNames:
    """Return the names of a system; formulas of a known model file are not read for them."""
    numeric = system.numeric_system
    table = numeric.symbols
    return SymbolNames(
        numeric.name,
        table.coordinates,
        table.visible,
        table.inputs,
        frozenset(table.defaults_by_name),
        aliases([*table.coordinates, *table.inputs, *table.visible], numeric.data_functions),
    )
