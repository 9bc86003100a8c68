"""What one constraint does to the reaction of another, as formulas (theory 7; paper 000, eq. 2.12 to 2.21).

With group 1 kept and group 2 added, r1 = r1_0 + C r2 with

    C = -G1^T (G1 A^-1 G1^T)^-1 G1 A^-1

(paper 000 prints the other sign in 2.18, see docs/errata.md). Between two constraints of a larger system, group 1 is
everything but `of`, and of C only the rows of multipliers that belong to `on` are taken. C depends neither on the
forces nor on what the constraint `of` demands, only on its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import sympy as sp

from ..elimination.linear_solve import tidied
from ..elimination.null_space_step import ZERO, Matrix, product, transposed
from ..elimination.verdict import INDEPENDENT
from ..errors import LienketError, UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.faults import short_text
from ..language.printing.text import Plain
from .reaction_problem import ReactionProblem, negative


@dataclass(frozen=True, eq=False)
class Influence(Mapping[tuple[str, str], sp.ImmutableMatrix]):
    """(of, on) -> the matrix C (n x n) with (change of the reaction of `on`) = C (reaction of `of`)."""

    matrices: Mapping[tuple[str, str], sp.ImmutableMatrix]
    coordinates: tuple[str, ...]

    def __getitem__(self, pair: tuple[str, str]) -> sp.ImmutableMatrix:
        return self.matrices[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.matrices)

    def __len__(self) -> int:
        return len(self.matrices)

    def text(self) -> str:
        """A line for each entry that is not zero."""
        printer = Plain()
        lines = [] if self.matrices else ["There are no two constraints that could influence each other."]
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


def influence(setting: ReactionProblem, of: str, on: str) -> sp.ImmutableMatrix:
    """C (n x n) with (change of the reaction of `on`) = C (reaction of `of`)."""
    _check(setting, of, on)
    if of == on:
        raise LienketError(f"{of!r} has no influence on itself; name two different constraints.")
    return setting.chain.engine.matrix(_matrix(setting, _response(setting, of), of, on))


def influence_table(setting: ReactionProblem) -> Influence:
    """C for every ordered pair of constraints."""
    names = [row.name for row in setting.chain.rows]
    _check(setting, *names)
    matrices = {}
    for of in names:
        response = _response(setting, of)
        for on in names:
            if on != of:
                matrices[of, on] = setting.chain.engine.matrix(_matrix(setting, response, of, on))
    return Influence(MappingProxyType(matrices), tuple(str(q) for q in setting.chain.engine.q))


def _matrix(setting: ReactionProblem, response: Matrix, of: str, on: str) -> Matrix:
    """G_on^T times the rows of the response that belong to `on`."""
    n = len(setting.h)
    kept = [name for name, _ in setting.places if name != of]
    rows = [row for name, row in zip(kept, response, strict=True) if name == on]
    own = [J for (name, _), J in zip(setting.places, setting.G, strict=True) if name == on]
    found = product(transposed(own, n), rows) if rows else [[ZERO] * n for _ in range(n)]
    return tidied(found)


def _response(setting: ReactionProblem, of: str) -> Matrix:
    """-(G1 A^-1 G1^T)^-1 G1 A^-1, s1 x n: the multipliers of all constraints but `of` that a force makes."""
    n = len(setting.h)
    kept = [k for k, (name, _) in enumerate(setting.places) if name != of]
    G = [setting.G[k] for k in kept]
    if not G:
        return []
    if setting.regular:
        X = [[row[k] for k in kept] for row in setting.mobility]
        return setting.solve(tidied(product(G, X)), [negative(column) for column in transposed(X, len(G))])
    s = len(G)
    upper = [[*row, *negative([J[i] for J in G])] for i, row in enumerate(setting.A)]
    lower = [[*J, *[ZERO] * s] for J in G]
    unit = [[1 + ZERO if i == j else ZERO for j in range(n)] for i in range(n)]
    return setting.solve([*upper, *lower], [*unit, *[[ZERO] * n for _ in range(s)]])[n:]


def _check(setting: ReactionProblem, *names: str) -> None:
    known = [row.name for row in setting.chain.rows]
    for name in names:
        if name not in known:
            raise UnknownName("constraint", name, known)
    for stage in setting.chain.stages:
        if stage.verdict.status != INDEPENDENT:
            raise LienketError(
                f"The reactions cannot be told apart: {stage.verdict.sentence} Release it, or ask "
                "system.at(q, v).influence for the shares of least norm."
            )
