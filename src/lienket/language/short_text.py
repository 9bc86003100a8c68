"""Text of an object for a message."""

from __future__ import annotations

MESSAGE_LENGTH_LIMIT = 160  # [characters] length from which an expression is shortened in a message


def short_text(thing: object, limit: int = MESSAGE_LENGTH_LIMIT) -> str:
    """Return the text of an object for a message, shortened in the middle if it exceeds `limit` characters."""
    text = str(thing)
    if hasattr(thing, "free_symbols"):
        from .printing.short import short_expression  # with SymPy, which a process without formulas does not import

        text = short_expression(thing)
    if len(text) <= limit:
        return text
    return f"{text[: limit - 40]} ... {text[-35:]}"
