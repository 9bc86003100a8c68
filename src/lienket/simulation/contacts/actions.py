"""Actions of contact events: the changes of structure, signs and velocities that they cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from ..events.impact_limits import GAP_ROUNDING
from ..events.watch import Change
from .contact_kinds import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS
from .contact_modes import OPEN, SLIDE, ClosedContact, Mode
from .impact.impacts import NEWTON, POISSON, ContactImpact, solve_impact
from .impact.settling import all_held, displacement, hold, slow_contacts
from .mode_change import Contacts
from .response import ContactQuantities, ContactResponse
from .shared_load import modes_ahead, shares_load

REVERSED_SLIP = 1e-6  # [1] slip relative to the largest in the run, above which a contact is not at rest
AT_REST = 1e-10  # [1] slip, relative to the largest of the contact that stops, below which another one stops with it
IMPACT_REST_TOLERANCE = 1e-9  # [1] velocity after an impact, relative to those before it, that counts as zero


def contact_action(contacts: Contacts, k: int, kind: int) -> Any:
    """Return the function (t, q, v, parameters, active, largest, final) -> Change for an event of contact k.

    `kind` is one of STOPS, TURNS, ...; `largest` the largest absolute value of the event's condition so far; `final`:
    the events accumulate, so that the contact must stay closed. Events that only change a sign are mostly handled by
    `events.native.sign_flips`.
    """

    def do(
        t: float, q: Array, v: Array, parameters: Array, active: tuple[int, ...], largest: float, final: bool = False
    ) -> Change:
        """Return the change at a state."""
        passive = contacts.passive(active)
        if kind == TOUCHES:
            return _impact(contacts, k, (t, q, v, parameters), active, passive, final)
        now = contacts.modes_of(active, parameters)
        if kind != STOPS and shares_load(contacts, (t, q, v, parameters), active):
            return contacts.change(modes_ahead(contacts, (t, q, v, parameters), passive, now), active)
        if kind == TURNS:  # the normal force is zero: nothing else changes, and its computed sign would be rounding
            modes = tuple(replace(m, sense=-m.sense) if j == k else m for j, m in enumerate(now))
            return contacts.change(modes, active)
        broken = {k: 1 if kind == SLIPS_BACK else -1} if kind in (SLIPS, SLIPS_BACK) else {}
        resting = _stopped(contacts, k, (t, q, v, parameters), now, largest) if kind == STOPS else frozenset()
        if kind == LIFTS:
            now = tuple(type(m)(OPEN) if j == k else m for j, m in enumerate(now))
            held = [m.kind != OPEN for m in now]
            modes = contacts.decide_modes(t, q, v, parameters, passive, now, broken, resting, held=held)
        else:
            modes = contacts.decide_modes(t, q, v, parameters, passive, now, broken, resting)
        return contacts.change(modes, active)

    return do


def _stopped(
    contacts: Contacts, k: int, state: tuple[Any, ...], now: tuple[Mode, ...], largest: float
) -> frozenset[int]:
    """Return the contacts that have stopped with contact k, such as the other feet of a block.

    None where the velocity of contact k has jumped, so that it already slides in the other direction.
    """
    quantities = contacts.system.quantities(*state)
    if now[k].direction * quantities[k].slip < -REVERSED_SLIP * largest:
        return frozenset()
    together = (j for j, x in enumerate(quantities) if now[j].kind == SLIDE and abs(x.slip) <= AT_REST * largest)
    return frozenset({k, *together})


def _impact(
    contacts: Contacts, k: int, state: tuple[Any, ...], active: tuple[int, ...], passive: list[int], final: bool
) -> Change:
    """Return the change by an impact of contact k: velocities jump, then each contact stays closed or opens."""
    t, q, v, parameters = state
    now = contacts.modes_of(active, parameters)
    before = contacts.system.quantities(t, q, v, parameters)
    numbers = [
        j for j, mode in enumerate(now)
        if mode.kind != OPEN or j == k or contacts.has_no_gap(j, before[j], (t, q, v, parameters))
    ]  # fmt: skip
    closed, indices = contacts.closed_contacts(numbers, before, v, {}, frozenset())
    smooth = {contacts.contacts[j].name for j in numbers if not contacts.contacts[j].sticks}
    closed = [replace(c, mu=c.mu_static) if c.name in smooth else c for c in closed]  # no sign of the slip before
    response = contacts.system.response(t, q, v, parameters, passive, indices, impact=True)
    restitution = np.array([before[j].restitution for j in numbers])
    law, ending = _law(contacts, k, numbers, before), closed[numbers.index(k)] if final else None
    impact = _solve(response, v, closed, restitution, law, ending)
    at_rest = IMPACT_REST_TOLERANCE * (np.abs(v).max() + 1e-300)
    rest = np.full(len(response.y0), at_rest)  # of each row: a gap changes by its gradient times velocities
    rest[[c.normal for c in closed]] *= np.abs(response.C[[c.normal for c in closed]]).sum(axis=1)
    kept = slow_contacts(contacts, dict(zip(numbers, closed, strict=True)), impact, rest, (*state, passive))
    if kept:
        if any(c.tangential >= 0 for c in kept):  # friction under the impulses without restitution
            restitution[[c in kept for c in closed]] = 0.0
            impact = solve_impact(response, v, closed, restitution, law)
        impact = hold(response, impact, closed, kept)
    resting = {j: float(rest[c.normal]) for j, c in zip(numbers, closed, strict=True)}
    modes = _modes_after(contacts, resting, impact, state, passive, at_rest)
    gaps, staying = [before[j].gap for j in numbers], [modes[j].kind != OPEN for j in numbers]
    moves: tuple[tuple[int, float], ...] = ()
    limits = GAP_ROUNDING * (1 + np.abs(q).max()) * np.abs(response.C[[c.normal for c in closed]]).sum(axis=1)
    if any((abs(g) if stays else -g) > limit for g, stays, limit in zip(gaps, staying, limits, strict=True)):
        stay = [c for c, stays in zip(closed, staying, strict=True) if stays]
        moves = tuple(enumerate((q + displacement(response, np.array(gaps), closed, stay)).tolist()))
    jumps, struck = tuple(enumerate(impact.v.tolist())), _impulses(contacts, numbers, closed, impact, before)
    loses = impact.supplied < 0 or bool(kept)
    return contacts.change(modes, active, jumps, struck=struck, law=impact.law, moves=moves, loses=loses)


def _solve(
    response: ContactResponse,
    v: Array,
    closed: Sequence[ClosedContact],
    restitution: Array,
    law: str,
    ending: ClosedContact | None,
) -> ContactImpact:
    """Return the impact; where the bouncing of a contact ends, it is plastic and no contact opens, if none is fast."""
    if ending is not None:
        plastic = solve_impact(response, v, closed, np.zeros(len(closed)), law)
        if all_held(response, plastic, closed, ending):
            return hold(response, plastic, closed, closed)
    return solve_impact(response, v, closed, restitution, law)


def _law(contacts: Contacts, k: int, numbers: list[int], before: Sequence[ContactQuantities]) -> str:
    """Return the law of an impact: Poisson's, if one of the contacts that strike has it."""
    striking = {contacts.contacts[j].impact for j in numbers if before[j].rate < 0} or {contacts.contacts[k].impact}
    return POISSON if POISSON in striking else NEWTON


def _modes_after(
    contacts: Contacts,
    numbers: dict[int, float],
    impact: ContactImpact,
    state: tuple[Any, ...],
    passive: list[int],
    at_rest: float,
) -> tuple[Mode, ...]:
    """Return the modes in which the contacts continue after an impact; velocities up to `at_rest` count as zero.

    `numbers` are those of the contacts of the impact, with the rate of the gap that counts as zero.
    """
    t, q, _, parameters = state
    after = contacts.system.quantities(t, q, impact.v, parameters)
    held = [j in numbers and abs(after[j].rate) <= numbers[j] for j in range(len(contacts.contacts))]
    resting = frozenset(j for j in numbers if abs(after[j].slip) <= at_rest)
    return contacts.decide_modes(t, q, impact.v, parameters, passive, None, resting=resting, held=held)


def _impulses(
    contacts: Contacts,
    numbers: list[int],
    closed: Sequence[ClosedContact],
    impact: ContactImpact,
    before: Sequence[ContactQuantities],
) -> tuple[tuple[int, float], ...]:
    """Return (constraint, impulse) of the contacts of an impact, normal and tangential."""
    impulses = []
    for j, contact in zip(numbers, closed, strict=True):
        impulses.append((contacts.contacts[j].normal, float(impact.impulses[contact.normal]) * before[j].normal))
        if contact.tangential >= 0:
            impulses.append((contacts.contacts[j].tangential, float(impact.impulses[contact.tangential])))
    return tuple(impulses)
