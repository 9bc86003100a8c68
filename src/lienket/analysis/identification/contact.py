"""A measured force at a point that slides: its parts along the path and across it, and the sliding velocity.

    tangential = F . t,   slip = v . t,   normal = F . n

In the plane n is t turned to the left; in space n is given, or the normal force is |F - (F . t) t|.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import LienketError

Array = Any


class MeasuredContact(NamedTuple):
    """N numbers each: tangential and normal force on the point, and its slip; identify(*contact) takes them."""

    tangential: Array
    normal: Array
    slip: Array


def contact(force: Any, velocity: Any, tangent: Any = None, normal: Any = None, still: bool = False) -> MeasuredContact:
    """The parts of a force, N x 2 or N x 3, on a point with a velocity of the same shape.

    `tangent` is a direction, or one for each row; it need not have length 1. Without it the tangent is the direction of
    the velocity: the slip is never negative. `normal` is a direction too, of which the part across the tangent counts.
    Where the tangent is zero, all three are: a point at rest, or one that `still` allows.
    """
    F, v = np.asarray(force, dtype=float), np.asarray(velocity, dtype=float)
    if F.ndim != 2 or F.shape != v.shape or F.shape[1] not in (2, 3):
        raise LienketError(
            f"A force and a velocity have the same shape, N x 2 or N x 3; these have {F.shape} and {v.shape}."
        )
    t = _directions(v if tangent is None else tangent, F.shape, "tangent", still or tangent is None)
    along = np.sum(F * t, axis=1)
    slip = np.sum(v * t, axis=1)
    if normal is not None:
        upright = _directions(normal, F.shape, "normal", still)
        upright = upright - np.sum(upright * t, axis=1, keepdims=True) * t
        across = np.sum(F * _directions(upright, F.shape, "part of the normal across the path", still), axis=1)
    elif F.shape[1] == 2:
        across = F[:, 1] * t[:, 0] - F[:, 0] * t[:, 1]
    else:
        across = np.linalg.norm(F - along[:, None] * t, axis=1) * np.any(t, axis=1)
    return MeasuredContact(along, across, slip)


def contact_on_path(force: Any, times: Any, points: Any, tangent: Any = None, normal: Any = None) -> MeasuredContact:
    """The same of a point with measured positions, N x 2 or N x 3 at N times; a cubic spline gives its velocity."""
    t, r = np.asarray(times, dtype=float), np.asarray(points, dtype=float)
    if t.ndim != 1 or len(t) < 4 or r.ndim != 2 or len(r) != len(t) or not np.all(np.diff(t) > 0):
        raise LienketError("A path has a point for each of its times, 4 or more, each later than the one before.")
    from scipy.interpolate import CubicSpline

    return contact(force, CubicSpline(t, r).derivative()(t), tangent, normal)


def _directions(given: Any, shape: tuple[int, ...], what: str, still: bool = False) -> Array:
    """Unit vectors, one for each row; a zero vector stays zero where the point may stand still."""
    try:
        vectors = np.broadcast_to(np.asarray(given, dtype=float), shape)
    except ValueError:
        raise LienketError(
            f"A {what} has {shape[1]} numbers, or as many rows as the force; this has {np.shape(given)}."
        ) from None
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not still and not np.all(length > 0):
        raise LienketError(f"The {what} is zero in row {int(np.argmin(length))}; it has no direction there.")
    return vectors / np.where(length > 0, length, 1.0)
