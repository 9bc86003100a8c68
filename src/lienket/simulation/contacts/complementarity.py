"""Modes of many contacts as one linear complementarity problem, in place of a search among patterns.

    lambda_n >= 0,  y_n >= 0,  lambda_n y_n = 0                                  unilateral contacts
    lambda_n = p - n,  p >= 0,  n >= 0,  p n = 0,  y_n = 0,  |lambda_n| = p + n     bilateral contacts
    lambda_t = b - c,  b, c >= 0,   s + y_t >= 0,  s - y_t >= 0,  mu |lambda_n| - b - c >= 0,  s >= 0,
        complementary in this order: b, c, s                                     contacts that may stick
    lambda_t = -mu d |lambda_n|                                                  contacts that slide already

(Loetstedt, SIAM J. Appl. Math. 42 (1982); Stewart and Trinkle, Int. J. Numer. Meth. Eng. 39 (1996).) The number of
unknowns is at most four for each contact. Its solution gives modes; their forces are computed and every law is checked
afterwards by `mode_forces`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...foundation.arrays import Array
from ...kernels.reactions.lemke import lemke
from .contact_modes import OPEN, SLIDE, STICK, ClosedContact, Mode, ModePattern
from .drives import ContactDrives
from .mode_forces import is_singular, valid_forces

MODE_SLACK = 1e-9  # [1] force or acceleration of the complementarity problem, relative to the largest, that is zero
COVERS = 8  # [paths] of Lemke's method that are tried
DIRECTION_ROUNDS = 10  # [rounds] in which contacts that begin to slide take their sliding coefficient


def modes_by_complementarity(
    S: Array, y0: Array, contacts: Sequence[ClosedContact], drives: ContactDrives | None
) -> ModePattern | None:
    """Return a pattern of modes in which every contact obeys its law; None where the method finds none."""
    S_driven = S if drives is None else drives.response_with_drives(S)
    y0_driven = y0 if drives is None else drives.rates_with_drives(y0)
    tried: set[tuple[Mode, ...]] = set()
    for solved in _solutions(S_driven, y0_driven, list(contacts)):
        for modes in _modes(S_driven, y0_driven, contacts, solved):
            if modes in tried:
                continue
            tried.add(modes)
            forces = valid_forces(S, y0, contacts, modes, drives)
            if forces is not None:
                return ModePattern(modes, forces)
    return None


def _solutions(S: Array, y0: Array, contacts: list[ClosedContact]) -> Iterator[Array]:
    """Yield forces (c): first with static friction, then with sliding friction where contacts slide in the last."""
    for _ in range(DIRECTION_ROUNDS):
        forces = _solve(S, y0, contacts)
        if forces is None:
            return
        yield forces
        y, slack = S @ forces + y0, MODE_SLACK * _size(S, y0, forces)
        begun = [k for k, c in enumerate(contacts) if _may_stick(c) and abs(y[c.tangential]) > slack]
        begun = [k for k in begun if contacts[k].mu != contacts[k].mu_static]
        if not begun:
            return
        for k in begun:
            contacts[k] = replace(contacts[k], moving=int(np.sign(y[contacts[k].tangential])))


def _may_stick(contact: ClosedContact) -> bool:
    """Return whether friction of the contact is unknown: it is at rest, and rough."""
    return contact.tangential >= 0 and not contact.moving and not contact.smooth and not contact.must_slide


def _solve(S: Array, y0: Array, contacts: Sequence[ClosedContact]) -> Array | None:
    """Return forces (c) that solve the complementarity problem; None where there is no solution or no such problem.

    The forces are P z + R w with the unknowns z and w of the problem; E w = F z + e are its equations.
    """
    size = len(y0)
    scale = 1 / np.sqrt(np.where(S.diagonal() > 0, S.diagonal(), 1.0))
    S, y0 = S * scale * scale[:, None], y0 * scale
    count = sum(1 + 3 * _may_stick(c) for c in contacts)
    P, R = np.zeros((size, count)), np.zeros((size, count))  # forces
    N, Q = np.zeros((size, count)), np.zeros((size, count))  # |normal forces|, in the normal rows
    at = 0
    for c in contacts:
        P[c.normal, at] = N[c.normal, at] = 1.0
        if not c.pushes:
            R[c.normal, at], Q[c.normal, at] = -1.0, 1.0
        if _may_stick(c):
            P[c.tangential, at + 1], P[c.tangential, at + 2] = 1.0, -1.0
        elif c.tangential >= 0:
            friction = -c.mu * (c.moving or c.must_slide) * scale[c.normal] / scale[c.tangential]
            P[c.tangential], R[c.tangential] = friction * N[c.normal], friction * Q[c.normal]
        at += 1 + 3 * _may_stick(c)
    E, F, e = np.eye(count), np.zeros((count, count)), np.zeros(count)
    at = 0
    for c in contacts:
        if c.pushes:
            E[at], F[at], e[at] = E[at] - S[c.normal] @ R, S[c.normal] @ P, y0[c.normal]
        else:
            E[at], F[at], e[at] = -S[c.normal] @ R, S[c.normal] @ P, y0[c.normal]
        if _may_stick(c):
            row, rate = S[c.tangential], y0[c.tangential]
            for k, sign in ((at + 1, 1.0), (at + 2, -1.0)):
                E[k], F[k], e[k] = E[k] - sign * row @ R, sign * row @ P, sign * rate
                F[k, at + 3] += 1.0
            limit = c.mu_static * scale[c.normal] / scale[c.tangential]
            E[at + 3], F[at + 3] = E[at + 3] - limit * Q[c.normal], limit * N[c.normal]
            F[at + 3, at + 1 : at + 3] -= 1.0
        at += 1 + 3 * _may_stick(c)
    if is_singular(E):
        return None
    M, q = (np.asarray(np.linalg.solve(E, x), dtype=float) for x in (F, e))
    for k in range(COVERS):
        z = lemke(M, q, 1 + k * np.cos(np.arange(count) * (k + 1)) ** 2)
        if z is not None:
            return scale * (P @ z + R @ np.maximum(M @ z + q, 0.0))
    return None


def _modes(S: Array, y0: Array, contacts: Sequence[ClosedContact], forces: Array) -> Iterator[tuple[Mode, ...]]:
    """Yield the modes of a solution; where a contact neither pushes nor opens, first closed, then open."""
    y, slack = S @ forces + y0, MODE_SLACK * _size(S, y0, forces)
    little = MODE_SLACK * float(np.max(np.abs(forces), initial=0.0))
    for open_if_unloaded in (False, True):
        modes = []
        for c in contacts:
            unloaded = c.pushes and forces[c.normal] <= little
            sense = -1 if not c.pushes and forces[c.normal] < 0 else 1
            if unloaded and (y[c.normal] > slack or open_if_unloaded):
                modes.append(Mode(OPEN))
            elif c.tangential < 0:
                modes.append(Mode(STICK))
            elif c.smooth or c.moving or c.must_slide:
                modes.append(Mode(SLIDE, c.moving or c.must_slide, sense))
            elif abs(y[c.tangential]) > slack or not c.may_stick:
                modes.append(Mode(SLIDE, int(np.sign(y[c.tangential])) or 1, sense))
            else:
                modes.append(Mode(STICK))
        yield tuple(modes)


def _size(S: Array, y0: Array, forces: Array) -> float:
    """Return the largest row of |S| |forces| + |y0|."""
    return float(np.max(np.abs(S) @ np.abs(forces) + np.abs(y0), initial=0.0))
