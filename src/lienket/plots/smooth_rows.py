"""What is drawn of a trajectory: enough rows for smooth curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LienketError

SMOOTH = 1000  # rows of a smooth curve


def smooth(trajectory: Any) -> Any:
    """The trajectory itself, or, if it has few rows, the same run at 1000 times by its dense output."""
    t = np.asarray(trajectory.t)
    if len(t) >= SMOOTH or len(t) < 2 or not t[-1] > t[0]:
        return trajectory
    try:
        return trajectory.sampled(np.linspace(t[0], t[-1], SMOOTH))
    except LienketError:  # it was read from a file, without dense output
        return trajectory
