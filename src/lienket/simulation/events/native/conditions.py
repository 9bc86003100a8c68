"""Conditions of events (event functions g), evaluated at the start, at sample points and at the end of a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel
from ...contacts.native.force_margin import share_conditions
from ...memory import EVENT_SAMPLES, addresses, control, counts, events, states
from ...stepping.native.bridging.bridge_polynomial import bridge_interpolate
from ...stepping.native.known_times import model_time
from ...stepping.native.method import interpolate
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state

# Sample points as fractions of a step, EVENT_SAMPLES of them; the small ones serve the first step after an event.
SAMPLE_POINTS = np.array((2.0**-20, 2.0**-16, 2.0**-12, 2.0**-8, 2.0**-5, 0.125, 0.25, 0.5, 0.75, 1.0))
FIRST_SAMPLE = 6  # index of the first sample point used in a step that does not start at an event


@kernel
def measure(run: Any, t: Any, y: Any, sample: Any, beyond: Any) -> None:
    """Evaluate all conditions at a state y (m) into the column `sample`; NaN where there are no accelerations.

    `beyond`: also beyond the known time at which the step must end, since an event of the time alone happens together
    with others of its instant.
    """
    f = state(run, states.NODE_RATE)
    valid = True
    if run.counts[counts.NEED_ACCELERATIONS] == 1:
        worst = run.counts[counts.STATUS_WORST]
        valid = accelerate(run, t, y, f)
        run.counts[counts.STATUS_WORST] = worst
    write_conditions(run, max(t, run.control[control.EARLIEST]) if beyond else model_time(run, t), y, f, sample, valid)


@kernel
def measure_tried(run: Any, t: Any, sample: Any) -> None:
    """Evaluate all conditions at the tried state just accepted; its rates and multipliers are still in memory."""
    if run.counts[counts.OWN_ACCEPT] == 1:
        measure(run, t, state(run, states.TRIED), sample, False)
    else:
        time = model_time(run, t)
        write_conditions(run, time, state(run, states.TRIED), state(run, states.RATE_TRIED), sample, True)


@kernel
def write_conditions(run: Any, t: Any, y: Any, f: Any, sample: Any, valid: Any) -> None:
    """Write the conditions at a state y with rates f (m each) into the column `sample`; NaN unless `valid`."""
    n = run.n
    if run.counts[counts.NEED_ACCELERATIONS] == 1:
        for i in range(n):
            run.inputs[i] = f[n + i]
    arguments = (vector(y, 0, n), vector(y, n, n), run.parameters, run.inputs, run.values)
    call(run.addresses[addresses.CONDITIONS], t, *arguments)
    if run.addresses[addresses.FORCE_MARGIN] != 0 and valid:
        share_conditions(run, t, y)
    for k in range(run.events.shape[0]):
        run.events[k, events.SAMPLES + sample] = run.values[k] if valid else np.nan
        if abs(run.values[k]) > run.events[k, events.LARGEST]:
            run.events[k, events.LARGEST] = abs(run.values[k])


@kernel
def measure_now(run: Any) -> None:
    """Evaluate all conditions at the current state and have the next step sampled close to its start."""
    measure(run, run.control[control.T], state(run, states.NOW), EVENT_SAMPLES, True)
    for k in range(run.events.shape[0]):
        run.events[k, events.START] = run.events[k, events.PROBE]
        run.events[k, events.SLOPE] = run.events[k, events.RATE] = np.nan
    run.counts[counts.JUST_HAPPENED] = 1


@kernel
def between(run: Any, t: Any, h: Any, x: Any) -> Any:
    """Return the state at t + x h by dense output."""
    y = state(run, states.NODE)
    if run.counts[counts.BRIDGING] == 1:
        bridge_interpolate(run, h, x, y)
    else:
        interpolate(run, h, x)
    return y


@kernel
def condition(run: Any, t: Any, h: Any, x: Any, k: Any) -> Any:
    """Return the condition of event k at t + x h."""
    measure(run, t + x * h, between(run, t, h, x), EVENT_SAMPLES, False)
    return run.events[k, events.PROBE]
