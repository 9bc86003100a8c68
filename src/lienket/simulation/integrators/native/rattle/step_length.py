"""How long the steps of a fixed-step method are if nobody says: from its local error on a trial run ahead.

The trial takes some steps, longer ones than will be wanted, each once whole and once in two halves. The difference is
C h^(order + 1); the largest C of all gives the step whose error is what the tolerances allow.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import kernel
from ....memory import control, states
from ....stepping.native.rates import rates
from ....stepping.native.run_view import state, weighted
from .variational_step import scratch_of

TRIALS = 120
LOOSE = 1e-4
"""The relative error that a step of the trial may make."""
SAFETY = 0.9
FEWEST = 100.0
"""Steps there are at least."""


def step_length_with(attempt: Any, order: int) -> Any:
    """The function pace(run): the step for a method of that order."""
    power = 1.0 / (order + 1)

    @kernel
    def compared(run: Any, t: Any, h: Any) -> Any:
        """The tried state at t + h by two halves, and how far the whole step is off; less than 0 if there is none."""
        once, start, now = scratch_of(run).trial_once, scratch_of(run).trial_start, state(run, states.NOW)
        tried, found = state(run, states.TRIED), True
        _copy(now, start)
        for k in range(3):  # the whole, one half, the other
            if found:
                time = t + 0.5 * h if k == 2 else t
                found = k < 2 or rates(run, time, now, state(run, states.RATE))
                found = found and attempt(run, time, h if k == 0 else 0.5 * h) >= 0
                if k < 2:
                    _copy(tried, once if k == 0 else now)
        _copy(start, now)
        if not found:
            return -1.0
        for i in range(once.size):
            once[i] -= tried[i]
        return weighted(run, once, tried, now)

    @kernel
    def pace(run: Any) -> Any:
        """The step; the run is afterwards as it was."""
        now, rate, whole = state(run, states.NOW), state(run, states.RATE), scratch_of(run).trial_whole
        begin, end, most = run.control[control.T], run.control[control.END], 0.0
        largest = min(run.control[control.LARGEST_STEP], (end - begin) / FEWEST)
        loose, h, t = max(1.0, LOOSE / run.control[control.RTOL]), min(run.control[control.H], largest), begin
        _copy(now, whole)
        for _ in range(TRIALS):
            if not t + h <= end or not rates(run, t, now, rate):
                break
            error = compared(run, t, h)
            if not 0 <= error <= 8 * loose:
                h *= 0.3
                continue
            most = max(most, error / h ** (order + 1))
            _copy(state(run, states.TRIED), now)
            t += h
            h = min(largest, h * min(3.0, max(0.3, (loose / error) ** power))) if error > 0 else min(largest, 3 * h)
        _copy(whole, now)
        rates(run, begin, now, rate)
        return min(largest, SAFETY * most**-power) if most > 0 else largest

    return pace


@kernel
def _copy(source: Any, target: Any) -> None:
    for i in range(source.size):
        target[i] = source[i]
