"""Remarks: sentences with formulas below the equations, in every notation.

A remark is a sequence of texts, expressions and relations (left, sign, right), the sign one of "==", "!=", "<=", ">=".
"""

from __future__ import annotations

from html import escape
from typing import TypeAlias

from ...language.expression import Expression
from ...language.printing.latex import Latex
from ...language.printing.mathml import MathML
from ...language.printing.printer import Printer
from ...language.printing.text import Plain

Relation = tuple[Expression, str, Expression]  # left, sign, right
RemarkPart: TypeAlias = "str | Expression | Relation"
Remark = tuple[RemarkPart, ...]


def in_text(remark: Remark, printer: Plain) -> str:
    """Return the remark in plain text."""
    return "".join(part if isinstance(part, str) else _formula(part, printer, "=") for part in remark)


def in_latex(remark: Remark, printer: Latex) -> str:
    """Return the remark as LaTeX in mathematics mode."""
    return "".join(
        rf"\text{{{latex_words(part)}}}" if isinstance(part, str) else _formula(part, printer) for part in remark
    )


def in_mathml(remark: Remark, printer: MathML) -> str:
    """Return the remark as one MathML element."""
    pieces = [_mathml_words(part) if isinstance(part, str) else _formula(part, printer) for part in remark]
    return f"<mrow>{''.join(pieces)}</mrow>"


def latex_words(words: str) -> str:
    """Return a text escaped for LaTeX."""
    return "".join("\\" + c if c in "#$%&_{}" else c for c in words if c not in "\\^~")


def _mathml_words(words: str) -> str:
    """Return a text as a MathML element; spaces at its ends, which MathML drops, become no-break spaces."""
    inside = escape(words)
    if inside.startswith(" "):
        inside = "\u00a0" + inside[1:]
    if inside.endswith(" "):
        inside = inside[:-1] + "\u00a0"
    return f"<mtext>{inside}</mtext>"


def _formula(part: Expression | Relation, printer: Printer, equal: str = "==") -> str:
    """Return an expression or a relation as text."""
    if not isinstance(part, tuple):
        return printer.expression(part)
    left, sign, right = part
    return printer.relation(printer.expression(left), equal if sign == "==" else sign, printer.expression(right))
