"""Reader of delimited text (.csv, .tsv, .txt): columns separated by , ; or tabs, with the line numbers for messages.

    # comments at the head, and blank lines, are skipped
    t [s];X [N];Y [N]
    0,00;1,5;2,0

Texts are split and matched against numbers, never evaluated.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Sequence

from ...errors import Faults
from .column_headers import agreed_units, split_headers, unit_row
from .sheet import Sheet, is_number

_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
Line = tuple[int, list[str]]


def read_text_file(data: bytes, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """Return the columns of the bytes of a file, named by its first line or by `columns`; None without columns."""
    encoding = next((name for bom, name in _ENCODINGS.items() if data.startswith(bom)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        faults.add(
            "", f"it is not text in {encoding.upper()[:6].rstrip('-')} (byte {error.start})", "Save it as UTF-8."
        )
        return None
    # Only these end a line: splitlines would also split at form feeds and the like, and count wrongly.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    content = [(i, line) for i, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    if not content:
        faults.add("", "it is empty" if not text.strip() else "it contains only comments")
        return None
    separator = _separator(content[0][1])
    if not separator:
        faults.add("", f"line {content[0][0]}: there is only one column", "Separate columns by , or ; or tabs.")
        return None
    return _sheet([(i, _split_line(line, separator)) for i, line in content], columns, separator, faults)


def _separator(line: str) -> str:
    """Return the first of tab ; , that appears in the line, outside quotes; a comma may also be a decimal sign."""
    unquoted = "".join(line.split('"')[::2])
    return next((mark for mark in "\t;," if mark in unquoted), "")


def _split_line(line: str, separator: str) -> list[str]:
    # Each line is split separately, so that an open quote cannot absorb the lines after it.
    """Return the cells of a line."""
    try:
        return next(csv.reader([line], delimiter=separator, strict=True)) if '"' in line else line.split(separator)
    except csv.Error:  # a quote that is not closed
        return line.split(separator)


def _sheet(lines: list[Line], columns: Sequence[str] | None, separator: str, faults: Faults) -> Sheet | None:
    """Return the columns of the lines, with names and units from the headers."""
    if all(not cells[-1].strip() for _, cells in lines):  # every line ends in a separator
        lines = [(i, cells[:-1]) for i, cells in lines]
    number, first = lines[0]
    units: dict[str, str] = {}
    if all(is_number(cell) for cell in first):
        if columns is None:
            faults.add(
                "", f"line {number}: there are numbers without column names above them", "Name them: columns=[...]."
            )
            return None
        names, rows = tuple(columns), lines
    else:
        names, units = split_headers(first)
        rows = lines[1:]
        if columns is not None:
            units = {new: units[old] for old, new in zip(names, columns, strict=False) if old in units}
            names = tuple(columns)
    if columns is not None and len(columns) != len(first):
        faults.add("columns", f"{len(columns)} names are given, but line {number} has {len(first)} columns")
        return None
    below = unit_row(rows[0][1]) if rows and len(rows[0][1]) == len(names) else None
    if below is not None:
        stated = {name: unit for name, unit in zip(names, below, strict=True) if unit}
        units, rows = agreed_units(units, stated, "its header", faults, f"line {rows[0][0]}"), rows[1:]
    return _complete_lines(rows, names, units, separator, faults)


def _complete_lines(
    rows: list[Line], names: tuple[str, ...], units: dict[str, str], separator: str, faults: Faults
) -> Sheet:
    """Return the sheet of all lines with a cell for each column; report the other lines."""
    good = [(i, cells) for i, cells in rows if len(cells) == len(names)]
    bad = [
        f"line {i} has {_count(len(cells))}, but {len(names)} columns are named"
        for i, cells in rows
        if len(cells) != len(names)
    ]
    advice = "With a decimal comma, separate columns by ; or tabs." if separator == "," else ""
    faults.add_some("columns", bad, advice)
    decimal_signs = "." if separator == "," else _decimal_signs(good, faults)
    columns = tuple([cells[k] for _, cells in good] for k in range(len(names)))
    return Sheet(names, columns, units, "line", [i for i, _ in good], decimal_signs)


def _decimal_signs(rows: list[Line], faults: Faults) -> str:
    """Return the decimal sign of the numbers, a point or a comma; report both in one file, where 1,234 is ambiguous."""

    def first_line_with(sign: str) -> int | None:
        return next((i for i, cells in rows for cell in cells if sign in cell and is_number(cell)), None)

    comma = first_line_with(",")
    point = None if comma is None else first_line_with(".")
    if point is not None:
        what = f"line {comma} has a decimal comma, and line {point} a decimal point"
        faults.add("", what, "Write all numbers with the same decimal sign.")
    return "." if comma is None else "," if point is None else ",."


def _count(cells: int) -> str:
    """Return the number of cells as text."""
    return "1 cell" if cells == 1 else f"{cells} cells"
