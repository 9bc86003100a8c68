"""Names and units in column headers: "F [N]", "F (N)", or a row of units below the names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...errors import Faults
from ...language.units import read_unit
from .sheet import is_number

_BRACKETED = re.compile(r"(.*?)\s*(?:\[(.*)\]|\((.*)\))\s*", flags=re.DOTALL)


def name_and_unit(text: str) -> tuple[str, str]:
    """Return the name and the unit in a column header; the unit is empty if there is none."""
    match = _BRACKETED.fullmatch(text.strip())
    if match and match[1]:
        return match[1].strip(), (match[2] or match[3] or "").strip()
    return text.strip(), ""


def split_headers(texts: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names in a header line, and the units by name where the headers state them."""
    pairs = [name_and_unit(text) for text in texts]
    return tuple(name for name, _ in pairs), {name: unit for name, unit in pairs if unit}


def unit_row(cells: Sequence[str]) -> list[str] | None:
    """Return the units in a line below the names, empty where there is none; None if the line does not hold units.

    In a line of units every cell is empty, in brackets or a known unit, and at least one is a unit written with
    letters: a row of data with missing cells is never mistaken for units.
    """
    units = [_stated_unit(cell.strip()) for cell in cells]
    if any(unit is None for unit in units) or not any(unit and not is_number(unit) for unit in units):
        return None
    return [unit or "" for unit in units]


def _stated_unit(cell: str) -> str | None:
    """Return the unit in a cell, empty if there is none; None if the cell holds anything else."""
    bare = cell[1:-1].strip() if (cell[:1], cell[-1:]) in (("[", "]"), ("(", ")")) else cell
    if not bare or bare == "-":
        return ""
    return bare if bare != cell or read_unit(bare) is not None else None


def agreed_units(
    units: Mapping[str, str], stated: Mapping[str, str], source: str, faults: Faults, other: str = "units=..."
) -> dict[str, str]:
    """Return the union of two mappings of units, and report contradictions. Units are not converted."""
    for name in units.keys() & stated.keys():
        unit, stated_unit = read_unit(units[name]), read_unit(stated[name])
        agree = unit.agrees(stated_unit) if unit and stated_unit else units[name] == stated[name]
        if not agree:
            what = f"{source} states {units[name]!r}, but {other} states {stated[name]!r}"
            faults.add(f"column {name!r}", what, "Units are not converted: convert the numbers, or correct the label.")
    return {**units, **stated}
