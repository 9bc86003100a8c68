"""Corners: times at which a derivative of the forces jumps, as at every point of a table that is read over time.

A step over a corner has an error that estimates of a smooth motion do not know. Tried with one length after another, it
would be accepted where the estimate happens to vanish. So it is judged by the coarsest estimate, and where it is
rejected, the next one ends at the corner: between corners everything is smooth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control

EPSILON = 2.0**-52  # [1] np.spacing is a function of numba's that a process without numba does not have
CORNER_DISTANCE = 1e-12  # [share of the run] from a corner, where a step may begin or end as if at it


@kernel
def next_corner(run: Any, t: Any) -> Any:
    """Find the first corner after t, not counting one that is hardly later; infinite if there is none."""
    corners = run.corners
    if corners.size == 0:
        return np.inf
    after = t + _near(run)
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
    """Return whether there is a corner within a step."""
    return next_corner(run, t) < t + h - _near(run)


@kernel
def _near(run: Any) -> Any:
    """Return how near to a corner a time is as good as at it."""
    rounding = 32 * EPSILON * max(abs(run.control[control.BEGIN]), abs(run.control[control.END]))
    return max(rounding, CORNER_DISTANCE * (run.control[control.END] - run.control[control.BEGIN]))
