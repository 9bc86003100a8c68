"""Forces of contacts that share a load: any distribution that obeys all laws will do.

Redundant contacts (a ladder between floor and wall, a block on three feet) determine the motion but not their forces:
self-stresses N z, forces that balance each other, may be added,

    matrix lambda = right,    lambda = lambda_0 + N z,    matrix N = 0,  S N = 0

S N = 0 states that they change no acceleration. A pattern of modes is valid if some z satisfies the inequalities of
all forces; that with the largest margin is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...foundation.arrays import Array
from ...kernels.reactions.force_margin import largest_margin

if TYPE_CHECKING:
    from .contact_modes import ClosedContact, Mode

SELF_STRESS_TOLERANCE = 1e-10  # [1] singular value, relative to the largest, below which forces balance each other
SENSES_LIMIT = 64  # [patterns] of signs of bilateral normal forces that are tried


def self_stresses(S: Array, matrix: Array) -> Array:
    """Return N (c x d), orthonormal forces that satisfy the homogeneous system of the modes and move nothing."""
    both = np.vstack([matrix, S])
    sizes = np.abs(both).max(axis=1, initial=0.0)
    sizes[sizes == 0] = 1.0
    _, singular, V = np.linalg.svd(both / sizes[:, None])
    rank = int(np.count_nonzero(singular > SELF_STRESS_TOLERANCE * singular[0])) if len(singular) else 0
    return np.asarray(V[rank:].T, dtype=float)


def force_inequalities(contacts: Sequence[ClosedContact], modes: Sequence[Mode], senses: Sequence[int]) -> Array:
    """Return L (k x c) of the laws of force in these modes, L lambda >= 0; `senses` of the normal forces."""
    size = max(max(c.normal, c.tangential) for c in contacts) + 1
    rows = []
    for contact, mode, sense in zip(contacts, modes, senses, strict=True):
        if mode.kind == "open":
            continue
        normal, tangential = np.zeros(size), np.zeros(size)
        normal[contact.normal] = sense
        if contact.tangential >= 0 and mode.kind == "stick":
            tangential[contact.tangential] = 1.0
            rows += [contact.mu_static * normal - tangential, contact.mu_static * normal + tangential]
        if contact.pushes or contact.tangential >= 0:
            rows.append(normal)
    return np.array(rows).reshape(-1, size)


def share_forces(
    contacts: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array, N: Array
) -> tuple[Array, float]:
    """Return the forces with the largest margin, and this margin, among forces (c) + N z in these modes.

    The margin is negative if no distribution obeys the laws. The signs of bilateral normal forces that hold a sticking
    contact are tried one after another, those of `forces` first.
    """
    cap, best = float(np.max(np.abs(forces), initial=0.0)), (forces, -np.inf)
    for senses in _senses(contacts, modes, forces):
        L = force_inequalities(contacts, modes, senses)
        if not len(L):
            return forces, cap
        margin, z = largest_margin(L @ forces, L @ N, cap)
        if margin > best[1]:
            best = (forces + N @ z, margin)
        if margin >= 0:
            break
    return best


def _senses(contacts: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array) -> list[tuple[int, ...]]:
    """Return the possible signs of the normal forces, beginning with those of `forces`."""
    choices = []
    for contact, mode in zip(contacts, modes, strict=True):
        free = mode.kind == "stick" and contact.tangential >= 0 and not contact.pushes
        first = -1 if free and forces[contact.normal] < 0 else 1
        choices.append((first, -first) if free else (mode.sense if mode.kind == "slide" else 1,))
    signs = product(*choices)
    return [chosen for chosen, _ in zip(signs, range(SENSES_LIMIT), strict=False)]
