"""Every exception of lienket.

    LienketError
    |-- ExpressionError     a formula's text cannot be read; points at the column
    |-- ModelError          a statement has faults; carries all of them
    |   `-- ModelFileError  the same, found in a model file
    |-- StartError          no state satisfies the constraints with the start values given
    `-- UnknownName         a name that the system does not have; offers the nearest one

A fault says where it is, what is wrong and what to change. A model is never refused for its first
fault alone: all faults are collected, then raised together in one ModelError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .foundation.frozen_dataclass import dataclass


class LienketError(Exception):
    """The root of every exception that lienket raises on purpose."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a statement: where it is, what it is, and what to change."""

    where: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n{self.advice}" if self.advice else head


class ExpressionError(LienketError, ValueError):
    """The text of a formula cannot be read.

    `message` says what is wrong, `column` (from 0) where it starts in `text`; the printed form shows
    the line with a caret under that column.
    """

    WINDOW = 72  # characters of a long formula shown around the caret

    def __init__(self, message: str, text: str = "", column: int = 0) -> None:
        self.message = message
        self.text = text
        self.column = column
        super().__init__(message, text, column)

    def __str__(self) -> str:
        if not self.text:
            return self.message
        return f"{self.message} (column {self.column + 1})\n{self.pointer()}"

    def pointer(self) -> str:
        """The part of the formula around the column, on one line, with a caret on the next."""
        start = max(0, self.column - self.WINDOW // 2)
        piece = self.text[start : start + self.WINDOW]
        shown = "".join(c if c.isprintable() else " " for c in piece)
        head = "..." if start else ""
        tail = "..." if start + self.WINDOW < len(self.text) else ""
        return f"  {head}{shown}{tail}\n  {' ' * (len(head) + self.column - start)}^"


class ModelError(LienketError, ValueError):
    """A statement has faults; `faults` holds all of them, the text lists them all."""

    def __init__(self, subject: str, faults: Iterable[Fault]) -> None:
        self.subject = subject
        self.faults = tuple(faults)
        super().__init__(subject, self.faults)

    def __str__(self) -> str:
        count = len(self.faults)
        head = f"{self.subject} has {'a fault' if count == 1 else f'{count} faults'}:"
        lines = [head]
        for number, fault in enumerate(self.faults, 1):
            first, *rest = str(fault).splitlines()
            mark = f"  {number}. "
            lines.append(mark + first)
            lines.extend(" " * len(mark) + line for line in rest)
        return "\n".join(lines)


class ModelFileError(ModelError):
    """A model file cannot be read or written, or states a faulty model; `path` is the file."""

    def __init__(self, path: object, faults: Iterable[Fault]) -> None:
        self.path = str(path)
        super().__init__(f"The model file {self.path}", faults)
        self.args = (self.path, self.faults)


class StartError(LienketError, ValueError):
    """No state satisfies the constraints with the start values given.

    `residuals` has by how much each constraint is off that cannot be satisfied; `given` are the names of the start
    values that take part.
    """

    def __init__(self, message: str, residuals: Mapping[str, float], given: Sequence[str]) -> None:
        self.message = message
        self.residuals = dict(residuals)
        self.given = tuple(given)
        super().__init__(message, self.residuals, self.given)

    def __str__(self) -> str:
        return self.message


class UnknownName(LienketError, KeyError):
    """A name was asked for that the system does not have; `nearest` is the most similar known one."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        self.what = what
        self.name = name
        self.known = tuple(known)
        self.nearest = nearest_name(name, known)
        super().__init__(what, name, self.known)

    def __str__(self) -> str:
        listed = ", ".join(self.known) if self.known else "none"
        return f"There is no {self.what} named {self.name!r}{did_you_mean(self.name, self.known)}. Known: {listed}."


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name most similar to `name`, or None if nothing is similar."""
    name, known = str(name), list(known)
    folded = {k.lower(): k for k in known}
    if name.lower() in folded:
        return folded[name.lower()]
    import difflib  # only to explain a fault

    found = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """', did you mean ...?' for the nearest known name, or an empty text."""
    nearest = nearest_name(name, known)
    return f", did you mean {nearest!r}?" if nearest else ""
