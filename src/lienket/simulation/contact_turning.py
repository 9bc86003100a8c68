"""A contact that stops and turns back at once, as a slider does at its dead points: the quick way.

What a contact does when its slip has become 0 follows from a search of patterns in general. But where its slip changes
at the same sign with friction one way and the other way, no friction between can hold it: it slides on the other way.
Two evaluations of the equations tell.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel
from .contacts import Contacts
from .native.limits import CLEARLY
from .patterns import SLIDE, Mode

Array = Any


def turned_back(
    contacts: Contacts, k: int, state: tuple[Any, ...], model: CompiledModel, now: tuple[Mode, ...]
) -> tuple[Mode, ...] | None:
    """The modes in which contact k slides the other way; None where that is not clear, or more than it would change.

    All contacts that touch slide, and their normal forces keep their signs.
    """
    t, q, v, parameters = state
    motion, direction = model.motion, now[k].direction
    touching = [j for j, mode in enumerate(now) if mode.kind == SLIDE]
    if motion is None or direction == 0 or any(mode.kind not in (SLIDE, "open") for mode in now):
        return None
    rates = []
    for sign in (direction, -direction):
        tried = parameters.copy()
        tried[contacts.contacts[k].direction] = sign
        status, out = motion(t, q, v, tried, np.zeros(model.inputs))
        if status != 0 or not np.isfinite(out).all():
            return None
        forces = dict(zip(model.owners, out[model.n :].tolist(), strict=True))
        if any(forces[contacts.contacts[j].name] * now[j].sense <= 0 for j in touching):
            return None
        said = contacts.system.numbers(t, q, v, tried, out[: model.n])[k]
        rates.append(said.slip_rate)
    middle, half = 0.5 * (rates[0] + rates[1]), 0.5 * abs(rates[0] - rates[1])
    grip = max(1.0, said.mu_static / said.mu) if said.mu > 0 else 1.0
    if not -direction * middle > CLEARLY * grip * half + 1e-12 * abs(middle):
        return None
    return tuple(replace(mode, direction=-direction) if j == k else mode for j, mode in enumerate(now))
