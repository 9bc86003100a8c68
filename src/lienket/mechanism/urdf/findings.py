"""Faults and notes of a file, collected: their number is limited, since a file may have thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import inf

from ...errors import Fault, ModelFileError, did_you_mean
from .xml_nodes import Node, shown

FAULTS_LISTED = 100  # [1] faults of a file that are listed; the others are counted
NOTES_LISTED = 1000  # [1] notes on a file that are kept; the others are counted
LINES_LISTED = 5  # [1] lines that a note on several elements names
MISSPELT = 2  # [characters] difference in length of tags of which one may be the other misspelt
SUGGESTIONS = 10  # [1] faults of a file for which the nearest known name is searched
_LINE = re.compile(r"line (\d+)")


class Findings:
    """Faults and notes in the order in which they were found."""

    def __init__(self) -> None:
        self._faults: dict[Fault, None] = {}
        self._notes: dict[str, None] = {}
        self._left_out: dict[str, list[int]] = {}
        self._suggested = 0

    def __bool__(self) -> bool:
        return bool(self._faults)

    def fault(self, where: str, what: str, advice: str = "") -> None:
        """Add a fault."""
        self._faults[Fault(where, what, advice)] = None

    def fault_at(self, node: Node, label: str, what: str, advice: str = "") -> None:
        """Add a fault of an element; `label` names the link or the joint that it belongs to."""
        self.fault(f"line {node.line}, {label}", what, advice)

    def note(self, sentence: str) -> None:
        """Add a sentence about something that is left out or renamed."""
        self._notes[sentence] = None

    def note_at(self, node: Node, label: str, what: str) -> None:
        """Add a note on an element."""
        self.note(f"Line {node.line}, {label}: {what}.")

    def left_out(self, node: Node, known: Sequence[str]) -> None:
        """Remember an element that is not supported; elements of one tag share a note.

        One that is nearly written as a `known` one is a fault, since the mechanics would lack what it states.
        """
        where = f"line {node.line}"
        if node.tag.startswith("xacro:"):
            advice = "Expand it first: xacro FILE.xacro > FILE.urdf."
            return self.fault(where, f"<{shown(node.tag)}> belongs to a xacro template", advice)
        near = [tag for tag in known if abs(len(tag) - len(node.tag)) <= MISSPELT]
        meant = self.meant(node.tag, near) if near and node.tag not in self._left_out else ""
        if meant:
            return self.fault(where, f"the element <{shown(node.tag)}> is not known{meant}")
        self._left_out.setdefault(node.tag, []).append(node.line)

    def meant(self, name: str, known: Iterable[str]) -> str:
        """Return ', did you mean ...?' for the first faults, else an empty text: the search takes time."""
        self._suggested += 1
        return did_you_mean(name, known) if self._suggested <= SUGGESTIONS else ""

    def notes(self) -> tuple[str, ...]:
        """Return the notes."""
        elements = [_left_out(tag, lines) for tag, lines in self._left_out.items()]
        every = [*self._notes, *elements]
        more = len(every) - NOTES_LISTED
        return (*every[:NOTES_LISTED], *([f"There are {more} more notes."] if more > 0 else []))

    def raise_any(self, path: object) -> None:
        """Raise the faults, if any, as one ModelFileError, in the order of their lines."""
        if not self._faults:
            return
        listed = sorted(self._faults, key=_line)
        more = len(listed) - FAULTS_LISTED
        end = [Fault("", f"and {more} more faults")] if more > 0 else []
        raise ModelFileError(path, [*listed[:FAULTS_LISTED], *end])


def _line(fault: Fault) -> float:
    """Return the line of a fault, infinity if it has none."""
    found = _LINE.match(fault.where)
    return int(found[1]) if found else inf


def _left_out(tag: str, lines: list[int]) -> str:
    """Return the sentence about the elements of a tag."""
    if len(lines) == 1:
        return f"Line {lines[0]}: the element <{shown(tag)}> is not supported and left out."
    listed = ", ".join(map(str, lines[:LINES_LISTED])) + (", ..." if len(lines) > LINES_LISTED else "")
    return f"Lines {listed}: {len(lines)} elements <{shown(tag)}> are not supported and left out."
