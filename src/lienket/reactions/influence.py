"""Influence of one constraint on the reaction of another, as formulas (theory 7; paper 000, eq. 2.12 to 2.21).

If group 2 is added to group 1, r1 = r1_0 + C r2 with

    C = -G1^T (G1 A^-1 G1^T)^-1 G1 A^-1

(paper 000 prints the opposite sign in 2.18, see docs/errata.md). Between two constraints of a larger system, group 1
consists of all constraints except `of`, and only the multipliers of `on` contribute to C. C depends neither on the
forces nor on g0 of the constraint `of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy as sp

from ..elimination.chain import Chain
from ..elimination.linear_solve import tidied
from ..elimination.null_space_step import ZERO, Matrix, product, transposed
from ..elimination.verdict import INDEPENDENT
from ..errors import LienketError, UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.by_name import ByName
from ..language.printing.text import Plain
from ..language.short_text import short_text
from .reaction_problem import ReactionProblem, negative, reaction_problem


@dataclass(frozen=True)
class Influence(Mapping[tuple[str, str], sp.ImmutableMatrix]):
    """Influence of each constraint on the reaction of each other one (theory 7), made by `System.influence`.

    A mapping from the pair (of, on) to the matrix C (n x n) with (change of the reaction of `on`) = C (reaction of
    `of`).

    Attributes
    ----------
    matrices : Mapping of (str, str) to Matrix
        Matrix C of each pair.
    coordinates : tuple of str
        Names of the coordinates, n.

    Examples
    --------
    >>> influence = lk.load("examples/models/rolling_disc.toml").influence()
    >>> influence["rolling", "contact"].tolist()
    [[0, 0, 0], [0, -1, 0], [0, 0, 0]]
    """

    matrices: Mapping[tuple[str, str], sp.ImmutableMatrix]
    coordinates: tuple[str, ...]

    def __getitem__(self, pair: tuple[str, str]) -> sp.ImmutableMatrix:
        """Return the matrix of one pair of constraints.

        Parameters
        ----------
        pair : (str, str)
            Name of the constraint that causes the change, and of the one whose reaction changes.

        Returns
        -------
        Matrix
            C (n x n).
        """
        return self.matrices[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.matrices)

    def __len__(self) -> int:
        return len(self.matrices)

    def text(self) -> str:
        """Return the influences in plain text.

        Returns
        -------
        str
            One line per entry that is not 0, under the names of its pair.
        """
        printer = Plain()
        lines = [] if self.matrices else ["There is no pair of constraints, so there is no influence."]
        for (of, on), C in self.matrices.items():
            lines.append(f"{of} on {on}:")
            entries = [(i, j, C[i, j]) for i in range(C.rows) for j in range(C.cols) if C[i, j] != 0]
            x = self.coordinates
            lines += [f"  d r[{x[i]}] / d r[{x[j]}] = {printer.expression(e)}" for i, j, e in entries] or ["  none"]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return "\n".join(short_text(line, 400) for line in self.text().splitlines())


def influence_between(chain: Chain, of: str | None, on: str | None) -> sp.ImmutableMatrix | Influence:
    """Return the influence of constraint `of` on the reaction of `on`, or the table of all pairs if both are None."""
    problem = reaction_problem(chain)
    if of is None and on is None:
        return influence_table(problem)
    if of is None or on is None:
        raise LienketError("Name two constraints, of=... and on=..., or neither for the whole table.")
    return influence(problem, of, on)


def influence(problem: ReactionProblem, of: str, on: str) -> sp.ImmutableMatrix:
    """Return C (n x n) with (change of the reaction of `on`) = C (reaction of `of`)."""
    _check(problem, of, on)
    if of == on:
        raise LienketError(f"{of!r} has no influence on itself; name two different constraints.")
    return problem.chain.engine.matrix(_matrix(problem, _response(problem, of), of, on))


def influence_table(problem: ReactionProblem) -> Influence:
    """Return C for every ordered pair of constraints."""
    names = [row.name for row in problem.chain.rows]
    _check(problem, *names)
    matrices = {}
    for of in names:
        response = _response(problem, of)
        for on in names:
            if on != of:
                matrices[of, on] = problem.chain.engine.matrix(_matrix(problem, response, of, on))
    return Influence(ByName(matrices, "influence"), tuple(str(q) for q in problem.chain.engine.q))


def _matrix(problem: ReactionProblem, response: Matrix, of: str, on: str) -> Matrix:
    """Return G_on^T times the rows of the response that belong to `on`."""
    n = len(problem.h)
    others = [name for name, _ in problem.row_labels if name != of]
    rows = [row for name, row in zip(others, response, strict=True) if name == on]
    G_on = [J for (name, _), J in zip(problem.row_labels, problem.G, strict=True) if name == on]
    C = product(transposed(G_on, n), rows) if rows else [[ZERO] * n for _ in range(n)]
    return tidied(C)


def _response(problem: ReactionProblem, of: str) -> Matrix:
    """Return -(G1 A^-1 G1^T)^-1 G1 A^-1 (s1 x n), the multipliers of all constraints except `of` due to unit forces."""
    n = len(problem.h)
    others = [k for k, (name, _) in enumerate(problem.row_labels) if name != of]
    G = [problem.G[k] for k in others]
    if not G:
        return []
    if problem.regular:
        X = [[row[k] for k in others] for row in problem.mobility]
        return problem.solve(tidied(product(G, X)), [negative(column) for column in transposed(X, len(G))])
    s = len(G)
    upper = [[*row, *negative([J[i] for J in G])] for i, row in enumerate(problem.A)]
    lower = [[*J, *[ZERO] * s] for J in G]
    unit = [[1 + ZERO if i == j else ZERO for j in range(n)] for i in range(n)]
    return problem.solve([*upper, *lower], [*unit, *[[ZERO] * n for _ in range(s)]])[n:]


def _check(problem: ReactionProblem, *names: str) -> None:
    """Raise an error for an unknown name or if a constraint is not independent."""
    all_names = [row.name for row in problem.chain.rows]
    for name in names:
        if name not in all_names:
            raise UnknownName("constraint", name, all_names)
    for stage in problem.chain.stages:
        if stage.verdict.status != INDEPENDENT:
            raise LienketError(
                f"The reactions are not unique: {stage.verdict.sentence} Release it, or use system.at(q, v).influence, "
                "which refers to the shares of least norm."
            )
