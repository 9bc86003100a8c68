"""Mode of a single contact with friction by scalar arithmetic, the most frequent case."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from .contact_modes import (
    ACCELERATION_SLACK,
    DISTINCT_MOTIONS,
    FORCE_SLACK,
    OPEN,
    SLIDE,
    STICK,
    ClosedContact,
    Mode,
    ModePattern,
)

WELL_CONDITIONED = 1e-6  # [1] determinant of one contact, relative to its terms, above which it is solved directly


def modes_of_one_contact(
    S: list[list[float]], y0: list[float], contact: ClosedContact, previous: Sequence[Mode] | None
) -> tuple[ModePattern | None] | None:
    """Return (pattern,) of one contact with friction by scalar arithmetic; None where a system is nearly singular."""
    (nn, nt), (tn, tt) = S
    n0, t0 = y0
    units = (sqrt(nn) if nn > 0 else 1.0, sqrt(tt) if tt > 0 else 1.0)  # in which rows have the mobility 1
    valid: list[tuple[Mode, float, float, float, float]] = []
    for mode in _in_order(contact, previous):
        if valid and (valid[0][0].kind == STICK or mode.kind == STICK):
            break
        normal = tangential = 0.0
        if mode.kind == STICK:
            determinant = nn * tt - nt * tn
            if not determinant > WELL_CONDITIONED * nn * tt > 0:
                return None
            normal, tangential = (nt * t0 - tt * n0) / determinant, (tn * n0 - nn * t0) / determinant
        elif mode.kind == SLIDE:
            friction = contact.mu * mode.direction * mode.sense
            determinant = nn - friction * nt
            if not abs(determinant) > WELL_CONDITIONED * (nn + abs(friction * nt)):
                return None
            normal = -n0 / determinant
            tangential = -friction * normal
        yn, yt = nn * normal + nt * tangential + n0, tn * normal + tt * tangential + t0
        sizes = [abs(a * normal) + abs(b * tangential) + abs(c) for a, b, c in ((nn, nt, n0), (tn, tt, t0))]
        (un, ut), slack = units, max(sizes[0] / units[0], sizes[1] / units[1])
        motion_slack, force_slack = (
            ACCELERATION_SLACK * slack,
            FORCE_SLACK * max(un * abs(normal), ut * abs(tangential)),
        )
        if mode.kind == OPEN:
            holds = yn >= -motion_slack * un
        elif contact.pushes and un * normal < -force_slack:
            holds = False
        elif mode.kind == STICK:
            holds = abs(tangential) <= contact.mu_static * abs(normal) + force_slack / ut
        else:
            starts = contact.moving != 0 or mode.direction * yt >= -motion_slack * ut
            holds = mode.sense * normal * un >= -force_slack and starts
        distance = DISTINCT_MOTIONS * slack
        if holds and all(abs(yn - a) > distance * un or abs(yt - b) > distance * ut for _, _, _, a, b in valid):
            valid.append((mode, normal, tangential, yn, yt))
    if not valid:
        return (None,)
    mode, normal, tangential, *_ = valid[0]
    return (ModePattern((mode,), np.array([normal, tangential]), len(valid) - 1),)


def _in_order(contact: ClosedContact, previous: Sequence[Mode] | None) -> list[Mode]:
    """Return the modes of the contact, sticking first, then the previous one."""
    before = None if previous is None else previous[0]
    return sorted(contact.modes(), key=lambda mode: (mode.kind != STICK, mode != before))
