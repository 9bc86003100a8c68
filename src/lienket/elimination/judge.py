"""What a constraint adds to those before it, judged at points on the constraints (theory 4, step 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..constraints import ConstraintRows
from ..errors import LienketError
from .dependence import smallest_set
from .point import OutsideDomain, Point
from .shadow import Shadow, replay, shadow_at
from .step import ZERO
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
    trials = shadows_of(chain, rows, usable)
    if not trials:
        return None
    judged = tuple(trial.point for trial in trials)
    news: list[int] = []
    idle: list[int] = []
    names: set[str] = set()
    consistent, adds = True, ""
    everything = {row.name: row for row in (*chain.rows, rows)}
    for number, J in enumerate(rows.inside_G):
        if _take(trials, rows.name, number, J):
            news.append(number)
            continue
        idle.append(number)
        for trial in trials:
            weights = trial.weights(trial.point.numbers(J))
            used = [(*trial.accepted[i][:2], w) for i, w in enumerate(weights) if w != 0]
            names |= {name for name, _, _ in used}
            consistent &= _consistent(everything, rows.name, number, used, trial.point)
            adds = adds or _adds(everything, rows.name, used)
    if not idle:
        verdict = Verdict(rows.name, INDEPENDENT, of=len(rows))
    else:
        verdict = replace(_verdict(chain, rows, idle, names, consistent, trials), adds=adds if consistent else "")
    changes = _changes(chain, rows, trials) if news else ()
    return Judgement(verdict, tuple(news), judged, changes)


def shadows_of(chain: Chain, rows: ConstraintRows, points: Sequence[Point]) -> list[Shadow]:
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


def _take(trials: Sequence[Shadow], name: str, number: int, J: Sequence[Any]) -> bool:
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
        value = point.number(getattr(mine, part)[number])
        others = [w * point.number(getattr(rows[other], part)[k]) for other, k, w in used]
        size = abs(float(value)) + sum(abs(float(x)) for x in others) + 1e-12
        if abs(float(value - sum(others, ZERO))) > point.small * size:
            return False
    return True


def _verdict(
    chain: Chain, rows: ConstraintRows, idle: list[int], names: set[str], consistent: bool, trials: Sequence[Shadow]
) -> Verdict:
    status = REDUNDANT if consistent else CONTRADICTORY
    earlier = [stage.name for stage in chain.stages]
    redundant = {stage.name for stage in chain.stages if stage.verdict.status != INDEPENDENT}
    by_name = {row.name: row for row in (*chain.rows, rows)}
    points = [trial.point for trial in trials]
    follows = partial(_follow, by_name, rows.name, idle, points, chain.choice, consistent)
    own = [rows.name] if len(idle) < len(rows) or rows.name in names else []
    smallest = smallest_set(names, [*earlier, *own], redundant, follows)
    return Verdict(rows.name, status, smallest, True, tuple(k + 1 for k in idle), len(rows))


def _follow(
    by_name: dict[str, ConstraintRows],
    own: str,
    idle: Sequence[int],
    points: Sequence[Point],
    choice: str,
    consistent: bool,
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


def _changes(chain: Chain, rows: ConstraintRows, trials: Sequence[Shadow]) -> tuple[str, ...]:
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
