"""Signs that a step ends or starts near a singular position, and whether a bridge over it may be tried.

Where rows become dependent, the solution for the accelerations tells the position. Where a row vanishes it does not,
and the rounding of the accelerations is examined when a step is rejected or moved far by its projection.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, rejections, states
from ...stepping.native.rounding import ROUNDING_LIMIT, ROUNDING_REPETITIONS, rounding_of_step
from ...stepping.native.run_view import state

BRIDGE_REJECTION_LIMIT = 3  # [rejections] of a step in a row from which no bridge over a singular position is tried
BRIDGE_FAILURE_LIMIT = 4  # [attempts] that failed at one position, from which no bridge is tried
SUSPICIOUS_MOVE = 0.1  # [tolerances] distance of a projection from which rounding is examined at the end of a step
SHORT_STEP = 0.5  # [1] step relative to the usual one from which a step shortened after rejections is examined
ROUNDING_GROWTH = 4.0  # [1] growth of rounding over a step from which the step approaches a singular position
ROUNDING_MOST = 10.0  # [tolerances] rounding of accelerations above which a step must not end there


@kernel
def off_by_rounding(run: Any, t: Any, h: Any, reason: Any) -> Any:
    """Return whether the end of a step is off its constraints because rounding is large where it starts."""
    if reason != rejections.OFF_CONSTRAINTS or not may_step_over(run):
        return False
    return rounding_now(run, t, h) > ROUNDING_MOST


@kernel
def nears_position(run: Any, t: Any, h: Any, reason: Any) -> Any:
    """Return whether a row vanishes near the end of a step, which the solution for the accelerations does not tell.

    Steps become short before such a position, and rounding grows with the third power of the distance. A step that ends
    near it by chance is moved further by the projection than its error, since errors grow with the reciprocal distance.
    """
    if reason == rejections.OFF_CONSTRAINTS:
        return off_by_rounding(run, t, h, reason)
    if reason == 0 and run.control[control.MOVED] > SUSPICIOUS_MOVE and bridges_may_succeed(run):
        return rounding_at_end(run, t, h) > ROUNDING_MOST
    short = run.counts[counts.REJECTED_IN_A_ROW] > 0 and h <= SHORT_STEP * run.control[control.USUAL_STEP]
    if not short or reason > rejections.INACCURATE or not may_step_over(run):
        return False
    if reason == rejections.INACCURATE:
        return rounding_now(run, t, h) > ROUNDING_LIMIT
    end = rounding_at_end(run, t, h)
    return end > ROUNDING_LIMIT and end > ROUNDING_GROWTH * rounding_now(run, t, h)


@kernel
def rounding_now(run: Any, t: Any, h: Any) -> Any:
    """Return the rounding error, in tolerances, that the accelerations now cause in a usual step."""
    usual = max(h, run.control[control.USUAL_STEP])
    return rounding_of_step(run, t, usual, state(run, states.NOW), state(run, states.RATE), ROUNDING_REPETITIONS)


@kernel
def rounding_at_end(run: Any, t: Any, h: Any) -> Any:
    """Return the rounding error, in tolerances, that the accelerations at the end of a step cause in a usual step."""
    if run.s == 0 or run.control[control.FIXED_STEP] > 0:
        return 0.0
    usual = max(h, run.control[control.USUAL_STEP])
    return rounding_of_step(
        run, t + h, usual, state(run, states.TRIED), state(run, states.RATE_TRIED), ROUNDING_REPETITIONS
    )


@kernel
def may_step_over(run: Any) -> Any:
    """Return whether a bridge over a singular position may be tried."""
    return run.counts[counts.REJECTED_IN_A_ROW] < BRIDGE_REJECTION_LIMIT and bridges_may_succeed(run)


@kernel
def bridges_may_succeed(run: Any) -> Any:
    """Return whether bridges are possible in this run, and not too many have failed at this position.

    They need constraints, since a peak of the accelerations of light masses alone must not be passed over.
    """
    possible = run.s > 0 and run.control[control.FIXED_STEP] <= 0
    return possible and run.counts[counts.BRIDGES_FAILED] < BRIDGE_FAILURE_LIMIT
