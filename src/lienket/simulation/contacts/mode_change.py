"""Contacts of a run: in which mode each begins, and what happens when one stops, slips, lifts off or touches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ..events.watch import Change
from .response import ContactQuantities, ContactSystem
from .stick_slip import OPEN, SLIDE, STICK, ClosedContact, Mode, ModePattern, find_modes

Array = Any

AT_REST = 1e-9
"""A slip, or a rate at which a contact opens, as a share of the velocities in it, that is none."""
STOPS, TURNS, SLIPS, SLIPS_BACK, LIFTS, TOUCHES = range(6)


@dataclass(frozen=True)
class ContactPlaces:
    """One contact by places: its constraint, the one under which it sticks (-1), its signs among parameters (-1).

    `impact` is "newton" or "poisson"; `sticks` is False for smooth friction.
    """

    name: str
    normal: int
    tangential: int
    sticks: bool
    unilateral: bool
    direction: int
    sense: int
    impact: str


@dataclass(frozen=True, eq=False)
class Contacts:
    """The contacts of a system; `passive` are the places of constraints that are none."""

    system: ContactSystem
    contacts: tuple[ContactPlaces, ...]

    # Modes

    def decide_modes(
        self,
        t: float,
        q: Array,
        v: Array,
        parameters: Array,
        passive: list[int],
        now: tuple[Mode, ...] | None = None,
        broken: dict[int, int] | None = None,
        resting: frozenset[int] = frozenset(),
        held: list[bool] | None = None,
    ) -> tuple[Mode, ...]:
        """The modes in which the contacts go on from a state; `now` those before it.

        `broken` are contacts whose grip has just been lost, with the direction in which they slide; `resting` those
        that have just stopped; `held` says which contacts touch, if that is known. Raises LienketError where there is
        no or no single way.
        """
        said = self.system.numbers(t, q, v, parameters)
        closed = [k for k, own in enumerate(said) if (held[k] if held else self._closed(k, own, q, v, now))]
        closed = [k for k in range(len(said)) if k in closed or not self.contacts[k].unilateral]
        if not closed:
            return tuple(Mode(OPEN) for _ in said)
        touches, places = self.closed_contacts(closed, said, v, broken or {}, resting)
        answers = self.system.response(t, q, v, parameters, passive, places, impact=False)
        before = None if now is None else [now[k] for k in closed]
        found = find_modes(answers.S, answers.y0, touches, before, answers.drives)
        if found is None and broken:
            free = [replace(touch, may_stick=True, must_slide=0) for touch in touches]
            found = find_modes(answers.S, answers.y0, free, before, answers.drives)
        if found is None or found.others:
            raise LienketError(self._paradox(found, touches, answers, t))
        chosen = dict(zip(closed, self._senses(found, touches), strict=True))
        return tuple(chosen.get(k, Mode(OPEN)) for k in range(len(said)))

    def change(
        self, modes: tuple[Mode, ...], active: tuple[int, ...], jumps: tuple[tuple[int, float], ...] = (), **more: Any
    ) -> Change:
        """The change of a structure that leads to these modes."""
        release: list[int] = []
        add: list[int] = []
        sets: list[tuple[int, float]] = []
        for contact, mode in zip(self.contacts, modes, strict=True):
            wanted = {contact.normal: mode.kind != OPEN, contact.tangential: mode.kind == STICK and contact.sticks}
            for place, acts in wanted.items():
                if place >= 0 and acts != (place in active):
                    (add if acts else release).append(place)
            if contact.direction >= 0:
                sets.append((contact.direction, float(mode.direction)))
            if contact.sense >= 0:
                sets.append((contact.sense, float(mode.sense)))
        return Change(tuple(release), tuple(sets), jumps, tuple(add), **more)

    def modes_of(self, active: tuple[int, ...], parameters: Array) -> tuple[Mode, ...]:
        """The modes that a structure and its signs stand for."""
        found = []
        for contact in self.contacts:
            sense = int(parameters[contact.sense]) if contact.sense >= 0 else 1
            if contact.normal not in active:
                found.append(Mode(OPEN))
            elif contact.tangential < 0 or contact.tangential in active:
                found.append(Mode(STICK, 0, sense))
            else:
                direction = int(parameters[contact.direction]) if contact.direction >= 0 else 0
                found.append(Mode(SLIDE, direction, sense))
        return tuple(found)

    def passive(self, active: tuple[int, ...]) -> list[int]:
        """The constraints that act and are no contacts."""
        own = {place for c in self.contacts for place in (c.normal, c.tangential)}
        return [place for place in active if place not in own]

    # Inside

    def _closed(self, k: int, said: ContactQuantities, q: Array, v: Array, now: tuple[Mode, ...] | None) -> bool:
        """Whether a contact touches: those that did, and those whose gap and its rate are none.

        One that has no gap and closes is open still: an impact is next.
        """
        if not self.contacts[k].unilateral or (now is not None and now[k].kind != OPEN):
            return True
        return self.has_no_gap(k, said, q) and abs(said.rate) <= AT_REST * (1e-9 + np.abs(v).max(initial=0.0))

    def has_no_gap(self, k: int, said: ContactQuantities, q: Array) -> bool:
        """Whether a contact has no gap."""
        return said.gap <= 1e-9 * (1 + np.abs(q).max(initial=0.0))

    def closed_contacts(
        self,
        closed: list[int],
        said: list[ContactQuantities],
        v: Array,
        broken: dict[int, int],
        resting: frozenset[int],
    ) -> tuple[list[ClosedContact], list[int]]:
        """The closed contacts for the search of a pattern, and the places of their constraints."""
        touches, places, row = [], [], 0
        least = AT_REST * np.abs(v).max(initial=0.0)
        for k in closed:
            contact, own = self.contacts[k], said[k]
            places.append(contact.normal)
            tangential = -1
            if contact.tangential >= 0:
                places.append(contact.tangential)
                tangential = row + 1
            moving = 0 if k in resting or k in broken or abs(own.slip) <= least else int(np.sign(own.slip))
            mu, static = own.mu, own.mu_static
            if contact.tangential >= 0 and not contact.sticks:  # smooth: the coefficient has its sign already
                moving, mu = 1, own.mu
            touches.append(
                ClosedContact(
                    contact.name, row, tangential, mu, static, contact.unilateral, moving, k not in broken,
                    broken.get(k, 0),
                )
            )  # fmt: skip
            row += 1 if tangential < 0 else 2
        return touches, places

    def _senses(self, found: ModePattern, touches: list[ClosedContact]) -> list[Mode]:
        """The modes with the sense of each normal force."""
        modes = []
        for touch, mode in zip(touches, found.modes, strict=True):
            sense = mode.sense if mode.kind == SLIDE else -1 if found.forces[touch.normal] < 0 else 1
            modes.append(Mode(mode.kind, mode.direction, sense))
        return modes

    def _paradox(self, found: ModePattern | None, touches: list[ClosedContact], answers: Any, t: float) -> str:
        """Why there is no or no single way to go on, in words."""
        parts = []
        S = answers.S if answers.drives is None else answers.drives.stiffened(answers.S)
        for touch in touches:
            if touch.tangential >= 0:
                push, own = abs(touch.mu * S[touch.normal, touch.tangential]), S[touch.normal, touch.normal]
                parts.append(f"{touch.name!r}: mu |G A^-1 tau| = {push:.9g} against S = {own:.9g}")
        word = "no motion obeys" if found is None else f"{found.others + 1} motions obey"
        return (
            f"At t = {t:.9g} {word} the laws of friction (Painleve's paradox): {'; '.join(parts)}. There is just one "
            "for every load only where the first is less than the second. Make the coefficient smaller."
        )
