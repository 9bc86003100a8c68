"""Impacts at contacts: impulses that only push, with friction and restitution (theory 15).

    A (v+ - v-) = C^T Lambda + G^T Lambda_G,      Lambda_n >= 0,      g'+ + e g'- >= 0, one of both 0    (Newton)

All closed contacts are included, each open, sticking or sliding during the impact, as for accelerations. By Poisson's
law a plastic impact (e = 0) comes first; then each contact receives e times its normal impulse, with friction under
this load, and contacts that still approach are stopped by a further plastic impact.

The energy that an impact supplies is Lambda^T (g'+ + g'-)/2, measured at the contacts and hence also for those that
move. By Newton's law it is positive if contacts that separate are struck by others, and with friction in further cases;
then, and where no impulses obey Newton's law, Poisson's is used. By Poisson's law with e <= 1 it is positive only with
friction at several contacts and different e (theory 15); then these are brought nearer to the least of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ....errors import LienketError
from ....foundation.arrays import Array
from ....foundation.frozen_dataclass import dataclass
from ....kernels.reactions.pushing_impulses import pushing_impulses
from ...events.history import INSTEAD, LESS_RESTITUTION
from ..contact_modes import ClosedContact
from ..stick_slip import find_modes
from .friction_impulses import friction_impulses, refined_impulses

if TYPE_CHECKING:
    from ....simulation.contacts.response import ContactResponse


NEWTON, POISSON = "newton", "poisson"
SUPPLIED_ENERGY_ROUNDING = 1e-9  # [1] energy supplied by an impact, relative to its terms, that counts as rounding
RATE_ROUNDING = 1e-10  # [1] velocity of a contact during an impact, relative to its terms, that counts as rounding
STOPPING_IMPULSE = 1e-9  # [1] plastic impulse of a contact relative to the largest, above which the contact is stopped
STOPPED_ROUNDING = 1e-13  # [1] velocity left at stopped contacts relative to the largest, above which it is corrected
STOPPED_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among stopped rows
HALVINGS = 40  # [1] of the interval in which coefficients of restitution without a gain of energy are found


@dataclass(frozen=True, eq=False)
class ContactImpact:
    """Velocities v (n) after an impact, those of the contact rows y (c), and the impulses of these (c).

    `supplied` is the energy Lambda^T (y+ + y-)/2, negative if it is lost, 0 where that is rounding; `law` is NEWTON,
    POISSON, INSTEAD or LESS_RESTITUTION.
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
    """Return the impact by Poisson's law: compression, e times its normal impulses, and no approach afterwards.

    Where it would supply energy, the coefficients e are replaced by least + part (e - least), with the least of those
    contacts that receive an impulse and the largest part from 0 to 1, found by halving, that supplies none.
    """
    compression = _plastic(response, response.y0, contacts)
    impact = None if compression is None else _expanded(response, v, contacts, compression, restitution, law)
    if compression is None or impact is None:
        raise LienketError(
            f"No impulses at {_names(contacts)} obey both the laws of friction and the law of impact. "
            "Make the coefficients of friction smaller, or keep contacts that move from closing a gap between them."
        )
    if impact.supplied <= 0:
        return impact
    struck = [e for contact, e in zip(contacts, restitution, strict=True) if compression[0][contact.normal] != 0]
    least, found, low, high = float(min(struck, default=0.0)), None, 0.0, 1.0
    for _ in range(HALVINGS):
        part = (low + high) / 2 if found else 0.0
        coefficients = least + part * (restitution - least)
        trial = _expanded(response, v, contacts, compression, coefficients, LESS_RESTITUTION)
        if trial is not None and trial.impulses @ (trial.y + response.y0) <= 0:
            found, low = trial, part
        elif found is None:
            break
        else:
            high = part
    if found is None:
        found = _scaled(response, v, contacts, compression, least)
    return found


def _expanded(
    response: ContactResponse,
    v: Array,
    contacts: Sequence[ClosedContact],
    compression: tuple[Array, Array],
    restitution: Array,
    law: str,
) -> ContactImpact | None:
    """Return the impact by Poisson's law after its `compression` (impulses, jump); None if contacts still approach."""
    B, (impulses, jump) = response.root @ response.C.T, compression
    returned = np.zeros(len(impulses))
    for contact, e in zip(contacts, restitution, strict=True):
        returned[contact.normal] = e * impulses[contact.normal]
    if any(contact.tangential >= 0 for contact in contacts):
        returned = friction_impulses(response.S, response.y0 + B.T @ jump, returned, contacts)
    return _stopped(response, v, contacts, (impulses + returned, jump + B @ returned), law)


def _scaled(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], compression: tuple[Array, Array], e: float
) -> ContactImpact:
    """Return the impact that returns e times all impulses of the compression, those of friction too (theory 15).

    It supplies no energy. A sticking contact with mu_static > mu may hold more in the compression than friction of the
    expansion takes, which excludes no gain. The compression alone, if contacts still approach.
    """
    impulses, jump = compression
    scaled = _stopped(response, v, contacts, ((1 + e) * impulses, (1 + e) * jump), LESS_RESTITUTION)
    return _impact(response, v, impulses, jump, LESS_RESTITUTION) if scaled is None else scaled


def _stopped(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], before: tuple[Array, Array], law: str
) -> ContactImpact | None:
    """Return the impact with a last plastic one for contacts that still approach; None if there is none.

    At a light body both parts of the jump may be thousands of times larger than their sum: its rounding, by which
    contacts that have been stopped would still move, is corrected along their rows.
    """
    impulses, jump = before
    B = response.root @ response.C.T
    rates = _rates(response, B, jump)
    if all(rates[c.normal] >= 0 if c.pushes else rates[c.normal] == 0 for c in contacts):
        return _impact(response, v, impulses, jump, law)
    last = _plastic(response, rates, contacts)
    if last is None:
        return None
    impulses, jump = impulses + last[0], jump + last[1]
    least = STOPPING_IMPULSE * float(np.abs(last[0]).max())
    stopped = [c.normal for c in contacts if (last[0] if c.pushes else abs(last[0]))[c.normal] > least]
    moving = response.y0[stopped] + B[:, stopped].T @ jump
    if np.abs(moving).max(initial=0.0) > STOPPED_ROUNDING * np.abs(response.y0).max():
        further = np.linalg.lstsq(B[:, stopped].T, moving, rcond=STOPPED_RANK_TOLERANCE)[0]
        impulses[stopped] -= np.linalg.lstsq(B[:, stopped], further, rcond=STOPPED_RANK_TOLERANCE)[0]
        jump = jump - further
    return _impact(response, v, impulses, jump, law)


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
    return None if pattern is None else refined_impulses(response.S, B, y0, contacts, pattern)


def _names(contacts: Sequence[ClosedContact]) -> str:
    """Return "the contacts 'a', 'b'"."""
    return f"the contact{'s' if len(contacts) > 1 else ''} {', '.join(repr(contact.name) for contact in contacts)}"
