"""Collection of the faults of a statement, which are reported together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import Fault, ModelError

FAULTS_LISTED_PER_KIND = 5  # [1] faults of one kind listed individually; the others are only counted
MESSAGE_LENGTH_LIMIT = 160  # [characters] length from which an expression is shortened in a message


class Faults:
    """Collection of faults; `raise_any` raises all of them in one ModelError."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(self, where: str, what: str, advice: str = "") -> None:
        """Add a fault, unless an equal one has been added before."""
        fault = Fault(where, what, advice)
        if fault not in self._faults:
            self._faults.append(fault)

    def add_some(self, where: str, what: Sequence[str], advice: str = "") -> None:
        """Add the first faults of one kind, with the advice at the last of them, and the number of the others."""
        for i, text in enumerate(what[:FAULTS_LISTED_PER_KIND], 1):
            self.add(where, text, advice if i == min(len(what), FAULTS_LISTED_PER_KIND) else "")
        if len(what) > FAULTS_LISTED_PER_KIND:
            self.add(where, f"and {len(what) - FAULTS_LISTED_PER_KIND} more of this kind")

    def extend(self, error: ModelError) -> None:
        """Add all faults of another error."""
        for fault in error.faults:
            self.add(fault.where, fault.what, fault.advice)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def __len__(self) -> int:
        return len(self._faults)

    def raise_any(self, subject: str) -> None:
        """Raise the collected faults, if any, as one ModelError about `subject`."""
        if self._faults:
            raise ModelError(subject, self._faults)


def short_text(thing: object, limit: int = MESSAGE_LENGTH_LIMIT) -> str:
    """Return the text of an object for a message, shortened in the middle if it exceeds `limit` characters."""
    text = str(thing)
    if hasattr(thing, "free_symbols"):
        from .printing.short import short_expression  # with SymPy, which a process without formulas does not import

        text = short_expression(thing)
    if len(text) <= limit:
        return text
    return f"{text[: limit - 40]} ... {text[-35:]}"
