"""Painleve's paradox on the way: friction with which a motion comes to its end, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from .mode_change import Contacts
from .stick_slip import OPEN, SLIDE

Array = Any

NEAR = 1e-2
"""What friction leaves of the rows of contacts where the paradox explains that there are no accelerations."""


def at_limit(contacts: Contacts, t: float, q: Array, v: Array, parameters: Array, active: tuple[int, ...]) -> str:
    """The contacts whose friction lets their normal forces grow beyond all bounds, in words; or nothing.

    Normal forces lambda follow from (S_n - S_t [mu d s]) lambda = -y_0: the matrix is
    singular at the limit, and its determinant negative beyond.
    """
    modes = contacts.modes_of(active, parameters)
    closed = [k for k, mode in enumerate(modes) if mode.kind != OPEN]
    if not any(modes[k].kind == SLIDE for k in closed):
        return ""
    said = contacts.system.numbers(t, q, v, parameters)
    touches, places = contacts.closed_contacts(closed, said, v, {}, frozenset())
    S = contacts.system.response(t, q, v, parameters, contacts.passive(active), places, impact=False).S
    matrix, parts = S.copy(), []
    for k, touch in zip(closed, touches, strict=True):
        mode = modes[k]
        if mode.kind == SLIDE:
            push = touch.mu * S[:, touch.tangential]
            matrix[:, touch.normal] -= mode.direction * mode.sense * push
            parts.append(
                f"{touch.name!r}: mu |G A^-1 tau| = {abs(push[touch.normal]):.9g} against S = "
                f"{S[touch.normal, touch.normal]:.9g}"
            )
    sliding = {touch.tangential for k, touch in zip(closed, touches, strict=True) if modes[k].kind == SLIDE}
    rows = [i for i in range(len(S)) if i not in sliding]
    sizes = np.sqrt(np.outer(np.diag(S)[rows], np.diag(S)[rows]))
    rough, smooth = (x[np.ix_(rows, rows)] / sizes for x in (matrix, S))
    left, whole = (np.linalg.svd(x)[1][-1] for x in (rough, smooth))
    if np.linalg.det(rough) > 0 and not left <= NEAR * whole:
        return ""
    return (
        "Friction is at the limit, or beyond it, from which on no or no single motion obeys its law "
        "(Painleve's paradox): "
        f"{'; '.join(parts)}. Make the coefficient smaller."
    )
