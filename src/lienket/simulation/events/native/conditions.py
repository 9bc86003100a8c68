"""The conditions of events, measured at states: at places within a step, at its end, where a step begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel
from ... import memory as at
from ...stepping.native.bridge import bridge_interpolate
from ...stepping.native.method import interpolate
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state

PLACES = (2.0**-20, 2.0**-16, 2.0**-12, 2.0**-8, 2.0**-5, 0.125, 0.25, 0.5, 0.75, 1.0)  # at.SPARE of them
FIRST_PLACE = 6  # from which on a step is looked at that does not follow an event


@kernel
def measure(run: Any, t: Any, y: Any, place: Any) -> None:
    """Writes all conditions at a state (m) into the column of a place; not a number where nothing can be said."""
    counts, f = run.counts, state(run, at.NODE_RATE)
    known = True
    if counts[at.NEEDS] == 1:
        worst = counts[at.WORST]
        known = accelerate(run, t, y, f)
        counts[at.WORST] = worst
    write_conditions(run, t, y, f, place, known)


@kernel
def measure_tried(run: Any, t: Any, place: Any) -> None:
    """The same at the tried state just judged, whose rates are known, and its multipliers in the inputs."""
    if run.counts[at.OWN] == 1:
        measure(run, t, state(run, at.TRIED), place)
    else:
        write_conditions(run, t, state(run, at.TRIED), state(run, at.RATE_TRIED), place, True)


@kernel
def write_conditions(run: Any, t: Any, y: Any, f: Any, place: Any, known: Any) -> None:
    """The conditions at a state with rates f."""
    n, events = run.model[at.COORDINATES], run.events
    if run.counts[at.NEEDS] == 1:
        for i in range(n):
            run.inputs[i] = f[n + i]
    given = (vector(y, 0, n), vector(y, n, n), run.parameters, run.inputs, run.values)
    call(run.model[at.CONDITIONS], t, *given)
    for k in range(events.shape[0]):
        events[k, at.PLACED + place] = run.values[k] if known else np.nan
        if abs(run.values[k]) > events[k, at.SIZE]:
            events[k, at.SIZE] = abs(run.values[k])


@kernel
def measure_now(run: Any) -> None:
    """All conditions at the state now, where a step begins, after which much may change at once."""
    measure(run, run.control[at.T], state(run, at.NOW), at.SPARE)
    for k in range(run.events.shape[0]):
        run.events[k, at.START] = run.events[k, at.PLACED + at.SPARE]
    run.counts[at.JUST] = 1


@kernel
def between(run: Any, t: Any, h: Any, x: Any) -> Any:
    """The state at the share x of the step, by dense output."""
    y = state(run, at.NODE)
    if run.counts[at.BRIDGING] == 1:
        bridge_interpolate(run, h, x, y)
    else:
        interpolate(run, h, x)
    return y


@kernel
def condition(run: Any, t: Any, h: Any, x: Any, k: Any) -> Any:
    """One of the conditions at the share x of the step."""
    measure(run, t + x * h, between(run, t, h, x), at.SPARE)
    return run.events[k, at.PLACED + at.SPARE]
