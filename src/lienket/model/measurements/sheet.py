"""Sheet: named columns of raw cells, before they are converted to numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np

from ...errors import Faults
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...language.short_text import short_text

_PLAIN = re.compile(r"[0-9eE+\-. \n]*")  # characters of numbers with a decimal point
_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", flags=re.ASCII)


@dataclass(frozen=True)
class Sheet:
    """Columns of equal length; the cells of a text file are texts, those of arrays are entries of the arrays.

    row_word, row_numbers   word and number of a row in messages: "line" 7 of a file, "row" 5 of arrays, counted from 0
    decimal_signs           the decimal signs allowed in its texts
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    units: Mapping[str, str]
    row_word: str
    row_numbers: Sequence[int]
    decimal_signs: str = "."

    def where(self, row: SupportsIndex) -> str:
        """Return the location of a row for messages."""
        return f"{self.row_word} {self.row_numbers[int(row)]}"

    def numbers(self, name: str, faults: Faults) -> Array:
        """Return a column as float64; a cell that is not a finite number is reported and becomes NaN."""
        cells = self.columns[self.names.index(name)]
        if isinstance(cells, np.ndarray) and cells.dtype.kind in "fiu":
            numbers = np.array(cells, dtype=float)
        elif self.row_word == "line":
            numbers = self._read(cells)
        else:
            numbers = np.array([_number(cell) for cell in cells])
        bad = [f"{self.where(i)}: {_cell_fault(cells[i])}" for i in np.flatnonzero(~np.isfinite(numbers))]
        faults.add_some(f"column {name!r}", bad, "Remove these rows, or insert the measured numbers.")
        return numbers

    def _read(self, cells: Sequence[str]) -> Array:
        """Return the numbers of texts, NaN for a text that is not a number."""
        if _PLAIN.fullmatch("\n".join(cells)):
            try:
                return np.array([float(cell) for cell in cells])
            except ValueError:
                pass  # one of them is not a number
        not_allowed = set(".,") - set(self.decimal_signs)
        valid = [is_number(cell) and not not_allowed & set(cell) for cell in cells]
        return np.array(
            [float(cell.replace(",", ".")) if is_valid else np.nan for is_valid, cell in zip(valid, cells, strict=True)]
        )


def is_number(text: str) -> bool:
    """Return whether a cell of a text file is written like a number, with any decimal sign."""
    return _NUMBER.fullmatch(text.strip()) is not None


def _cell_fault(cell: object) -> str:
    """Return the fault of a cell that is not a finite number."""
    text = str(cell).strip()
    return f"{short_text(text, 40)!r} is not a finite number" if text else "the cell is empty"


def _number(cell: Any) -> float:
    """Return the cell of an array as a float, NaN if it is not numeric."""
    try:
        return float(cell) if not isinstance(cell, (str, bytes, bool, np.bool_)) else np.nan
    except (TypeError, ValueError, OverflowError):
        return np.nan
