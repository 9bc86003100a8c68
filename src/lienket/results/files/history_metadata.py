"""The history of a run whose structure changed, as files hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...simulation.events.history import History
from ...simulation.problem import Problem

Array = Any


@dataclass(frozen=True)
class HistoryFacts:
    """See History; structures by the places of their constraints."""

    constraints: list[str]
    events: list[str]
    t: list[float]
    y: list[list[float]]
    active: list[list[int]]
    structure: list[int]
    parameters: list[list[float]]
    event: list[int]
    v_before: list[list[float]]
    lost: list[float]
    impulses: list[list[float]]
    happened: list[tuple[str, float]]
    struck: list[list[tuple[int, float]]] = field(default_factory=list)


def history_facts(history: History) -> HistoryFacts:
    """The history in lists."""
    arrays = ("t", "y", "structure", "parameters", "event", "v_before", "lost", "impulses")
    return HistoryFacts(
        constraints=list(history.constraints),
        events=list(history.events),
        active=[list(active) for active in history.active],
        happened=list(history.happened),
        struck=[list(x) for x in history.struck],
        **{name: getattr(history, name).tolist() for name in arrays},
    )


def history_of(facts: HistoryFacts, part: Array, problem: Callable[[tuple[int, ...]], Problem]) -> History:
    """The history again, for rows of these parts (N); `problem` makes that of a structure. Raises ValueError."""
    count = len(facts.t)
    parts = part.astype(np.int64)
    listed = (facts.y, facts.structure, facts.parameters, facts.event, facts.v_before, facts.lost, facts.impulses)
    places = [i for active in facts.active for i in active]
    whole = all(len(x) == count for x in listed) and count > 0
    fits = whole and parts.min() >= 0 and parts.max() < count and max(facts.structure) < len(facts.active)
    known = all(0 <= i < len(facts.constraints) for i in places) and min(facts.structure, default=0) >= 0
    if not (fits and known and max(facts.event) < len(facts.events)):
        raise ValueError("the history of its events is not whole")
    active = tuple(tuple(x) for x in facts.active)
    numbers = [np.array(x, dtype=float).reshape(count, -1) for x in (facts.y, facts.parameters, facts.v_before)]
    return History(
        tuple(facts.constraints),
        tuple(facts.events),
        parts,
        np.array(facts.t),
        numbers[0],
        tuple(map(problem, active)),
        active,
        np.array(facts.structure, dtype=np.int64),
        numbers[1],
        np.array(facts.event, dtype=np.int64),
        numbers[2],
        np.array(facts.lost),
        np.array(facts.impulses, dtype=float).reshape(count, -1),
        tuple((name, time) for name, time in facts.happened),
        tuple(tuple((int(i), float(x)) for i, x in struck) for struck in facts.struck),
    )
