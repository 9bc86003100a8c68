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

from ....foundation.arrays import Array
from ....kernels.reactions.pushing_impulses import pushing_impulses
from ..contact_modes import ACCELERATION_SLACK, ClosedContact
from ..mode_change import Contacts
from ..response import ContactResponse
from .impacts import ContactImpact

SMALLEST_BOUNCE = 1e-11  # [1] height of a bounce relative to the positions, below which the contact stays closed
LOADED_CONTACT = 1e-9  # [1] force of a contact at rest, relative to the largest, above which it is pressed together
# [1] velocity of a contact, relative to the approach of that whose bouncing ends, up to which it is held as well
HELD_OPENING_RATIO = 10.0
HELD_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among held rows


def slow_contacts(
    contacts: Contacts, closed: dict[int, ClosedContact], impact: ContactImpact, rest: Array, state: Any
) -> list[ClosedContact]:
    """Return the contacts that stay closed after an impact although some of them open, too slowly to bounce.

    `closed` are all contacts of the impact by their numbers; `state` is (t, q, v, parameters, passive), with v before
    the impact. Velocities of rows up to `rest` (c) count as zero. Empty if none of those that open stays.
    """
    t, q, _, parameters, passive = state
    kept = [j for j, c in closed.items() if c.pushes]
    opening = {j: rate for j in kept if (rate := float(impact.y[closed[j].normal])) > rest[closed[j].normal]}
    bilateral = [contacts.contacts[j].normal for j, c in closed.items() if not c.pushes]
    sticking = {
        j for j, c in closed.items()
        if c.tangential >= 0 and j not in opening and abs(impact.y[c.tangential]) <= rest[c.tangential]
    }  # fmt: skip
    lowest = 2 * SMALLEST_BOUNCE * (1 + float(np.abs(q).max()))
    while any(j in opening for j in kept):
        held = [x for j in kept if j in sticking and (x := contacts.contacts[j].tangential) >= 0]
        normals = [contacts.contacts[j].normal for j in kept]
        rows = [*passive, *bilateral, *held]
        response = contacts.system.response(t, q, impact.v, parameters, rows, normals, impact=False)
        closing = dict(zip(kept, _closing_accelerations(response), strict=True))
        sizes = dict(zip(kept, np.abs(response.C).sum(axis=1), strict=True))  # of gaps, by positions
        leaving = [j for j, a in closing.items() if a <= 0 or opening.get(j, 0.0) ** 2 >= lowest * sizes[j] * a]
        kept = [j for j in kept if j not in leaving]
        if not any(j in opening for j in leaving):
            return [c for j, c in closed.items() if j in kept or not c.pushes]
    return []


def _closing_accelerations(response: ContactResponse) -> Array:
    """Return the acceleration that closes each contact while the others stay closed (c); 0 where nothing presses it."""
    if len(response.y0) == 1:
        return np.maximum(-response.y0, 0.0)
    B = response.root @ response.C.T
    found = pushing_impulses(B, response.y0)
    loads = np.zeros(len(response.y0)) if found is None else found[0]
    sizes = _sizes(B)
    pressed = np.flatnonzero(loads * sizes > LOADED_CONTACT * (loads * sizes).max(initial=0.0))
    closing = np.zeros(len(loads))
    for k in pressed:
        others = (B / sizes)[:, pressed[pressed != k]]
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

    Sticking contacts among them stay so.
    """
    B = response.root @ response.C.T
    sizes = _sizes(B)
    at_rest = ACCELERATION_SLACK * float(np.max(np.abs(response.y0) / sizes)) * sizes  # whatever the factor of a row is
    rows = [c.normal for c in kept]
    rows += [c.tangential for c in kept if c.tangential >= 0 and abs(impact.y[c.tangential]) <= at_rest[c.tangential]]
    others = [c.normal for c in contacts if c.normal not in rows]
    impulses, jump = _closing(B, np.where(np.abs(impact.y) <= at_rest, 0.0, impact.y), rows, others)
    v, y = impact.v + response.root.T @ jump, impact.y + B.T @ jump
    return ContactImpact(v, y, impact.impulses + impulses, impact.supplied, impact.law)


def displacement(
    response: ContactResponse, gaps: Array, contacts: Sequence[ClosedContact], closed: Sequence[ClosedContact]
) -> Array:
    """Return the displacement (n) after which the contacts `closed` have no gap, and the others no negative one.

    `gaps` are those of the contacts of an impact, within the tolerance in which these count as simultaneous. The
    displacement is the shortest in the metric of A that keeps the other constraints.
    """
    rows = [c.normal for c in closed]
    others = [c.normal for c in contacts if c.normal not in rows and c.pushes]
    y = np.zeros(len(response.y0))
    y[[c.normal for c in contacts]] = gaps
    return response.root.T @ _closing(response.root @ response.C.T, y, rows, others)[1]


def _closing(B: Array, y: Array, rows: list[int], others: list[int]) -> tuple[Array, Array]:
    """Return impulses (c) and their jump x (k) with y + B^T x = 0 in the rows and >= 0 in the others.

    Where the others contradict the rows, they are not considered.
    """
    sizes = _sizes(B)
    B, y = B / sizes, y / sizes  # rows of equal length
    impulses = np.zeros(len(y))
    impulses[rows] = np.linalg.lstsq(B[:, rows].T @ B[:, rows], -y[rows], rcond=HELD_RANK_TOLERANCE)[0]
    jump = B @ impulses
    basis, values, _ = np.linalg.svd(B[:, rows], full_matrices=False)
    basis = basis[:, values > HELD_RANK_TOLERANCE * values.max(initial=0.0)]
    free = B[:, others] - basis @ (basis.T @ B[:, others])
    further = pushing_impulses(free, (y + B.T @ jump)[others])
    if further is not None and further[0].any():
        impulses[others] += further[0]
        reaction = further[1] - B[:, others] @ further[0]
        impulses[rows] += np.linalg.lstsq(B[:, rows], reaction, rcond=HELD_RANK_TOLERANCE)[0]
        jump = jump + further[1]
    return impulses / sizes, jump


def _sizes(B: Array) -> Array:
    """Return the lengths of the columns of B (c), 1 for a contact that no impulse moves."""
    sizes = np.sqrt((B * B).sum(axis=0))
    return np.where(sizes > 0, sizes, 1.0)


def all_held(
    response: ContactResponse, impact: ContactImpact, contacts: Sequence[ClosedContact], accumulating: ClosedContact
) -> bool:
    """Return whether all contacts may be held where the events of one accumulate.

    None of the others may strike, and none open, much faster than this one strikes: they would bounce.
    """
    sizes = _sizes(response.root @ response.C.T)
    before, after = response.y0 / sizes, impact.y / sizes
    fastest = HELD_OPENING_RATIO * -float(before[accumulating.normal])
    return all(max(-before[c.normal], after[c.normal]) <= fastest for c in contacts)
