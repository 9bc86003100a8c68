"""What contacts, drives and programs that are followed did during a run, in a line each, for its audit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..language.names import STICKING
from ..model.contacts import Contact, contacts
from ..simulation.events.history import History
from .row_values import RowValues

Array = Any


def activity(numbers: RowValues) -> list[str]:
    """A line for each contact (for how long it was open, slid and stuck), drive (its range) and program (its error)."""
    history, lines = numbers.run.history, []
    if history is not None:
        end = float(numbers.run.t[-1])
        lines = [_contact(c, history, end) for c in contacts(numbers.run.problem.model.constraints)]
    for name, values in numbers.drives.items():
        worked = values[~np.isnan(values)]
        said = f"{worked.min():.6g} to {worked.max():.6g}" if len(worked) else "did not work"
        lines.append(f"{_label('drive', name)}{said}")
    for name, error in numbers.errors.items():
        lines.append(
            f"{_label('program', name)}missed by {np.nanmax(np.abs(error)):.2g}, at the end {_last(error):.2g}"
        )
    return lines


def _contact(contact: Contact, history: History, end: float) -> str:
    """The time that a contact spent in each way, of a run that ended at `end`."""
    lengths = np.diff([*history.t, max(end, history.t[-1])])
    spent = {"open": 0.0, "sliding": 0.0, "sticking": 0.0}
    for part, length in enumerate(lengths):
        names = history.names(part)
        closed = "sticking" if contact.name + STICKING in names else "sliding"
        spent[closed if contact.name in names else "open"] += float(length)
    ways = {"open": contact.unilateral, "sliding": True, "sticking": contact.sticks}
    words = {"sliding": "sliding" if contact.frictional else "closed"}
    said = [f"{words.get(way, way)} for {spent[way]:.6g}" for way, can in ways.items() if can]
    return f"{_label('contact', contact.name)}{', '.join(said)}"


def _last(error: Array) -> float:
    return float(np.max(np.abs(error[-1])))


def _label(what: str, name: str) -> str:
    return f"{what} {name}"[:24].ljust(25)
