"""Which way each contact acts: the patterns of signs and modes with which all laws hold at once (theory 9).

A contact has a normal row and, with friction, a tangential one. What the rows do depends linearly on their forces,

    y = S lambda + y0,

y accelerations (or velocities after an impact). A contact is in one of these modes:

    OPEN     lambda_n = lambda_t = 0,                     y_n >= 0              unilateral contacts only
    STICK    y_n = 0, y_t = 0,                            |lambda_t| <= mu_static |lambda_n|
    SLIDE    y_n = 0, lambda_t = -mu d s lambda_n,        s lambda_n >= 0,      d y_t >= 0 if it only begins to slide

d is the direction of sliding and s the sense of the normal force, both 1 or -1. For given modes the forces follow from
a linear system; patterns are tried one after another, the one before first, and what can stick sticks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .drives import ContactDrives

Array = Any

OPEN, STICK, SLIDE = "open", "stick", "slide"
CLOSE = 1e-9
"""As a share of the accelerations there are, what an inequality may be missed by: events are known so well."""
HELD = 1e-11
"""The same for forces. Rounding only: beyond, what leans on a grip just as strong would stick that should slide."""
SURE = 1e-6
"""What must be left of a system of one contact for it to be solved without further care."""
MANY = 3
"""So many contacts may be tried in all patterns, to see whether there are several; with more the first is taken."""


@dataclass(frozen=True)
class Mode:
    """What one contact does; `direction` is 0 unless it slides."""

    kind: str
    direction: int = 0
    sense: int = 1


@dataclass(frozen=True)
class ClosedContact:
    """One contact for the search: its rows among y, -1 for no friction; coefficients; what it may do.

    `moving` is the direction in which it slides already, else 0; `pushes` says that it can only push; `may_stick`
    is False where its grip has just been broken.
    """

    name: str
    normal: int
    tangential: int
    mu: float
    mu_static: float
    pushes: bool
    moving: int = 0
    may_stick: bool = True
    must_slide: int = 0

    def modes(self) -> list[Mode]:
        """Everything it might do, sticking first."""
        senses = (1,) if self.pushes else (1, -1)
        found = []
        if self.tangential < 0 or (self.moving == 0 and self.may_stick):
            found.append(Mode(STICK))
        if self.tangential >= 0:
            directions = (self.moving,) if self.moving else (self.must_slide,) if self.must_slide else (1, -1)
            found += [Mode(SLIDE, d, s) for d in directions for s in senses]
        return [*found, Mode(OPEN)] if self.pushes else found


@dataclass(frozen=True)
class ModePattern:
    """The modes of all contacts and the forces of their rows; `others` counts further patterns that hold as well."""

    modes: tuple[Mode, ...]
    forces: Array
    others: int = 0


def find_modes(
    S: Array,
    y0: Array,
    touches: Sequence[ClosedContact],
    first: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """The pattern in which every contact obeys its law, and its forces; None if there is none. `drives` answer."""
    if len(touches) == 1 and touches[0].tangential == 1 and drives is None:
        alone = _modes_of_one_contact(S.tolist(), y0.tolist(), touches[0], first)
        if alone is not None:
            return alone[0]
    return search_modes(S, y0, touches, first, drives)


def search_modes(
    S: Array,
    y0: Array,
    touches: Sequence[ClosedContact],
    first: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """The same for any number of contacts, by trying."""
    found: list[ModePattern] = []
    most_sticking = -1
    for modes in _candidates(touches, first):
        sticking = _sticking(touches, modes)
        if sticking < most_sticking:
            break
        forces, pushed = _forces(S, y0, touches, modes), y0
        if forces is not None and drives is not None:
            forces, pushed = _driven(S, y0, touches, modes, forces, drives)
        if forces is None or not _obeys_laws(S, pushed, touches, modes, forces):
            continue
        if not any(np.allclose(S @ (forces - other.forces), 0.0, atol=1e-7 * _size(S, y0, forces)) for other in found):
            found.append(ModePattern(modes, forces))
        most_sticking = sticking
        if len(touches) > MANY:
            break
    if not found:
        return None
    return ModePattern(found[0].modes, found[0].forces, len(found) - 1)


def _modes_of_one_contact(
    S: list[list[float]], y0: list[float], touch: ClosedContact, first: Any
) -> tuple[ModePattern | None] | None:
    """The same for one contact with friction, by numbers one at a time; None where a system is nearly singular."""
    (nn, nt), (tn, tt) = S
    n0, t0 = y0
    found: list[tuple[Mode, float, float, float, float]] = []
    for (mode,) in _candidates((touch,), first):
        if found and (found[0][0].kind == STICK or mode.kind == STICK):
            break
        normal = tangential = 0.0
        if mode.kind == STICK:
            whole = nn * tt - nt * tn
            if not whole > SURE * nn * tt > 0:
                return None
            normal, tangential = (nt * t0 - tt * n0) / whole, (tn * n0 - nn * t0) / whole
        elif mode.kind == SLIDE:
            share = touch.mu * mode.direction * mode.sense
            whole = nn - share * nt
            if not abs(whole) > SURE * (nn + abs(share * nt)):
                return None
            normal = -n0 / whole
            tangential = -share * normal
        yn, yt = nn * normal + nt * tangential + n0, tn * normal + tt * tangential + t0
        sizes = [abs(a * normal) + abs(b * tangential) + abs(c) for a, b, c in ((nn, nt, n0), (tn, tt, t0))]
        little, force = CLOSE * max(sizes), HELD * max(abs(normal), abs(tangential))
        if mode.kind == OPEN:
            holds = yn >= -little
        elif touch.pushes and normal < -force:
            holds = False
        elif mode.kind == STICK:
            holds = abs(tangential) <= touch.mu_static * abs(normal) + force
        else:
            holds = mode.sense * normal >= -force and (touch.moving != 0 or mode.direction * yt >= -little)
        far = 1e-7 * max(sizes)
        if holds and all(abs(yn - a) > far or abs(yt - b) > far for _, _, _, a, b in found):
            found.append((mode, normal, tangential, yn, yt))
    if not found:
        return (None,)
    mode, normal, tangential, *_ = found[0]
    return (ModePattern((mode,), np.array([normal, tangential]), len(found) - 1),)


def _candidates(touches: Sequence[ClosedContact], first: Sequence[Mode] | None) -> Iterator[tuple[Mode, ...]]:
    """All combinations, those with more sticking contacts first; among these the one before first."""
    wanted = None if first is None else tuple(first)
    listed = list(product(*(touch.modes() for touch in touches)))
    yield from sorted(listed, key=lambda modes: (-_sticking(touches, modes), modes != wanted))


def _sticking(touches: Sequence[ClosedContact], modes: Sequence[Mode]) -> int:
    """How many contacts with friction stick; one without is closed in that mode, which is no better than open."""
    return sum(mode.kind == STICK and touch.tangential >= 0 for touch, mode in zip(touches, modes, strict=True))


def _forces(S: Array, y0: Array, touches: Sequence[ClosedContact], modes: Sequence[Mode]) -> Array | None:
    """The forces of the rows in these modes; None where the system for them is singular."""
    size = len(y0)
    matrix, right = np.eye(size), np.zeros(size)  # forces that are not mentioned vanish
    for touch, mode in zip(touches, modes, strict=True):
        if mode.kind == OPEN:
            continue
        matrix[touch.normal], right[touch.normal] = S[touch.normal], -y0[touch.normal]
        if touch.tangential >= 0 and mode.kind == STICK:
            matrix[touch.tangential], right[touch.tangential] = S[touch.tangential], -y0[touch.tangential]
        elif mode.kind == SLIDE:
            matrix[touch.tangential, touch.normal] = touch.mu * mode.direction * mode.sense
    rows = np.abs(matrix).max(axis=1)
    rows[rows == 0] = 1.0
    try:
        inverse = np.linalg.inv(matrix / rows[:, None])
    except np.linalg.LinAlgError:
        inverse = None
    if inverse is None or not np.abs(inverse).max() < 1e11:
        found, *_ = np.linalg.lstsq(matrix, right, rcond=1e-11)  # contacts that share a load share it evenly
        return found if np.allclose(matrix @ found, right, atol=1e-9 * (1e-300 + np.abs(right).max())) else None
    return np.linalg.solve(matrix, right)


def _driven(
    S: Array, y0: Array, touches: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array, drives: ContactDrives
) -> tuple[Array | None, Array]:
    """The forces with the drives that answer in these modes, and y0 with them."""
    responses = [_forces(S, column, touches, modes) for column in drives.Y.T]
    if any(response is None for response in responses):
        return None, y0
    moved = np.array(responses).reshape(len(responses), len(y0)).T
    u = drives.answer(forces, moved)
    if u is None:
        return None, y0
    return forces + moved @ u, y0 + drives.Y @ u


def _obeys_laws(S: Array, y0: Array, touches: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array) -> bool:
    """Whether every inequality holds, but for rounding."""
    y = S @ forces + y0
    little, force = CLOSE * _size(S, y0, forces), HELD * float(np.max(np.abs(forces), initial=0.0))
    for touch, mode in zip(touches, modes, strict=True):
        normal = forces[touch.normal]
        if mode.kind == OPEN:
            if y[touch.normal] < -little:
                return False
            continue
        if touch.pushes and normal < -force:
            return False
        if mode.kind == STICK and touch.tangential >= 0:
            if abs(forces[touch.tangential]) > touch.mu_static * abs(normal) + force:
                return False
        elif mode.kind == SLIDE:
            begins = touch.moving == 0 and mode.direction * y[touch.tangential] < -little
            if begins or mode.sense * normal < -force:
                return False
    return True


def _size(S: Array, y0: Array, forces: Array) -> float:
    """The largest term in y."""
    return float(np.max(np.abs(S) @ np.abs(forces) + np.abs(y0), initial=0.0))
