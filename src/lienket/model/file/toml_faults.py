"""Faults of TOML syntax in words: what is unfinished, where it begins, and the line with a caret.

The parser of the standard library reports the position at which it gave up, which for an open bracket or an open quote
is the end of the file. The text before that position is scanned once for what is still open there.
"""

from __future__ import annotations

import re

from ...errors import ExpressionError, Fault
from ...foundation.frozen_dataclass import dataclass

POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
QUOTES = ('"""', "'''", '"', "'")
CLOSING = {"[": "]", "{": "}"}
NAMES = {"[": "the list", "{": "the inline table"}


@dataclass(frozen=True)
class OpenPart:
    """Part of a TOML text that is begun and not closed: its opening sign, and the position of that sign."""

    sign: str
    offset: int

    def fault(self, text: str) -> str:
        """Return the fault in words."""
        owner = _key_before(text, self.offset)
        of_key = f" as the value of {owner}" if owner else ""
        closing = CLOSING.get(self.sign, self.sign)
        return f"{NAMES.get(self.sign, 'the text')} that begins with {self.sign}{of_key} is not closed with {closing}"


def syntax_fault(text: str, error: Exception) -> Fault:
    """Return the fault of a TOML text that the parser refused with this error."""
    message = str(error) or "it is nested too deeply"
    message = message[:1].lower() + message[1:]
    match = POSITION.search(message)
    if match is None:
        return Fault("TOML", message)
    text = text.replace("\r\n", "\n")  # as the parser counts
    stop = len(text) if match[1] is None else _offset(text, int(match[1]), int(match[2]))
    part = open_part(text, stop)
    message = POSITION.sub("", message)
    if part is not None and (part.sign in QUOTES or match[1] is None or "unclosed" in message):
        return _fault(text, part.offset, part.fault(text))
    stop = len(text.rstrip()) if match[1] is None else stop
    key = _key_before(text, stop)
    if key and text[stop : stop + 1] in ("", "\n", "#", " ", "\t"):
        return _fault(text, stop, f"the key {key} has no value")
    return _fault(text, stop, message)


def open_part(text: str, stop: int) -> OpenPart | None:
    """Return the innermost quote or bracket that is open at the position `stop`; None if there is none."""
    parts: list[OpenPart] = []
    i = 0
    while i < stop:
        quote = next((q for q in QUOTES if text.startswith(q, i)), None)
        if quote is not None:
            end = _end_of_string(text, i + len(quote), quote)
            if end < 0 or end > stop:
                return OpenPart(quote, i)
            i = end
            continue
        if text[i] == "#":
            end = text.find("\n", i)
            i = stop if end < 0 else end
            continue
        if text[i] in CLOSING:
            parts.append(OpenPart(text[i], i))
        elif text[i] in CLOSING.values() and parts:
            parts.pop()
        i += 1
    return parts[-1] if parts else None


def line_number(text: str, offset: int) -> int:
    """Return the number of the line, from 1, at a position."""
    return text.count("\n", 0, offset) + 1


def _end_of_string(text: str, begin: int, quote: str) -> int:
    """Return the position after the closing quote; -1 if there is none, on the same line for a single quote."""
    i = begin
    while i < len(text):
        if text.startswith(quote, i):
            return i + len(quote)
        if text[i] == "\n" and len(quote) == 1:
            return -1
        i += 2 if text[i] == "\\" and quote[0] == '"' else 1
    return -1


def _key_before(text: str, offset: int) -> str:
    """Return the key whose `=` stands directly before a position; "" if none does."""
    match = re.search(r"([\w.\"'-]+)[ \t]*=[ \t]*$", text[text.rfind("\n", 0, offset) + 1 : offset])
    return match[1] if match else ""


def _offset(text: str, line: int, column: int) -> int:
    """Return the position of a line and a column, both from 1."""
    begin = 0
    for _ in range(line - 1):
        begin = text.find("\n", begin) + 1
    return min(begin + column - 1, len(text))


def _fault(text: str, offset: int, what: str) -> Fault:
    """Return the fault at a position: its line in words, and as it stands in the file."""
    return Fault("TOML", f"line {line_number(text, offset)}: {what}", _shown(text, offset))


def _shown(text: str, offset: int) -> str:
    """Return the line of a position with a caret below it; "" for an empty line."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", begin)
    line = text[begin : len(text) if end < 0 else end]
    return ExpressionError("", line, offset - begin).pointer()
