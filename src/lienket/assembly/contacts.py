"""Contacts: from laws as stated to numbers: their events, and the modes in which they act at a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.symbols import t
from ..model.contacts import Contact, contacts, direction_of, sense_of, with_contact_modes
from ..model.event import StatedEvent
from ..model.reaction_symbols import multiplier
from ..model.statement import Statement
from .models import compiled_model

if TYPE_CHECKING:
    from ..simulation.contacts.mode_change import Contacts
    from ..simulation.events.watch import Action

Array = Any


@dataclass(frozen=True)
class ContactEvent:
    """An event of a contact: which, its number, what happens, and when."""

    contact: Contact
    number: int
    what: int
    stated: StatedEvent

    def armed(self, acting: set[str]) -> bool:
        """Whether it is looked for while these constraints act."""
        from ..simulation.contacts.mode_change import LIFTS, STOPS, TOUCHES, TURNS

        closed, sticking = self.contact.name in acting, self.contact.sticking in acting
        if self.what == TOUCHES:
            return not closed
        if self.what in (TURNS, LIFTS):
            return closed
        return closed and sticking == (self.what != STOPS)


@lru_cache(maxsize=128)
def contact_events(statement: Statement) -> tuple[ContactEvent, ...]:
    """What may happen to the contacts of a statement."""
    from ..simulation.contacts.mode_change import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS

    found = []
    for k, c in enumerate(contacts(statement.constraints)):
        normal, words = multiplier(c.name), []
        gap = next(x for x in statement.constraints if x.name == c.name).expressions[0]
        if c.sticks:
            held, push = _static(c) * sense_of(c.name) * normal, multiplier(c.sticking)
            words += [
                (STOPS, "stops", direction_of(c.name) * c.slip),
                (SLIPS, "slips", held - push),
                (SLIPS_BACK, "slips back", held + push),
            ]
        if c.unilateral:
            words += [(LIFTS, "lifts off", normal), (TOUCHES, "touches", gap)]
        elif c.frictional:
            words += [(TURNS, "turns", sense_of(c.name) * normal)]
        found += [ContactEvent(c, k, what, StatedEvent(f"{c.name} {word}", e, -1)) for what, word, e in words]
    return tuple(found)


def static_to_sliding_ratio(statement: Statement) -> list[Any]:
    """How much more the friction of each contact holds at rest than in motion, in the order of contacts."""
    listed = [c.law for c in contacts(statement.constraints)]
    jumps = [getattr(law, "mu_static", None) is not None and law.stribeck is None for law in listed]
    return [law.mu_static / law.mu if jump else sp.S.One for law, jump in zip(listed, jumps, strict=True)]


def contact_actions(statement: Statement, place: int) -> list[Action]:
    """What the events of contacts do, in their order; the `static_to_sliding_ratio` begin at a place among the conditions' numbers."""
    from ..simulation.contacts.events import contact_action
    from ..simulation.contacts.mode_change import STOPS, TOUCHES, TURNS
    from ..simulation.events.watch import Action

    found, system = [], contacts_of(statement)
    for event in contact_events(statement):
        do = contact_action(system, event.number, event.what)
        placed, looks = system.contacts[event.number], place + event.number if event.what == STOPS else 0
        flips = placed.sense if event.what == TURNS else placed.direction if looks else -1
        found.append(Action(do=do, contact=True, gap=event.what == TOUCHES, flips=flips, looks=looks))
    return found


def paradox_explainer(statement: Statement) -> Callable[..., str]:
    """The function that says why contacts let a motion end; see Watch."""
    if not contacts(statement.constraints):
        return lambda *state: ""
    from ..simulation.contacts.painleve import at_limit

    return partial(at_limit, contacts_of(statement))


@lru_cache(maxsize=128)
def contacts_of(statement: Statement) -> Contacts:
    """The contacts of a statement that is spelled out, with what they need to decide on their modes."""
    from ..simulation.contacts.mode_change import ContactPlaces as Placed
    from ..simulation.contacts.mode_change import Contacts
    from ..simulation.contacts.response import ContactSystem

    every, listed = statement.every_constraint, contacts(statement.constraints)
    said = tuple(
        (f"{k} {name}", e) for k, c in enumerate(listed) for name, e in _contact_quantities(c, statement).items()
    )
    model = compiled_model(statement.free, every, statement.parameters, said)
    names, parameters = [c.name for c in every], list(statement.parameters)
    rows, first = [], 0
    for c in every:
        count = 0 if c.following.may_deviate else len(c.expressions)
        rows.append(tuple(range(first, first + count)))
        first += count
    placed = tuple(
        Placed(
            c.name,
            names.index(c.name),
            names.index(c.sticking) if c.frictional else -1,
            c.sticks,
            c.unilateral,
            parameters.index(direction_of(c.name)) if c.sticks else -1,
            parameters.index(sense_of(c.name)),
            c.law.impact,
        )
        for c in listed
    )
    programs = frozenset(k for k, c in enumerate(every) if c.kind == "program")
    return Contacts(ContactSystem(model, tuple(rows), model.function("outputs"), len(listed), programs), placed)


def active_constraints(
    statement: Statement, t: float, q: Array, v: Array, parameters: Array
) -> tuple[tuple[int, ...], Array]:
    """Which constraints of a statement that is spelled out act at a state, by their places, and its parameters.

    The signs of contacts are set among them.
    """
    system = contacts_of(statement)
    own = {place for c in system.contacts for place in (c.normal, c.tangential)}
    passive = [k for k in range(len(statement.constraints)) if k not in own]
    modes = system.decide_modes(t, q, v, parameters, passive)
    change = system.change(modes, tuple(passive))
    signed = parameters.copy()
    for place, value in change.sets:
        signed[place] = value
    return tuple(sorted((*passive, *change.add))), signed


def constraints_of_a_start(statement: Statement) -> Statement:
    """The statement with the constraints that a start must lie on: no contact that may be open, none that sticks."""
    named = {c.name: c for c in contacts(statement.constraints)}
    never = {c.sticking for c in named.values()} | {c.name for c in named.values() if c.unilateral}
    return replace(statement, constraints=tuple(c for c in statement.constraints if c.name not in never))


def check_gaps(statement: Statement, t: float, q: Array, v: Array, parameters: Array) -> None:
    """Raise a LienketError if a contact that only pushes is passed through, or about to be, at a start."""
    system = contacts_of(statement)
    for contact, said in zip(system.contacts, system.system.numbers(t, q, v, parameters), strict=True):
        if contact.unilateral and said.gap < -1e-9 * (1 + abs(q).max()):
            raise LienketError(
                f"The start is on the wrong side of the contact {contact.name!r}: its gap is {said.gap:.6g}, and must "
                "not be negative. Begin where it is open or closed."
            )


def _static(contact: Contact) -> Any:
    law = contact.law
    return law.mu if law.mu_static is None else law.mu_static


def _contact_quantities(contact: Contact, statement: Statement) -> dict[str, Any]:
    """What a contact says of itself at a state; see ContactNumbers."""
    constraint = next(c for c in statement.constraints if c.name == contact.name)
    gap = constraint.expressions[0] if constraint.level == 0 else sp.S.Zero
    law, zero = contact.law, sp.S.Zero
    found = {"gap": gap, "rate": sp.diff(gap, t), "slip": zero, "mu": zero, "mu_static": zero}
    if contact.frictional:
        from ..reactions.laws.coulomb import coefficient

        speed = sp.Abs(law.slip)
        mu = coefficient(law, speed)
        if law.smooth is not None:
            mu = mu * sp.tanh(law.slip / law.smooth)
        found |= {"slip": law.slip, "mu": mu, "mu_static": _static(contact)}
    slip_rate = sp.diff(law.slip, t) if contact.frictional else zero
    return {**found, "restitution": law.restitution, "slip_rate": slip_rate}


__all__ = [
    "active_constraints",
    "check_gaps",
    "constraints_of_a_start",
    "contact_actions",
    "contact_events",
    "contacts_of",
    "paradox_explainer",
    "static_to_sliding_ratio",
    "with_contact_modes",
]
