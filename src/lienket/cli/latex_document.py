"""Equations of motion as a standalone LaTeX document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..elimination.forms.remarks import in_latex
from ..language.printing.latex import Latex
from ..language.printing.text import Plain

if TYPE_CHECKING:
    from ..elimination.forms import Equations

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
# The page is about as wide as the longest equation; displays may break between lines.
NARROWEST_PAGE = 297  # [mm] smallest width of a page
WIDEST_PAGE = 5000  # [mm] largest width of a page, below TeX's limit of 5.7 m
CHARACTER_WIDTH = 2  # [mm] page width for each character of an equation's plain text
PAGE_MARGINS = 30  # [mm] sum of the left and the right margin
_HEAD = r"""\documentclass{article}
\usepackage[paperwidth=%dmm,paperheight=210mm,margin=15mm]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""


def latex_document(name: str, equations: Equations, notation: str = "dots") -> str:
    """Return the document: a title and an align environment per block; `notation` is "dots" or "primes"."""
    printer = Latex(notation)
    parts = [_HEAD % _width(equations), f"\\section*{{{escaped(name)}: {escaped(equations.form)} form}}\n"]
    for title, lines in equations.blocks:
        if lines:
            rows = [f"{printer.expression(left)} &= {printer.expression(right)}" for left, right in lines]
            parts.append(f"\\subsection*{{{escaped(title)}}}\n\\begin{{align*}}\n")
            parts.append(" \\\\\n".join(rows))
            parts.append("\n\\end{align*}\n")
    parts += [f"\\par\\noindent ${in_latex(remark, printer)}$\n" for remark in equations.remarks]
    return "".join([*parts, "\\end{document}\n"])


def _width(equations: Equations) -> int:
    """Return the page width [mm] for the longest equation, estimated from its plain text."""
    printer = Plain()
    lengths = (len(printer.expression(left)) + len(printer.expression(right)) for left, right in equations.lines)
    longest = max(lengths, default=0)
    return min(max(NARROWEST_PAGE, PAGE_MARGINS + CHARACTER_WIDTH * longest), WIDEST_PAGE)


def escaped(text: str) -> str:
    """Return a text on one line with the special characters of LaTeX escaped."""
    return "".join(_SPECIAL.get(c, c) for c in " ".join(text.split()))
