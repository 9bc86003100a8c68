"""Corners: times at which a derivative of the forces jumps, such as the points of a table over time.

The error of a step across a corner is not described by an estimate for smooth motions: among many step sizes tried, one
would be accepted for which the estimate happens to vanish. Therefore the estimate of lowest order is used for such a
step, and if it is rejected, the next step ends at the corner. Between corners the motion is smooth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control

EPSILON = 2.0**-52  # [1] rounding of 1; np.spacing is not available to kernels in a process without numba
CORNER_DISTANCE = 1e-12  # [1] fraction of the run within which a time counts as equal to a corner


@kernel
def next_corner(run: Any, t: Any) -> Any:
    """Return the first corner later than t by more than the corner distance; infinite if there is none."""
    corners = run.corners
    if corners.size == 0:
        return np.inf
    after = t + _corner_distance(run)
    low, high = 0, corners.size
    while low < high:
        middle = (low + high) // 2
        if corners[middle] > after:
            high = middle
        else:
            low = middle + 1
    return corners[low] if low < corners.size else np.inf


@kernel
def over_corner(run: Any, t: Any, h: Any) -> Any:
    """Return whether there is a corner within the step from t to t + h."""
    return next_corner(run, t) < t + h - _corner_distance(run)


@kernel
def _corner_distance(run: Any) -> Any:
    """Return the distance within which a time counts as equal to a corner."""
    rounding = 32 * EPSILON * max(abs(run.control[control.BEGIN]), abs(run.control[control.END]))
    return max(rounding, CORNER_DISTANCE * (run.control[control.END] - run.control[control.BEGIN]))
