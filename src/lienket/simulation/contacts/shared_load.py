"""Contacts that share a load: whether their forces are unique at a state, and their modes at the limit of the load.

While redundant contacts stick, the run watches the largest margin of all distributions of their forces
(`native.force_margin`). When it reaches zero, the modes that follow are those which obey the laws slightly later, where
no distribution keeps the previous modes: at the limit itself several patterns have the same forces and motion.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...foundation.arrays import Array
from .contact_modes import OPEN, STICK, ClosedContact, Mode
from .force_sharing import self_stresses, share_forces
from .mode_change import Contacts
from .mode_forces import is_singular, least_forces, mode_system
from .response import ContactResponse

FIRST_LOOK_AHEAD = 1e-12  # [1] shortest time looked ahead, relative to 1 + |t|
LONGEST_LOOK_AHEAD = 1e-3  # [1] longest time looked ahead, relative to 1 + |t|
CLEAR_EXCESS = 1e-6  # [1] missing margin, relative to the forces, from which the previous modes are surely over


def shares_load(contacts: Contacts, state: tuple[float, Array, Array, Array], active: tuple[int, ...]) -> bool:
    """Return whether the forces of the closed contacts are not unique at a state (t, q, v, parameters)."""
    modes = contacts.modes_of(active, state[3])
    numbers = [k for k, mode in enumerate(modes) if mode.kind != OPEN]
    if len(numbers) < 2:
        return False
    closed, response = _closed(contacts, state, modes, numbers, contacts.passive(active))
    matrix, _ = mode_system(response.S, response.y0, closed, [modes[k] for k in numbers])
    return is_singular(matrix) and self_stresses(response.S, matrix).shape[1] > 0


def modes_ahead(
    contacts: Contacts, state: tuple[float, Array, Array, Array], passive: list[int], now: tuple[Mode, ...]
) -> tuple[Mode, ...]:
    """Return the modes that follow where the load of contacts in the modes `now` reaches its limit.

    They are `now` if the load only touches its limit. Raises LienketError where there is no motion or more than one.
    """
    t, q, v, parameters = state
    numbers = [k for k, mode in enumerate(now) if mode.kind != OPEN]
    modes = [now[k] for k in numbers]
    closed, response = _closed(contacts, state, now, numbers, passive)
    a = _accelerations(response, closed, modes)
    step, longest = FIRST_LOOK_AHEAD * (1 + abs(t)), LONGEST_LOOK_AHEAD * (1 + abs(t))
    while step <= longest:
        ahead = (t + step, q + step * v + step * step / 2 * a, v + step * a, parameters)
        closed, response = _closed(contacts, ahead, now, numbers, passive)
        if _margin(response, closed, modes) < -CLEAR_EXCESS:
            resting = frozenset(k for k in numbers if now[k].kind == STICK)
            held = [mode.kind != OPEN for mode in now]
            return contacts.decide_modes(*ahead, passive, now, resting=resting, held=held)
        step *= 10
    return now


def _closed(
    contacts: Contacts, state: tuple[float, Array, Array, Array], modes: Sequence[Mode], numbers: list[int],
    passive: list[int],
) -> tuple[list[ClosedContact], ContactResponse]:  # fmt: skip
    """Return the contacts with these numbers and the response of their rows."""
    t, q, v, parameters = state
    resting = frozenset(k for k in numbers if modes[k].kind == STICK)
    quantities = contacts.system.quantities(t, q, v, parameters)
    closed, indices = contacts.closed_contacts(numbers, quantities, v, {}, resting)
    return closed, contacts.system.response(t, q, v, parameters, passive, indices, impact=False)


def _accelerations(response: ContactResponse, closed: list[ClosedContact], modes: list[Mode]) -> Array:
    """Return the accelerations (n) in these modes; without contact forces where these do not exist."""
    forces = least_forces(response.S, response.y0, closed, modes)
    return response.a if forces is None else response.a + response.W @ (response.C.T @ forces)


def _margin(response: ContactResponse, closed: list[ClosedContact], modes: list[Mode]) -> float:
    """Return the largest margin of the forces in these modes, relative to them; -infinity if there are none."""
    S, y0 = response.S, response.y0
    forces = least_forces(S, y0, closed, modes)
    if forces is None:
        return -np.inf
    N = self_stresses(S, mode_system(S, y0, closed, modes)[0])
    return share_forces(closed, modes, forces, N)[1] / (np.abs(forces).max(initial=0.0) + 1e-300)
