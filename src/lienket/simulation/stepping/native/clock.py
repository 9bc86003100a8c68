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

CARRY_ROUNDING = 2.0**-20  # [1] time left over, relative to the distance of two times, that counts as rounding
SHORTEST_ALIGNED_STEP = 0.25  # [1] step that ends at a number, relative to the one proposed, if it is shorter


@kernel
def time_left(run: Any) -> Any:
    """Return the time up to the end of the next step at the latest."""
    return (run.control[control.STOP] - run.control[control.T]) - run.control[control.TIME_CARRY]


@kernel
def whole_step(run: Any, h: Any) -> Any:
    """Return the longest multiple of the distance of two times up to h; h if it is shorter than that, or exact."""
    grid = run.control[control.CLOCK]
    return h if grid == 0 or h < grid else grid * int(h / grid)


@kernel
def aligned_step(run: Any, h: Any) -> Any:
    """Return a step of at most the length h that ends at a time the clock can tell; h if it is too short for that.

    A longer one could equal the step just rejected, and be rejected without end.
    """
    grid = run.control[control.CLOCK]
    if grid == 0 or h < grid:
        return h
    t, carry = run.control[control.T], run.control[control.TIME_CARRY]
    aligned = ((t + (whole_step(run, h) + carry)) - t) - carry
    aligned = aligned - grid if aligned > h else aligned
    return aligned if SHORTEST_ALIGNED_STEP * h <= aligned else h


@kernel
def carry_time(run: Any, t: Any, h: Any, stop: Any) -> None:
    """Carry on what rounding leaves over of the step from t to the new T; nothing where the step had to end there."""
    grid = run.control[control.CLOCK]
    if stop:
        run.control[control.TIME_CARRY] = 0.0
    elif grid > 0 or run.control[control.FIXED_STEP] > 0:
        run.control[control.TIME_CARRY] += h - (run.control[control.T] - t)
        if abs(run.control[control.TIME_CARRY]) <= CARRY_ROUNDING * grid:
            run.control[control.TIME_CARRY] = 0.0


@kernel
def at_a_number(run: Any) -> Any:
    """Return whether the state belongs to the number T itself, so that a row can have it; fixed steps always have."""
    exact = run.control[control.CLOCK] == 0 or run.control[control.FIXED_STEP] > 0
    return exact or run.control[control.TIME_CARRY] == 0


@kernel
def fraction_of(run: Any, time: Any, t: Any, h: Any) -> Any:
    """Return the fraction of the step from t (and what is left over) of length h at which a time lies."""
    return ((time - t) - run.control[control.TIME_CARRY]) / h
