"""Methods: what the outline of all integrators asks of one, by the address of a single entry.

    attempt(run, t, h)            fills the tried state at t + h; its error (1 is just good enough), or less than 0 if
                                  there is none; control[STEP_FACTOR] proposes the next step
    dense(run, t, h)              prepares interpolation in the accepted step from t to t + h
    interpolate(run, h, x, out)   the state at t + x h

and, if it wants them: `watch(run, h)`, whether the motion is stiff; `begin(run)` after the usual beginning; its own
`settle(run, t, h)` (counts[OWN_ACCEPT]). So the outline is compiled once, and not with every method anew.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, requests, states
from .run_view import state


def method_with(
    attempt: Any, dense: Any, interpolate: Any, watch: Any = None, begin: Any = None, settle: Any = None
) -> Any:
    """The entry of a method; it does what counts[REQUEST] says with what is in control."""
    looked, begun, settled = watch or _no_watch, begin or _no_begin, settle or _no_settle

    @entry
    def method(run: Any) -> Any:
        what = run.counts[counts.REQUEST]
        t, h = run.control[control.ASKED_T], run.control[control.ASKED_H]
        if what == requests.ATTEMPT:
            run.control[control.ASKED_ERROR] = attempt(run, t, h)
        elif what == requests.DENSE:
            dense(run, t, h)
        elif what == requests.INTERPOLATE:
            interpolate(run, h, run.control[control.ASKED_X], state(run, states.NODE))
        elif what == requests.CHECK_STIFFNESS:
            return 1 if looked(run, h) else 0
        elif what == requests.BEGIN:
            begun(run)
        elif what == requests.OWN_ACCEPT:
            return settled(run, t, h)
        return 0

    return method


@kernel
def _no_watch(run: Any, h: Any) -> Any:
    return False


@kernel
def _no_begin(run: Any) -> None:
    pass


@kernel
def _no_settle(run: Any, t: Any, h: Any) -> Any:
    return 0


@kernel
def call_method(run: Any, what: Any, t: Any, h: Any) -> Any:
    """What a method answers."""
    run.counts[counts.REQUEST], run.control[control.ASKED_T], run.control[control.ASKED_H] = what, t, h
    return call_entry(run.addresses[addresses.METHOD], run)


@kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The error of a step, whose end is then the tried state."""
    call_method(run, requests.ATTEMPT, t, h)
    return run.control[control.ASKED_ERROR]


@kernel
def interpolate(run: Any, h: Any, x: Any) -> None:
    """The state NODE at the share x of a step that DENSE has prepared."""
    run.control[control.ASKED_X] = x
    call_method(run, requests.INTERPOLATE, 0.0, h)
