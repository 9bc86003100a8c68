"""End of bouncing: infinitely many impacts in a finite time, below the resolution of positions, end in rest.

After an impact the contacts that open are asked how high they would bounce. The forces of the closed contacts at rest,

    y = S lambda + y0,      lambda >= 0,      y >= 0,      lambda^T y = 0                          (accelerations)

tell which contacts are pressed together; one that opens at the rate r, while the others stay closed, is accelerated
back by lambda_j/(S^-1)_jj and reaches the gap r^2/2 (S^-1)_jj/lambda_j. If that is below the rounding of positions, the
contact stays closed. Contacts that bounce higher, or that nothing presses together, open: the others are asked again
without them. A further impulse takes the velocity of those that stay; it is the projection onto their rows in the
metric of A, so that it supplies no energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from .impacts import ContactImpact
from .impulses import pushing_impulses
from .mode_change import Contacts
from .response import ContactResponse
from .stick_slip import ACCELERATION_SLACK, ClosedContact

SMALLEST_BOUNCE = 1e-11  # [1] height of a bounce relative to the positions, below which the contact stays closed
LOADED_CONTACT = 1e-9  # [1] force of a contact at rest, relative to the largest, above which it is pressed together
# [1] opening velocity, relative to the approach velocity, up to which a contact is held when bouncing ends
HELD_OPENING_RATIO = 10.0
HELD_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among held rows


def settled_contacts(
    contacts: Contacts, opening: dict[int, float], closed: Sequence[int], sticking: frozenset[int], state: Any
) -> list[int]:
    """Return the contacts that stay closed after an impact although some of them open, too slowly to bounce.

    `opening` are the rates of the contacts that open, `closed` all contacts of the impact, `sticking` those without
    slip, by their numbers; `state` is (t, q, v, parameters, passive) after the impact. Empty if none of those that open
    stays.
    """
    t, q, v, parameters, passive = state
    lowest, kept = 2 * SMALLEST_BOUNCE * (1 + float(np.abs(q).max())), list(closed)
    while kept and any(j in opening for j in kept):
        held = [x for j in kept if j in sticking and (x := contacts.contacts[j].tangential) >= 0]
        normals = [contacts.contacts[j].normal for j in kept]
        response = contacts.system.response(t, q, v, parameters, passive + held, normals, impact=False)
        closing = _closing_accelerations(response)
        if closing is None:
            return []
        leaving = [
            j for j, a in zip(kept, closing, strict=True) if a <= 0 or opening.get(j, 0.0) ** 2 >= lowest * a
        ]
        if not any(j in opening for j in leaving):
            return [j for j in kept if j not in leaving]
        kept = [j for j in kept if j not in leaving]
    return []


def _closing_accelerations(response: ContactResponse) -> Array | None:
    """Return the acceleration that closes each contact while the others stay closed (c); 0 where nothing presses it."""
    B = response.root @ response.C.T
    found = pushing_impulses(B, response.y0)
    if found is None:
        return None
    loads = found[0]
    pressed = np.flatnonzero(loads > LOADED_CONTACT * loads.max(initial=0.0))
    closing = np.zeros(len(loads))
    for k in pressed:
        others = B[:, pressed[pressed != k]]
        across = B[:, k] - others @ np.linalg.lstsq(others, B[:, k], rcond=HELD_RANK_TOLERANCE)[0]
        own = float(across @ across)
        alone = HELD_RANK_TOLERANCE * float(B[:, k] @ B[:, k])
        # one of several redundant contacts cannot open alone: they open together
        closing[k] = loads[k] * (own if own > alone else float(B[:, k] @ B[:, k]))
    return closing


def hold(
    response: ContactResponse, impact: ContactImpact, contacts: Sequence[ClosedContact], kept: Sequence[ClosedContact]
) -> ContactImpact:
    """Return the impact with a further impulse after which the contacts `kept` do not open, nor do others approach.

    Sticking contacts among them stay so. Raises LienketError if the others contradict them.
    """
    at_rest = ACCELERATION_SLACK * float(np.abs(response.y0).max())
    rows = [c.normal for c in kept]
    rows += [c.tangential for c in kept if c.tangential >= 0 and abs(impact.y[c.tangential]) <= at_rest]
    B = response.root @ response.C.T
    holding = np.zeros(len(impact.y))
    holding[rows] = np.linalg.lstsq(B[:, rows].T @ B[:, rows], -impact.y[rows], rcond=HELD_RANK_TOLERANCE)[0]
    basis, sizes, _ = np.linalg.svd(B[:, rows], full_matrices=False)
    basis = basis[:, sizes > HELD_RANK_TOLERANCE * sizes.max(initial=0.0)]
    others = [c.normal for c in contacts if c.normal not in rows]
    y = impact.y + B.T @ (B @ holding)
    free = B[:, others] - basis @ (basis.T @ B[:, others])
    stopping = pushing_impulses(free, np.where(np.abs(y[others]) <= at_rest, 0.0, y[others]))
    if stopping is None:
        names = ", ".join(repr(c.name) for c in contacts)
        raise LienketError(f"The contacts {names} cannot come to rest together: their surfaces move apart.")
    jump = B @ holding + stopping[1]
    impulses = impact.impulses + holding
    impulses[others] += stopping[0]
    against = np.linalg.lstsq(B[:, rows], stopping[1] - B[:, others] @ stopping[0], rcond=HELD_RANK_TOLERANCE)[0]
    impulses[rows] += against
    return ContactImpact(
        impact.v + response.root.T @ jump, impact.y + B.T @ jump, impulses, impact.supplied, impact.law
    )


def all_held(response: ContactResponse, impact: ContactImpact, contacts: Sequence[ClosedContact]) -> bool:
    """Return whether all contacts may be held where their events accumulate: none opens much faster than it struck."""
    approach = -min(response.y0[contact.normal] for contact in contacts)
    return all(impact.y[contact.normal] <= HELD_OPENING_RATIO * approach for contact in contacts)
