"""All exceptions of lienket.

    LienketError
    |-- ExpressionError     a formula's text cannot be read; points at the column
    |-- ModelError          a statement has faults; carries all of them
    |   `-- ModelFileError  faults found in a model file
    |-- StartError          no state satisfies both the constraints and the given start values
    `-- UnknownName         a name that the system does not have; suggests the nearest one

A fault states where it is, what is wrong and what to change. Checking a model does not stop at the
first fault: all faults are collected and raised together in one ModelError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from .foundation.frozen_dataclass import dataclass
from .foundation.nearest_name import did_you_mean as did_you_mean
from .foundation.nearest_name import nearest_name as nearest_name

FAULTS_LISTED_PER_KIND = 5  # [1] faults of one kind listed individually; the others are only counted


class LienketError(Exception):
    """Base class of every exception that lienket raises on purpose.

    Examples
    --------
    >>> try:
    ...     lk.load("examples/models/rolling_disc.toml").release("rope")
    ... except lk.LienketError as error:
    ...     print(error)
    There is no constraint named 'rope'. Known: contact, rolling.
    """


@dataclass(frozen=True)
class Fault:
    """One fault of a statement: its location, a description, and advice on what to change."""

    where: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n{self.advice}" if self.advice else head


class ExpressionError(LienketError, ValueError):
    """The text of a formula cannot be read.

    `message` describes the fault, `column` (from 0) is its position in `text`; the printed form shows
    the line with a caret under that column.
    """

    WINDOW = 72  # [characters] part of a long formula shown around the caret

    def __init__(self, message: str, text: str = "", column: int = 0) -> None:
        self.message = message
        self.text = text
        self.column = column
        super().__init__(message, text, column)

    def __str__(self) -> str:
        if not self.text.strip():
            return self.message
        return f"{self.message} (column {self.column + 1})\n{self.pointer()}"

    def pointer(self) -> str:
        """Return the part of the formula around the column and a caret on the next line; "" for an empty formula."""
        if not self.text.strip():
            return ""
        start = max(0, self.column - self.WINDOW // 2)
        window = self.text[start : start + self.WINDOW]
        printable = "".join(c if c.isprintable() else " " for c in window)
        head = "..." if start else ""
        tail = "..." if start + self.WINDOW < len(self.text) else ""
        return f"  {head}{printable}{tail}\n  {' ' * (len(head) + self.column - start)}^"


class ModelError(LienketError, ValueError):
    """Faults of a statement, all of them in one error.

    Parameters
    ----------
    subject : str
        Object that has the faults; also an attribute.
    faults : iterable of Fault
        Each with where, what and advice; also an attribute, a tuple.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> try:
    ...     lk.System("mass", [x], kinetic=der(x)**2).constrain("wall", lk.coordinates("y"))
    ... except lk.ModelError as error:
    ...     print(len(error.faults))
    1
    """

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
    """A model file cannot be read or written, or its model has faults; `path` is the file."""

    def __init__(self, path: object, faults: Iterable[Fault]) -> None:
        self.path = str(path)
        super().__init__(f"The model file {self.path}", faults)
        self.args = (self.path, self.faults)


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


class StartError(LienketError, ValueError):
    """No state satisfies both the constraints and the given start values.

    `message` states the contradiction and `advice` what to change; `residuals` holds the residual of each constraint
    that cannot be satisfied, by name; `given` the names of the start values involved.
    """

    def __init__(self, message: str, residuals: Mapping[str, float], given: Sequence[str], advice: str = "") -> None:
        self.message = message
        self.residuals = dict(residuals)
        self.given = tuple(given)
        self.advice = advice
        super().__init__(message, self.residuals, self.given, advice)

    def __str__(self) -> str:
        return f"{self.message} {self.advice}" if self.advice else self.message


class UnknownName(LienketError, KeyError):
    """A requested name does not exist in the system; `nearest` is the most similar existing one."""

    def __init__(self, what: str, name: str, known: Sequence[str]) -> None:
        self.what = what
        self.name = name
        self.known = tuple(known)
        self.nearest = nearest_name(name, known)
        super().__init__(what, name, self.known)

    def __str__(self) -> str:
        listed = ", ".join(self.known) if self.known else "none"
        end = did_you_mean(self.name, self.known) or "."
        return f"There is no {self.what} named {self.name!r}{end} Known: {listed}."
