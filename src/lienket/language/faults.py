"""The list on which the faults of a statement are collected before they are reported together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter

from ..errors import Fault, ModelError
from .symbols import is_coordinate_like, name_of

LISTED = 5  # faults of one kind listed with their places


class Faults:
    """Collects faults; `raise_any` ends in one ModelError if there are any."""

    def __init__(self) -> None:
        self._found: list[Fault] = []

    def add(self, where: str, what: str, advice: str = "") -> None:
        """Note a fault; the same one is noted once."""
        fault = Fault(where, what, advice)
        if fault not in self._found:
            self._found.append(fault)

    def add_some(self, where: str, what: Sequence[str], advice: str = "") -> None:
        """Note the first faults of a kind each, with the advice at the last of them, and count the others."""
        for i, text in enumerate(what[:LISTED], 1):
            self.add(where, text, advice if i == min(len(what), LISTED) else "")
        if len(what) > LISTED:
            self.add(where, f"and {len(what) - LISTED} more like these")

    def extend(self, error: ModelError) -> None:
        """Take over the faults of another error."""
        for fault in error.faults:
            self.add(fault.where, fault.what, fault.advice)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def raise_any(self, subject: str) -> None:
        """Raise what was collected, as the faults of `subject`."""
        if self._found:
            raise ModelError(subject, self._found)


class _Brief(StrPrinter):
    """SymPy's text with x for x(t) and x' for its derivative."""

    def _print_AppliedUndef(self, e: Any) -> str:
        return name_of(e) if is_coordinate_like(e) else str(self._print_Function(e))

    def _print_Derivative(self, e: Any) -> str:
        return name_of(e) if is_coordinate_like(e.expr) else str(super()._print_Derivative(e))


def short_text(thing: Any, limit: int = 160) -> str:
    """A thing as it appears in a message: its text, cut in the middle if it is long."""
    text = str(_Brief().doprint(thing)) if isinstance(thing, sp.Basic) else str(thing)
    if len(text) <= limit:
        return text
    return f"{text[: limit - 40]} ... {text[-35:]}"
