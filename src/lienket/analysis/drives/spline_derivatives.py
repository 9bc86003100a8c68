"""Velocities and accelerations of a motion of which only the positions are known, by splines of degree five."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
DEGREE = 5
FEWEST = DEGREE + 1
"""Rows from which a spline can be made."""


def derivatives(t: Array, q: Array, v: Array | None, a: Array | None) -> tuple[Array, Array]:
    """Velocities and accelerations (N x n) at the times t (N): those given, the rest from the highest that is given.

    The error of a second derivative falls with the fourth power of the distance of the rows.
    """
    from scipy.interpolate import make_interp_spline

    if v is not None and a is not None:
        return v, a
    if v is not None:
        return v, make_interp_spline(t, v, DEGREE).derivative()(t)
    spline = make_interp_spline(t, q, DEGREE)
    return spline.derivative()(t), spline.derivative(2)(t) if a is None else a


def usable(t: Array) -> bool:
    """Whether there are rows enough."""
    return len(np.asarray(t)) >= FEWEST
