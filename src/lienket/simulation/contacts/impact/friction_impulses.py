"""Friction impulses under prescribed normal ones, as in the expansion of an impact by Poisson's law.

    |Lambda_t| <= mu_static Lambda_n in a contact that sticks,    Lambda_t = -mu d Lambda_n in one that slides along d

With mu = mu_static these are the impulses in the boxes |Lambda_t| <= mu Lambda_n that leave the least energy: a convex
problem, so that a solution exists. It is a solution for a larger mu_static as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ....foundation.arrays import Array
from ....kernels.reactions.lemke import lemke
from ..contact_modes import ACCELERATION_SLACK, ClosedContact, ModePattern
from ..mode_forces import ideal_rows, mode_system
from ..unit_mobility import contacts_in_units, row_units

IMPULSE_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero among contact rows
REFINEMENTS = 2  # [1] corrections of the impulses of a pattern by the velocities that they leave
FAR_FROM_PARALLEL = 0.9  # [1] squared cosine of normal and tangential row, below which their impulses keep all digits
PATTERNS_UP_TO = 3  # [contacts] for which patterns of sticking and sliding are tried, more sticking ones first


def friction_impulses(S: Array, y0: Array, loads: Array, contacts: Sequence[ClosedContact]) -> Array:
    """Return the impulses (c): the normal ones `loads` (c), and friction; y0 (c) are the velocities before them."""
    frictional = [contact for contact in contacts if contact.tangential >= 0 and loads[contact.normal] != 0]
    found = _by_patterns(S, y0, loads, frictional) if len(frictional) <= PATTERNS_UP_TO else None
    return _least_energy(S, y0, loads, frictional) if found is None else found


def refined_impulses(
    S: Array, B: Array, y0: Array, contacts: Sequence[ClosedContact], pattern: ModePattern
) -> tuple[Array, Array]:
    """Return the impulses (c) of a pattern and their jump B Lambda (k), corrected by what closed rows still move.

    S = B^T B loses twice the digits of B where contacts are nearly redundant and their impulses large. The jump is
    corrected last, along these rows, and is then more accurate than B Lambda. The rows of one contact are not redundant
    unless its slip is along its normal: then there is nothing to correct.
    """
    if len(contacts) == 1 and (len(S) == 1 or S[0, 1] * S[1, 0] < FAR_FROM_PARALLEL * S[0, 0] * S[1, 1]):
        return pattern.forces, B @ pattern.forces
    units = row_units(S)
    S, B, y0, contacts = S * units * units[:, None], B * units, y0 * units, contacts_in_units(contacts, units)
    matrix, _ = mode_system(S, y0, contacts, pattern.modes)
    held, impulses = ideal_rows(len(y0), contacts, pattern.modes), pattern.forces / units
    sizes = np.abs(matrix).max(axis=1)
    sizes[sizes == 0] = 1.0
    for _ in range(REFINEMENTS):
        moving = np.where(held, y0 + B.T @ (B @ impulses), 0.0)
        impulses = impulses - np.linalg.lstsq(matrix / sizes[:, None], moving / sizes, rcond=IMPULSE_RANK_TOLERANCE)[0]
    jump = B @ impulses
    moving = y0[held] + B[:, held].T @ jump
    return impulses * units, jump - np.linalg.lstsq(B[:, held].T, moving, rcond=IMPULSE_RANK_TOLERANCE)[0]


def _by_patterns(S: Array, y0: Array, loads: Array, contacts: Sequence[ClosedContact]) -> Array | None:
    """Return the impulses of the first pattern that obeys the laws; None by rounding only."""
    size = float(np.max(np.abs(S) @ np.abs(loads) + np.abs(y0), initial=0.0))
    for directions in sorted(product((0, 1, -1), repeat=len(contacts)), key=np.count_nonzero):
        impulses, sticking = loads.copy(), []
        for contact, d in zip(contacts, directions, strict=True):
            impulses[contact.tangential] = -contact.mu * d * abs(loads[contact.normal])
            sticking += [contact.tangential] if d == 0 else []
        if sticking:
            slip = (y0 + S @ impulses)[sticking]
            impulses[sticking] = _stopping(S, sticking, slip)
        y = y0 + S @ impulses
        if all(
            d * y[contact.tangential] >= -ACCELERATION_SLACK * size
            if d
            else abs(impulses[contact.tangential])
            <= contact.mu_static * abs(loads[contact.normal]) * (1 + ACCELERATION_SLACK)
            for contact, d in zip(contacts, directions, strict=True)
        ):
            return impulses
    return None


def _stopping(S: Array, rows: list[int], slip: Array) -> Array:
    """Return the impulses of these rows that stop their slip, of least norm where rows are redundant."""
    if len(rows) == 1:  # the usual case
        own = float(S[rows[0], rows[0]])
        return -slip / own if own > 0 else np.zeros(1)
    return np.asarray(np.linalg.lstsq(S[np.ix_(rows, rows)], -slip, rcond=IMPULSE_RANK_TOLERANCE)[0])


def _least_energy(S: Array, y0: Array, loads: Array, contacts: Sequence[ClosedContact]) -> Array:
    """Return the impulses in the boxes that leave the least energy, by Lemke's method.

    With x = Lambda_t + b, b = mu Lambda_n, and the multiplier s of x <= 2 b,

        y = S x + y_t - S b + s >= 0,  x >= 0,  x y = 0,        2 b - x >= 0,  s >= 0,  s (2 b - x) = 0.
    """
    rows = [contact.tangential for contact in contacts]
    bounds = np.array([contact.mu * abs(loads[contact.normal]) for contact in contacts])
    scale = 1 / np.sqrt(np.where(S.diagonal()[rows] > 0, S.diagonal()[rows], 1.0))
    matrix, b = S[np.ix_(rows, rows)] * scale * scale[:, None], bounds / scale
    rate = (y0 + S @ loads)[rows] * scale - matrix @ b
    unit, count = np.eye(len(rows)), len(rows)
    M = np.block([[matrix, unit], [-unit, np.zeros((count, count))]])
    z = lemke(M, np.concatenate([rate, 2 * b]), np.ones(2 * count))
    impulses = loads.copy()
    if z is not None:
        impulses[rows] = np.clip((z[:count] - b) * scale, -bounds, bounds)
    return impulses
