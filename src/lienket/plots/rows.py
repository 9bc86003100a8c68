"""What is drawn of a trajectory: enough rows for smooth curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LienketError

SMOOTH = 1000  # rows of a smooth curve


def smooth(trajectory: Any) -> Any:
    """The trajectory itself, or, if it has few rows, the same run at 1000 times by its dense output."""
    t = np.asarray(trajectory.t)
    if len(t) >= SMOOTH or len(t) < 2 or not t[-1] > t[0]:
        return trajectory
    try:
        return trajectory.sampled(np.linspace(t[0], t[-1], SMOOTH))
    except LienketError:  # it was read from a file, without dense output
        return trajectory


def multiplier_columns(trajectory: Any) -> dict[str, slice]:
    """The columns of the multipliers that belong to each constraint, one per row of it."""
    columns, first = {}, 0
    for constraint in _every(trajectory.system):
        columns[constraint.name] = slice(first, first + len(constraint.expressions))
        first += len(constraint.expressions)
    return columns


def _every(system: Any) -> tuple[Any, ...]:
    """The constraints of a system, and those that its events bring in; programs that are followed have no rows."""
    every = (*system.constraints, *(c for event in getattr(system, "events", ()) for c in event.constraints))
    return tuple(c for c in every if not getattr(getattr(c, "following", None), "loosely", False))
