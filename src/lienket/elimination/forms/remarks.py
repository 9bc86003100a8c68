"""Remarks: sentences below equations, with formulas in them, in every notation.

A remark is a sequence of words, expressions and relations (left, sign, right), the sign one of "==", "!=", "<=", ">=".
"""

from __future__ import annotations

from html import escape
from typing import Any

from ...language.printing.latex import Latex
from ...language.printing.mathml import MathML
from ...language.printing.printer import Printer
from ...language.printing.text import Plain

Remark = tuple[Any, ...]


def in_text(remark: Remark, printer: Plain) -> str:
    """The sentence in plain text."""
    return "".join(part if isinstance(part, str) else _formula(part, printer, "=") for part in remark)


def in_latex(remark: Remark, printer: Latex) -> str:
    """The sentence as LaTeX in mathematics mode, its words as text."""
    return "".join(
        rf"\text{{{latex_words(part)}}}" if isinstance(part, str) else _formula(part, printer) for part in remark
    )


def in_mathml(remark: Remark, printer: MathML) -> str:
    """The sentence as one element."""
    pieces = [_mathml_words(part) if isinstance(part, str) else _formula(part, printer) for part in remark]
    return f"<mrow>{''.join(pieces)}</mrow>"


def latex_words(words: str) -> str:
    """Words as LaTeX shows them."""
    return "".join("\\" + c if c in "#$%&_{}" else c for c in words if c not in "\\^~")


def _mathml_words(words: str) -> str:
    # Spaces at the ends of an element are not shown.
    inside = escape(words)
    if inside.startswith(" "):
        inside = "\u00a0" + inside[1:]
    if inside.endswith(" "):
        inside = inside[:-1] + "\u00a0"
    return f"<mtext>{inside}</mtext>"


def _formula(part: Any, printer: Printer, equal: str = "==") -> str:
    if not isinstance(part, tuple):
        return printer.expression(part)
    left, sign, right = part
    return printer.relation(printer.expression(left), equal if sign == "==" else sign, printer.expression(right))
