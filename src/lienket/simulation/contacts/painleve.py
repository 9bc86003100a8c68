"""Explanation of runs that end by Painleve's paradox: friction for which no unique motion exists."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from .contact_modes import OPEN, SLIDE
from .mode_change import Contacts

# [1] smallest singular value with friction, relative to that without, below which the paradox is the explanation
PARADOX_SINGULAR_VALUE = 1e-2


def at_limit(contacts: Contacts, t: float, q: Array, v: Array, parameters: Array, active: tuple[int, ...]) -> str:
    """Return a sentence that names the contacts whose friction makes their normal forces unbounded; "" if none.

    Normal forces lambda follow from (S_n - S_t [mu d s]) lambda = -y_0: the matrix is singular at the limit, and its
    determinant is negative beyond it.
    """
    modes = contacts.modes_of(active, parameters)
    numbers = [k for k, mode in enumerate(modes) if mode.kind != OPEN]
    if not any(modes[k].kind == SLIDE for k in numbers):
        return ""
    quantities = contacts.system.quantities(t, q, v, parameters)
    closed, indices = contacts.closed_contacts(numbers, quantities, v, {}, frozenset())
    S = contacts.system.response(t, q, v, parameters, contacts.passive(active), indices, impact=False).S
    matrix, parts = S.copy(), []
    for k, contact in zip(numbers, closed, strict=True):
        mode = modes[k]
        if mode.kind == SLIDE:
            friction = contact.mu * S[:, contact.tangential]
            matrix[:, contact.normal] -= mode.direction * mode.sense * friction
            parts.append(
                f"{contact.name!r}: mu |G A^-1 tau| = {abs(friction[contact.normal]):.9g} against S = "
                f"{S[contact.normal, contact.normal]:.9g}"
            )
    sliding = {contact.tangential for k, contact in zip(numbers, closed, strict=True) if modes[k].kind == SLIDE}
    rows = [i for i in range(len(S)) if i not in sliding]
    sizes = np.sqrt(np.outer(np.diag(S)[rows], np.diag(S)[rows]))
    rough, smooth = (x[np.ix_(rows, rows)] / sizes for x in (matrix, S))
    with_friction, without = (np.linalg.svd(x)[1][-1] for x in (rough, smooth))
    if np.linalg.det(rough) > 0 and not with_friction <= PARADOX_SINGULAR_VALUE * without:
        return ""
    return (
        "Friction is at or beyond the limit from which no motion, or more than one, obeys its law "
        f"(Painleve's paradox): {'; '.join(parts)}. Make the coefficient smaller."
    )
