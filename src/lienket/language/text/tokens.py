"""Tokens of a formula: numbers, names and signs, each with its column."""

from __future__ import annotations

import re
import unicodedata

from ...errors import ExpressionError
from ...foundation.frozen_dataclass import dataclass

NUMBER, NAME, SIGN, END = "number", "name", "sign", "end"

_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_SIGN = re.compile(r"\*\*|<=|>=|==|!=|[-+*/^(),<>]")

_HINTS = {
    "=": "write an equation as left minus right, without '='; a comparison for equality is '=='",
    "!": "it is allowed only in '!=', not equal",
    **dict.fromkeys("&|~", "conditions cannot be combined; nest one if(...) in another instead"),
    **dict.fromkeys("[]{}", "group with round parentheses"),
    **dict.fromkeys('"`’‘“”', "a formula is written without quotes"),
    **dict.fromkeys("×·⋅∙", "write '*' for a product"),
    **dict.fromkeys("−–—", "write '-' for minus"),
    **dict.fromkeys("²³¹⁴", "write a power with '^', e.g. x^2"),
    "%": "write a fraction for a percentage; there is no remainder",
    "÷": "write '/' for a quotient",
    "√": "write sqrt(x)",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
    "∞": "infinity is not a number of the formula language",
    ":": "a formula cannot contain definitions",
    ";": "one formula at a time; separate arguments by ','",
}
"""Advice for characters that are not in the language."""


@dataclass(frozen=True)
class Token:
    """A token: its kind (NUMBER, NAME, SIGN or END), its text and its column from 0."""

    kind: str
    text: str
    column: int

    def __str__(self) -> str:
        return "the end of the text" if self.kind == END else repr(shorten(self.text))


def shorten(text: str, length: int = 40) -> str:
    """Return `text`, shortened to `length` characters for a message."""
    return text if len(text) <= length else text[: length - 3] + "..."


def tokenize(text: str) -> list[Token]:
    """Return the tokens of `text` in order, followed by one END token."""
    tokens: list[Token] = []
    column = 0
    while column < len(text):
        character = text[column]
        if character.isspace():
            column += 1
            continue
        token = _token_at(text, column)
        if token is None:
            raise ExpressionError(_unknown_character(character, tokens), text, column)
        tokens.append(token)
        column += len(token.text)
    return [*tokens, Token(END, "", len(text))]


def _token_at(text: str, column: int) -> Token | None:
    if match := _NUMBER.match(text, column):
        return Token(NUMBER, match.group(), column)
    if match := _SIGN.match(text, column):
        return Token(SIGN, match.group(), column)
    end = column
    while end < len(text) and text[column : column + 1].isidentifier() and ("_" + text[end]).isidentifier():
        end += 1
    return Token(NAME, text[column:end], column) if end > column else None


def _unknown_character(character: str, before: list[Token]) -> str:
    """Return the message for a character outside the language; `before` are the tokens read so far."""
    if character == "'":
        name = before[-1].text if before and before[-1].kind == NAME else "x"
        return f"write the time derivative as der({shorten(name)}), not with an apostrophe"
    if character in _HINTS:
        return f"a formula cannot contain {character!r} here: {_HINTS[character]}"
    if character.isprintable():
        return f"a formula cannot contain {character!r}"
    described = unicodedata.name(character, "not a printable character")
    return f"a formula cannot contain the character U+{ord(character):04X} ({described})"
