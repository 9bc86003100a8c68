"""Rounding errors of accelerations near a singular position, measured by repetitions with other roundings.

At the distance d from a singular position, rounding in the constraints moves a projected position by eps/d, its
velocity by |v| eps/d^2 and its acceleration by v^2 eps/d^3, times factors that depend on the system. They are measured
instead of bounded: a state is changed by x and by -x and projected again; a(y + x) - 2 a(y) + a(y - x) is rounding. The
changes are far above the spacing of the numbers: where a row vanishes, residuals do not notice smaller ones. A peak of
the accelerations has such a difference as well, their curvature, which falls with the square of the change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, states
from .projecting import project
from .rates import accelerate
from .run_view import state

ROUNDING_LIMIT = 0.01  # [tolerances] rounding of accelerations above which a step should not end near such a position
CHANGE_RELATIVE = 1e-9  # [1] largest change of a number of a state that is repeated, relative to its size
CHANGE_MOST = 10.0  # [tolerances] the same, in tolerances
SMALLER_CHANGE = 1.0 / 32.0  # [1] a further change relative to the last one
CURVATURE_FALL = 1.0 / 30.0  # [1] fall of the difference with such a change below which it is a curvature
SMALLER_CHANGES = 3  # [changes] limit for further changes
PATTERN = 0.6180339887498949  # [1] the fractional parts of its multiples are the changes of the numbers
ROUNDING_REPETITIONS = 8  # [1] pairs of states of which the largest rounding counts; in many it is 0 by chance


@kernel
def rounding_of_step(run: Any, t: Any, h: Any, y: Any, rate: Any, pairs: Any) -> Any:
    """Return the rounding error that accelerations as those at y (m), t cause in a step h, in tolerances.

    `rate` (m) are the rates of y; at most `pairs` pairs of changed states are compared. The norm is that of `weighted`.
    Keeps counts[STATUS_WORST].
    """
    worst, rtol = run.counts[counts.STATUS_WORST], run.control[control.RTOL]
    change = CHANGE_MOST if rtol * CHANGE_MOST <= CHANGE_RELATIVE else CHANGE_RELATIVE / rtol
    rounding = _second_difference(run, t, h, y, rate, change, pairs, ROUNDING_LIMIT)
    for _ in range(SMALLER_CHANGES):
        if rounding <= ROUNDING_LIMIT:
            break
        change, last = SMALLER_CHANGE * change, rounding
        rounding = _second_difference(run, t, h, y, rate, change, pairs, CURVATURE_FALL * last)
        if rounding > CURVATURE_FALL * last:
            break
    run.counts[counts.STATUS_WORST] = worst
    return rounding


@kernel
def _second_difference(run: Any, t: Any, h: Any, y: Any, rate: Any, change: Any, pairs: Any, enough: Any) -> Any:
    """Return h |a(y + x) - 2 a(y) + a(y - x)| in tolerances, the largest of several x unless one gives `enough`.

    x is a `change` in tolerances, on the constraints.
    """
    n, rtol, largest = run.n, run.control[control.RTOL], 0.0
    repeated, again = state(run, states.REPEATED), state(run, states.REPEATED_RATE)
    total = state(run, states.DIFFERENCE)
    for repetition in range(pairs):
        for i in range(n):
            total[i] = -2.0 * rate[n + i]
        for side in range(2):
            for i in range(2 * n):
                place = PATTERN * (i + 1) * (2 * repetition + 1)
                part = (1.0 - 2.0 * side) * (2.0 * (place - np.floor(place)) - 1.0)
                repeated[i] = y[i] + part * change * (run.atol[i] + rtol * abs(y[i]))
            if not (project(run, t, repeated) and accelerate(run, t, repeated, again)):
                return 1e300
            for i in range(n):
                total[i] += again[n + i]
        square = 0.0
        for i in range(n):
            ratio = h * total[i] / (run.atol[n + i] + rtol * abs(y[n + i]))
            square += ratio * ratio
        largest = max(largest, (square / (2 * n)) ** 0.5)
        if largest > enough:
            break
    return largest
