"""Velocities and accelerations of a motion of which only positions are given, by splines of degree five."""

from __future__ import annotations

from ...foundation.arrays import Array

SPLINE_DEGREE = 5  # [1] of the interpolating splines
FEWEST_SPLINE_ROWS = SPLINE_DEGREE + 1  # [rows] that a spline of this degree needs


def derivatives(t: Array, q: Array, v: Array | None, a: Array | None) -> tuple[Array, Array]:
    """Return velocities and accelerations (N x n) at the times t (N), by splines where they are None.

    Accelerations come from the velocities if these are given, else from the positions.

    The error of a second derivative falls with the fourth power of the spacing of the rows.
    """
    from scipy.interpolate import make_interp_spline

    if v is not None and a is not None:
        return v, a
    if v is not None:
        return v, make_interp_spline(t, v, SPLINE_DEGREE).derivative()(t)
    spline = make_interp_spline(t, q, SPLINE_DEGREE)
    return spline.derivative()(t), spline.derivative(2)(t) if a is None else a
