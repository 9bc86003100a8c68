"""Elimination step: H with beta H = 0 and full column rank (theory 4, step 3; paper 000, eq. 2.27).

The formulas hold for symbols and for numbers. Two choices of H for beta = (beta_1, ..., beta_m):

    pivot       column j: e_j - (beta_j/beta_p) e_p, for every j except p; sparse, as in the papers
    orthogonal  columns orthogonal to beta and to each other, without roots or quotients (Gram-Schmidt):
                column j: (beta_1 beta_j, ..., beta_(j-1) beta_j, -s_(j-1), 0, ..., 0), s_j = beta_1^2 + ... + beta_j^2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import symengine as se

ZERO, ONE = se.Integer(0), se.Integer(1)
Vector = list[se.Expr]
Matrix = list[list[se.Expr]]


def pivot_columns(beta: Vector, p: int) -> Matrix:
    """Return H (m x (m - 1)) that eliminates the p-th freedom."""
    m = len(beta)
    columns = []
    for j in range(m):
        if j != p:
            column = [ONE if i == j else ZERO for i in range(m)]
            if beta[j] != 0:
                column[p] = -beta[j] / beta[p]
            columns.append(column)
    return transposed(columns, m)


def orthogonal_columns(beta: Vector, p: int) -> Matrix:
    """Return H (m x (m - 1)) with orthogonal columns; the p-th entry of beta, which does not vanish, comes first."""
    m = len(beta)
    order = [p, *(j for j in range(m) if j != p)]
    columns = []
    for k in range(1, m):
        before, j = order[:k], order[k]
        column = [ZERO] * m
        if beta[j] == 0:
            column[j] = ONE
        elif sum(1 for i in before if beta[i] != 0) == 1:
            # With one nonzero entry before j, its square would be a common factor of the column.
            column[p], column[j] = beta[j], -beta[p]
        else:
            for i in before:
                column[i] = beta[i] * beta[j]
            column[j] = -se.Add(*[beta[i] ** 2 for i in before])
        columns.append(column)
    return transposed(columns, m)


def reduced_basis(D: Matrix, choice: str, beta: Vector, p: int) -> Matrix:
    """Return D H; by pivot elimination column j becomes column j - (beta_j/beta_p) column p."""
    if choice != "pivot":
        return product(D, COLUMNS[choice](beta, p))
    ratios = [b / beta[p] if b != ZERO else ZERO for b in beta]
    result = []
    for row in D:
        pivot = row[p]
        entries = row
        if pivot != ZERO:
            entries = [x - ratio * pivot if ratio != ZERO else x for x, ratio in zip(row, ratios, strict=True)]
        result.append(entries[:p] + entries[p + 1 :])
    return result


COLUMNS: dict[str, Callable[[Vector, int], Matrix]] = {"pivot": pivot_columns, "orthogonal": orthogonal_columns}


def transposed(rows: Sequence[Sequence[se.Expr]], width: int) -> Matrix:
    """Return the transpose; `width` is the length of a row, in case there are no rows."""
    return [[row[i] for row in rows] for i in range(width)]


def product(left: Sequence[Sequence[se.Expr]], right: Sequence[Sequence[se.Expr]]) -> Matrix:
    """Return the product of two matrices; zero entries are skipped."""
    columns = range(len(right[0]) if right else 0)
    return [[dot(row, [r[j] for r in right]) for j in columns] for row in left]


def dot(left: Sequence[se.Expr], right: Sequence[se.Expr]) -> se.Expr:
    """Return the sum of products of two vectors."""
    terms = [a * b for a, b in zip(left, right, strict=True) if a != ZERO and b != ZERO]
    return se.Add(*terms) if len(terms) != 1 else terms[0]
