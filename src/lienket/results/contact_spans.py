"""Spans of time that a contact spends open, closed, sliding or sticking."""

from __future__ import annotations

from itertools import pairwise

from ..compiled.constraint_facts import ContactFacts
from ..foundation.frozen_dataclass import dataclass
from ..simulation.events.history import History


@dataclass(frozen=True)
class ContactSpan:
    """Mode of a contact, "open", "closed", "slides" or "sticks", from one time to another."""

    begin: float
    end: float
    mode: str


def contact_spans(contact: ContactFacts, history: History, end: float) -> list[ContactSpan]:
    """Return the spans of a contact until `end`; consecutive spans differ in mode."""
    spans: list[ContactSpan] = []
    times = [*map(float, history.t), max(end, float(history.t[-1]))]
    for part, (begin, stop) in enumerate(pairwise(times)):
        names = history.names(part)
        closed = "sticks" if contact.sticking in names else "slides" if contact.frictional else "closed"
        mode = closed if contact.name in names else "open"
        if spans and spans[-1].mode == mode:
            spans[-1] = ContactSpan(spans[-1].begin, stop, mode)
        elif stop > begin:  # an event may cause another one at once
            spans.append(ContactSpan(begin, stop, mode))
    return spans
