"""Equations: a list of equations in blocks, with the matrices they consist of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import sympy as sp

from ...errors import UnknownName
from ...foundation.frozen_dataclass import dataclass
from ...language.expression import EngineExpression, Expression, ExpressionLike
from ...language.printing.latex import Latex
from ...language.printing.mathml import MathML, formula
from ...language.printing.printed import Printed
from ...language.printing.text import Plain
from ...language.simplify.quotient import tidy_quotients
from ...model.constraint import Constraint
from ..chain import Chain
from .remarks import Remark, in_latex, in_mathml, in_text

Line = tuple[Expression, Expression]  # left and right side
Pseudovelocities: TypeAlias = "Mapping[str, ExpressionLike] | Iterable[ExpressionLike] | ExpressionLike"


@dataclass(frozen=True, repr=False)
class Equations(Printed):
    """Equations of motion in one form, made by `System.equations`.

    `equations["C"]` is a matrix by name; iteration yields all lines as SymPy equations.

    Attributes
    ----------
    form : str
        "full", "reduced", "pseudovelocity" or "multipliers".
    blocks : tuple of (str, tuple of (expression, expression))
        Title of each block, such as "motion" or "constraints", and the left and right sides of its lines.
    matrices : Mapping of str to Matrix
        Matrices of the form by name: C and f of the reduced form, A, h, G, g0 of the multiplier form.
    remarks : tuple
        Conditions that are not equations: when contacts push and stick, bounds of drives.

    Examples
    --------
    >>> equations = lk.load("examples/models/rolling_disc.toml").equations("reduced")
    >>> print(equations.text())
    motion:
      J*phi'' - m*r*x'' = M - Fx*r
    constraints:
      y - r = 0
      x + r*phi = 0
    >>> equations["f"].tolist()
    [[-Fx*r + M]]
    """

    form: str
    blocks: tuple[tuple[str, tuple[Line, ...]], ...]
    matrices: Mapping[str, sp.ImmutableMatrix]
    remarks: tuple[Remark, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same equations in one form: equal matrices, and lines that read the same."""
        if not isinstance(other, Equations):
            return False  # NotImplemented would let NumPy compare the lines with an array
        return (self.form, self.matrices) == (other.form, other.matrices) and self.text() == other.text()

    def __hash__(self) -> int:
        return hash((self.form, *self.matrices))

    @property
    def lines(self) -> tuple[Line, ...]:
        """Left and right sides of all lines, without the titles of the blocks."""
        return tuple(line for _, lines in self.blocks for line in lines)

    def __getitem__(self, name: str) -> sp.ImmutableMatrix:
        """Return a matrix of the form.

        Parameters
        ----------
        name : str
            Name of the matrix, such as "C".

        Returns
        -------
        Matrix
            SymPy matrix.

        Raises
        ------
        UnknownName
            If the form has no matrix of this name.
        """
        if name not in self.matrices:
            raise UnknownName("matrix", name, list(self.matrices))
        return self.matrices[name]

    def __iter__(self) -> Iterator[sp.Eq]:
        return (sp.Eq(left, right, evaluate=False) for left, right in self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def latex(self, notation: str = "dots") -> str:
        """Return the equations in LaTeX, with the remarks below.

        Parameters
        ----------
        notation : {"dots", "primes"}
            Notation of time derivatives.

        Returns
        -------
        str
            LaTeX source for mathematics mode.

        Raises
        ------
        LienketError
            If there is no such notation.
        """
        printer = Latex(notation)
        lines = [f"{printer.expression(left)} &= {printer.expression(right)}" for left, right in self.lines]
        aligned = "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"
        if not self.remarks:
            return aligned
        rows = [aligned, *(in_latex(remark, printer) for remark in self.remarks)]
        return "\\begin{array}{l}\n" + " \\\\[1ex]\n".join(rows) + "\n\\end{array}"

    def text(self) -> str:
        """Return the equations in plain text.

        Returns
        -------
        str
            One equation per line under the titles of the blocks, then the remarks.
        """
        printer = Plain()
        lines = []
        for title, block in self.blocks:
            if not block:
                continue
            lines.append(f"{title}:")
            lines += [f"  {printer.expression(left)} = {printer.expression(right)}" for left, right in block]
        return "\n".join([*lines, *(in_text(remark, printer) for remark in self.remarks)])

    def mathml(self, notation: str = "dots") -> str:
        """Return the equations in MathML.

        Parameters
        ----------
        notation : {"dots", "primes"}
            Notation of time derivatives.

        Returns
        -------
        str
            A MathML element with one row per equation and per remark.

        Raises
        ------
        LienketError
            If there is no such notation.
        """
        printer = MathML(notation)
        rows = [
            f'<mtr><mtd style="text-align: right">{printer.expression(left)}</mtd><mtd><mo>=</mo></mtd>'
            f'<mtd style="text-align: left">{printer.expression(right)}</mtd></mtr>'
            for left, right in self.lines
        ]
        rows += [
            f'<mtr><mtd columnspan="3" style="text-align: left">{in_mathml(remark, printer)}</mtd></mtr>'
            for remark in self.remarks
        ]
        return formula(f"<mtable>{''.join(rows)}</mtable>")


def combination(coefficients: Iterable[Expression], factors: Iterable[Expression]) -> Expression:
    """Return the unevaluated sum of coefficient*factor; a coefficient that is a sum keeps its parentheses."""
    terms = []
    for coefficient, factor in zip(coefficients, factors, strict=True):
        if coefficient != 0:
            terms.append(sp.Mul(coefficient, factor, evaluate=not coefficient.is_Add))
    if len(terms) < 2:
        return terms[0] if terms else sp.S.Zero
    return sp.Add(*terms, evaluate=False)


def unevaluated_sum(left: Expression, right: Expression) -> Expression:
    """Return left + right without combining their terms."""
    terms = [term for side in (left, right) for term in sp.Add.make_args(side) if term != 0]
    if len(terms) < 2:
        return terms[0] if terms else sp.S.Zero
    return sp.Add(*terms, evaluate=False)


def constraint_lines(constraints: tuple[Constraint, ...]) -> tuple[Line, ...]:
    """Return the lines (expression, 0) of every constraint as stated."""
    return tuple((expression, sp.S.Zero) for constraint in constraints for expression in constraint.expressions)


def column(chain: Chain, entries: Iterable[EngineExpression]) -> sp.ImmutableMatrix:
    """Return the engine's entries as a simplified SymPy column."""
    return chain.engine.column(tidy_quotients(entries))


def matrix(chain: Chain, rows: Sequence[Sequence[EngineExpression]], width: int) -> sp.ImmutableMatrix:
    """Return the engine's rows as a simplified SymPy matrix with `width` columns."""
    entries = tidy_quotients([e for row in rows for e in row])
    return sp.ImmutableMatrix(len(rows), width, [chain.engine.outward(e) for e in entries])


def accelerations(chain: Chain) -> list[Expression]:
    """Return the accelerations q'' as SymPy derivatives."""
    return [chain.engine.outward(a) for a in chain.engine.a]


def new_symbols(
    chain: Chain, letters: tuple[str, ...], indices: list[str], parameters: Collection[str] = ()
) -> list[sp.Symbol]:
    """Return symbols letter_index, with the first letter that clashes with no parameter or coordinate."""
    used = {str(s) for s in (*chain.parameters, *chain.engine.q)} | set(parameters)
    for letter in letters:
        names = [f"{letter}_{index}" for index in indices]
        if used.isdisjoint(names):
            return [sp.Symbol(name) for name in names]
    return [sp.Symbol(f"{letters[0]}_{index}_") for index in indices]
