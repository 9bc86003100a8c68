"""Clock: the length of steps where times are so large that rounding them changes a step.

At t = 1.7e9 two numbers differ by 2.4e-7 at least. A state belongs to the time t + carry, with t a number and `carry`
(control[TIME_CARRY]) what rounding has left over; steps are chosen so that they end at numbers, and a step shorter than
the distance of two numbers is left over wholly. So the length of a step and the difference of the times of its rows are
the same number, (t + h) - t, and a system whose equations do not contain the time moves as it does from t = 0.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control

SHORTEST_ALIGNED_STEP = 0.25  # [1] step that ends at a number, relative to the one proposed, if it is shorter


@kernel
def time_left(run: Any) -> Any:
    """Return the time up to the end of the next step at the latest."""
    return (run.control[control.STOP] - run.control[control.T]) - run.control[control.TIME_CARRY]


@kernel
def aligned_step(run: Any, h: Any) -> Any:
    """Return a step of nearly the length h that ends at a time the clock can tell; h if it is too short for that."""
    grid = run.control[control.CLOCK]
    if grid == 0 or h < grid:
        return h
    t, carry = run.control[control.T], run.control[control.TIME_CARRY]
    whole = grid * int(h / grid)
    aligned = ((t + (whole + carry)) - t) - carry
    return aligned if SHORTEST_ALIGNED_STEP * h <= aligned else h


@kernel
def fraction_of(run: Any, time: Any, t: Any, h: Any) -> Any:
    """Return the fraction of the step from t (and what is left over) of length h at which a time lies."""
    return ((time - t) - run.control[control.TIME_CARRY]) / h
