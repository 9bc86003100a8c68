"""Contacts in numbers: their events, and their modes (open, sliding, sticking) at a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.symbols import t
from ..model.contact import Contact, contacts
from ..model.contacts import with_contact_modes
from ..model.event import StatedEvent
from ..model.laws.contact_signs import direction_of, sense_of
from ..model.reaction_symbols import multiplier
from ..model.statement import Statement
from .models import MODELS_CACHED, compiled_model

if TYPE_CHECKING:
    from ..simulation.contacts.mode_change import Contacts
    from ..simulation.events.watch import Action

Array = Any


@dataclass(frozen=True)
class ContactEvent:
    """Event of a contact: the contact, its number, the kind of event (STOPS, LIFTS ...), and the event as stated."""

    contact: Contact
    number: int
    kind: int
    stated: StatedEvent

    def armed(self, acting: set[str]) -> bool:
        """Return whether the event is monitored while the constraints `acting` are active."""
        from ..simulation.contacts.mode_change import LIFTS, STOPS, TOUCHES, TURNS

        closed, sticking = self.contact.name in acting, self.contact.sticking in acting
        if self.kind == TOUCHES:
            return not closed
        if self.kind in (TURNS, LIFTS):
            return closed
        return closed and sticking == (self.kind != STOPS)


@lru_cache(maxsize=MODELS_CACHED)
def contact_events(statement: Statement) -> tuple[ContactEvent, ...]:
    """Return the events of the contacts of a statement, contact by contact."""
    from ..simulation.contacts.mode_change import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS

    events = []
    for k, c in enumerate(contacts(statement.constraints)):
        normal, kinds = multiplier(c.name), []
        gap = next(x for x in statement.constraints if x.name == c.name).expressions[0]
        if c.sticks:
            limit, friction = _static(c) * sense_of(c.name) * normal, multiplier(c.sticking)
            kinds += [
                (STOPS, "stops", direction_of(c.name) * c.slip),
                (SLIPS, "slips", limit - friction),
                (SLIPS_BACK, "slips back", limit + friction),
            ]
        if c.unilateral:
            kinds += [(LIFTS, "lifts off", normal), (TOUCHES, "touches", gap)]
        elif c.frictional:
            kinds += [(TURNS, "turns", sense_of(c.name) * normal)]
        events += [ContactEvent(c, k, kind, StatedEvent(f"{c.name} {verb}", e, -1)) for kind, verb, e in kinds]
    return tuple(events)


def static_to_sliding_ratio(statement: Statement) -> list[Any]:
    """Return the static over the sliding coefficient of each contact, 1 without a jump, in the order of contacts."""
    return [c.law.static_ratio if c.frictional else sp.S.One for c in contacts(statement.constraints)]


def contact_actions(statement: Statement, first_ratio: int) -> list[Action]:
    """Return the actions of the contact events; `first_ratio` is the index of the first static-to-sliding ratio.

    The index counts the values of the function of conditions.
    """
    from ..simulation.contacts.actions import contact_action
    from ..simulation.contacts.mode_change import STOPS, TOUCHES, TURNS
    from ..simulation.events.watch import Action

    actions, system = [], contacts_of(statement)
    for event in contact_events(statement):
        do = contact_action(system, event.number, event.kind)
        contact, ratio = system.contacts[event.number], first_ratio + event.number if event.kind == STOPS else 0
        flips = contact.sense if event.kind == TURNS else contact.direction if ratio else -1
        actions.append(Action(do=do, contact=True, gap=event.kind == TOUCHES, flips=flips, grip=ratio))
    return actions


def paradox_explainer(statement: Statement) -> Callable[..., str]:
    """Return the function that explains why a motion ends at a contact (Painleve paradox); see EventPlan."""
    if not contacts(statement.constraints):
        return lambda *state: ""
    from ..simulation.contacts.painleve import at_limit

    return partial(at_limit, contacts_of(statement))


@lru_cache(maxsize=MODELS_CACHED)
def contacts_of(statement: Statement) -> Contacts:
    """Return the contacts of a statement with contact modes, with the functions that decide their modes."""
    from ..simulation.contacts.mode_change import ContactIndices, Contacts
    from ..simulation.contacts.response import ContactSystem

    every, stated = statement.every_constraint, contacts(statement.constraints)
    quantities = tuple(
        (f"{k} {name}", e) for k, c in enumerate(stated) for name, e in _contact_quantities(c, statement).items()
    )
    model = compiled_model(statement.free, every, statement.parameters, quantities)
    names, parameters = [c.name for c in every], list(statement.parameters)
    rows, first = [], 0
    for c in every:
        count = 0 if c.following.may_deviate else len(c.expressions)
        rows.append(tuple(range(first, first + count)))
        first += count
    indexed = tuple(
        ContactIndices(
            c.name,
            names.index(c.name),
            names.index(c.sticking) if c.frictional else -1,
            c.sticks,
            c.unilateral,
            parameters.index(direction_of(c.name)) if c.sticks else -1,
            parameters.index(sense_of(c.name)),
            c.law.impact_law,
        )
        for c in stated
    )
    programs = frozenset(k for k, c in enumerate(every) if c.kind == "program")
    return Contacts(ContactSystem(model, tuple(rows), model.function("outputs"), len(stated), programs), indexed)


def active_constraints(
    statement: Statement, t: float, q: Array, v: Array, parameters: Array
) -> tuple[tuple[int, ...], Array]:
    """Return the indices of the active constraints at a state, and the parameters with the signs of contacts set.

    The statement has contact modes (`with_contact_modes`).
    """
    system = contacts_of(statement)
    of_contacts = {index for c in system.contacts for index in (c.normal, c.tangential)}
    passive = [k for k in range(len(statement.constraints)) if k not in of_contacts]
    modes = system.decide_modes(t, q, v, parameters, passive)
    change = system.change(modes, tuple(passive))
    signed = parameters.copy()
    for index, value in change.sets:
        signed[index] = value
    return tuple(sorted((*passive, *change.add))), signed


@lru_cache(maxsize=MODELS_CACHED)
def constraints_of_a_start(statement: Statement, closed: tuple[str, ...] = ()) -> Statement:
    """Return the statement with the constraints that a start must satisfy: no sticking ones, no unilateral ones.

    Unilateral contacts named in `closed` are kept.
    """
    by_name = {c.name: c for c in contacts(statement.constraints)}
    unilateral = {c.name for c in by_name.values() if c.unilateral}
    excluded = {c.sticking for c in by_name.values()} | unilateral.difference(closed)
    return replace(statement, constraints=tuple(c for c in statement.constraints if c.name not in excluded))


def _static(contact: Contact) -> Any:
    """Return the static coefficient of friction."""
    return sp.S.One * contact.law.static_coefficient


def _contact_quantities(contact: Contact, statement: Statement) -> dict[str, Any]:
    """Return the quantities of a contact at a state as expressions; see ContactQuantities."""
    constraint = next(c for c in statement.constraints if c.name == contact.name)
    gap = constraint.expressions[0] if constraint.level == 0 else sp.S.Zero
    law, zero = contact.law, sp.S.Zero
    quantities = {"gap": gap, "rate": sp.diff(gap, t), "slip": zero, "mu": zero, "mu_static": zero}
    if contact.frictional:
        quantities |= {"slip": contact.slip, "mu": law.sliding_coefficient, "mu_static": _static(contact)}
    slip_rate = sp.diff(contact.slip, t) if contact.frictional else zero
    return {**quantities, "restitution": law.restitution_coefficient, "slip_rate": slip_rate}


__all__ = [
    "active_constraints",
    "constraints_of_a_start",
    "contact_actions",
    "contact_events",
    "contacts_of",
    "paradox_explainer",
    "static_to_sliding_ratio",
    "with_contact_modes",
]
