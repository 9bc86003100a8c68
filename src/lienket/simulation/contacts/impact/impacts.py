"""Impacts at contacts: impulses that only push, with friction and restitution (theory 15).

    A (v+ - v-) = C^T Lambda + G^T Lambda_G,      Lambda_n >= 0,      g'+ + e g'- >= 0, one of both 0    (Newton)

All closed contacts are included, each open, sticking or sliding during the impact, as for accelerations. By Poisson's
law a plastic impact (e = 0) comes first; then each contact receives e times its normal impulse, with friction under
this load, and contacts that still approach are stopped by a further plastic impact.

The energy that an impact supplies is Lambda^T (g'+ + g'-)/2, measured at the contacts and hence also for those that
move. Without friction it is never positive by Poisson's law with e <= 1 (theory 15). By Newton's law it is positive if
contacts that separate are struck by others; then, and where no impulses obey Newton's law, Poisson's is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ....errors import LienketError
from ....foundation.arrays import Array
from ....foundation.frozen_dataclass import dataclass
from ...events.history import INSTEAD
from ..contact_modes import ACCELERATION_SLACK, ClosedContact
from ..stick_slip import find_modes
from .impulses import pushing_impulses

if TYPE_CHECKING:
    from ....simulation.contacts.response import ContactResponse


NEWTON, POISSON = "newton", "poisson"
SUPPLIED_ENERGY_ROUNDING = 1e-9  # [1] energy supplied by an impact, relative to its terms, that counts as rounding
RATE_ROUNDING = 1e-10  # [1] velocity of a contact during an impact, relative to its terms, that counts as rounding
IMPULSE_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among contact rows


@dataclass(frozen=True, eq=False)
class ContactImpact:
    """Velocities v (n) after an impact, those of the contact rows y (c), and the impulses of these (c).

    `supplied` is the energy Lambda^T (y+ + y-)/2, negative if it is lost, 0 where that is rounding; `law` is NEWTON,
    POISSON or INSTEAD.
    """

    v: Array
    y: Array
    impulses: Array
    supplied: float
    law: str


def solve_impact(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], restitution: Array, law: str
) -> ContactImpact:
    """Solve the impact at velocities v (n) by the `law` NEWTON or POISSON; restitution of each contact.

    `response` is that of the closed contacts for impacts. Raises LienketError if no impulses obey the laws.
    """
    if not np.isfinite(response.S.sum() + response.y0.sum()):
        raise LienketError(f"The impact at {_names(contacts)} has numbers that are too large, or not finite.")
    free = [replace(contact, moving=0, may_stick=True, must_slide=0) for contact in contacts]
    if law == POISSON:
        return _by_poisson(response, v, free, restitution, POISSON)
    rebound = np.zeros(len(response.y0))
    for contact, e in zip(contacts, restitution, strict=True):
        rebound[contact.normal] = e * min(float(response.y0[contact.normal]), 0.0)
    stages = _plastic(response, response.y0 + rebound, free)
    impact = None if stages is None else _impact(response, v, *stages, NEWTON)
    if impact is not None and impact.supplied <= 0:
        return impact
    other = _by_poisson(response, v, free, restitution, INSTEAD)
    return other if impact is None or other.supplied < impact.supplied else impact


def _by_poisson(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], restitution: Array, law: str
) -> ContactImpact:
    """Return the impact by Poisson's law: compression, e times its normal impulses, and no approach afterwards."""
    B = response.root @ response.C.T
    compression = _plastic(response, response.y0, contacts)
    if compression is not None:
        impulses, jump = compression
        returned = np.zeros(len(impulses))
        for contact, e in zip(contacts, restitution, strict=True):
            returned[contact.normal] = e * impulses[contact.normal]
        if any(contact.tangential >= 0 for contact in contacts):
            returned = _friction_impulses(response.S, response.y0 + B.T @ jump, returned, contacts)
        impulses, jump = impulses + returned, jump + B @ returned
        rates = _rates(response, B, jump)
        if all(rates[c.normal] >= 0 if c.pushes else rates[c.normal] == 0 for c in contacts):
            return _impact(response, v, impulses, jump, law)
        last = _plastic(response, rates, contacts)
        if last is not None:
            return _impact(response, v, impulses + last[0], jump + last[1], law)
    raise LienketError(
        f"No impulses at {_names(contacts)} obey both the laws of friction and the law of impact. "
        "Make the coefficients of friction smaller, or keep contacts that move from closing a gap between them."
    )


def _rates(response: ContactResponse, B: Array, jump: Array) -> Array:
    """Return the velocities of the contact rows (c) after a jump (k), 0 where that is rounding."""
    y = response.y0 + B.T @ jump
    return np.where(np.abs(y) <= RATE_ROUNDING * (np.abs(response.y0) + np.abs(B).T @ np.abs(jump)), 0.0, y)


def _impact(response: ContactResponse, v: Array, impulses: Array, jump: Array, law: str) -> ContactImpact:
    """Return the impact with these impulses (c) and the jump of velocity (k) in coordinates of unit inertia."""
    jump_v = response.root.T @ jump
    y = response.y0 + response.C @ jump_v
    supplied = 0.5 * float(impulses @ (y + response.y0))
    terms = 0.5 * float(np.abs(impulses) @ (np.abs(y) + np.abs(response.y0)))
    supplied = supplied if abs(supplied) > SUPPLIED_ENERGY_ROUNDING * terms else 0.0
    return ContactImpact(v + jump_v, y, impulses, supplied, law)


def _friction_impulses(S: Array, y0: Array, loads: Array, contacts: Sequence[ClosedContact]) -> Array:
    """Return the impulses with friction under prescribed normal ones `loads`: |Lambda_t| <= mu_static Lambda_n.

    Each contact sticks, or slides with Lambda_t = -mu d Lambda_n. A solution exists, as S is positive semidefinite.
    """
    frictional = [contact for contact in contacts if contact.tangential >= 0 and loads[contact.normal] > 0]
    size = float(np.max(np.abs(S) @ np.abs(loads) + np.abs(y0), initial=0.0))
    for directions in sorted(product((0, 1, -1), repeat=len(frictional)), key=np.count_nonzero):
        impulses, sticking = loads.copy(), []
        for contact, d in zip(frictional, directions, strict=True):
            impulses[contact.tangential] = -contact.mu * d * loads[contact.normal]
            sticking += [contact.tangential] if d == 0 else []
        if sticking:
            slip = (y0 + S @ impulses)[sticking]
            matrix = S[np.ix_(sticking, sticking)]
            impulses[sticking] = np.linalg.lstsq(matrix, -slip, rcond=IMPULSE_RANK_TOLERANCE)[0]
        y = y0 + S @ impulses
        if all(
            d * y[contact.tangential] >= -ACCELERATION_SLACK * size
            if d
            else abs(impulses[contact.tangential])
            <= contact.mu_static * loads[contact.normal] * (1 + ACCELERATION_SLACK)
            for contact, d in zip(frictional, directions, strict=True)
        ):
            return impulses
    return loads  # reached only by rounding


def _plastic(response: ContactResponse, y0: Array, contacts: Sequence[ClosedContact]) -> tuple[Array, Array] | None:
    """Return the impulses (c) of a plastic impact, Lambda_n >= 0 with friction, and the jump B Lambda (k), or None."""
    B = response.root @ response.C.T
    if all(c.pushes and (c.tangential < 0 or c.mu == c.mu_static == 0) for c in contacts):
        normal, impulses = [contact.normal for contact in contacts], np.zeros(len(y0))
        found = pushing_impulses(B[:, normal], y0[normal])
        if found is None:
            return None
        impulses[normal] = found[0]
        return impulses, found[1]
    pattern = find_modes(response.S, y0, contacts)
    return None if pattern is None else (pattern.forces, B @ pattern.forces)


def _names(contacts: Sequence[ClosedContact]) -> str:
    """Return "the contacts 'a', 'b'"."""
    return f"the contact{'s' if len(contacts) > 1 else ''} {', '.join(repr(contact.name) for contact in contacts)}"
