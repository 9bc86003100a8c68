"""Classification of a constraint as independent, redundant or contradictory at points on the constraints (theory 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import symengine as se

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from .null_space_step import ZERO
from .sampling.numeric_replay import NumericReplay, free_replay, replay_rows
from .sampling.on_constraints import points_on
from .sampling.point import OutsideDomain, Point
from .smallest_dependent_set import smallest_set
from .verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict

if TYPE_CHECKING:
    from .chain import Chain

REACTION_CHANGE_TOLERANCE = 1e-9  # [1] relative size of the force on a constraint below which its reaction is unchanged
RESIDUAL_SIZE_FLOOR = 1e-12  # [1] smallest size that the misfit of a dependent row is compared with


@dataclass(frozen=True)
class Judgement:
    """Verdict on a constraint; `new_rows` are the numbers of the rows that remove a degree of freedom.

    `points` are the points at which it was judged; `changes` names the earlier constraints whose reactions it changes.
    """

    verdict: Verdict
    new_rows: tuple[int, ...]
    points: tuple[Point, ...]
    changes: tuple[str, ...]


def judge(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> Judgement | None:
    """Judge a constraint at the points; return None if an earlier pivot vanishes at all of them.

    A row is dependent if beta = J D is zero at every point.
    """
    usable = [point for point in points if _has_values(point, rows)]
    if not usable:
        raise LienketError(
            f"{rows.name!r} has no real value, or no derivative, at any of the states tried: a root or a logarithm "
            "leaves its domain, or a denominator is zero, wherever the constraints hold."
        )
    trials = replays(chain, rows, usable)
    if not trials:
        return None
    judged = tuple(trial.point for trial in trials)
    new_rows: list[int] = []
    dependent: dict[int, tuple[set[str], bool, str]] = {}  # names, consistent, added level
    by_name = {row.name: row for row in (*chain.rows, rows)}
    for number, J in enumerate(rows.inside_G):
        if _accept_row(trials, rows.name, number, J):
            new_rows.append(number)
        else:
            dependent[number] = _dependent_row(by_name, rows.name, number, J, trials)
    contradictory = {number: row for number, row in dependent.items() if not row[1]}
    if dependent:
        verdict = _verdict(chain, rows, contradictory or dependent, new_rows, judged)
    else:
        verdict = Verdict(rows.name, INDEPENDENT, of=len(rows))
    changes = _changed_reactions(chain, rows, trials) if new_rows else ()
    return Judgement(verdict, tuple(new_rows), judged, changes)


def replays(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> list[NumericReplay]:
    """Replay the elimination so far at the points where it and the new rows have real values."""
    free = [free_replay(point, len(chain.h), chain.choice) for point in points if _has_values(point, rows)]
    return [replayed for replayed in free if replay_rows(replayed, chain.rows, chain.accepted)]


def _has_values(point: Point, rows: ConstraintRows) -> bool:
    """Return whether all expressions of the rows have real values at the point."""
    try:
        point.numbers(rows.expressions())
    except OutsideDomain:
        return False
    return True


def _added_level(rows: dict[str, ConstraintRows], name: str, used: Sequence[tuple[str, int, se.Expr]]) -> str:
    """Return the level, "position" or "velocity", that the row binds and the rows it follows from do not; or ""."""
    for part in ("position", "velocity"):
        if getattr(rows[name], part) and any(not getattr(rows[other], part) for other, _, _ in used):
            return part
    return ""


def _accept_row(trials: Sequence[NumericReplay], name: str, number: int, J: Sequence[se.Expr]) -> bool:
    """Add the row to the replays in which beta = J D is nonzero; return whether there is one."""
    values = [trial.point.numbers(J) for trial in trials]
    betas = [trial.beta(v) for trial, v in zip(trials, values, strict=True)]
    if not any(b != 0 for beta in betas for b in beta):
        return False
    for trial, value, beta in zip(trials, values, betas, strict=True):
        if any(b != 0 for b in beta):
            p = max(range(len(beta)), key=lambda k: abs(float(beta[k])))
            trial.accept(name, number, value, beta, p)
    return True


def _is_consistent(
    rows: dict[str, ConstraintRows], name: str, number: int, used: Sequence[tuple[str, int, se.Expr]], point: Point
) -> bool:
    """Return whether each residual of the row is the combination of the others' residuals that its row of G is."""
    own = rows[name]
    for part in ("position", "velocity", "inside_g0"):
        if not getattr(own, part) or any(not getattr(rows[other], part) for other, _, _ in used):
            continue
        entries = [(getattr(own, part)[number], se.Integer(-1))]
        entries += [(getattr(rows[other], part)[k], w) for other, k, w in used]
        misfit = sum((w * point.number(e) for e, w in entries), ZERO)
        size = sum(abs(float(w)) * point.size(e) for e, w in entries) + RESIDUAL_SIZE_FLOOR
        if abs(float(misfit)) > point.tolerance * size:
            return False
    return True


def _dependent_row(
    by_name: dict[str, ConstraintRows], name: str, number: int, J: Sequence[se.Expr], trials: Sequence[NumericReplay]
) -> tuple[set[str], bool, str]:
    """Return the constraints the row follows from, whether it is consistent with them, and the level it adds."""
    names: set[str] = set()
    consistent, added = True, ""
    for trial in trials:
        weights = trial.weights(trial.point.numbers(J))
        used = [(*trial.accepted[i][:2], w) for i, w in enumerate(weights) if w != 0]
        names |= {other for other, _, _ in used}
        consistent &= _is_consistent(by_name, name, number, used, trial.point)
        added = added or _added_level(by_name, name, used)
    return names, consistent, added


def _verdict(
    chain: Chain,
    rows: ConstraintRows,
    dependent: dict[int, tuple[set[str], bool, str]],
    new_rows: Sequence[int],
    points: Sequence[Point],
) -> Verdict:
    """Return the verdict on dependent rows that are all redundant or all contradictory."""
    names = set().union(*(row[0] for row in dependent.values()))
    consistent = all(row[1] for row in dependent.values())
    added = next((row[2] for row in dependent.values() if row[2]), "") if consistent else ""
    earlier = [stage.name for stage in chain.stages]
    redundant = {stage.name for stage in chain.stages if stage.verdict.status != INDEPENDENT}
    by_name = {row.name: row for row in (*chain.rows, rows)}
    follows = partial(_rows_follow, by_name, rows.name, list(dependent), chain.choice, consistent)
    order = [*earlier, rows.name] if new_rows or rows.name in names else earlier
    smallest = smallest_set(names, order, redundant, partial(follows, points))
    smallest = _sufficient_set(chain, rows, smallest, order, consistent, follows)
    status = REDUNDANT if consistent else CONTRADICTORY
    return Verdict(rows.name, status, smallest, True, tuple(k + 1 for k in dependent), len(rows), adds=added)


def _sufficient_set(
    chain: Chain,
    rows: ConstraintRows,
    names: tuple[str, ...],
    order: Sequence[str],
    consistent: bool,
    follows: Callable[[Sequence[Point], tuple[str, ...]], bool],
) -> tuple[str, ...]:
    """Return the names, extended until the rows follow where only the named constraints hold.

    Where all constraints hold, the rows follow from `names`; elsewhere they may need more: x = 1 needs both
    x^2 + y^2 = 1 and y = 0.
    """

    def is_sufficient(chosen: tuple[str, ...]) -> bool:
        active = [row for row in chain.rows if row.name in chosen] + ([rows] if consistent else [])
        # From new starts: the points of the chain satisfy the other constraints too.
        points = points_on(active, chain.engine, chain.parameters, rounded=chain.rounded)
        usable = [point for point in points if all(_has_values(point, row) for row in (*active, rows))]
        return bool(usable) and follows(usable, chosen)

    if set(names) >= set(order) or is_sufficient(names):
        return names
    chosen = tuple(order)
    for name in order:
        fewer = tuple(n for n in chosen if n != name)
        if name not in names and is_sufficient(fewer):
            chosen = fewer
    return chosen


def _rows_follow(
    by_name: dict[str, ConstraintRows],
    judged: str,
    dependent: Sequence[int],
    choice: str,
    consistent: bool,
    points: Sequence[Point],
    names: tuple[str, ...],
) -> bool:
    """Return whether the dependent rows of `judged` follow from the named constraints, consistently iff `consistent`.

    If `judged` is among the names, its independent rows count.
    """
    agree = True
    for point in points:
        alone = free_replay(point, len(by_name[judged].inside_G[0]), choice)
        for name in names:
            for number, J in enumerate(by_name[name].inside_G):
                if name != judged or number not in dependent:
                    _accept_row([alone], name, number, J)
        for number in dependent:
            values = point.numbers(by_name[judged].inside_G[number])
            if any(b != 0 for b in alone.beta(values)):
                return False
            used = [(*alone.accepted[i][:2], w) for i, w in enumerate(alone.weights(values)) if w != 0]
            agree &= _is_consistent(by_name, judged, number, used, point)
    return agree == consistent


def _changed_reactions(chain: Chain, rows: ConstraintRows, trials: Sequence[NumericReplay]) -> tuple[str, ...]:
    """Return the earlier constraints whose multipliers change: y of A x = G^T y + J^T, G x = 0 is nonzero there."""
    changed: set[str] = set()
    for trial in trials:
        before = [(name, row) for name, _, row in trial.accepted if name != rows.name]
        if not before:
            return ()
        try:
            A = _floats([trial.point.numbers(row) for row in chain.A])
            J = _floats([trial.point.numbers(row) for row in rows.inside_G])
        except OutsideDomain:
            continue
        G = _floats([row for _, row in before])
        s = len(G)
        matrix = np.block([[A, -G.T], [G, np.zeros((s, s))]])
        right = np.vstack([J.T, np.zeros((s, len(J)))])
        y = np.linalg.lstsq(matrix, right, rcond=None)[0][len(A) :]
        forces = np.max(np.abs(y), axis=1) * np.linalg.norm(G, axis=1)
        limit = REACTION_CHANGE_TOLERANCE * np.linalg.norm(J)
        changed |= {name for (name, _), force in zip(before, forces, strict=True) if force > limit}
    return tuple(stage.name for stage in chain.stages if stage.name in changed)


def _floats(rows: Sequence[Sequence[se.Expr]]) -> Array:
    return np.array([[float(x) for x in row] for row in rows])
