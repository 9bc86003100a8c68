"""Reactions: the generalized reaction of each constraint as formulas, by one of four equivalent methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy as sp

from ..elimination.chain import Chain
from ..elimination.linear_solve import tidied
from ..elimination.null_space_step import ZERO
from ..errors import LienketError, UnknownName, did_you_mean
from ..foundation.frozen_dataclass import dataclass
from ..language.by_name import ByName
from ..language.expression import Expression
from ..language.printing.latex import Latex
from ..language.printing.printed import Printed
from ..language.printing.text import Plain
from .methods import accelerations, by_middle_variables, by_multipliers, direct, from_accelerations
from .reaction_problem import reaction_problem
from .shares import all_multipliers, multipliers_of

METHODS = {
    "multipliers": by_multipliers,
    "direct": direct,
    "middle": by_middle_variables,
    "accelerations": from_accelerations,
}
NEED_INVERSE = ("direct", "middle")  # methods that need A^-1


@dataclass(frozen=True, repr=False)
class Reactions(Printed, Mapping[str, sp.ImmutableMatrix]):
    """Generalized reaction G_i^T lambda_i + c_i of each constraint as formulas of q, q', t, made by `System.reactions`.

    A mapping from the name of a constraint to its reaction (n x 1); c_i is the force of its law. Unilateral contacts
    count as closed.

    Attributes
    ----------
    method : str
        Method used: "multipliers", "direct", "middle" or "accelerations".
    total : Matrix
        Sum r of all reactions (n x 1).
    shares : Mapping of str to Matrix
        Reaction of each constraint (n x 1).
    multipliers : Mapping of str to Matrix
        Multipliers of the rows of each constraint (s_i x 1).
    not_unique : tuple of str
        Names of constraints whose shares are not unique because constraints are redundant; those of least norm are
        given.
    coordinates : tuple of str
        Names of the coordinates, n.

    Examples
    --------
    >>> reactions = lk.load("examples/models/rolling_disc.toml").reactions()
    >>> reactions["contact"].T.tolist()
    [[0, -Fy + g*m, 0]]
    >>> print(reactions.text())
    contact:
      r[y] = m*g - Fy
    rolling:
      r[x] = -(Fx*J + M*m*r)/(J + m*r^2)
      r[phi] = -r*(Fx*J + M*m*r)/(J + m*r^2)
    """

    method: str
    total: sp.ImmutableMatrix
    shares: Mapping[str, sp.ImmutableMatrix]
    multipliers: Mapping[str, sp.ImmutableMatrix]
    not_unique: tuple[str, ...]
    coordinates: tuple[str, ...]

    def __getitem__(self, name: str) -> sp.ImmutableMatrix:
        """Return the reaction of one constraint.

        Parameters
        ----------
        name : str
            Name of the constraint.

        Returns
        -------
        Matrix
            Generalized reaction (n x 1).

        Raises
        ------
        UnknownName
            If no constraint has this name.
        """
        if name not in self.shares:
            raise UnknownName("constraint", name, list(self.shares))
        return self.shares[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.shares)

    def __len__(self) -> int:
        return len(self.shares)

    def text(self) -> str:
        """Return the reactions in plain text.

        Returns
        -------
        str
            One line per entry that is not 0, under the name of its constraint.
        """
        printer = Plain()
        lines = [] if self.shares else ["There are no constraints and therefore no reactions."]
        for name, share in self.shares.items():
            mark = " (share of least norm, not unique)" if name in self.not_unique else ""
            lines.append(f"{name}{mark}:")
            entries = zip(self.coordinates, share, strict=True)
            lines += [f"  r[{x}] = {printer.expression(e)}" for x, e in entries if e != 0] or ["  0"]
        return "\n".join(lines)

    def latex(self, notation: str = "dots") -> str:
        """Return the reactions in LaTeX.

        Parameters
        ----------
        notation : {"dots", "primes"}
            Notation of time derivatives.

        Returns
        -------
        str
            LaTeX source for mathematics mode: one aligned line per constraint, a column of n entries.

        Raises
        ------
        LienketError
            If there is no such notation.
        """
        printer = Latex(notation)
        lines = []
        for name, share in self.shares.items():
            column = r" \\ ".join(printer.expression(e) for e in share)
            lines.append(f"r_{{\\text{{{_latex_text(name)}}}}} &= \\begin{{bmatrix}}{column}\\end{{bmatrix}}")
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def explicit_accelerations(chain: Chain) -> tuple[Expression, ...]:
    """Return the accelerations q'' under all constraints as formulas, n entries."""
    problem = reaction_problem(chain)
    return tuple(problem.chain.engine.column(accelerations(problem)))


def reactions_by_method(chain: Chain, method: str = "multipliers") -> Reactions:
    """Return the reactions of all constraints of the chain, by one of METHODS, including laws c(q, q', t)."""
    if method not in METHODS:
        nearest = did_you_mean(str(method), METHODS)
        raise LienketError(f"Reactions are found by {', '.join(map(repr, METHODS))}, not by {method!r}{nearest or '.'}")
    problem = reaction_problem(chain)
    if method in NEED_INVERSE and not problem.regular:
        raise LienketError(
            f"The method {method!r} needs the inverse of A, which is singular here (a part without mass). "
            "Use 'multipliers' or 'accelerations', which do not need it."
        )
    n, chain = len(problem.h), problem.chain
    r = tidied([METHODS[method](problem)])[0] if problem.G else [0 * x for x in problem.h]
    labels, values, mixed = all_multipliers(problem, tidied([multipliers_of(problem, r)])[0])
    engine = chain.engine
    shares: dict[str, sp.ImmutableMatrix] = {}
    multipliers: dict[str, sp.ImmutableMatrix] = {}
    for row in chain.rows:
        own = [value for label, value in zip(labels, values, strict=True) if label[0] == row.name]
        force = list(problem.law_forces.get(row.name, [ZERO] * n))
        for J, x in zip(row.inside_G, own, strict=True):
            force = [f + entry * x for f, entry in zip(force, J, strict=True)]
        shares[row.name] = engine.column(tidied([force])[0])
        multipliers[row.name] = engine.column(own)
    names = tuple(str(q) for q in engine.q)
    for c in problem.law_forces.values():
        r = tidied([[x + y for x, y in zip(r, c, strict=True)]])[0]
    return Reactions(
        method, engine.column(r), ByName(shares, "constraint"), ByName(multipliers, "constraint"), mixed, names
    )


def _latex_text(name: str) -> str:
    """Return a name escaped for LaTeX."""
    return "".join("\\" + c if c in "#$%&_{}" else c for c in name if c not in "\\^~")
