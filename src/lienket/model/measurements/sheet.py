"""Sheet: named columns as they were found, before anything is known about what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults, short_text

_PLAIN = re.compile(r"[0-9eE+\-. \n]*")  # what numbers with a decimal point are written with
_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", flags=re.ASCII)


@dataclass(frozen=True)
class Sheet:
    """Columns of equal length; the cells of a text file are texts, those of arrays what the arrays hold.

    place, places   what a row is called and its number: "line" 7 of a file, "row" 5 of arrays, counted from 0
    signs           the decimal signs that its texts may have
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    units: Mapping[str, str]
    place: str
    places: Sequence[int]
    signs: str = "."

    def where(self, row: Any) -> str:
        """How a row is called in a message."""
        return f"{self.place} {self.places[row]}"

    def numbers(self, name: str, faults: Faults) -> Any:
        """A column as float64, with a fault for every cell that is no finite number (NaN there)."""
        cells = self.columns[self.names.index(name)]
        if isinstance(cells, np.ndarray) and cells.dtype.kind in "fiu":
            found = np.array(cells, dtype=float)
        elif self.place == "line":
            found = self._read(cells)
        else:
            found = np.array([_number(cell) for cell in cells])
        bad = [f"{self.where(i)}: {_said(cells[i])}" for i in np.flatnonzero(~np.isfinite(found))]
        faults.add_some(f"column {name!r}", bad, "Take these rows out, or put in what was measured.")
        return found

    def _read(self, cells: Sequence[str]) -> Any:
        """The numbers of texts, NaN for what is none."""
        if _PLAIN.fullmatch("\n".join(cells)):
            try:
                return np.array([float(cell) for cell in cells])
            except ValueError:
                pass  # one of them is no number after all
        refused = set(".,") - set(self.signs)
        matched = [is_number(cell) and not refused & set(cell) for cell in cells]
        return np.array(
            [float(cell.replace(",", ".")) if fits else np.nan for fits, cell in zip(matched, cells, strict=True)]
        )


def is_number(text: str) -> bool:
    """Whether a cell of a text file is written like a number, with whatever decimal sign."""
    return _NUMBER.fullmatch(text.strip()) is not None


def _said(cell: Any) -> str:
    text = str(cell).strip()
    return f"{short_text(text, 40)!r} is no finite number" if text else "the cell is empty"


def _number(cell: Any) -> float:
    try:
        return float(cell) if not isinstance(cell, (str, bytes, bool, np.bool_)) else np.nan
    except (TypeError, ValueError, OverflowError):
        return np.nan
