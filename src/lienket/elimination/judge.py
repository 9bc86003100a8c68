"""What a constraint adds to those before it, judged at points on the constraints (theory 4, step 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine as se

from ..constraints import ConstraintRows
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from .null_space_step import ZERO
from .sampling.numeric_replay import NumericReplay, replay, shadow_at
from .sampling.on_constraints import points_on
from .sampling.point import OutsideDomain, Point
from .smallest_dependent_set import smallest_set
from .verdict import CONTRADICTORY, INDEPENDENT, REDUNDANT, Verdict

if TYPE_CHECKING:
    from .chain import Chain


@dataclass(frozen=True)
class Judgement:
    """The verdict on a constraint; `news` are the numbers of the rows that take a freedom.

    `points` are those at which it could be judged; `changes` names the constraints whose reactions it changes.
    """

    verdict: Verdict
    news: tuple[int, ...]
    points: tuple[Point, ...]
    changes: tuple[str, ...]


def judge(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> Judgement | None:
    """The judgement at the points; None if an earlier pivot vanishes at all of them.

    A row is dependent if it is so at every point.
    """
    usable = [point for point in points if _has_values(point, rows)]
    if not usable:
        raise LienketError(
            f"{rows.name!r} has no real value, or no derivative, at any of the states tried: a root or a logarithm "
            "leaves its domain, or something is divided by zero, wherever the constraints hold."
        )
    trials = replays(chain, rows, usable)
    if not trials:
        return None
    judged = tuple(trial.point for trial in trials)
    news: list[int] = []
    idle: dict[int, tuple[set[str], bool, str]] = {}  # names, whether consistent, the level it adds
    everything = {row.name: row for row in (*chain.rows, rows)}
    for number, J in enumerate(rows.inside_G):
        if _take(trials, rows.name, number, J):
            news.append(number)
        else:
            idle[number] = _dependent_row(everything, rows.name, number, J, trials)
    against = {number: found for number, found in idle.items() if not found[1]}
    if idle:
        verdict = _verdict(chain, rows, against or idle, news, judged)
    else:
        verdict = Verdict(rows.name, INDEPENDENT, of=len(rows))
    changes = _changes(chain, rows, trials) if news else ()
    return Judgement(verdict, tuple(news), judged, changes)


def replays(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> list[NumericReplay]:
    """The elimination so far replayed at the points; those where it or the new rows have no value are left out."""
    found = [shadow_at(point, len(chain.h), chain.choice) for point in points if _has_values(point, rows)]
    return [shadow for shadow in found if replay(shadow, chain.rows, chain.accepted)]


def _has_values(point: Point, rows: ConstraintRows) -> bool:
    try:
        point.numbers(rows.expressions())
    except OutsideDomain:
        return False
    return True


def _adds(rows: dict[str, ConstraintRows], name: str, used: Sequence[tuple[str, int, Any]]) -> str:
    """The level that the constraint binds and those it follows from leave open: "position", "velocity" or ""."""
    for part in ("position", "velocity"):
        if getattr(rows[name], part) and any(not getattr(rows[other], part) for other, _, _ in used):
            return part
    return ""


def _take(trials: Sequence[NumericReplay], name: str, number: int, J: Sequence[Any]) -> bool:
    """Take the row into the trial shadows where it has news; whether it has, anywhere."""
    values = [trial.point.numbers(J) for trial in trials]
    betas = [trial.beta(v) for trial, v in zip(trials, values, strict=True)]
    if not any(b != 0 for beta in betas for b in beta):
        return False
    for trial, value, beta in zip(trials, values, betas, strict=True):
        if any(b != 0 for b in beta):
            p = max(range(len(beta)), key=lambda k: abs(float(beta[k])))
            trial.accept(name, number, value, beta, p)
    return True


def _consistent(
    rows: dict[str, ConstraintRows], name: str, number: int, used: Sequence[tuple[str, int, Any]], point: Point
) -> bool:
    """Whether the row asks for the same combination of positions, velocities, accelerations as its row of G is."""
    mine = rows[name]
    for part in ("position", "velocity", "inside_g0"):
        if not getattr(mine, part) or any(not getattr(rows[other], part) for other, _, _ in used):
            continue
        entries = [(getattr(mine, part)[number], se.Integer(-1))]
        entries += [(getattr(rows[other], part)[k], w) for other, k, w in used]
        misfit = sum((w * point.number(e) for e, w in entries), ZERO)
        size = sum(abs(float(w)) * point.size(e) for e, w in entries) + 1e-12
        if abs(float(misfit)) > point.small * size:
            return False
    return True


def _dependent_row(
    everything: dict[str, ConstraintRows], name: str, number: int, J: Sequence[Any], trials: Sequence[NumericReplay]
) -> tuple[set[str], bool, str]:
    """The names the row follows from, whether it agrees with them, and the level it adds to theirs."""
    names: set[str] = set()
    consistent, adds = True, ""
    for trial in trials:
        weights = trial.weights(trial.point.numbers(J))
        used = [(*trial.accepted[i][:2], w) for i, w in enumerate(weights) if w != 0]
        names |= {other for other, _, _ in used}
        consistent &= _consistent(everything, name, number, used, trial.point)
        adds = adds or _adds(everything, name, used)
    return names, consistent, adds


def _verdict(
    chain: Chain,
    rows: ConstraintRows,
    idle: dict[int, tuple[set[str], bool, str]],
    news: Sequence[int],
    points: Sequence[Point],
) -> Verdict:
    """The verdict on rows that are all without news: all redundant, or all contradictory."""
    names = set().union(*(found[0] for found in idle.values()))
    consistent = all(found[1] for found in idle.values())
    adds = next((found[2] for found in idle.values() if found[2]), "") if consistent else ""
    earlier = [stage.name for stage in chain.stages]
    redundant = {stage.name for stage in chain.stages if stage.verdict.status != INDEPENDENT}
    by_name = {row.name: row for row in (*chain.rows, rows)}
    follows = partial(_follow, by_name, rows.name, list(idle), chain.choice, consistent)
    order = [*earlier, rows.name] if news or rows.name in names else earlier
    smallest = smallest_set(names, order, redundant, partial(follows, points))
    smallest = _enough(chain, rows, smallest, order, consistent, follows)
    status = REDUNDANT if consistent else CONTRADICTORY
    return Verdict(rows.name, status, smallest, True, tuple(k + 1 for k in idle), len(rows), adds=adds)


def _enough(
    chain: Chain,
    rows: ConstraintRows,
    names: tuple[str, ...],
    order: Sequence[str],
    consistent: bool,
    follows: Callable[[Sequence[Point], tuple[str, ...]], bool],
) -> tuple[str, ...]:
    """The names, and more where these alone do not do: on x^2 + y^2 = 1 and y = 0, x = 1 needs both.

    The rows followed from `names` where all constraints hold; they must do so where these hold alone.
    """

    def enough(chosen: tuple[str, ...]) -> bool:
        held = [row for row in chain.rows if row.name in chosen] + ([rows] if consistent else [])
        # From new starts: the known points lie on the other constraints too.
        points = points_on(held, chain.engine, chain.parameters, rounded=chain.rounded)
        usable = [point for point in points if all(_has_values(point, row) for row in (*held, rows))]
        return bool(usable) and follows(usable, chosen)

    if set(names) >= set(order) or enough(names):
        return names
    chosen = tuple(order)
    for name in order:
        fewer = tuple(n for n in chosen if n != name)
        if name not in names and enough(fewer):
            chosen = fewer
    return chosen


def _follow(
    by_name: dict[str, ConstraintRows],
    own: str,
    idle: Sequence[int],
    choice: str,
    consistent: bool,
    points: Sequence[Point],
    names: tuple[str, ...],
) -> bool:
    """Whether the idle rows of `own` follow from the named constraints alone, and agree with them just if `consistent`.

    Of the constraint itself, the rows with news count.
    """
    agree = True
    for point in points:
        alone = shadow_at(point, len(by_name[own].inside_G[0]), choice)
        for name in names:
            for number, J in enumerate(by_name[name].inside_G):
                if name != own or number not in idle:
                    _take([alone], name, number, J)
        for number in idle:
            values = point.numbers(by_name[own].inside_G[number])
            if any(b != 0 for b in alone.beta(values)):
                return False
            used = [(*alone.accepted[i][:2], w) for i, w in enumerate(alone.weights(values)) if w != 0]
            agree &= _consistent(by_name, own, number, used, point)
    return agree == consistent


def _changes(chain: Chain, rows: ConstraintRows, trials: Sequence[NumericReplay]) -> tuple[str, ...]:
    """Earlier constraints whose multipliers change: A x = G^T y + J^T, G x = 0 has y different from zero there."""
    changed: set[str] = set()
    for trial in trials:
        before = [(name, J) for name, _, J in trial.accepted if name != rows.name]
        if not before:
            return ()
        try:
            A = _floats([trial.point.numbers(row) for row in chain.A])
            mine = _floats([trial.point.numbers(J) for J in rows.inside_G])
        except OutsideDomain:
            continue
        G = _floats([J for _, J in before])
        s = len(G)
        matrix = np.block([[A, -G.T], [G, np.zeros((s, s))]])
        right = np.vstack([mine.T, np.zeros((s, len(mine)))])
        y = np.linalg.lstsq(matrix, right, rcond=None)[0][len(A) :]
        pushes = np.max(np.abs(y), axis=1) * np.linalg.norm(G, axis=1)
        changed |= {name for (name, _), push in zip(before, pushes, strict=True) if push > 1e-9 * np.linalg.norm(mine)}
    return tuple(stage.name for stage in chain.stages if stage.name in changed)


def _floats(rows: Sequence[Sequence[Any]]) -> Any:
    return np.array([[float(x) for x in row] for row in rows])
