"""Equations of the free system in textbook notation, as LaTeX or plain text."""

from __future__ import annotations

import sympy as sp

from ..errors import LienketError
from ..language.expression import Expression
from ..language.printing.latex import Latex
from ..language.printing.printed import Printed
from ..language.printing.printer import Printer
from ..language.printing.text import Plain
from ..language.symbols import velocity
from ..model.statement import FreeStatement


class PrintedEquations(Printed):
    """Printing of A q'' = h, a base of FreeSystem, which provides the statement, A, h, Q and N."""

    statement: FreeStatement
    A: sp.ImmutableMatrix
    h: sp.ImmutableMatrix
    Q: sp.ImmutableMatrix
    N: sp.ImmutableMatrix

    def latex(self, form: str = "matrix", notation: str = "dots") -> str:
        r"""Return the equations of motion in LaTeX.

        Parameters
        ----------
        form : {"matrix", "lines"}
            "matrix" is A q'' = h with the matrices written out; "lines" is one equation per line, with inertia and
            velocity terms on the left and the applied forces on the right.
        notation : {"dots", "primes"}
            Notation of time derivatives.

        Returns
        -------
        str
            LaTeX source for mathematics mode.

        Raises
        ------
        LienketError
            If there is no such form or notation.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> disc.free.latex("lines", notation="primes").splitlines()[1]
        "m x'' &= F_{x} \\\\"
        """
        if form == "matrix":
            return _matrix_latex(self, Latex(notation))
        if form == "lines":
            lines = [f"{left} &= {right}" for left, right in _equations(self, Latex(notation))]
            return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"
        raise LienketError(f"{form!r} is not a form of the free equations; use 'matrix' or 'lines'.")

    def text(self) -> str:
        """Return the equations of motion in plain text.

        Returns
        -------
        str
            One equation per line.

        Examples
        --------
        >>> print(lk.load("examples/models/rolling_disc.toml").free.text())
        m*x'' = Fx
        m*y'' = Fy - m*g
        J*phi'' = M
        """
        return "\n".join(f"{left} = {right}" for left, right in _equations(self, Plain()))


def _matrix_latex(free: PrintedEquations, printer: Latex) -> str:
    accelerations = [velocity(x, 2) for x in free.statement.coordinates]
    pieces = [_matrix(free.A.tolist(), printer), _matrix([[a] for a in accelerations], printer)]
    return f"{pieces[0]} {pieces[1]} = {_matrix([[e] for e in free.h], printer)}"


def _matrix(rows: list[list[Expression]], printer: Latex) -> str:
    lines = [" & ".join(printer.expression(e) for e in row) for row in rows]
    return "\\begin{bmatrix}" + r" \\ ".join(lines) + "\\end{bmatrix}"


def _equations(free: PrintedEquations, printer: Printer) -> list[tuple[str, str]]:
    """Return the left and right side of each equation sum_j a_ij q_j'' - N_i = Q_i as text."""
    accelerations = [velocity(x, 2) for x in free.statement.coordinates]
    lines = []
    for i in range(len(accelerations)):
        text = ""
        for a, acceleration in zip(free.A.row(i), accelerations, strict=True):
            text = _append_term(text, printer, a, acceleration)
        for term in sp.Add.make_args(free.N[i]):
            text = _append_term(text, printer, -term, None)
        lines.append((text or "0", printer.expression(free.Q[i])))
    return lines


def _append_term(text: str, printer: Printer, coefficient: Expression, factor: Expression | None) -> str:
    """Return `text` with the term coefficient*factor appended; a coefficient that is a sum stays in parentheses."""
    if coefficient == 0:
        return text
    term = coefficient if factor is None else sp.Mul(coefficient, factor, evaluate=coefficient.is_Add is False)
    printed = printer.expression(term)
    if not text:
        return printed
    return f"{text} - {printed[1:]}" if printed.startswith("-") else f"{text} + {printed}"
