"""Names of the symbols of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..foundation.frozen_dataclass import dataclass

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
    if system._stated is None and system._file is not None and system._file.known is not None:
        known = system._file.known
        numbered = [p for p, x in zip(known.parameters, known.numbers, strict=True) if x is not None]
        return SymbolNames(known.name, known.coordinates, known.parameters, (), frozenset(numbered), {})
    from ..language.symbols import name_of

    stated = system._statement
    return SymbolNames(
        stated.name,
        stated.names,
        tuple(p.name for p in stated.parameters),
        tuple(name_of(F) for F, _ in stated.inputs),
        frozenset(p.name for p, _ in stated.values if hasattr(p, "name")),
        stated.aliases,
    )
