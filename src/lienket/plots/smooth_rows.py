"""Resampling of a trajectory to enough rows for smooth curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import LienketError

if TYPE_CHECKING:
    from ..trajectory import Trajectory

SMOOTH_CURVE_ROWS = 1000  # [rows] rows of a smooth curve


def smooth(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory or, if it has few rows, its run at 1000 times by dense output."""
    t = np.asarray(trajectory.t)
    if len(t) >= SMOOTH_CURVE_ROWS or len(t) < 2 or not t[-1] > t[0]:
        return trajectory
    try:
        return trajectory.sampled(np.linspace(t[0], t[-1], SMOOTH_CURVE_ROWS))
    except LienketError:  # a trajectory read from a file has no dense output
        return trajectory
