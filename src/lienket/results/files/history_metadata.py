"""History of a run whose active constraints changed, in the form kept in files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...simulation.events.history import History
from ...simulation.problem import Problem


@dataclass(frozen=True)
class HistoryMetadata:
    """History in lists (see History); a structure is the list of indices of its constraints."""

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
    laws: list[str] = field(default_factory=list)
    unseen: list[tuple[str, int]] = field(default_factory=list)


def history_metadata(history: History) -> HistoryMetadata:
    """Return the history in lists."""
    arrays = ("t", "y", "structure", "parameters", "event", "v_before", "lost", "impulses")
    return HistoryMetadata(
        constraints=list(history.constraints),
        events=list(history.events),
        active=[list(active) for active in history.active],
        happened=list(history.happened),
        struck=[list(x) for x in history.struck],
        laws=list(history.laws),
        unseen=list(history.unseen),
        **{name: getattr(history, name).tolist() for name in arrays},
    )


def history_of(metadata: HistoryMetadata, part: Array, problem: Callable[[tuple[int, ...]], Problem]) -> History:
    """Rebuild the history for rows of these parts (N); `problem` builds the problem of a structure.

    Raise ValueError if the metadata are incomplete or inconsistent.
    """
    count = len(metadata.t)
    parts = part.astype(np.int64)
    listed = (
        metadata.y,
        metadata.structure,
        metadata.parameters,
        metadata.event,
        metadata.v_before,
        metadata.lost,
        metadata.impulses,
    )
    indices = [i for active in metadata.active for i in active]
    complete = all(len(x) == count for x in listed) and count > 0
    fits = complete and parts.min() >= 0 and parts.max() < count and max(metadata.structure) < len(metadata.active)
    valid = all(0 <= i < len(metadata.constraints) for i in indices) and min(metadata.structure, default=0) >= 0
    of_impacts = all(len(x) in (0, count) for x in (metadata.struck, metadata.laws))
    if not (fits and valid and of_impacts and max(metadata.event) < len(metadata.events)):
        raise ValueError("the history of its events is incomplete or inconsistent")
    active = tuple(tuple(x) for x in metadata.active)
    arrays = [np.array(x, dtype=float).reshape(count, -1) for x in (metadata.y, metadata.parameters, metadata.v_before)]
    return History(
        tuple(metadata.constraints),
        tuple(metadata.events),
        parts,
        np.array(metadata.t),
        arrays[0],
        tuple(map(problem, active)),
        active,
        np.array(metadata.structure, dtype=np.int64),
        arrays[1],
        np.array(metadata.event, dtype=np.int64),
        arrays[2],
        np.array(metadata.lost),
        np.array(metadata.impulses, dtype=float).reshape(count, -1),
        tuple((name, time) for name, time in metadata.happened),
        tuple(tuple((int(i), float(x)) for i, x in struck) for struck in metadata.struck),
        tuple(metadata.laws),
        tuple((name, int(count)) for name, count in metadata.unseen),
    )
