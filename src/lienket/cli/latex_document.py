"""Equations of motion as a small LaTeX document that compiles by itself."""

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
# Equations are long: the page is as wide as the longest, roughly; displays may break between lines.
_HEAD = r"""\documentclass{article}
\usepackage[paperwidth=%dmm,paperheight=210mm,margin=15mm]{geometry}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""


def latex_document(name: str, equations: Equations, notation: str = "dots") -> str:
    """The blocks of the equations, a title and an align environment each; `notation` is "dots" or "primes"."""
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
    """Millimetres that the longest equation needs, at 2 mm per letter of its plain text; TeX's limit is 5.7 m."""
    printer = Plain()
    lengths = (len(printer.expression(left)) + len(printer.expression(right)) for left, right in equations.lines)
    longest = max(lengths, default=0)
    return min(max(297, 30 + 2 * longest), 5000)


def escaped(text: str) -> str:
    """Plain text as LaTeX shows it, on one line."""
    return "".join(_SPECIAL.get(c, c) for c in " ".join(text.split()))
