"""Contact modes (open, sticking, sliding) and signs with which all contact laws hold simultaneously (theory 9).

A contact has a normal row and, with friction, a tangential one. The accelerations y of the rows (or the velocities
after an impact) are affine in their forces,

    y = S lambda + y0.

A contact is in one of these modes:

    OPEN     lambda_n = lambda_t = 0,                     y_n >= 0              unilateral contacts only
    STICK    y_n = 0, y_t = 0,                            |lambda_t| <= mu_static |lambda_n|
    SLIDE    y_n = 0, lambda_t = -mu d s lambda_n,        s lambda_n >= 0,      d y_t >= 0 if it starts to slide

d is the direction of sliding and s the sign of the normal force, both 1 or -1. For fixed modes the forces follow from
a linear system. Patterns of modes are tried one after another: those with more sticking contacts first, and among
these the previous pattern first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .drives import ContactDrives
from .force_sharing import self_stresses, share_forces

OPEN, STICK, SLIDE = "open", "stick", "slide"
# [1] violation of an inequality of accelerations, relative to their terms; the accuracy of events
ACCELERATION_SLACK = 1e-9
# [1] violation of an inequality of forces, relative to these; rounding only, or a contact at its limit would stick
FORCE_SLACK = 1e-11
WELL_CONDITIONED = 1e-6  # [1] determinant of one contact, relative to its terms, above which it is solved directly
EXHAUSTIVE_UP_TO = 3  # [contacts] for which all patterns are tried; for more contacts the first valid one is taken
DISTINCT_MOTIONS = 1e-7  # [1] difference of accelerations, relative to their terms, above which two patterns differ
INVERSE_LIMIT = 1e11  # [1] entry of the inverse, rows scaled to 1, above which a mode's system counts as singular
LOAD_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero where loads are shared
LOAD_RESIDUAL_TOLERANCE = 1e-9  # [1] residual of a singular system, relative to its right-hand side


@dataclass(frozen=True)
class Mode:
    """Mode of one contact: its kind, direction of sliding (0 unless it slides) and sign `sense` of the normal force."""

    kind: str
    direction: int = 0
    sense: int = 1


@dataclass(frozen=True)
class ClosedContact:
    """Closed contact in the search for modes: its rows in y (`tangential` -1 without friction) and coefficients.

    `pushes`: unilateral, its normal force cannot be negative. `moving` is the direction in which it slides already,
    otherwise 0. `may_stick` is False where its static friction has just been exceeded; it then slides in the direction
    `must_slide`, in any if that is 0. `smooth`: its coefficients are constant and zero; it slides without a direction.
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
    smooth: bool = False

    def modes(self) -> list[Mode]:
        """Return all modes that the contact may take, sticking first."""
        senses = (1,) if self.pushes else (1, -1)
        modes = []
        if self.tangential < 0 or (self.moving == 0 and self.may_stick and not self.smooth):
            modes.append(Mode(STICK))
        if self.tangential >= 0:
            directions = (0,) if self.smooth else (self.moving,) if self.moving else (self.must_slide,) if self.must_slide else (1, -1)
            modes += [Mode(SLIDE, d, s) for d in directions for s in senses]
        return [*modes, Mode(OPEN)] if self.pushes else modes


@dataclass(frozen=True)
class ModePattern:
    """Modes of all contacts and the forces of their rows; `others` is the number of further valid patterns."""

    modes: tuple[Mode, ...]
    forces: Array
    others: int = 0


def find_modes(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    previous: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """Return the pattern of modes in which every contact obeys its law, or None; `drives` react to the forces."""
    if len(contacts) == 1 and contacts[0].tangential == 1 and drives is None:
        single = _modes_of_one_contact(S.tolist(), y0.tolist(), contacts[0], previous)
        if single is not None:
            return single[0]
    return search_modes(S, y0, contacts, previous, drives)


def search_modes(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    previous: Sequence[Mode] | None = None,
    drives: ContactDrives | None = None,
) -> ModePattern | None:
    """Return the pattern of modes of any number of contacts by trying candidates in order; None if none is valid."""
    patterns: list[ModePattern] = []
    most_sticking = -1
    for modes in _candidates(contacts, previous):
        sticking = _sticking(contacts, modes)
        if sticking < most_sticking:
            break
        forces = _valid_forces(S, y0, contacts, modes, drives)
        if forces is None:
            continue
        distance = DISTINCT_MOTIONS * _size(S, y0, forces)
        if not any(np.allclose(S @ (forces - other.forces), 0.0, atol=distance) for other in patterns):
            patterns.append(ModePattern(modes, forces))
        most_sticking = sticking
        if len(contacts) > EXHAUSTIVE_UP_TO:
            break
    if not patterns:
        return None
    return ModePattern(patterns[0].modes, patterns[0].forces, len(patterns) - 1)


def _modes_of_one_contact(
    S: list[list[float]], y0: list[float], contact: ClosedContact, previous: Sequence[Mode] | None
) -> tuple[ModePattern | None] | None:
    """Return (pattern,) of one contact with friction by scalar arithmetic; None where a system is nearly singular."""
    (nn, nt), (tn, tt) = S
    n0, t0 = y0
    valid: list[tuple[Mode, float, float, float, float]] = []
    for (mode,) in _candidates((contact,), previous):
        if valid and (valid[0][0].kind == STICK or mode.kind == STICK):
            break
        normal = tangential = 0.0
        if mode.kind == STICK:
            determinant = nn * tt - nt * tn
            if not determinant > WELL_CONDITIONED * nn * tt > 0:
                return None
            normal, tangential = (nt * t0 - tt * n0) / determinant, (tn * n0 - nn * t0) / determinant
        elif mode.kind == SLIDE:
            friction = contact.mu * mode.direction * mode.sense
            determinant = nn - friction * nt
            if not abs(determinant) > WELL_CONDITIONED * (nn + abs(friction * nt)):
                return None
            normal = -n0 / determinant
            tangential = -friction * normal
        yn, yt = nn * normal + nt * tangential + n0, tn * normal + tt * tangential + t0
        sizes = [abs(a * normal) + abs(b * tangential) + abs(c) for a, b, c in ((nn, nt, n0), (tn, tt, t0))]
        motion_slack, force_slack = ACCELERATION_SLACK * max(sizes), FORCE_SLACK * max(abs(normal), abs(tangential))
        if mode.kind == OPEN:
            holds = yn >= -motion_slack
        elif contact.pushes and normal < -force_slack:
            holds = False
        elif mode.kind == STICK:
            holds = abs(tangential) <= contact.mu_static * abs(normal) + force_slack
        else:
            starts = contact.moving != 0 or mode.direction * yt >= -motion_slack
            holds = mode.sense * normal >= -force_slack and starts
        distance = DISTINCT_MOTIONS * max(sizes)
        if holds and all(abs(yn - a) > distance or abs(yt - b) > distance for _, _, _, a, b in valid):
            valid.append((mode, normal, tangential, yn, yt))
    if not valid:
        return (None,)
    mode, normal, tangential, *_ = valid[0]
    return (ModePattern((mode,), np.array([normal, tangential]), len(valid) - 1),)


def _candidates(contacts: Sequence[ClosedContact], previous: Sequence[Mode] | None) -> Iterator[tuple[Mode, ...]]:
    """Yield all combinations of modes, more sticking contacts first; among these the previous combination first."""
    before = None if previous is None else tuple(previous)
    combinations = list(product(*(contact.modes() for contact in contacts)))
    yield from sorted(combinations, key=lambda modes: (-_sticking(contacts, modes), modes != before))


def _sticking(contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> int:
    """Return the number of sticking contacts with friction; without friction the mode STICK only means closed."""
    return sum(mode.kind == STICK and contact.tangential >= 0 for contact, mode in zip(contacts, modes, strict=True))


def mode_system(
    S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode]
) -> tuple[Array, Array]:
    """Return matrix (c x c) and right side (c) of the linear system for the forces of the rows in these modes."""
    size = len(y0)
    matrix, right = np.eye(size), np.zeros(size)  # other forces are zero
    for contact, mode in zip(contacts, modes, strict=True):
        if mode.kind == OPEN:
            continue
        matrix[contact.normal], right[contact.normal] = S[contact.normal], -y0[contact.normal]
        if contact.tangential >= 0 and mode.kind == STICK:
            matrix[contact.tangential], right[contact.tangential] = S[contact.tangential], -y0[contact.tangential]
        elif mode.kind == SLIDE:
            matrix[contact.tangential, contact.normal] = contact.mu * mode.direction * mode.sense
    return matrix, right


def is_singular(matrix: Array) -> bool:
    """Return whether the system of the modes does not determine all forces, its rows scaled to 1."""
    rows = np.abs(matrix).max(axis=1)
    rows[rows == 0] = 1.0
    try:
        inverse = np.linalg.inv(matrix / rows[:, None])
    except np.linalg.LinAlgError:
        return True
    return not np.abs(inverse).max(initial=0.0) < INVERSE_LIMIT


def _solve_forces(matrix: Array, right: Array, singular: bool) -> Array | None:
    """Return the forces, those of least norm if they are not unique; None where there are none."""
    if not singular:
        return np.asarray(np.linalg.solve(matrix, right), dtype=float)
    rows = np.abs(matrix).max(axis=1)
    rows[rows == 0] = 1.0
    # least squares: contacts that share a load share it evenly
    forces, *_ = np.linalg.lstsq(matrix / rows[:, None], right / rows, rcond=LOAD_RANK_TOLERANCE)
    slack = LOAD_RESIDUAL_TOLERANCE * (1e-300 + np.abs(right / rows).max())
    solved = np.allclose(matrix @ forces / rows, right / rows, rtol=0.0, atol=slack)
    return np.asarray(forces, dtype=float) if solved else None


def least_forces(S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> Array | None:
    """Return the forces in these modes, of least norm if they are not unique; None where there are none."""
    matrix, right = mode_system(S, y0, contacts, modes)
    return _solve_forces(matrix, right, is_singular(matrix))


def _valid_forces(
    S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode], drives: ContactDrives | None
) -> Array | None:
    """Return forces with which all contacts obey their laws in these modes; None if there are none.

    Forces that are not unique have the least norm if this distribution is valid, otherwise the largest margin.
    """
    matrix, right = mode_system(S, y0, contacts, modes)
    singular = is_singular(matrix)
    forces = _solve_forces(matrix, right, singular)
    if forces is not None and drives is not None:
        forces, y0 = _forces_with_drives(matrix, singular, forces, y0, drives, contacts, modes)
    if forces is None:
        return None
    if _obeys_laws(S, y0, contacts, modes, forces):
        return forces
    N = self_stresses(S, matrix) if singular else np.zeros((len(forces), 0))
    if not N.shape[1]:
        return None
    forces, _ = share_forces(contacts, modes, forces, N)
    return forces if _obeys_laws(S, y0, contacts, modes, forces) else None


def _forces_with_drives(
    matrix: Array,
    singular: bool,
    forces: Array,
    y0: Array,
    drives: ContactDrives,
    contacts: Sequence[ClosedContact],
    modes: Sequence[Mode],
) -> tuple[Array | None, Array]:
    """Return the forces and y0 including the drives in these modes; the forces are None where there are none."""
    closed = np.zeros(len(y0), dtype=bool)
    for contact, mode in zip(contacts, modes, strict=True):
        closed[contact.normal] = mode.kind != OPEN
        if contact.tangential >= 0:
            closed[contact.tangential] = mode.kind == STICK
    responses = [_solve_forces(matrix, np.where(closed, -column, 0.0), singular) for column in drives.Y.T]
    found = [response for response in responses if response is not None]
    if len(found) < len(responses):
        return None, y0
    L = np.array(found).reshape(len(found), len(y0)).T
    u = drives.solve(forces, L)
    if u is None:
        return None, y0
    return forces + L @ u, y0 + drives.Y @ u


def _obeys_laws(S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array) -> bool:
    """Return whether every inequality of the laws holds within its slack."""
    y = S @ forces + y0
    motion_slack = ACCELERATION_SLACK * _size(S, y0, forces)
    force_slack = FORCE_SLACK * float(np.max(np.abs(forces), initial=0.0))
    for contact, mode in zip(contacts, modes, strict=True):
        normal = forces[contact.normal]
        if mode.kind == OPEN:
            if y[contact.normal] < -motion_slack:
                return False
            continue
        if contact.pushes and normal < -force_slack:
            return False
        if mode.kind == STICK and contact.tangential >= 0:
            if abs(forces[contact.tangential]) > contact.mu_static * abs(normal) + force_slack:
                return False
        elif mode.kind == SLIDE:
            backwards = contact.moving == 0 and mode.direction * y[contact.tangential] < -motion_slack
            if backwards or mode.sense * normal < -force_slack:
                return False
    return True


def _size(S: Array, y0: Array, forces: Array) -> float:
    """Return the size of the largest row of |S| |forces| + |y0|."""
    return float(np.max(np.abs(S) @ np.abs(forces) + np.abs(y0), initial=0.0))
