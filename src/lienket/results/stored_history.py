"""What events did in a run, read back from the facts of a file and checked against its model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..simulation.problem import Problem
from ..simulation.structures import History
from .facts import HistoryFacts

Array = Any


def stored_history(
    facts: HistoryFacts,
    constraints: tuple[str, ...],
    events: tuple[str, ...],
    problem: Callable[[tuple[int, ...]], Problem],
    rows: int,
) -> History:
    """The history (P parts) of a run with so many rows; `problem` makes that of some constraints, by their places.

    Raises ValueError with what is wrong.
    """
    parts = len(facts.t)
    if any(not 0 <= i < len(constraints) for active in facts.active for i in active):
        raise ValueError("it has other constraints than its model")
    if any(name not in events for name, _ in facts.happened):
        raise ValueError("it has other events than its model")
    problems = tuple(problem(active) for active in facts.active)
    if not problems:
        raise ValueError("it has no structure")
    n, p, most = problems[0].n, len(problems[0].parameters), problem(tuple(range(len(constraints)))).s
    try:
        found = {
            "part": _whole(facts.part, rows, parts),
            "t": _numbers(facts.t, (parts,)),
            "y": _numbers(facts.y, (parts, 2 * n + 1)),
            "structure": _whole(facts.structure, parts, len(problems)),
            "parameters": _numbers(facts.parameters, (parts, p)),
            "event": _whole(facts.event, parts, len(events), least=-1),
            "v_before": _numbers(facts.v_before, (parts, n)),
            "lost": _numbers(facts.lost, (parts,)),
            "impulses": _numbers(facts.impulses, (parts, most)),
        }
    except (TypeError, ValueError):
        raise ValueError("the history of its events is not whole") from None
    return History(constraints, events, structures=problems, active=facts.active, happened=facts.happened, **found)


def _numbers(given: Any, shape: tuple[int, ...]) -> Array:
    found = np.array(given, dtype=float).reshape(shape)
    if not np.all(np.isfinite(found)):
        raise ValueError
    return found


def _whole(given: list[int], length: int, below: int, least: int = 0) -> Array:
    found = np.array(given, dtype=np.int64)
    if found.shape != (length,) or np.any(found < least) or np.any(found >= below):
        raise ValueError
    return found
