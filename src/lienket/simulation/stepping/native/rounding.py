"""Rounding errors of accelerations near a singular position, measured by a repetition with other roundings.

At the distance d from a singular position, rounding in the constraints moves a projected position by eps/d, its
velocity by |v| eps/d^2 and its acceleration by v^2 eps/d^3, times factors that depend on the system. They are measured
instead of bounded: positions and velocities are changed by some units in the last place, projected again, and the
accelerations are compared.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, states
from .corners import EPSILON
from .projecting import project
from .rates import accelerate
from .run_view import state

ROUNDING_LIMIT = 0.01  # [tolerances] rounding of accelerations above which a step should not end near such a position
ROUNDING_CHANGE = 16 * EPSILON  # [1] relative change of each number of a state that is repeated
ROUNDING_REPETITIONS = 2  # [1] repetitions of which the largest change counts


@kernel
def rounding_of_step(run: Any, t: Any, h: Any, y: Any, rate: Any) -> Any:
    """Return the rounding error that accelerations as those at y (m), t cause in a step h, in tolerances.

    `rate` (m) are the rates of y. The norm is that of `weighted`. Keeps counts[STATUS_WORST].
    """
    n, worst, largest = run.n, run.counts[counts.STATUS_WORST], 0.0
    repeated, again = state(run, states.REPEATED), state(run, states.REPEATED_RATE)
    for repetition in range(ROUNDING_REPETITIONS):
        for i in range(repeated.size):
            sign = 1.0 if (i * (2 * repetition + 3)) % 7 < 4 else -1.0
            repeated[i] = y[i] * (1.0 + sign * ROUNDING_CHANGE)
        if not (project(run, t, repeated) and accelerate(run, t, repeated, again)):
            largest = 1e300
            break
        total = 0.0
        for i in range(n):
            ratio = h * (again[n + i] - rate[n + i]) / (run.atol[n + i] + run.control[control.RTOL] * abs(y[n + i]))
            total += ratio * ratio
        largest = max(largest, (total / (2 * n)) ** 0.5)
    run.counts[counts.STATUS_WORST] = worst
    return largest
