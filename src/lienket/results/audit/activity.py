"""Activity of contacts, drives and programs during a run, one line each, for its audit."""

from __future__ import annotations

import numpy as np

from ...compiled.constraint_facts import ContactFacts, contacts_among
from ...foundation.arrays import Array
from ...simulation.events.history import History
from ..contact_spans import contact_spans
from ..row_values import RowValues


def activity(numbers: RowValues) -> list[tuple[str, str]]:
    """Return label and text of each contact (time open, sliding, sticking), drive (range), program (largest error)."""
    history = numbers.run.history
    lines: list[tuple[str, str]] = []
    if history is not None:
        end = float(numbers.run.t[-1])
        lines = [_contact(c, history, end) for c in contacts_among(numbers.run.problem.model.constraints)]
    for name, values in numbers.drives.items():
        active = values[~np.isnan(values)]
        extent = f"{active.min():.6g} to {active.max():.6g}" if len(active) else "inactive"
        lines.append((f"drive {name}", extent))
    for name, error in numbers.errors.items():
        largest = float(np.nanmax(np.abs(error)))
        lines.append((f"program {name}", f"largest error {largest:.2g}, at the end {_last(error):.2g}"))
    return lines


def _contact(contact: ContactFacts, history: History, end: float) -> tuple[str, str]:
    """Return label and text of a contact: the time spent in each mode until `end`."""
    spent: dict[str, float] = {}
    for span in contact_spans(contact, history, end):
        spent[span.mode] = spent.get(span.mode, 0.0) + span.end - span.begin
    closed = "slides" if contact.frictional else "closed"
    possible = {"open": contact.unilateral, closed: True, "sticks": contact.sticks}
    words = {"slides": "sliding", "sticks": "sticking"}
    durations = [f"{words.get(mode, mode)} for {spent.get(mode, 0.0):.6g}" for mode, can in possible.items() if can]
    return f"contact {contact.name}", ", ".join(durations)


def _last(error: Array) -> float:
    """Return the largest absolute error in the last row."""
    return float(np.max(np.abs(error[-1])))
