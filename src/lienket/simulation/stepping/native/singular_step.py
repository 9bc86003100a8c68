"""The step over a singular position: a bridge, made longer or shorter until it fits."""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ... import memory as at
from .bridge import FAILED, bridge
from .rates import near_singular, rates
from .run_view import state

BRIDGES = 16  # attempts at a step over a singular position


@kernel
def _over(run: Any, t: Any, h: Any) -> Any:
    """A step over the singular position near the step that was tried: its length and error; or that step, if none is.

    It is made longer as long as it ends too near, and shorter if it is not accurate.
    """
    counts, worst, length = run.counts, run.counts[at.WORST], max(h, run.control[at.USUAL_STEP])
    for _ in range(BRIDGES):
        length = min(length, run.control[at.END] - t)
        found = bridge(run, t, length)
        if 0 <= found <= 1:
            counts[at.WORST] = 0
            rates(run, t + length, state(run, at.TRIED), state(run, at.RATE_TRIED))
            if not near_singular(counts) or t + length >= run.control[at.END]:
                counts[at.BRIDGING] = 1
                return length, found
        if found <= 1 and t + length >= run.control[at.END]:
            break
        length *= 0.8 if found > 1 else 1.25
    counts[at.MISSED] += 1
    counts[at.WORST] = worst
    return h, FAILED


@entry
def bridge_step(run: Any) -> Any:
    """The same for all methods, from what is asked for in control."""
    control = run.control
    control[at.ASKED_H], control[at.ASKED_ERROR] = _over(run, control[at.ASKED_T], control[at.ASKED_H])
    return 0


@kernel
def bridge_or_stop(run: Any, t: Any, h: Any) -> Any:
    """The length and the error of such a step, by the address of that entry."""
    control = run.control
    control[at.ASKED_T], control[at.ASKED_H] = t, h
    call_entry(run.model[at.OVER], run)
    return control[at.ASKED_H], control[at.ASKED_ERROR]
