"""Length of the step across a singular position: a bridging step, made longer or shorter until it is accepted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, states
from .accept_state import is_rough
from .bridging.bridge import FAILED, LARGEST_FROM_ROUNDING, bridge
from .bridging.bridge_place import place_of_nodes
from .bridging.bridge_polynomial import scratch_of
from .clock import time_left
from .run_view import state

BRIDGE_ATTEMPTS = 16  # [attempts] limit for step sizes tried across a singular position
LONGER, SHORTER = 1.25, 0.8  # [1] factors of the reach if the error is known
MUCH_LONGER = 1.5  # [1] factor of the reach, or its reciprocal, if there is no polynomial or its error is far too large
NOT_NEEDED = -2.0  # [tolerances] error returned if no bridge is tried, since rounding is small near the step
REACH_RESOLUTION = 1.05  # [1] ratio of a reach that is too long to one that is too short, at which no other is tried


@kernel
def _step_across(run: Any, t: Any, h: Any, inaccurate: Any) -> Any:
    """Return length and error of a step from t across the singular position; h and FAILED if none is accepted.

    If an ordinary step was `inaccurate` for the first time, and rounding is small everywhere, NOT_NEEDED is returned: a
    shorter step will probably do.

    The nodes of the step extend as far before the singular position as beyond it, if need be to before the start and
    beyond the end of the run. They reach further if the end is too near the singular position, or too few nodes are
    usable, or rounding dominates the error; and less far if the step is inaccurate otherwise or there is no solution.
    """
    worst, left = run.counts[counts.STATUS_WORST], time_left(run)
    middle, reach, rough = place_of_nodes(run, t, h)
    if not rough and inaccurate and run.counts[counts.REJECTED_IN_A_ROW] == 0:
        run.counts[counts.STATUS_WORST] = worst
        return h, NOT_NEEDED
    short, long, best = 0.0, np.inf, np.inf
    scratch_of(run).passed[0] = 0.0  # the polynomial of the bridge before is overwritten
    for _ in range(BRIDGE_ATTEMPTS):
        length = min(middle + reach, left)
        if not length > 0:  # the position lies before the start, and shorter steps would end before it
            break
        error, too_short = bridge(run, t, length, max(0.0, reach - middle), middle + reach)
        if 0 <= error <= 1 and _ends_well(run, t, length):
            return length, error
        if error > 1:
            best = min(best, error)
        if too_short or 0 <= error <= 1:
            short = reach
        else:
            long = reach
        if long < REACH_RESOLUTION * short:
            break
        if short > 0 and long < np.inf:
            reach = np.sqrt(short * long)
        elif 0 < error <= LARGEST_FROM_ROUNDING:
            reach *= LONGER if too_short or error <= 1 else SHORTER
        else:
            reach = reach * MUCH_LONGER if too_short or error == 0 else reach / MUCH_LONGER
    if run.counts[counts.BRIDGES_FAILED] > 0:
        best = min(best, run.control[control.BRIDGE_ERROR])
    run.control[control.BRIDGE_ERROR] = best
    run.counts[counts.BRIDGES_FAILED] += 1
    run.counts[counts.STATUS_WORST] = worst
    return h, FAILED


@kernel
def _ends_well(run: Any, t: Any, length: Any) -> Any:
    """Return whether a bridge ends where steps can go on, or at the end of the run; if so, set counts[BRIDGING]."""
    run.counts[counts.STATUS_WORST] = 0
    if length < time_left(run) and is_rough(run, t + length, length, state(run, states.TRIED)):
        return False
    run.counts[counts.BRIDGING] = 1
    return True


@entry
def bridge_step(run: Any) -> Any:
    """Replace the step in control[REQUEST_T], control[REQUEST_H] by one across the singular position."""
    run.control[control.REQUEST_H], run.control[control.REQUEST_ERROR] = _step_across(
        run, run.control[control.REQUEST_T], run.control[control.REQUEST_H], run.control[control.REQUEST_ERROR] > 1
    )
    return 0


@kernel
def bridge_or_stop(run: Any, t: Any, h: Any, attempted: Any) -> Any:
    """Call `bridge_step` by its address after an attempt with the error `attempted`.

    Returns length and error of the step, negative if there is none.
    """
    run.control[control.REQUEST_T], run.control[control.REQUEST_H] = t, h
    run.control[control.REQUEST_ERROR] = attempted
    call_entry(run.addresses[addresses.BRIDGE_STEP], run)
    return run.control[control.REQUEST_H], run.control[control.REQUEST_ERROR]
