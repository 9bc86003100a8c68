"""Delimited text (.csv, .tsv, .txt) as a Sheet: separated by , ; or tabs, with every line's number kept.

    # comments at the head, and blank lines, are skipped
    t [s];X [N];Y [N]
    0,00;1,5;2,0

Texts are cut up and matched against numbers, never evaluated.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Sequence

from ...language.faults import Faults
from .column_headers import agreed_units, heads, unit_row
from .sheet import Sheet, is_number

_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
Line = tuple[int, list[str]]


def read_text_file(data: bytes, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """The columns of the bytes of a file, named by its first line or by `columns`; None if there are none."""
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        faults.add("", f"it is no text in {encoding.upper()[:6].rstrip('-')} (byte {error.start})", "Save it as UTF-8.")
        return None
    # Only these end a line: splitlines would also cut at form feeds and the like, and count wrongly.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = [(i, line) for i, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        faults.add("", "it is empty" if not text.strip() else "it has nothing but comments")
        return None
    mark = _separator(kept[0][1])
    if not mark:
        faults.add("", f"line {kept[0][0]}: there is one column only", "Separate columns by , or ; or tabs.")
        return None
    return _sheet([(i, _cut(line, mark)) for i, line in kept], columns, mark, faults)


def _separator(line: str) -> str:
    """The first of tab ; , that stands in the line, outside quotes; a comma may also be a decimal sign."""
    bare = "".join(line.split('"')[::2])
    return next((mark for mark in "\t;," if mark in bare), "")


def _cut(line: str, mark: str) -> list[str]:
    # A line is cut by itself, so that an open quote cannot swallow those after it.
    try:
        return next(csv.reader([line], delimiter=mark, strict=True)) if '"' in line else line.split(mark)
    except csv.Error:  # a quote that is not closed
        return line.split(mark)


def _sheet(lines: list[Line], columns: Sequence[str] | None, mark: str, faults: Faults) -> Sheet | None:
    if all(not cells[-1].strip() for _, cells in lines):  # every line ends in a separator
        lines = [(i, cells[:-1]) for i, cells in lines]
    number, first = lines[0]
    units: dict[str, str] = {}
    if all(is_number(cell) for cell in first):
        if columns is None:
            faults.add("", f"line {number}: there are numbers, and no names above them", "Name them: columns=[...].")
            return None
        names, rows = tuple(columns), lines
    else:
        names, units = heads(first)
        rows = lines[1:]
        if columns is not None:
            units = {new: units[old] for old, new in zip(names, columns, strict=False) if old in units}
            names = tuple(columns)
    if columns is not None and len(columns) != len(first):
        faults.add("columns", f"{len(columns)} names are given, and line {number} has {len(first)} columns")
        return None
    below = unit_row(rows[0][1]) if rows and len(rows[0][1]) == len(names) else None
    if below is not None:
        said = f"below it, in line {rows[0][0]}"
        stated = {name: unit for name, unit in zip(names, below, strict=True) if unit}
        units, rows = agreed_units(units, stated, "its head", faults, said), rows[1:]
    return _whole(rows, names, units, mark, faults)


def _whole(rows: list[Line], names: tuple[str, ...], units: dict[str, str], mark: str, faults: Faults) -> Sheet:
    """The sheet; lines with another number of cells are faults, and left out."""
    good = [(i, cells) for i, cells in rows if len(cells) == len(names)]
    bad = [
        f"line {i} has {_count(len(cells))}, {len(names)} are named" for i, cells in rows if len(cells) != len(names)
    ]
    advice = "With a decimal comma, separate columns by ; or tabs." if mark == "," else ""
    faults.add_some("columns", bad, advice)
    signs = "." if mark == "," else _decimal_signs(good, faults)
    columns = tuple([cells[k] for _, cells in good] for k in range(len(names)))
    return Sheet(names, columns, units, "line", [i for i, _ in good], signs)


def _decimal_signs(rows: list[Line], faults: Faults) -> str:
    """The decimal sign of the numbers: a point, or a comma. With both in one file, 1,234 could mean two things."""

    def first(sign: str) -> int | None:
        return next((i for i, cells in rows for cell in cells if sign in cell and is_number(cell)), None)

    comma = first(",")
    point = None if comma is None else first(".")
    if point is not None:
        what = f"line {comma} has a decimal comma, and line {point} a decimal point"
        faults.add("", what, "Write all numbers with the same decimal sign.")
    return "." if comma is None else "," if point is None else ",."


def _count(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"
