"""Known times in the step loop: steps end there, and the model is evaluated on one side of them at a time.

A jump of a force at t = 5 ends a step at 5. All evaluations of that step, also those at its end, are made before 5, and
the next step starts as a run does, with evaluations after 5. So no step meets the jump, and its order is that of the
method.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control

TIME, BEFORE, AFTER = 0, 1, 2
"""Columns of `stops`."""


@kernel
def model_time(run: Any, t: Any) -> Any:
    """Return the time at which the model is evaluated for the time t of the present step."""
    return min(max(t, run.control[control.EARLIEST]), run.control[control.LATEST])


@kernel
def set_stop(run: Any) -> None:
    """Set the time at which the next step must end and the times between which the model is evaluated until then."""
    t, end, stops = run.control[control.T], run.control[control.END], run.stops
    low, high = 0, stops.shape[0]
    while low < high:
        middle = (low + high) // 2
        if stops[middle, BEFORE] > t:
            high = middle
        else:
            low = middle + 1
    run.control[control.EARLIEST] = stops[low - 1, AFTER] if low > 0 and stops[low - 1, AFTER] > t else -np.inf
    if low < stops.shape[0] and stops[low, BEFORE] < end:
        run.control[control.STOP] = min(stops[low, TIME], end)
        run.control[control.LATEST] = stops[low, BEFORE]
    else:
        run.control[control.STOP], run.control[control.LATEST] = end, np.inf


@kernel
def at_known_time(run: Any) -> Any:
    """Return whether the run has reached the known time at which its last step ended."""
    return run.control[control.LATEST] < np.inf and run.control[control.T] >= run.control[control.STOP]
