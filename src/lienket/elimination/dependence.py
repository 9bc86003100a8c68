"""Rows that depend on others at a point: from which they follow, and whether they agree with them at every level.

A row of G may be a combination of rows that bind less than it does: x = 1 removes no freedom after x' = 0, but fixes a
position. Each residual of a row (position, velocity, acceleration) is therefore compared with the rows that have a
residual of this level, in the order of the constraints: x = 2 contradicts x = 1, whatever binds x' before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine as se

from ..constraints import ConstraintRows
from ..foundation.frozen_dataclass import dataclass
from .null_space_step import ZERO, Matrix, Vector
from .sampling.numeric_replay import Replay, free_replay
from .sampling.point import Point

RESIDUAL_SIZE_FLOOR = 1e-12  # [1] smallest size that the misfit of a dependent row is compared with
LEVELS = ("position", "velocity", "inside_g0")

Used = list[tuple[str, int, se.Expr]]  # constraint, number of its row, weight
Rows = Mapping[str, ConstraintRows]


@dataclass(frozen=True)
class Dependence:
    """Names of the constraints from which a row follows or which it contradicts; `adds` as in Verdict."""

    names: frozenset[str]
    consistent: bool
    adds: str = ""


def dependence(rows: Rows, name: str, number: int, replayed: Replay, before: Sequence[str], A: Matrix) -> Dependence:
    """Return the dependence of row `number` of a constraint, whose beta is zero in the replay.

    `before` are the constraints it is compared with; of its own constraint, the rows before it. A (n x n) sets the
    units of the coordinates.
    """
    own = rows[name]
    J = replayed.point.numbers(own.inside_G[number])
    used = used_rows(replayed, J)
    names, adds = frozenset(other for other, _, _ in used), ""
    found = False
    for level in LEVELS:
        if not getattr(own, level):
            continue
        compared: Used | None = used
        if any(not getattr(rows[other], level) for other, _, _ in used):
            chosen = [(n, k) for n in before if n != name and getattr(rows[n], level) for k in range(len(rows[n]))]
            chosen += [(name, k) for k in range(number)]
            at_level = replay_of(rows, chosen, free_replay(replayed.point, A, replayed.choice))
            compared = used_rows(at_level, J) if not any(b != 0 for b in at_level.beta(J)) else None
        if compared is None:
            adds = adds or level
            continue
        if not _agrees(rows, name, number, compared, replayed.point, level):
            return Dependence(frozenset(other for other, _, _ in compared), False)
        if not found and not adds:
            names, found = frozenset(other for other, _, _ in compared), True
    return Dependence(names, True, adds)


def used_rows(replayed: Replay, J: Vector) -> Used:
    """Return the accepted rows, with their weights, whose combination the dependent row J is."""
    return [(*replayed.accepted[i][:2], w) for i, w in enumerate(replayed.weights(J)) if w != 0]


def accept_row(replayed: Replay, name: str, number: int, J: Vector) -> bool:
    """Add the row to the replay with the largest entry of beta as its pivot, if beta is not zero; return whether."""
    beta = replayed.beta(J)
    if not any(b != 0 for b in beta):
        return False
    p = max(range(len(beta)), key=lambda k: abs(float(beta[k])))
    replayed.accept(name, number, J, beta, p)
    return True


def replay_of(rows: Rows, chosen: Sequence[tuple[str, int]], free: Replay) -> Replay:
    """Return the elimination of the chosen rows (constraint, number) after a replay, dependent ones left out."""
    replayed, point = free.copy(), free.point
    for name, number in chosen:
        accept_row(replayed, name, number, point.numbers(rows[name].inside_G[number]))
    return replayed


def _agrees(rows: Rows, name: str, number: int, used: Used, point: Point, level: str) -> bool:
    """Return whether the residual of the row is the combination of the others' residuals that its row of G is."""
    entries = [(getattr(rows[name], level)[number], se.Integer(-1))]
    entries += [(getattr(rows[other], level)[k], w) for other, k, w in used]
    misfit = sum((w * point.number(e) for e, w in entries), ZERO)
    size = sum(abs(float(w)) * point.size(e) for e, w in entries) + RESIDUAL_SIZE_FLOOR
    return bool(abs(float(misfit)) <= point.tolerance * size)
