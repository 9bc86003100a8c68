"""Names and units at the head of columns: "F [N]", "F (N)", or a row of units below the names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...language.faults import Faults
from ...language.units import read_unit
from .sheet import is_number

_BRACKETED = re.compile(r"(.*?)\s*(?:\[(.*)\]|\((.*)\))\s*", flags=re.DOTALL)


def name_and_unit(text: str) -> tuple[str, str]:
    """The name and the unit that a head of a column states; the unit is empty if there is none."""
    found = _BRACKETED.fullmatch(text.strip())
    if found and found[1]:
        return found[1].strip(), (found[2] or found[3] or "").strip()
    return text.strip(), ""


def heads(texts: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names in a line of heads, and the units by name, where there are some."""
    pairs = [name_and_unit(text) for text in texts]
    return tuple(name for name, _ in pairs), {name: unit for name, unit in pairs if unit}


def unit_row(cells: Sequence[str]) -> list[str] | None:
    """The units in a line below the names, empty texts where there is none; None if the line is something else.

    Every cell is empty, in brackets or a known unit, and at least one is a unit written with letters: a row of data
    in which something is missing is never taken for units.
    """
    found = [_stated_unit(cell.strip()) for cell in cells]
    if any(unit is None for unit in found) or not any(unit and not is_number(unit) for unit in found):
        return None
    return [unit or "" for unit in found]


def _stated_unit(cell: str) -> str | None:
    bare = cell[1:-1].strip() if (cell[:1], cell[-1:]) in (("[", "]"), ("(", ")")) else cell
    if not bare or bare == "-":
        return ""
    return bare if bare != cell or read_unit(bare) is not None else None


def agreed_units(
    found: Mapping[str, str], stated: Mapping[str, str], source: str, faults: Faults, said: str = "is stated"
) -> dict[str, str]:
    """The units by name, of two lists that must not contradict each other. Nothing is converted."""
    for name in found.keys() & stated.keys():
        here, wanted = read_unit(found[name]), read_unit(stated[name])
        same = here.agrees(wanted) if here and wanted else found[name] == stated[name]
        if not same:
            what = f"{source} is in {found[name]!r}, and {stated[name]!r} {said}"
            faults.add(f"column {name!r}", what, "Units are not converted: convert the numbers, or correct the label.")
    return {**found, **stated}
