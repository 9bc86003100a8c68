"""Detection of stiffness: the error of a step lies in a direction in which the motion decays fast.

A fast decaying component limits the step of an explicit method long after it has decayed, at any tolerance: by
stability, or by the error that this component makes in following the slow motion. Every STIFFNESS_CHECK_INTERVAL steps
the rate of decay along the error e of a step is compared with the step size h (J e by a difference of rates):

    - h (e . J e) / (e . e) >= threshold     with the weights of the tolerances

The step size of a method of order 8 that is limited by the motion itself is proportional to rtol^(1/8), and so is the
threshold: otherwise a component that decays as fast as the motion changes would count as stiff at loose tolerances. A
component that has not decayed yet passes this test for about ten steps; after counts[STIFF_NEEDED] consecutive
detections it has. Then `run.loop` tries an implicit method, and keeps it if its steps gain enough time.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, states
from ...stepping.native.rates import rates
from ...stepping.native.run_view import state

STIFFNESS_CHECK_INTERVAL = 8  # [steps] between two checks for stiffness
# The threshold is DECAY_FACTOR rtol^(1/8) within its limits: 1.3 for rtol = 1e-4, 0.41 for 1e-8.
DECAY_FACTOR = 4.1  # [1] decay per step, divided by rtol^(1/8), above which the motion counts as stiff
DECAY_LOWER_LIMIT = 0.4  # [1] smallest decay per step that counts as stiff
DECAY_UPPER_LIMIT = 1.5  # [1] decay per step that counts as stiff at every tolerance
ERROR_DISPLACEMENT = 1e-7  # [1] relative displacement of the state along the error for the difference of rates


@kernel
def detects_stiffness(run: Any, h: Any, error: Any, moved: Any, changed: Any) -> Any:
    """Return whether counts[STIFF_NEEDED] consecutive checks have detected stiffness.

    `error` (2 n) is the error of the step to the state NOW; `moved` and `changed` (m) are scratch for a state and its
    rates.
    """
    now, rate = state(run, states.NOW), state(run, states.RATE)
    rtol, largest = run.control[control.RTOL], 0.0
    for i in range(run.atol.size):
        largest = max(largest, abs(error[i]) / (abs(now[i]) + run.atol[i] / rtol))
    if not largest > 0:
        return False
    scale = ERROR_DISPLACEMENT / largest
    for i in range(now.size):
        moved[i] = now[i] + (scale * error[i] if i < run.atol.size else 0.0)
    if not rates(run, run.control[control.T], moved, changed):
        return False
    decay, length = 0.0, 0.0
    for i in range(run.atol.size):
        weight = run.atol[i] + rtol * abs(now[i])
        step = (moved[i] - now[i]) / weight
        decay += step * (changed[i] - rate[i]) / weight
        length += step * step
    threshold = min(DECAY_UPPER_LIMIT, max(DECAY_LOWER_LIMIT, DECAY_FACTOR * rtol**0.125))
    stiff = -h * decay >= threshold * length
    run.counts[counts.STIFF_DETECTIONS] = run.counts[counts.STIFF_DETECTIONS] + 1 if stiff else 0
    return run.counts[counts.STIFF_DETECTIONS] >= run.counts[counts.STIFF_NEEDED]
