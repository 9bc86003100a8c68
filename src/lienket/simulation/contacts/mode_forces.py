"""Forces of the contact rows in given modes, and whether they obey all laws.

S lambda + y0 = 0 in closed normal and sticking rows,    lambda_t = -mu d s lambda_n in sliding ones,    else 0
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...foundation.arrays import Array, BoolArray
from .contact_modes import ACCELERATION_SLACK, FORCE_SLACK, OPEN, SLIDE, STICK, ClosedContact, Mode
from .drives import ContactDrives
from .force_sharing import self_stresses, share_forces
from .unit_mobility import row_units

INVERSE_LIMIT = 1e11  # [1] entry of the inverse, rows scaled to 1, above which a mode's system counts as singular
# [1] determinant of the feedback of friction on shared loads, from which the kernels find a motion
FEEDBACK_DETERMINANT = 1e-9
LOAD_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that counts as zero where loads are shared
LOAD_RESIDUAL_TOLERANCE = 1e-9  # [1] residual of a singular system, relative to its right-hand side


def valid_forces(
    S: Array,
    y0: Array,
    contacts: Sequence[ClosedContact],
    modes: Sequence[Mode],
    drives: ContactDrives | None = None,
) -> Array | None:
    """Return forces with which all contacts obey their laws in these modes; None if there are none.

    Forces that are not unique have the least norm if this distribution is valid, otherwise the largest margin.
    """
    matrix, right = mode_system(S, y0, contacts, modes)
    singular, ideal = is_singular(matrix), ideal_rows(len(y0), contacts, modes)
    forces = _solve_forces(matrix, right, ideal, singular)
    if forces is not None and drives is not None:
        forces, y0 = _forces_with_drives(matrix, ideal, singular, forces, y0, drives)
    if forces is None:
        return None
    if obeys_laws(S, y0, contacts, modes, forces):
        return forces
    N = self_stresses(S, matrix) if singular else np.zeros((len(forces), 0))
    if not N.shape[1]:
        return None
    forces, _ = share_forces(contacts, modes, forces, N)
    return forces if obeys_laws(S, y0, contacts, modes, forces) else None


def least_forces(S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> Array | None:
    """Return the forces in these modes, of least norm if they are not unique; None where there are none."""
    matrix, right = mode_system(S, y0, contacts, modes)
    return _solve_forces(matrix, right, ideal_rows(len(y0), contacts, modes), is_singular(matrix))


def mode_system(S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> tuple[Array, Array]:
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


def ideal_rows(size: int, contacts: Sequence[ClosedContact], modes: Sequence[Mode]) -> BoolArray:
    """Return which rows are held like constraints (c): normal rows of closed contacts, tangential of sticking ones."""
    held = np.zeros(size, dtype=bool)
    for contact, mode in zip(contacts, modes, strict=True):
        held[contact.normal] = mode.kind != OPEN
        if contact.tangential >= 0:
            held[contact.tangential] = mode.kind == STICK
    return held


def is_singular(matrix: Array) -> bool:
    """Return whether the system of the modes does not determine all forces, its rows and columns scaled to 1."""
    rows = np.abs(matrix).max(axis=1)
    rows[rows == 0] = 1.0
    scaled = matrix / rows[:, None]
    columns = np.abs(scaled).max(axis=0)
    columns[columns == 0] = 1.0
    try:
        inverse = np.linalg.inv(scaled / columns)
    except np.linalg.LinAlgError:
        return True
    return not np.abs(inverse).max(initial=0.0) < INVERSE_LIMIT


def _solve_forces(matrix: Array, right: Array, ideal: BoolArray, singular: bool) -> Array | None:
    """Return the forces, those of least norm if they are not unique; None where there are none."""
    if not singular:
        return np.asarray(np.linalg.solve(matrix, right), dtype=float)
    rows = np.abs(matrix).max(axis=1)
    rows[rows == 0] = 1.0
    matrix, right = matrix / rows[:, None], right / rows
    forces = _least_ideal_forces(matrix, right, ideal)
    if forces is None:
        return None
    slack = LOAD_RESIDUAL_TOLERANCE * (1e-300 + np.abs(right).max())
    solved = np.allclose(matrix @ forces, right, rtol=0.0, atol=slack)
    return forces if solved else None


def _least_ideal_forces(matrix: Array, right: Array, ideal: BoolArray) -> Array | None:
    """Return forces of a singular system as the kernels choose them; None where these find no unique motion.

    The ideal rows have forces of least norm for given friction, x = P (b - B F x) with the pseudo-inverse P of their
    part of the matrix, the part B of the sliding rows and friction F x. This matters where sliding contacts with
    different coefficients share a load: then the motion depends on the distribution.
    """
    laws = ~ideal
    inverse = np.linalg.pinv(matrix[np.ix_(ideal, ideal)], rcond=LOAD_RANK_TOLERANCE)
    friction = -matrix[np.ix_(laws, ideal)] / matrix.diagonal()[laws][:, None]
    feedback = np.eye(int(ideal.sum())) + inverse @ matrix[np.ix_(ideal, laws)] @ friction
    if is_singular(feedback) or not np.linalg.det(feedback) > FEEDBACK_DETERMINANT:
        return None
    forces = np.zeros(len(right))
    forces[ideal] = np.linalg.solve(feedback, inverse @ right[ideal])
    forces[laws] = friction @ forces[ideal]
    return forces


def _forces_with_drives(
    matrix: Array, ideal: BoolArray, singular: bool, forces: Array, y0: Array, drives: ContactDrives
) -> tuple[Array | None, Array]:
    """Return the forces and y0 including the drives in these modes; the forces are None where there are none."""
    responses = [_solve_forces(matrix, np.where(ideal, -column, 0.0), ideal, singular) for column in drives.Y.T]
    found = [response for response in responses if response is not None]
    if len(found) < len(responses):
        return None, y0
    L = np.array(found).reshape(len(found), len(y0)).T
    u = drives.solve(forces, L)
    if u is None:
        return None, y0
    return forces + L @ u, y0 + drives.Y @ u


def obeys_laws(S: Array, y0: Array, contacts: Sequence[ClosedContact], modes: Sequence[Mode], forces: Array) -> bool:
    """Return whether every inequality of the laws holds within its slack.

    Slacks are measured in units in which every row has the mobility 1, so that the factor of a constraint, which
    divides its multiplier, does not matter.
    """
    y, units = S @ forces + y0, 1 / row_units(S)
    sizes = (np.abs(S) @ np.abs(forces) + np.abs(y0)) / units
    motion_slack = ACCELERATION_SLACK * float(np.max(sizes, initial=0.0)) * units
    force_slack = FORCE_SLACK * float(np.max(np.abs(forces) * units, initial=0.0)) / units
    for contact, mode in zip(contacts, modes, strict=True):
        n, t = contact.normal, contact.tangential
        normal = forces[n]
        if mode.kind == OPEN:
            if y[n] < -motion_slack[n]:
                return False
            continue
        if contact.pushes and normal < -force_slack[n]:
            return False
        if mode.kind == STICK and t >= 0:
            if abs(forces[t]) > contact.mu_static * abs(normal) + force_slack[t]:
                return False
        elif mode.kind == SLIDE:
            backwards = contact.moving == 0 and mode.direction * y[t] < -motion_slack[t]
            if backwards or mode.sense * normal < -force_slack[n]:
                return False
    return True


def size_of_rows(S: Array, y0: Array, forces: Array) -> float:
    """Return the size of the largest row of |S| |forces| + |y0|."""
    return float(np.max(np.abs(S) @ np.abs(forces) + np.abs(y0), initial=0.0))
