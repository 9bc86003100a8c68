"""Impacts at contacts: impulses that only push, with friction and restitution (theory 15).

    A (v+ - v-) = C^T Lambda + G^T Lambda_G,      Lambda_n >= 0,      g'+ + e g'- >= 0, one of both 0    (Newton)

All contacts that touch take part, each open, sticking or sliding in the impact, as for accelerations. By Poisson's law
an impact with e = 0 comes first; then each contact gives back e times its normal impulse, with friction under that
load, and what would then still approach is stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from .stick_slip import CLOSE, ClosedContact, find_modes

Array = Any

SLOWLY = 10.0
"""How many times as fast as what strikes a contact may open that is held when bounces come to their end."""


@dataclass(frozen=True, eq=False)
class Bounce:
    """Velocities after an impact (n), and the normal and tangential impulses of the rows of contacts."""

    v: Array
    impulses: Array


def bounced(answers: Any, v: Array, touches: Sequence[ClosedContact], restitution: Array, impact: str) -> Bounce:
    """The impact at velocities v (n); `answers` as of ContactSystem, restitution of each touch."""
    free = [replace(touch, moving=0, may_stick=True, must_slide=0) for touch in touches]
    back = np.zeros(len(answers.y0))
    for touch, e in zip(touches, restitution, strict=True):
        back[touch.normal] = e * min(float(answers.y0[touch.normal]), 0.0)
    if impact == "newton":
        impulses = _struck(answers, answers.y0 + back, free)
    else:
        impulses = _struck(answers, answers.y0, free)
        given = np.zeros(len(impulses))
        for touch, e in zip(touches, restitution, strict=True):
            given[touch.normal] = e * impulses[touch.normal]
        impulses = impulses + _rubbed(answers.S, answers.y0 + answers.S @ impulses, given, touches)
        impulses = impulses + _struck(answers, answers.y0 + answers.S @ impulses, free)
    return Bounce(v + answers.W @ (answers.C.T @ impulses), impulses)


def settled(answers: Any, v: Array, touches: Sequence[ClosedContact], found: Bounce) -> Bounce:
    """The impact after which a bounce, or rocking from contact to contact, has come to its end: nothing opens.

    Contacts that would still open, not much faster than something struck, are held by a further impulse; so is
    what sticks.
    """
    y, struck = answers.S @ found.impulses + answers.y0, -min(answers.y0[touch.normal] for touch in touches)
    if any(y[touch.normal] > SLOWLY * struck for touch in touches):
        return found
    still = CLOSE * float(np.abs(answers.y0).max())
    rows = [touch.normal for touch in touches]
    rows += [touch.tangential for touch in touches if touch.tangential >= 0 and abs(y[touch.tangential]) <= still]
    more = np.zeros(len(y))
    more[rows] = np.linalg.lstsq(answers.S[np.ix_(rows, rows)], -y[rows], rcond=1e-11)[0]
    impulses = found.impulses + more
    return Bounce(v + answers.W @ (answers.C.T @ impulses), impulses)


def _rubbed(S: Array, y0: Array, loads: Array, touches: Sequence[ClosedContact]) -> Array:
    """Impulses with friction under given normal ones: each contact sticks, or slides and is braked by mu times them.

    There is always one way, S being positive semidefinite.
    """
    rubbing = [touch for touch in touches if touch.tangential >= 0 and loads[touch.normal] > 0]
    size = float(np.max(np.abs(S) @ np.abs(loads) + np.abs(y0), initial=0.0))
    for directions in sorted(product((0, 1, -1), repeat=len(rubbing)), key=np.count_nonzero):
        found, stuck = loads.copy(), []
        for touch, d in zip(rubbing, directions, strict=True):
            found[touch.tangential] = -touch.mu * d * loads[touch.normal]
            stuck += [touch.tangential] if d == 0 else []
        if stuck:
            left = (y0 + S @ found)[stuck]
            found[stuck] = np.linalg.lstsq(S[np.ix_(stuck, stuck)], -left, rcond=1e-11)[0]
        y = y0 + S @ found
        if all(
            d * y[touch.tangential] >= -CLOSE * size
            if d
            else abs(found[touch.tangential]) <= touch.mu_static * loads[touch.normal] * (1 + CLOSE)
            for touch, d in zip(rubbing, directions, strict=True)
        ):
            return found
    return loads  # not reached but by rounding


def _struck(answers: Any, y0: Array, touches: Sequence[ClosedContact]) -> Array:
    found = find_modes(answers.S, y0, touches)
    if found is None:
        names = ", ".join(repr(touch.name) for touch in touches)
        raise LienketError(f"No impulses at {names} obey the laws of friction and of the impact at once.")
    return found.forces
