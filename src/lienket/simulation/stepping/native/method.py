"""Methods: the functions that each integrator provides, called through the address of a single entry.

    attempt(run, t, h)            fills the tried state at t + h; returns its error (1: just accepted), or a negative
                                  number if there is no such state; control[STEP_FACTOR] proposes the next step size
    dense(run, t, h)              prepares interpolation in the accepted step from t to t + h
    interpolate(run, h, x, out)   fills out with the state at t + x h

Optional are `check_stiffness(run, h)`, which returns whether the motion is stiff; `begin(run)`, called after the common
initialization; and `accept(run, t, h)`, which replaces the common checks of the tried state (counts[OWN_ACCEPT]). The
entry is called by address, so that the step loop `run.native.advance` is compiled once for all methods.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import call_entry
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, requests, states
from .run_view import state


def method_with(
    attempt: Any, dense: Any, interpolate: Any, check_stiffness: Any = None, begin: Any = None, accept: Any = None
) -> Any:
    """Return the entry of a method; it answers counts[REQUEST] with the arguments in control."""
    is_stiff, initialize, own_accept = check_stiffness or _never_stiff, begin or _no_begin, accept or _always_accept

    @entry
    def method(run: Any) -> Any:
        request = run.counts[counts.REQUEST]
        t, h = run.control[control.REQUEST_T], run.control[control.REQUEST_H]
        if request == requests.ATTEMPT:
            run.control[control.REQUEST_ERROR] = attempt(run, t, h)
        elif request == requests.DENSE:
            dense(run, t, h)
        elif request == requests.INTERPOLATE:
            interpolate(run, h, run.control[control.REQUEST_X], state(run, states.NODE))
        elif request == requests.CHECK_STIFFNESS:
            return 1 if is_stiff(run, h) else 0
        elif request == requests.BEGIN:
            initialize(run)
        elif request == requests.OWN_ACCEPT:
            return own_accept(run, t, h)
        return 0

    return method


@kernel
def _never_stiff(run: Any, h: Any) -> Any:
    return False


@kernel
def _no_begin(run: Any) -> None:
    pass


@kernel
def _always_accept(run: Any, t: Any, h: Any) -> Any:
    return 0


@kernel
def call_method(run: Any, request: Any, t: Any, h: Any) -> Any:
    """Return the answer of the method to one of the `requests` for the step from t to t + h."""
    run.counts[counts.REQUEST], run.control[control.REQUEST_T], run.control[control.REQUEST_H] = request, t, h
    return call_entry(run.addresses[addresses.METHOD], run)


@kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Attempt a step, whose end becomes the tried state; return its error, negative if the attempt failed."""
    call_method(run, requests.ATTEMPT, t, h)
    return run.control[control.REQUEST_ERROR]


@kernel
def interpolate(run: Any, h: Any, x: Any) -> None:
    """Fill the state NODE at the fraction x of a step prepared by DENSE."""
    run.control[control.REQUEST_X] = x
    call_method(run, requests.INTERPOLATE, 0.0, h)
