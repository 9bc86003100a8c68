"""Measured force at a sliding point: its components along the path and across it, and the sliding velocity.

    tangential = F . t,   slip = v . t,   normal = F . n

In the plane n is t turned to the left; in space n is given, or the normal force is |F - (F . t) t|.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class MeasuredContact(NamedTuple):
    """Force and slip at a sliding point (N samples), the arguments of `identify(*contact)`.

    Attributes
    ----------
    tangential : ndarray
        Tangential force on the point (N).
    normal : ndarray
        Normal force on the point (N).
    slip : ndarray
        Sliding velocity along the tangent (N).
    """

    tangential: Array
    normal: Array
    slip: Array


def contact(
    force: ArrayLike,
    velocity: ArrayLike,
    tangent: ArrayLike | None = None,
    normal: ArrayLike | None = None,
    still: bool = False,
) -> MeasuredContact:
    """Split a force (N x 2 or N x 3) on a point with a velocity of equal shape into tangential and normal force.

    `tangent` is a direction, or one for each row, of any length; by default it is the direction of the velocity, and
    the slip is never negative. `normal` is a direction too, of which only the part across the tangent counts. Where the
    tangent is zero, both forces and the slip are zero: a point at rest, or any zero tangent with `still`.
    """
    F, v = np.asarray(force, dtype=float), np.asarray(velocity, dtype=float)
    if F.ndim != 2 or F.shape != v.shape or F.shape[1] not in (2, 3):
        raise LienketError(f"Force and velocity must have equal shapes, N x 2 or N x 3, not {F.shape} and {v.shape}.")
    t = _unit_vectors(v if tangent is None else tangent, F.shape, "tangent", still or tangent is None)
    along = np.sum(F * t, axis=1)
    slip = np.sum(v * t, axis=1)
    if normal is not None:
        upright = _unit_vectors(normal, F.shape, "normal", still)
        upright = upright - np.sum(upright * t, axis=1, keepdims=True) * t
        across = np.sum(F * _unit_vectors(upright, F.shape, "part of the normal across the path", still), axis=1)
    elif F.shape[1] == 2:
        across = F[:, 1] * t[:, 0] - F[:, 0] * t[:, 1]
    else:
        across = np.linalg.norm(F - along[:, None] * t, axis=1) * np.any(t, axis=1)
    return MeasuredContact(along, across, slip)


def contact_on_path(
    force: ArrayLike,
    times: ArrayLike,
    points: ArrayLike,
    tangent: ArrayLike | None = None,
    normal: ArrayLike | None = None,
) -> MeasuredContact:
    """Split the force on a point with measured positions (N x 2 or N x 3) at N times; see `contact`.

    A cubic spline through the positions gives the velocity.
    """
    t, r = np.asarray(times, dtype=float), np.asarray(points, dtype=float)
    if t.ndim != 1 or len(t) < 4 or r.ndim != 2 or len(r) != len(t) or not np.all(np.diff(t) > 0):
        raise LienketError("A path needs a point for each of at least 4 strictly increasing times.")
    from scipy.interpolate import CubicSpline

    return contact(force, CubicSpline(t, r).derivative()(t), tangent, normal)


def _unit_vectors(vectors: ArrayLike, shape: tuple[int, ...], what: str, still: bool = False) -> Array:
    """Return unit vectors, one for each row; zero vectors stay zero with `still`, and are an error without."""
    try:
        rows = np.broadcast_to(np.asarray(vectors, dtype=float), shape)
    except ValueError:
        raise LienketError(
            f"The {what} must have {shape[1]} numbers, or the shape {shape} of the force, not {np.shape(vectors)}."
        ) from None
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    if not still and not np.all(length > 0):
        raise LienketError(f"The {what} is zero in row {int(np.argmin(length))} and has no direction there.")
    return rows / np.where(length > 0, length, 1.0)
