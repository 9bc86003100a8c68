"""What happens at the events of contacts, as changes of the structure of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..events.watch import Change
from .impacts import bounced, settled
from .mode_change import LIFTS, SLIPS, SLIPS_BACK, STOPS, TOUCHES, TURNS, Contacts
from .stick_slip import OPEN

Array = Any

THROWN = 1e-6
"""A slip, as a share of the largest in the run, that is more than what is left where a contact has come to rest."""
UNSEEN = 1e-11
"""How far a bounce must go to be one, as a share of the positions."""


def contact_action(contacts: Contacts, k: int, what: int) -> Any:
    """The function (t, q, v, parameters, active, most, for_good) that says what an event of contact k does.

    `most` is the largest number that the event's condition has been; `for_good`: the event comes ever sooner, and what
    it does is to last. Contacts that only turn a sign seldom come here, see `events.native.sign_flips`.
    """

    def do(
        t: float, q: Array, v: Array, parameters: Array, active: tuple[int, ...], most: float, for_good: bool = False
    ) -> Change:
        passive = contacts.passive(active)
        if what == TOUCHES:
            return _touched(contacts, k, (t, q, v, parameters), active, passive, for_good)
        now = contacts.modes_of(active, parameters)
        if what == TURNS:  # the force is zero: nothing else changes, and its sign there would be that of rounding
            modes = tuple(replace(m, sense=-m.sense) if j == k else m for j, m in enumerate(now))
            return contacts.change(modes, active)
        broken = {k: 1 if what == SLIPS_BACK else -1} if what in (SLIPS, SLIPS_BACK) else {}
        resting = frozenset({k}) if what == STOPS else frozenset()
        if what == STOPS and now[k].direction * contacts.system.numbers(t, q, v, parameters)[k].slip < -THROWN * most:
            resting = frozenset()  # its velocity has jumped, and it slides the other way already
        if what == LIFTS:
            now = tuple(type(m)(OPEN) if j == k else m for j, m in enumerate(now))
            held = [m.kind != OPEN for m in now]
            modes = contacts.decide_modes(t, q, v, parameters, passive, now, broken, resting, held=held)
        else:
            modes = contacts.decide_modes(t, q, v, parameters, passive, now, broken, resting)
        return contacts.change(modes, active)

    return do


def _unseen(
    contacts: Contacts, opening: dict[int, float], held: list[int], state: tuple[Any, ...], passive: list[int]
) -> bool:
    """Whether contacts that open, at these rates, all go less far than positions are known: rate^2/(2 |g''|).

    `held` are places of constraints that hold meanwhile.
    """
    t, q, v, parameters = state
    for j, rate in opening.items():
        places = [contacts.contacts[j].normal, *held]
        answers = contacts.system.response(t, q, v, parameters, passive, places, impact=False)
        S, y0 = answers.S, answers.y0
        falling = (
            -float(y0[0] - S[0, 1:] @ np.linalg.lstsq(S[1:, 1:], y0[1:], rcond=1e-11)[0]) if held else -float(y0[0])
        )
        if falling <= 0 or rate * rate >= 2 * falling * UNSEEN * (1 + np.abs(q).max()):
            return False
    return bool(opening)


def _touched(
    contacts: Contacts, k: int, state: tuple[Any, ...], active: tuple[int, ...], passive: list[int], for_good: bool
) -> Change:
    """An impact: velocities jump, then contacts stay or leave."""
    t, q, v, parameters = state
    now = contacts.modes_of(active, parameters)
    said = contacts.system.numbers(t, q, v, parameters)
    closed = [j for j, mode in enumerate(now) if mode.kind != OPEN or j == k or contacts.has_no_gap(j, said[j], q)]
    touches, places = contacts.closed_contacts(closed, said, v, {}, frozenset())
    answers = contacts.system.response(t, q, v, parameters, passive, places, impact=True)
    restitution = np.array([0.0 if for_good else said[j].restitution for j in closed])
    found = bounced(answers, v, touches, restitution, contacts.contacts[k].impact)
    if for_good:
        found = settled(answers, v, touches, found)
    jumps = tuple((i, float(x)) for i, x in enumerate(found.v))
    after = contacts.system.numbers(t, q, found.v, parameters)
    size = 1e-9 * (np.abs(v).max() + 1e-300)
    held = [j in closed and abs(after[j].rate) <= size for j in range(len(now))]
    resting = frozenset(j for j in closed if abs(after[j].slip) <= size)
    if not for_good:
        opening = {j: after[j].rate for j in closed if after[j].rate > size}
        kept = [contacts.contacts[j].normal for j in closed if held[j]]
        kept += [x for j in closed if held[j] and j in resting and (x := contacts.contacts[j].tangential) >= 0]
        if _unseen(contacts, opening, kept, (t, q, found.v, parameters), passive):
            return _touched(contacts, k, state, active, passive, True)
    modes = contacts.decide_modes(t, q, found.v, parameters, passive, None, resting=resting, held=held)
    impulses = []
    for j, touch in zip(closed, touches, strict=True):
        impulses.append((contacts.contacts[j].normal, float(found.impulses[touch.normal])))
        if touch.tangential >= 0:
            impulses.append((contacts.contacts[j].tangential, float(found.impulses[touch.tangential])))
    return contacts.change(modes, active, jumps, struck=tuple(impulses))
