"""The step over a singular position: a bridge, made longer or shorter until it fits."""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, states
from .bridge import FAILED, bridge
from .rates import near_singular, rates
from .run_view import state

BRIDGES = 16  # attempts at a step over a singular position


@kernel
def _over(run: Any, t: Any, h: Any) -> Any:
    """A step over the singular position near the step that was tried: its length and error; or that step, if none is.

    It is made longer as long as it ends too near, and shorter if it is not accurate.
    """
    worst, length = run.counts[counts.STATUS_WORST], max(h, run.control[control.USUAL_STEP])
    for _ in range(BRIDGES):
        length = min(length, run.control[control.END] - t)
        found = bridge(run, t, length)
        if 0 <= found <= 1:
            run.counts[counts.STATUS_WORST] = 0
            rates(run, t + length, state(run, states.TRIED), state(run, states.RATE_TRIED))
            if not near_singular(run) or t + length >= run.control[control.END]:
                run.counts[counts.BRIDGING] = 1
                return length, found
        if found <= 1 and t + length >= run.control[control.END]:
            break
        length *= 0.8 if found > 1 else 1.25
    run.counts[counts.BRIDGES_FAILED] += 1
    run.counts[counts.STATUS_WORST] = worst
    return h, FAILED


@entry
def bridge_step(run: Any) -> Any:
    """The same for all methods, from what is asked for in control."""
    run.control[control.ASKED_H], run.control[control.ASKED_ERROR] = _over(
        run, run.control[control.ASKED_T], run.control[control.ASKED_H]
    )
    return 0


@kernel
def bridge_or_stop(run: Any, t: Any, h: Any) -> Any:
    """The length and the error of such a step, by the address of that entry."""
    run.control[control.ASKED_T], run.control[control.ASKED_H] = t, h
    call_entry(run.addresses[addresses.BRIDGE_STEP], run)
    return run.control[control.ASKED_H], run.control[control.ASKED_ERROR]
