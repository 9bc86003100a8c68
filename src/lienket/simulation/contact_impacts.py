"""Impacts at contacts: impulses that only push, with friction and restitution (theory 15).

    A (v+ - v-) = C^T Lambda + G^T Lambda_G,      Lambda_n >= 0,      g'+ + e g'- >= 0, one of both 0    (Newton)

All contacts that touch take part, each open, sticking or sliding in the impact, as for accelerations. By Poisson's law
an impact with e = 0 comes first, then each contact gives back e times its impulse, and what would then still approach
is stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import LienketError
from .patterns import Touch, pattern

Array = Any


@dataclass(frozen=True, eq=False)
class Bounce:
    """Velocities after an impact (n), and the normal and tangential impulses of the rows of contacts."""

    v: Array
    impulses: Array


def bounced(answers: Any, v: Array, touches: Sequence[Touch], restitution: Array, impact: str) -> Bounce:
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
            if touch.tangential >= 0:
                given[touch.tangential] = e * impulses[touch.tangential]
        impulses = impulses + given
        impulses = impulses + _struck(answers, answers.y0 + answers.S @ impulses, free)
    return Bounce(v + answers.W @ (answers.C.T @ impulses), impulses)


def _struck(answers: Any, y0: Array, touches: Sequence[Touch]) -> Array:
    found = pattern(answers.S, y0, touches)
    if found is None:
        names = ", ".join(repr(touch.name) for touch in touches)
        raise LienketError(f"No impulses at {names} obey the laws of friction and of the impact at once.")
    return found.forces
