"""XML as nodes with their lines, read by expat with limits: nothing in a file can make it grow or open another file.

A document type is refused before anything in it is read, so that there are no entities besides the five of XML.
"""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

from ...errors import ExpressionError, Fault
from ...foundation.frozen_dataclass import dataclass

DEPTH_LIMIT = 64  # [levels] deepest nesting of elements in a URDF file
ELEMENTS_LIMIT = 50_000  # [elements] most elements in a URDF file
SHOWN_LENGTH = 60  # [characters] part of a name or a value that messages show
ENCODINGS = ("utf-8", "utf8", "us-ascii", "ascii")


class Refused(Exception):
    """A text that is no XML, or not XML that is read; `fault` says why."""

    def __init__(self, where: str, what: str, advice: str = "") -> None:
        self.fault = Fault(where, what, advice)
        super().__init__(what)


@dataclass(frozen=True, eq=False)
class Node:
    """Element: its tag, attributes, line in the file and the elements in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node]

    def named(self, tag: str) -> list[Node]:
        """Return the elements in it that have a tag."""
        return [child for child in self.children if child.tag == tag]


def shown(text: str) -> str:
    """Return a text for a message: short, without characters that cannot be printed."""
    short = text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}..."
    return "".join(c if c.isprintable() else " " for c in short)


def quoted(text: str) -> str:
    """Return a text in quotes for a message, with its length if it is not shown as a whole."""
    length = f" ({len(text)} characters)" if len(text) > SHOWN_LENGTH else ""
    return f"'{shown(text)}'{length}"


def parse(text: str) -> Node:
    """Return the root element of an XML text; raises Refused."""
    if not text.strip():
        raise Refused("", "it is empty")
    reader = _Reader(text)
    try:
        reader.parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise reader.syntax_fault(error) from None
    assert reader.root is not None  # noqa: S101  # a text without an element is an ExpatError
    return reader.root


class _Reader:
    """Handlers of a parser; `open` are the elements that are not closed yet."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Node | None = None
        self.open: list[Node] = []
        self._count = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.XmlDeclHandler = self._declaration

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self._count += 1
        if self._count > ELEMENTS_LIMIT:
            raise Refused(f"line {line}", f"it has more than {ELEMENTS_LIMIT} elements, too many for a robot")
        if len(self.open) >= DEPTH_LIMIT:
            raise Refused(f"line {line}", f"its elements are nested more than {DEPTH_LIMIT} levels deep")
        node = Node(tag, attributes, line, [])
        if self.open:
            self.open[-1].children.append(node)
        else:
            self.root = node
        self.open.append(node)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _doctype(self, *_: object) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise Refused(f"line {line}", "it has a document type, which is never read", "Remove <!DOCTYPE ...>.")

    def _declaration(self, _: str, encoding: str | None, __: int) -> None:
        if encoding and encoding.lower() not in ENCODINGS and not self.text.isascii():
            what = f"it declares the encoding {quoted(encoding)}"
            raise Refused("line 1", what, "Save it as UTF-8, and declare that or nothing.")

    def syntax_fault(self, error: expat.ExpatError) -> Refused:
        """Return the fault of a text that is no XML: its line as it stands in the file, with a caret."""
        what = expat.ErrorString(error.code) or "it is no XML"
        last = self.open[-1] if self.open else None
        if last is not None and what in ("no element found", "unclosed token"):
            what = f"the file ends before <{shown(last.tag)}> of line {last.line} is closed"
        elif last is not None and what == "mismatched tag":
            what = f"another element is closed while <{shown(last.tag)}> of line {last.line} is open"
        elif what == "no element found":
            what = "there is no element in it"
        lines = self.text.split("\n")
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        pointer = ExpressionError("", line, min(error.offset, len(line))).pointer()
        return Refused(f"XML, line {error.lineno}", what, pointer)
