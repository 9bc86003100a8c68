"""Contacts in numbers: their events, and their modes (open, sliding, sticking) at a state."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...simulation.contacts.contact_kinds import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS, ContactIndices
from ...simulation.contacts.mode_change import Contacts
from ...simulation.contacts.response import ContactSystem
from ...simulation.events.watch import Action
from ..numeric_system import QUANTITIES, NumericSystem

SYSTEMS_CACHED = 128  # [systems] whose contacts are cached


def event_kinds(contact: ContactIndices) -> list[tuple[int, str]]:
    """Return the kinds of events that a contact may have (STOPS, LIFTS ...), each with its verb, in order."""
    kinds = []
    if contact.sticks:
        kinds += [(STOPS, "stops"), (SLIPS, "slips"), (SLIPS_BACK, "slips back")]
    if contact.unilateral:
        kinds += [(LIFTS, "lifts off"), (TOUCHES, "touches")]
    elif contact.tangential >= 0:
        kinds += [(TURNS, "turns")]
    return kinds


@dataclass(frozen=True)
class ContactEvent:
    """Event of a contact: the contact, its number, the kind of event (STOPS, LIFTS ...), its name."""

    contact: ContactIndices
    number: int
    kind: int
    name: str

    def armed(self, active: tuple[int, ...]) -> bool:
        """Return whether the event is monitored while the constraints with the indices `active` act."""
        closed, sticking = self.contact.normal in active, self.contact.tangential in active
        if self.kind == TOUCHES:
            return not closed
        if self.kind in (TURNS, LIFTS):
            return closed
        return closed and sticking == (self.kind != STOPS)


@lru_cache(maxsize=SYSTEMS_CACHED)
def contact_events(system: NumericSystem) -> tuple[ContactEvent, ...]:
    """Return the events of the contacts of a system, contact by contact."""
    return tuple(
        ContactEvent(contact, k, kind, f"{contact.name} {verb}")
        for k, contact in enumerate(system.contacts)
        for kind, verb in event_kinds(contact)
    )


@lru_cache(maxsize=SYSTEMS_CACHED)
def contact_actions(system: NumericSystem, first_ratio: int) -> tuple[Action, ...]:
    """Return the actions of the contact events; `first_ratio` is the index of the first static-to-sliding ratio.

    The index counts the values of the function of conditions.
    """
    if not system.contacts:
        return ()
    from ...simulation.contacts.actions import contact_action

    actions, contacts = [], contacts_of(system)
    for event in contact_events(system):
        do = contact_action(contacts, event.number, event.kind)
        ratio = first_ratio + event.number if event.kind == STOPS else 0
        flips = event.contact.sense if event.kind == TURNS else event.contact.direction if ratio else -1
        actions.append(
            Action(
                do=do, kind=event.kind, number=event.number, direction=event.contact.direction,
                normal=event.contact.normal, tangential=event.contact.tangential, flips=flips, grip=ratio,
            )
        )  # fmt: skip
    return tuple(actions)


def paradox_explainer(system: NumericSystem) -> Callable[..., str]:
    """Return the function that explains why a motion ends at a contact (Painleve paradox); see EventPlan."""
    if not system.contacts:
        return lambda *state: ""
    from ...simulation.contacts.painleve import at_limit

    return partial(at_limit, contacts_of(system))


def load_sharing(system: NumericSystem) -> Callable[..., bool] | None:
    """Return the function that tells whether contact forces are not unique at a state; see EventPlan."""
    if len(system.contacts) < 2:
        return None
    from ...simulation.contacts.shared_load import shares_load

    contacts = contacts_of(system)
    return lambda t, q, v, parameters, active: shares_load(contacts, (t, q, v, parameters), active)


@lru_cache(maxsize=SYSTEMS_CACHED)
def contacts_of(system: NumericSystem) -> Contacts:
    """Return the contacts of a system, with the functions that decide their modes."""
    every = tuple(range(len(system.constraints)))
    model = system.model(every, QUANTITIES)
    rows, first = [], 0
    for c in system.constraints:
        count = 0 if c.may_deviate else c.rows
        rows.append(tuple(range(first, first + count)))
        first += count
    programs = frozenset(k for k, c in enumerate(system.constraints) if c.kind == "program")
    quantities = model.function("outputs")
    return Contacts(ContactSystem(model, tuple(rows), quantities, len(system.contacts), programs), system.contacts)


def active_constraints(
    system: NumericSystem, t: float, q: Array, v: Array, parameters: Array
) -> tuple[tuple[int, ...], Array]:
    """Return the indices of the active constraints at a state, and the parameters with the signs of contacts set."""
    contacts = contacts_of(system)
    passive = contacts.passive(system.all_stated)
    modes = contacts.decide_modes(t, q, v, parameters, passive)
    change = contacts.change(modes, tuple(passive))
    signed = parameters.copy()
    for index, value in change.sets:
        signed[index] = value
    return tuple(sorted((*passive, *change.add))), signed
