"""Forces of contacts that share a load which statics does not determine: the least ones that obey all laws.

Redundant rows leave multipliers undetermined: self-stresses N z may be added, forces that balance each other with the
friction of sliding contacts, so that they change no acceleration,

    (G + share direction)^T N = 0,      lambda = lambda_0 + N z.

Of all distributions in which contacts push and sticking ones stay below their static friction, L lambda >= 0, that with
the shortest N z is taken: lambda_0 itself (the least norm) where it obeys the laws, and continuous in the load.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .pushing_impulses import pushing_impulses

STRESS_TOLERANCE = 1e-9  # [1] singular value of unit rows, relative to the largest, below which forces balance
STRESSED_ROW = 1e-8  # [1] entry of a self-stress of unit rows, above which the force of a row is not unique
LAW_SLACK = 1e-9  # [1] violation of a law of force, relative to the forces, that counts as rounding
SIGN_PATTERNS = 64  # [patterns] of signs of bilateral normal forces that are tried


@dataclass(frozen=True)
class LoadedContact:
    """Closed contact by its rows, `tangential` -1 unless it sticks; `limit`: holding force per normal multiplier.

    `pushes`: unilateral. A rough contact that is not unilateral keeps the sign of its multiplier while it slides.
    """

    normal: int
    tangential: int = -1
    limit: float = 0.0
    pushes: bool = True


def self_stresses(rows: Array) -> Array:
    """Return N (s x d), orthonormal multipliers with rows^T N = 0; rows (s x n) include the friction of each."""
    sizes = np.sqrt((rows * rows).sum(axis=1))
    sizes[sizes == 0] = 1.0
    columns = np.abs(rows / sizes[:, None]).max(axis=0, initial=0.0)
    columns[columns == 0] = 1.0
    _, values, V = np.linalg.svd((rows / sizes[:, None] / columns).T)
    rank = int(np.count_nonzero(values > STRESS_TOLERANCE * values[0])) if values.size else 0
    stresses = V[rank:].T
    if not stresses.shape[1]:
        return np.zeros((len(rows), 0))
    stresses[np.abs(stresses) <= STRESSED_ROW] = 0.0
    return np.asarray(np.linalg.qr(stresses / sizes[:, None])[0], dtype=float)


def stressed_rows(rows: Array) -> Array:
    """Return which multipliers (s) are not unique."""
    N = self_stresses(rows)
    return np.asarray(np.abs(N).max(axis=1, initial=0.0) > STRESSED_ROW * np.abs(N).max(initial=0.0))


def within_laws(rows: Array, multipliers: Array, contacts: Sequence[LoadedContact]) -> Array:
    """Return the multipliers (s) with which all contacts obey their laws; those given if they do, or if none do.

    rows (s x n) are those of all constraints, with the friction of sliding contacts.
    """
    for signs in islice(_signs(multipliers, contacts), SIGN_PATTERNS):
        L = _laws(len(multipliers), contacts, signs)
        if _obeys(L, multipliers):
            return multipliers
    N = self_stresses(rows)
    if not N.shape[1]:
        return multipliers
    for signs in islice(_signs(multipliers, contacts), SIGN_PATTERNS):
        L = _laws(len(multipliers), contacts, signs)
        found = pushing_impulses((L @ N).T, L @ multipliers)
        if found is not None and _obeys(L, multipliers + N @ found[1]):
            return multipliers + N @ found[1]
    return multipliers


def _obeys(L: Array, multipliers: Array) -> bool:
    return bool(np.all(L @ multipliers >= -LAW_SLACK * np.abs(multipliers).max(initial=0.0)))


def _laws(size: int, contacts: Sequence[LoadedContact], signs: Sequence[int]) -> Array:
    """Return L (k x s) of the laws of the contacts; `signs` of their normal multipliers."""
    laws = []
    for contact, sign in zip(contacts, signs, strict=True):
        normal, tangential = np.zeros(size), np.zeros(size)
        normal[contact.normal] = sign
        laws.append(normal)
        if contact.tangential >= 0:
            tangential[contact.tangential] = 1.0
            laws += [contact.limit * normal - tangential, contact.limit * normal + tangential]
    return np.array(laws).reshape(-1, size)


def _signs(multipliers: Array, contacts: Sequence[LoadedContact]) -> product[tuple[int, ...]]:
    """Return the possible signs of the normal multipliers: those of bilateral contacts that stick are open."""
    choices: list[tuple[int, ...]] = []
    for contact in contacts:
        sign = -1 if not contact.pushes and multipliers[contact.normal] < 0 else 1
        choices.append((sign, -sign) if not contact.pushes and contact.tangential >= 0 else (sign,))
    return product(*choices)
