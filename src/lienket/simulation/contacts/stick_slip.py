"""Contact modes (open, sticking, sliding) and signs with which all contact laws hold simultaneously (theory 9).

A contact has a normal row and, with friction, a tangential one. The accelerations y of the rows (or the velocities
after an impact) are affine in their forces,

    y = S lambda + y0.

A contact is in one of these modes:

    OPEN     lambda_n = lambda_t = 0,                     y_n >= 0              unilateral contacts only
    STICK    y_n = 0, y_t = 0,                            |lambda_t| <= mu_static |lambda_n|
    SLIDE    y_n = 0, lambda_t = -mu d s lambda_n,        s lambda_n >= 0,      d y_t >= 0 if it starts to slide

d is the direction of sliding and s the sign of the normal force, both 1 or -1. For fixed modes the forces follow from
a linear system. Up to three contacts, patterns of modes are tried one after another: those with more sticking contacts
first, and among these the previous pattern first; several motions are counted. The modes of more contacts follow from
one linear complementarity problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

import numpy as np

from ...foundation.arrays import Array
from .complementarity import modes_by_complementarity
from .contact_modes import ACCELERATION_SLACK as ACCELERATION_SLACK
from .contact_modes import DISTINCT_MOTIONS, STICK, ModePattern
from .contact_modes import OPEN as OPEN
from .contact_modes import SLIDE as SLIDE
from .contact_modes import ClosedContact as ClosedContact
from .contact_modes import Mode as Mode
from .drives import ContactDrives
from .mode_forces import size_of_rows, valid_forces
from .single_contact import modes_of_one_contact

EXHAUSTIVE_UP_TO = 3  # [contacts] for which all patterns are tried; for more, one complementarity problem is solved
FALLBACK_PATTERNS = 500  # [patterns] tried for more contacts where that problem has no solution


def find_modes(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    previous: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """Return the pattern of modes in which every contact obeys its law, or None; `drives` react to the forces.

    A bounded drive would leave a contact at rest that could as well slide: modes in which drives move what programs
    ask for come first, those in which they cannot only if there are no others.
    """
    if len(contacts) == 1 and contacts[0].tangential == 1 and drives is None:
        single = modes_of_one_contact(S.tolist(), y0.tolist(), contacts[0], previous)
        if single is not None:
            return single[0]
    find = _modes_of_many if len(contacts) > EXHAUSTIVE_UP_TO else search_modes
    if drives is not None and drives.exact < len(drives.required):
        pattern = find(S, y0, contacts, previous, replace(drives, effective=True))
        if pattern is not None:
            return pattern
    return find(S, y0, contacts, previous, drives)


def search_modes(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    previous: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """Return the pattern of modes of few contacts by trying all in order; None if none is valid."""
    patterns: list[ModePattern] = []
    most_sticking = -1
    for modes in _candidates(contacts, previous):
        sticking = _sticking(contacts, modes)
        if sticking < most_sticking:
            break
        forces = valid_forces(S, y0, contacts, modes, drives)
        if forces is None:
            continue
        distance = DISTINCT_MOTIONS * size_of_rows(S, y0, forces)
        if not any(np.allclose(S @ (forces - other.forces), 0.0, atol=distance) for other in patterns):
            patterns.append(ModePattern(modes, forces))
        most_sticking = sticking
    if not patterns:
        return None
    return ModePattern(patterns[0].modes, patterns[0].forces, len(patterns) - 1)


def _modes_of_many(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    previous: Sequence[Mode] | None,
    drives: ContactDrives | None,
) -> ModePattern | None:
    """Return a pattern of modes of many contacts; None if none is found.

    First the pattern in which all contacts stick that can, then the previous one, then the solution of the
    complementarity problem, at last the first FALLBACK_PATTERNS of all patterns.
    """
    possible = [contact.modes() for contact in contacts]
    first = [tuple(modes[0] for modes in possible)]
    if previous is not None and all(mode in modes for mode, modes in zip(previous, possible, strict=True)):
        first.append(tuple(previous))
    for modes in first:
        forces = valid_forces(S, y0, contacts, modes, drives)
        if forces is not None:
            return ModePattern(modes, forces)
    pattern = modes_by_complementarity(S, y0, contacts, drives)
    if pattern is not None:
        return pattern
    for modes in islice(product(*possible), FALLBACK_PATTERNS):
        forces = valid_forces(S, y0, contacts, modes, drives)
        if forces is not None:
            return ModePattern(modes, forces)
    return None


def _candidates(contacts: Sequence[ClosedContact], previous: Sequence[Mode] | None) -> Iterator[tuple[Mode, ...]]:
    """Yield all combinations of modes, more sticking contacts first; among these the previous combination first."""
    before = None if previous is None else tuple(previous)
    combinations = list(product(*(contact.modes() for contact in contacts)))
    yield from sorted(combinations, key=lambda modes: (-_sticking(contacts, modes), modes != before))


def _sticking(contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> int:
    """Return the number of sticking contacts with friction; without friction the mode STICK only means closed."""
    return sum(mode.kind == STICK and contact.tangential >= 0 for contact, mode in zip(contacts, modes, strict=True))
