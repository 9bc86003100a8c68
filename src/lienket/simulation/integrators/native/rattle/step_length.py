"""Choice of the step size of a fixed-step method, from its local error on a trial run.

The trial makes up to TRIAL_STEPS steps, longer than those of the run, each once whole and once in two halves. The
difference is C h^(order + 1); the largest C gives the step size whose error equals the tolerances.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import kernel
from ....memory import control, states
from ....stepping.native.rates import rates
from ....stepping.native.run_view import state, weighted
from .variational_step import scratch_of

TRIAL_STEPS = 120  # [steps] limit for the steps of the trial run
TRIAL_ERROR = 1e-4  # [1] relative error allowed in a step of the trial run
TRIAL_SAFETY = 0.9  # [1] chosen step size relative to the one whose error would be just accepted
FEWEST_STEPS = 100.0  # [steps] smallest number of steps of a run


def step_length_with(attempt: Any, order: int) -> Any:
    """Return the kernel step_length(run), which chooses the step size for a method of that order."""
    power = 1.0 / (order + 1)

    @kernel
    def compare_halves(run: Any, t: Any, h: Any) -> Any:
        """Fill the tried state at t + h by two half steps; return the error of the whole step, -1 if one failed."""
        once, start, now = scratch_of(run).trial_once, scratch_of(run).trial_start, state(run, states.NOW)
        tried, solved = state(run, states.TRIED), True
        _copy(now, start)
        for k in range(3):  # the whole step, the first half, the second half
            if solved:
                time = t + 0.5 * h if k == 2 else t
                solved = k < 2 or rates(run, time, now, state(run, states.RATE))
                solved = solved and attempt(run, time, h if k == 0 else 0.5 * h) >= 0
                if k < 2:
                    _copy(tried, once if k == 0 else now)
        _copy(start, now)
        if not solved:
            return -1.0
        for i in range(once.size):
            once[i] -= tried[i]
        return weighted(run, once, tried, now)

    @kernel
    def step_length(run: Any) -> Any:
        """Return the step size; the state of the run is restored afterwards."""
        now, rate, start = state(run, states.NOW), state(run, states.RATE), scratch_of(run).trial_whole
        begin, end, constant = run.control[control.T], run.control[control.STOP], 0.0
        largest = min(run.control[control.LARGEST_STEP], (run.control[control.END] - begin) / FEWEST_STEPS)
        allowed, h, t = max(1.0, TRIAL_ERROR / run.control[control.RTOL]), min(run.control[control.H], largest), begin
        _copy(now, start)
        for _ in range(TRIAL_STEPS):
            if not t + h <= end or not rates(run, t, now, rate):
                break
            error = compare_halves(run, t, h)
            if not 0 <= error <= 8 * allowed:
                h *= 0.3
                continue
            constant = max(constant, error / h ** (order + 1))
            _copy(state(run, states.TRIED), now)
            t += h
            h = min(largest, h * min(3.0, max(0.3, (allowed / error) ** power))) if error > 0 else min(largest, 3 * h)
        _copy(start, now)
        rates(run, begin, now, rate)
        return min(largest, TRIAL_SAFETY * constant**-power) if constant > 0 else largest

    return step_length


@kernel
def _copy(source: Any, target: Any) -> None:
    for i in range(source.size):
        target[i] = source[i]
