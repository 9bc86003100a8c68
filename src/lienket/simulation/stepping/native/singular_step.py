"""Length of the step across a singular position: a bridging step, made longer or shorter until it is accepted."""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, states
from .bridge import FAILED, bridge
from .clock import time_left
from .rates import near_singular, rates
from .run_view import state

BRIDGE_ATTEMPTS = 16  # [attempts] limit for step sizes tried across a singular position


@kernel
def _step_across(run: Any, t: Any, h: Any) -> Any:
    """Return length and error of a step from t across the singular position; h and FAILED if none is accepted.

    The step is made longer while its end is too near the singular position, and shorter if it is inaccurate.
    """
    worst, length = run.counts[counts.STATUS_WORST], max(h, run.control[control.USUAL_STEP])
    for _ in range(BRIDGE_ATTEMPTS):
        length = min(length, time_left(run))
        error = bridge(run, t, length)
        if 0 <= error <= 1:
            run.counts[counts.STATUS_WORST] = 0
            rates(run, t + length, state(run, states.TRIED), state(run, states.RATE_TRIED))
            if not near_singular(run) or length >= time_left(run):
                run.counts[counts.BRIDGING] = 1
                return length, error
        if error <= 1 and length >= time_left(run):
            break
        length *= 0.8 if error > 1 else 1.25
    run.counts[counts.BRIDGES_FAILED] += 1
    run.counts[counts.STATUS_WORST] = worst
    return h, FAILED


@entry
def bridge_step(run: Any) -> Any:
    """Replace the step in control[REQUEST_T], control[REQUEST_H] by one across the singular position."""
    run.control[control.REQUEST_H], run.control[control.REQUEST_ERROR] = _step_across(
        run, run.control[control.REQUEST_T], run.control[control.REQUEST_H]
    )
    return 0


@kernel
def bridge_or_stop(run: Any, t: Any, h: Any) -> Any:
    """Call `bridge_step` by its address; return length and error of the step, negative if there is none."""
    run.control[control.REQUEST_T], run.control[control.REQUEST_H] = t, h
    call_entry(run.addresses[addresses.BRIDGE_STEP], run)
    return run.control[control.REQUEST_H], run.control[control.REQUEST_ERROR]
