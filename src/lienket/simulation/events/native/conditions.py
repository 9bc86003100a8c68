"""The conditions of events, measured at states: at places within a step, at its end, where a step begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel
from ...memory import EVENT_SAMPLES, addresses, control, counts, events, states
from ...stepping.native.bridge import bridge_interpolate
from ...stepping.native.method import interpolate
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state

PLACES = (2.0**-20, 2.0**-16, 2.0**-12, 2.0**-8, 2.0**-5, 0.125, 0.25, 0.5, 0.75, 1.0)  # EVENT_SAMPLES of them
FIRST_PLACE = 6  # from which on a step is looked at that does not follow an event


@kernel
def measure(run: Any, t: Any, y: Any, place: Any) -> None:
    """Writes all conditions at a state (m) into the column of a place; not a number where nothing can be said."""
    f = state(run, states.NODE_RATE)
    known = True
    if run.counts[counts.NEED_ACCELERATIONS] == 1:
        worst = run.counts[counts.STATUS_WORST]
        known = accelerate(run, t, y, f)
        run.counts[counts.STATUS_WORST] = worst
    write_conditions(run, t, y, f, place, known)


@kernel
def measure_tried(run: Any, t: Any, place: Any) -> None:
    """The same at the tried state just judged, whose rates are known, and its multipliers in the inputs."""
    if run.counts[counts.OWN_ACCEPT] == 1:
        measure(run, t, state(run, states.TRIED), place)
    else:
        write_conditions(run, t, state(run, states.TRIED), state(run, states.RATE_TRIED), place, True)


@kernel
def write_conditions(run: Any, t: Any, y: Any, f: Any, place: Any, known: Any) -> None:
    """The conditions at a state with rates f."""
    n = run.n
    if run.counts[counts.NEED_ACCELERATIONS] == 1:
        for i in range(n):
            run.inputs[i] = f[n + i]
    given = (vector(y, 0, n), vector(y, n, n), run.parameters, run.inputs, run.values)
    call(run.addresses[addresses.CONDITIONS], t, *given)
    for k in range(run.events.shape[0]):
        run.events[k, events.SAMPLES + place] = run.values[k] if known else np.nan
        if abs(run.values[k]) > run.events[k, events.LARGEST]:
            run.events[k, events.LARGEST] = abs(run.values[k])


@kernel
def measure_now(run: Any) -> None:
    """All conditions at the state now, where a step begins, after which much may change at once."""
    measure(run, run.control[control.T], state(run, states.NOW), EVENT_SAMPLES)
    for k in range(run.events.shape[0]):
        run.events[k, events.START] = run.events[k, events.PROBE]
    run.counts[counts.JUST_HAPPENED] = 1


@kernel
def between(run: Any, t: Any, h: Any, x: Any) -> Any:
    """The state at the share x of the step, by dense output."""
    y = state(run, states.NODE)
    if run.counts[counts.BRIDGING] == 1:
        bridge_interpolate(run, h, x, y)
    else:
        interpolate(run, h, x)
    return y


@kernel
def condition(run: Any, t: Any, h: Any, x: Any, k: Any) -> Any:
    """One of the conditions at the share x of the step."""
    measure(run, t + x * h, between(run, t, h, x), EVENT_SAMPLES)
    return run.events[k, events.PROBE]
