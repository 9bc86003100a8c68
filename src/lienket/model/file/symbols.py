"""Coordinates, parameters, inputs and tables as entries of a model file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import tomlkit

from ...language.data_functions import Table
from ...language.expression import Coordinate, Expression, Symbol
from ...language.symbols import name_of
from ...language.text import write_expression
from .constraints import inline, number

if TYPE_CHECKING:
    from tomlkit.items import Array, InlineTable


NUMBERS_PER_LINE = 8  # [numbers] most numbers of a table on one line of a file


def coordinate_entries(coordinates: Iterable[Coordinate], units: dict[str, str], written: dict[str, str]) -> Array:
    """Return the array of the coordinates, one on each line if some are tables."""
    array = tomlkit.array()
    for x in coordinates:
        array.append(_coordinate(x, units, written))
    return array.multiline(not all(isinstance(entry, str) for entry in array))


def _coordinate(x: Coordinate, units: dict[str, str], written: dict[str, str]) -> str | InlineTable:
    """Return the entry of a coordinate: its name, or a table with symbol, unit and assumptions."""
    name = name_of(x)
    entry: dict[str, Any] = {"name": name}
    if name in written:
        entry["symbol"] = written[name]
    if name in units:
        entry["unit"] = units[name]
    assumptions = x.func._kwargs  # the only record in SymPy of a function's assumptions
    if assumptions:
        entry["assume"] = inline(assumptions)
    return name if len(entry) == 1 else inline(entry)


def parameter_entry(parameter: Symbol, value: Expression | None, units: dict[str, str], written: dict[str, str]) -> Any:
    """Return the entry of a parameter: its number, or a table with symbol, unit and assumptions."""
    entry: dict[str, Any] = {}
    if value is not None:
        entry["value"] = number(value)
    if parameter.name in written:
        entry["symbol"] = written[parameter.name]
    if parameter.name in units:
        entry["unit"] = units[parameter.name]
    assumptions = parameter._assumptions_orig  # as stated by the user; assumptions0 also holds their consequences
    if assumptions:
        entry["assume"] = inline(assumptions)
    return entry["value"] if list(entry) == ["value"] else inline(entry)


def input_entry(
    F: Coordinate, stated: Expression | float | None, units: dict[str, str], written: dict[str, str]
) -> Any:
    """Return the entry of an input: what it is, or a table with symbol, unit and assumptions."""
    entry = _coordinate(F, units, written)
    details = {} if isinstance(entry, str) else {key: value for key, value in entry.items() if key != "name"}
    if stated is None:
        return inline(details)
    value = stated if isinstance(stated, float) else write_expression(stated)
    return inline({"value": value, **details}) if details else value


def table_text(data: Table) -> str:
    """Return the lines of a table of points."""
    key = data.name if data.name.isascii() else f'"{data.name}"'
    points = "".join(f"{name} = [{_lines(numbers)}]\n" for name, numbers in (("x", data.x), ("y", data.y)))
    return f'\n[tables.{key}]\n{points}kind = "{data.kind}"\noutside = "{data.outside}"\n'


def _lines(numbers: tuple[float, ...]) -> str:
    """Return numbers separated by commas, on several lines if there are many."""
    texts = [repr(number) for number in numbers]
    if len(texts) <= NUMBERS_PER_LINE:
        return ", ".join(texts)
    lines = [", ".join(texts[i : i + NUMBERS_PER_LINE]) for i in range(0, len(texts), NUMBERS_PER_LINE)]
    return "\n    " + ",\n    ".join(lines) + ",\n"
