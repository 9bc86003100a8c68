"""Actions of contact events: the changes of structure, signs and velocities that they cause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from ..events.watch import Change
from .contact_modes import OPEN, SLIDE, Mode
from .impacts import end_bouncing, solve_impact
from .mode_change import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS, Contacts
from .shared_load import modes_ahead, shares_load

REVERSED_SLIP = 1e-6  # [1] slip relative to the largest in the run, above which a contact is not at rest
AT_REST = 1e-10  # [1] slip, relative to the largest of the contact that stops, below which another one stops with it
SMALLEST_BOUNCE = 1e-11  # [1] height of a bounce relative to the positions, below which the contact stays closed
SEPARATION_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among held rows
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


def _all_bounces_negligible(
    contacts: Contacts, opening: dict[int, float], held: list[int], state: tuple[Any, ...], passive: list[int]
) -> bool:
    """Return whether all contacts that open at these rates reach a gap rate^2/(2 |g''|) below rounding of positions.

    `held` are the indices of constraints that stay active. False if no contact opens.
    """
    t, q, v, parameters = state
    for j, rate in opening.items():
        indices = [contacts.contacts[j].normal, *held]
        response = contacts.system.response(t, q, v, parameters, passive, indices, impact=False)
        S, y0 = response.S, response.y0
        closing = -float(y0[0])
        if held:
            forces = np.linalg.lstsq(S[1:, 1:], y0[1:], rcond=SEPARATION_RANK_TOLERANCE)[0]
            closing = -float(y0[0] - S[0, 1:] @ forces)
        if closing <= 0 or rate * rate >= 2 * closing * SMALLEST_BOUNCE * (1 + np.abs(q).max()):
            return False
    return bool(opening)


def _impact(
    contacts: Contacts, k: int, state: tuple[Any, ...], active: tuple[int, ...], passive: list[int], final: bool
) -> Change:
    """Return the change by an impact of contact k: velocities jump, then each contact stays closed or opens."""
    t, q, v, parameters = state
    now = contacts.modes_of(active, parameters)
    before = contacts.system.quantities(t, q, v, parameters)
    numbers = [j for j, mode in enumerate(now) if mode.kind != OPEN or j == k or contacts.has_no_gap(j, before[j], q)]
    closed, indices = contacts.closed_contacts(numbers, before, v, {}, frozenset())
    response = contacts.system.response(t, q, v, parameters, passive, indices, impact=True)
    restitution = np.array([0.0 if final else before[j].restitution for j in numbers])
    impact = solve_impact(response, v, closed, restitution, contacts.contacts[k].impact)
    if final:
        impact = end_bouncing(response, v, closed, impact)
    jumps = tuple((i, float(x)) for i, x in enumerate(impact.v))
    after = contacts.system.quantities(t, q, impact.v, parameters)
    at_rest = IMPACT_REST_TOLERANCE * (np.abs(v).max() + 1e-300)
    held = [j in numbers and abs(after[j].rate) <= at_rest for j in range(len(now))]
    resting = frozenset(j for j in numbers if abs(after[j].slip) <= at_rest)
    if not final:
        opening = {j: after[j].rate for j in numbers if after[j].rate > at_rest}
        rows = [contacts.contacts[j].normal for j in numbers if held[j]]
        rows += [x for j in numbers if held[j] and j in resting and (x := contacts.contacts[j].tangential) >= 0]
        if _all_bounces_negligible(contacts, opening, rows, (t, q, impact.v, parameters), passive):
            return _impact(contacts, k, state, active, passive, True)
    modes = contacts.decide_modes(t, q, impact.v, parameters, passive, None, resting=resting, held=held)
    impulses = []
    for j, contact in zip(numbers, closed, strict=True):
        impulses.append((contacts.contacts[j].normal, float(impact.impulses[contact.normal])))
        if contact.tangential >= 0:
            impulses.append((contacts.contacts[j].tangential, float(impact.impulses[contact.tangential])))
    return contacts.change(modes, active, jumps, struck=tuple(impulses))
