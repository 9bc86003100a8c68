"""Classification of a constraint as independent, redundant or contradictory at points on the constraints (theory 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import symengine as se

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from .dependence import Dependence, accept_row, dependence, replay_of
from .sampling.numeric_replay import Replay, free_replay, replay_rows
from .sampling.on_constraints import points_on
from .sampling.point import OutsideDomain, Point, precise
from .smallest_dependent_set import smallest_set
from .verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict

if TYPE_CHECKING:
    from .chain import Chain

REACTION_CHANGE_TOLERANCE = 1e-9  # [1] relative size of the force on a constraint below which its reaction is unchanged
SUFFICIENT_SET_LIMIT = 8  # [constraints] up to which a set is searched that is sufficient by itself
OTHER_VALUES_POINTS = 2  # [points] near which a dependence is tried with other numbers
OTHER_VALUES_DISTANCE = 0.02  # [1] relative change of given numbers at which a dependence must persist to be general


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
    trials = _of_one_assembly(chain, rows, trials)
    judged = tuple(trial.point for trial in trials)
    new_rows: list[int] = []
    dependent: dict[int, Dependence] = {}
    by_name = {row.name: row for row in (*chain.rows, rows)}
    for number, J in enumerate(rows.inside_G):
        accepted = [accept_row(trial, rows.name, number, trial.point.numbers(J)) for trial in trials]
        if any(accepted):
            new_rows.append(number)
        else:
            dependent[number] = _joined(
                [dependence(by_name, rows.name, number, trial, list(by_name), chain.A) for trial in trials]
            )
    contradictory = {number: row for number, row in dependent.items() if not row.consistent}
    if dependent:
        verdict = _verdict(chain, rows, contradictory or dependent, new_rows, judged)
    else:
        verdict = Verdict(rows.name, INDEPENDENT, of=len(rows))
    changes = _changed_reactions(chain, rows, trials) if new_rows else ()
    return Judgement(verdict, tuple(new_rows), judged, changes)


def replays(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> list[Replay]:
    """Replay the elimination so far at the points where it and the new rows have real values."""
    free = [free_replay(point, chain.A, chain.choice) for point in points if _has_values(point, rows)]
    return [replayed for replayed in free if replay_rows(replayed, chain.rows, chain.accepted)]


def _of_one_assembly(chain: Chain, rows: ConstraintRows, trials: list[Replay]) -> list[Replay]:
    """Return the trials with the same independent rows of the constraint, where parameters have given numbers.

    With special lengths a linkage may have an assembly that moves and others that are rigid, or folded ones that move
    more freely. The least freedom that is not 0 is meant; 0 if all are rigid.
    """
    if not chain.given or len(trials) == 1:
        return trials
    accepted, freedoms = [], []
    for trial in trials:
        copy = trial.copy()
        values = [trial.point.numbers(J) for J in rows.inside_G]
        accepted.append(tuple(accept_row(copy, rows.name, number, J) for number, J in enumerate(values)))
        freedoms.append(copy.width)
    meant = min((freedom for freedom in freedoms if freedom > 0), default=0)
    patterns = Counter(rows for rows, freedom in zip(accepted, freedoms, strict=True) if freedom == meant)
    most_frequent = patterns.most_common(1)[0][0]
    return [trial for trial, pattern in zip(trials, accepted, strict=True) if pattern == most_frequent]


def _has_values(point: Point, rows: ConstraintRows) -> bool:
    """Return whether all expressions of the rows have real values at the point."""
    try:
        point.numbers(rows.expressions())
    except OutsideDomain:
        return False
    return True


def _joined(at_points: Sequence[Dependence]) -> Dependence:
    """Return the dependence of a row at all points together."""
    against = [each for each in at_points if not each.consistent]
    names = frozenset().union(*(each.names for each in against or at_points))
    return Dependence(names, not against, next((each.adds for each in at_points if each.adds), ""))


def _verdict(
    chain: Chain,
    rows: ConstraintRows,
    dependent: dict[int, Dependence],
    new_rows: Sequence[int],
    points: Sequence[Point],
) -> Verdict:
    """Return the verdict on dependent rows that are all redundant or all contradictory."""
    names = set().union(*(row.names for row in dependent.values()))
    consistent = all(row.consistent for row in dependent.values())
    added = next((row.adds for row in dependent.values() if row.adds), "") if consistent else ""
    earlier = [stage.name for stage in chain.stages]
    redundant = {stage.name for stage in chain.stages if stage.verdict.status != INDEPENDENT}
    follows = partial(_rows_follow, chain, rows, list(dependent), consistent)
    order = [*earlier, rows.name] if new_rows or rows.name in names else earlier
    smallest = smallest_set(names, order, redundant, partial(follows, points))
    smallest = _sufficient_set(chain, rows, smallest, order, consistent, follows)
    status = REDUNDANT if consistent else CONTRADICTORY
    special = consistent and bool(chain.given) and not _holds_with_other_values(chain, rows, points, follows)
    numbers = tuple(k + 1 for k in dependent)
    return Verdict(rows.name, status, smallest, True, numbers, len(rows), adds=added, with_values=special)


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
        points = points_on(active, chain.engine, chain.parameters, rounded=chain.rounded, given=dict(chain.given))
        usable = [point for point in points if all(_has_values(point, row) for row in (*active, rows))]
        return bool(usable) and follows(usable, chosen)

    if len(order) > SUFFICIENT_SET_LIMIT or set(names) >= set(order) or is_sufficient(names):
        return names
    chosen = tuple(order)
    for name in order:
        fewer = tuple(n for n in chosen if n != name)
        if name not in names and is_sufficient(fewer):
            chosen = fewer
    return chosen


def _holds_with_other_values(
    chain: Chain,
    rows: ConstraintRows,
    points: Sequence[Point],
    follows: Callable[[Sequence[Point], tuple[str, ...]], bool],
) -> bool:
    """Return whether the dependence persists at points nearby where the given numbers are changed a little."""
    changed = {
        symbol: precise(float(number) * (1 + OTHER_VALUES_DISTANCE * (-1) ** k / (1 + k)))
        for k, (symbol, number) in enumerate(chain.given)
    }
    near = [Point({**point.values, **changed}, point.tolerance) for point in points[:OTHER_VALUES_POINTS]]
    every = (*chain.rows, rows)
    found = points_on(every, chain.engine, chain.parameters, near, rounded=True, given=changed, attempts=0)
    usable = [point for point in found if all(_has_values(point, row) for row in every)]
    return bool(usable) and follows(usable, tuple(row.name for row in every))


def _rows_follow(
    chain: Chain,
    rows: ConstraintRows,
    dependent: Sequence[int],
    consistent: bool,
    points: Sequence[Point],
    names: tuple[str, ...],
) -> bool:
    """Return whether the dependent rows follow from the named constraints, consistently iff `consistent`.

    If their own constraint is among the names, its independent rows count.
    """
    by_name = {row.name: row for row in (*chain.rows, rows)}
    chosen = [(name, k) for name in names for k in range(len(by_name[name])) if name != rows.name or k not in dependent]
    agree = True
    for point in points:
        alone = replay_of(by_name, chosen, free_replay(point, chain.A, chain.choice))
        for number in dependent:
            if any(b != 0 for b in alone.beta(point.numbers(rows.inside_G[number]))):
                return False
            agree &= dependence(by_name, rows.name, number, alone, names, chain.A).consistent
    return agree == consistent


def _changed_reactions(chain: Chain, rows: ConstraintRows, trials: Sequence[Replay]) -> tuple[str, ...]:
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


def _floats(rows: Sequence[Sequence[se.Expr] | Array]) -> Array:
    return np.array([[float(x) for x in row] for row in rows])
