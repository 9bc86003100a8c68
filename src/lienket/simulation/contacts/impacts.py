"""Impacts at contacts: impulses that only push, with friction and restitution (theory 15).

    A (v+ - v-) = C^T Lambda + G^T Lambda_G,      Lambda_n >= 0,      g'+ + e g'- >= 0, one of both 0    (Newton)

All closed contacts are included, each open, sticking or sliding during the impact, as for accelerations. By Poisson's
law a plastic impact (e = 0) comes first; then each contact receives e times its normal impulse, with friction under
this load, and contacts that still approach are stopped by a further plastic impact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .stick_slip import ACCELERATION_SLACK, ClosedContact, find_modes

if TYPE_CHECKING:
    from ...simulation.contacts.response import ContactResponse


# [1] opening velocity, relative to the approach velocity, up to which a contact is held when bouncing ends
HELD_OPENING_RATIO = 10.0
IMPULSE_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among contact rows


@dataclass(frozen=True, eq=False)
class ContactImpact:
    """Velocities v (n) after an impact, and the impulses of the contact rows, normal and tangential."""

    v: Array
    impulses: Array


def solve_impact(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], restitution: Array, law: str
) -> ContactImpact:
    """Solve the impact at velocities v (n) by the `law` "newton" or "poisson"; restitution of each contact.

    `response` is a ContactResponse of the closed contacts for impacts.
    """
    free = [replace(contact, moving=0, may_stick=True, must_slide=0) for contact in contacts]
    rebound = np.zeros(len(response.y0))
    for contact, e in zip(contacts, restitution, strict=True):
        rebound[contact.normal] = e * min(float(response.y0[contact.normal]), 0.0)
    if law == "newton":
        impulses = _unilateral_impulses(response, response.y0 + rebound, free)
    else:
        impulses = _unilateral_impulses(response, response.y0, free)
        restored = np.zeros(len(impulses))
        for contact, e in zip(contacts, restitution, strict=True):
            restored[contact.normal] = e * impulses[contact.normal]
        impulses = impulses + _friction_impulses(response.S, response.y0 + response.S @ impulses, restored, contacts)
        impulses = impulses + _unilateral_impulses(response, response.y0 + response.S @ impulses, free)
    return ContactImpact(v + response.W @ (response.C.T @ impulses), impulses)


def end_bouncing(
    response: ContactResponse, v: Array, contacts: Sequence[ClosedContact], impact: ContactImpact
) -> ContactImpact:
    """Return the impact that ends a sequence of bounces, or rocking between contacts: no contact opens after it.

    Contacts that would still open, not much faster than the fastest approach, are held by a further impulse, and so
    are sticking ones. The impact is returned unchanged if a contact opens faster.
    """
    y = response.S @ impact.impulses + response.y0
    approach = -min(response.y0[contact.normal] for contact in contacts)
    if any(y[contact.normal] > HELD_OPENING_RATIO * approach for contact in contacts):
        return impact
    at_rest = ACCELERATION_SLACK * float(np.abs(response.y0).max())
    rows = [contact.normal for contact in contacts]
    rows += [
        contact.tangential for contact in contacts if contact.tangential >= 0 and abs(y[contact.tangential]) <= at_rest
    ]
    holding = np.zeros(len(y))
    holding[rows] = np.linalg.lstsq(response.S[np.ix_(rows, rows)], -y[rows], rcond=IMPULSE_RANK_TOLERANCE)[0]
    impulses = impact.impulses + holding
    return ContactImpact(v + response.W @ (response.C.T @ impulses), impulses)


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


def _unilateral_impulses(response: ContactResponse, y0: Array, contacts: Sequence[ClosedContact]) -> Array:
    """Return the impulses of a plastic impact, Lambda_n >= 0 with friction; raise LienketError if there are none."""
    pattern = find_modes(response.S, y0, contacts)
    if pattern is None:
        names = ", ".join(repr(contact.name) for contact in contacts)
        raise LienketError(
            f"No impulses at the contacts {names} obey both the laws of friction and the law of impact. "
            "Make the coefficients of friction smaller."
        )
    return pattern.forces
