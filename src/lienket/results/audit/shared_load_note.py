"""Note of the audit of a run on constraints whose share of the reaction is not unique."""

from __future__ import annotations

import numpy as np

from ...kernels.shared_loads import REDUNDANT, not_unique
from ..row_values import RowValues

ROWS_LOOKED_AT = 3  # [rows] of each structure of a run: the first, a middle and the last one with redundant constraints
NAMES_LISTED = 6  # [names] of constraints in the sentence


def shared_load_notes(numbers: RowValues) -> tuple[str, ...]:
    """Return one sentence on the constraints whose share of the reaction is not unique, by name; none without any."""
    if not numbers.redundant.any():
        return ()
    found: set[str] = set()
    for states in numbers.evaluations():
        at = np.flatnonzero(states.status == REDUNDANT)
        looked = at[np.linspace(0, len(at) - 1, min(len(at), ROWS_LOOKED_AT)).astype(int)]
        marked = np.asarray(not_unique(states, states.status, looked).any(axis=0))
        found |= {c.holds or c.name for c in states.model.constraints if marked[states.model.rows[c.name]].any()}
    names = [repr(c.name) for c in numbers.run.problem.model.constraints if c.name in found]
    if not names:
        return ()
    listed = ", ".join(names[:NAMES_LISTED]) + (
        f" and {len(names) - NAMES_LISTED} others" if len(names) > NAMES_LISTED else ""
    )
    return (
        f"The forces of {listed} are not unique at some rows: the constraints share a load that statics does not "
        "determine. They are the least forces, those of contacts the least that obey the laws of friction; "
        "`not_unique` has the rows.",
    )
