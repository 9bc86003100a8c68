"""Contacts of a run: their modes at a state, and the change of structure when modes change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..events.watch import Change
from .contact_kinds import ContactIndices
from .contact_modes import OPEN, SLIDE, STICK, ClosedContact, Mode, ModePattern
from .response import ContactQuantities, ContactSystem
from .stick_slip import EXHAUSTIVE_UP_TO, find_modes

if TYPE_CHECKING:
    from ...simulation.contacts.response import ContactResponse


REST_TOLERANCE = 1e-9  # [1] slip or opening rate, relative to the velocities, below which a contact counts as at rest
CLOSED_GAP_TOLERANCE = 1e-9  # [1] way to the contact, relative to the positions, below which it counts as closed


@dataclass(frozen=True, eq=False)
class Contacts:
    """Contacts of a system. In its methods `passive` are the indices of active constraints other than contacts."""

    system: ContactSystem
    contacts: tuple[ContactIndices, ...]

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
        """Return the modes in which the contacts continue from a state; `now` are the modes before it.

        `broken` are contacts whose static friction has just been exceeded, with their direction of sliding; `resting`
        are contacts that have just stopped; `held` states which contacts are closed, where that is known. Raises
        LienketError where there is no motion or more than one.
        """
        state = (t, q, v, parameters)
        quantities = self.system.quantities(*state)
        touching = [k for k, x in enumerate(quantities) if (held[k] if held else self._is_closed(k, x, state, now))]
        numbers = [k for k in range(len(quantities)) if k in touching or not self.contacts[k].unilateral]
        if not numbers:
            return tuple(Mode(OPEN) for _ in quantities)
        closed, indices = self.closed_contacts(numbers, quantities, v, broken or {}, resting)
        response = self.system.response(t, q, v, parameters, passive, indices, impact=False)
        before = None if now is None else [now[k] for k in numbers]
        pattern = find_modes(response.S, response.y0, closed, before, response.drives)
        if pattern is None and broken:
            free = [replace(contact, may_stick=True, must_slide=0) for contact in closed]
            pattern = find_modes(response.S, response.y0, free, before, response.drives)
        if pattern is None or pattern.others:
            raise LienketError(self._paradox(pattern, closed, response, t))
        modes = dict(zip(numbers, self._with_senses(pattern, closed), strict=True))
        return tuple(modes.get(k, Mode(OPEN)) for k in range(len(quantities)))

    def change(
        self, modes: tuple[Mode, ...], active: tuple[int, ...], jumps: tuple[tuple[int, float], ...] = (), **more: Any
    ) -> Change:
        """Return the change of structure and signs that leads to these modes."""
        release: list[int] = []
        add: list[int] = []
        sets: list[tuple[int, float]] = []
        for contact, mode in zip(self.contacts, modes, strict=True):
            acting = {contact.normal: mode.kind != OPEN, contact.tangential: mode.kind == STICK and contact.sticks}
            for index, acts in acting.items():
                if index >= 0 and acts != (index in active):
                    (add if acts else release).append(index)
            if contact.direction >= 0:
                sets.append((contact.direction, float(mode.direction)))
            if contact.sense >= 0:
                sets.append((contact.sense, float(mode.sense)))
        return Change(tuple(release), tuple(sets), jumps, tuple(add), **more)

    def modes_of(self, active: tuple[int, ...], parameters: Array) -> tuple[Mode, ...]:
        """Return the modes that correspond to the active constraints and the signs among the parameters."""
        modes = []
        for contact in self.contacts:
            sense = int(parameters[contact.sense]) if contact.sense >= 0 else 1
            if contact.normal not in active:
                modes.append(Mode(OPEN))
            elif contact.tangential < 0 or contact.tangential in active:
                modes.append(Mode(STICK, 0, sense))
            else:
                direction = int(parameters[contact.direction]) if contact.direction >= 0 else 0
                modes.append(Mode(SLIDE, direction, sense))
        return tuple(modes)

    def passive(self, active: tuple[int, ...]) -> list[int]:
        """Return the indices of the active constraints that do not belong to contacts."""
        of_contacts = {index for c in self.contacts for index in (c.normal, c.tangential)}
        return [index for index in active if index not in of_contacts]

    # Inside

    def _is_closed(
        self, k: int, x: ContactQuantities, state: tuple[float, Array, Array, Array], now: tuple[Mode, ...] | None
    ) -> bool:
        """Return whether a contact is closed: it was before, or its gap and the rate of its gap are zero.

        A contact with zero gap that approaches still counts as open: an impact follows.
        """
        if not self.contacts[k].unilateral or (now is not None and now[k].kind != OPEN):
            return True
        if not self.has_no_gap(k, x, state):
            return False
        speed = 1e-9 + np.abs(state[2]).max(initial=0.0)
        return bool(abs(x.rate) <= REST_TOLERANCE * speed * self.gap_size(k, state))

    def has_no_gap(self, k: int, x: ContactQuantities, state: tuple[float, Array, Array, Array]) -> bool:
        """Return whether the gap of a contact is zero within rounding of the positions, whatever its factor is."""
        if x.gap <= 0:
            return True
        return bool(x.gap <= CLOSED_GAP_TOLERANCE * (1 + np.abs(state[1]).max(initial=0.0)) * self.gap_size(k, state))

    def gap_size(self, k: int, state: tuple[float, Array, Array, Array]) -> float:
        """Return the change of the gap of contact k at most, if every position changes by 1: the sum of |dg/dq|."""
        surface = self.system.model.function("surface")
        G = surface.parts(surface(*state, np.zeros(self.system.model.inputs))[1])[1]
        return float(np.abs(G[self.system.rows[self.contacts[k].normal][0]]).sum())

    def closed_contacts(
        self,
        numbers: list[int],
        quantities: list[ContactQuantities],
        v: Array,
        broken: dict[int, int],
        resting: frozenset[int],
    ) -> tuple[list[ClosedContact], list[int]]:
        """Return the closed contacts with these numbers for `find_modes`, and the indices of their constraints."""
        closed, indices, row = [], [], 0
        at_rest = REST_TOLERANCE * np.abs(v).max(initial=0.0)
        for k in numbers:
            contact, x = self.contacts[k], quantities[k]
            indices.append(contact.normal)
            tangential = -1
            if contact.tangential >= 0:
                indices.append(contact.tangential)
                tangential = row + 1
            moving = 0 if k in resting or k in broken or abs(x.slip) <= at_rest else int(np.sign(x.slip))
            mu, static = x.mu, x.mu_static
            smooth = contact.sticks and contact.constant and mu == 0 == static
            moving = 0 if smooth else moving
            if contact.tangential >= 0 and not contact.sticks:  # smooth friction: the coefficient includes the sign
                moving, mu = 1, x.mu
            closed.append(
                ClosedContact(
                    contact.name, row, tangential, mu, static, contact.unilateral, moving, k not in broken,
                    broken.get(k, 0), smooth,
                )
            )  # fmt: skip
            row += 1 if tangential < 0 else 2
        return closed, indices

    def _with_senses(self, pattern: ModePattern, closed: list[ClosedContact]) -> list[Mode]:
        """Return the modes of a pattern with the sign of each normal force."""
        modes = []
        for contact, mode in zip(closed, pattern.modes, strict=True):
            sense = mode.sense if mode.kind == SLIDE else -1 if pattern.forces[contact.normal] < 0 else 1
            modes.append(Mode(mode.kind, mode.direction, sense))
        return modes

    def _paradox(
        self, pattern: ModePattern | None, closed: list[ClosedContact], response: ContactResponse, t: float
    ) -> str:
        """Return the message for a state at which no motion, or more than one, obeys the laws of friction."""
        parts = []
        S = response.S if response.drives is None else response.drives.response_with_drives(response.S)
        for contact in closed:
            if contact.tangential >= 0:
                friction = abs(contact.mu * S[contact.normal, contact.tangential])
                normal = S[contact.normal, contact.normal]
                parts.append(f"{contact.name!r}: mu |G A^-1 tau| = {friction:.9g} against S = {normal:.9g}")
        motions = "no motion obeys" if pattern is None else f"{pattern.others + 1} motions obey"
        if pattern is None and len(closed) > EXHAUSTIVE_UP_TO:
            motions = "no motion was found that obeys"
        return (
            f"At t = {t:.9g} {motions} the laws of friction (Painleve's paradox): {'; '.join(parts)}. The motion is "
            "unique for every load only where the first number is less than the second. Make the coefficient smaller."
        )
