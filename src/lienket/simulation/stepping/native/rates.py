"""Rates of a state: y' = (v, q'', power)."""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import acting_rows_at, least_pivot_at, slots, work_size
from ....kernels.native.accelerations import DOUBTFUL, SCHUR, accelerations_into
from ....kernels.native.robust_solve import ELIMINATION
from ....kernels.native.runtime.address import call, call_motion, vector
from ....kernels.native.runtime.jit import kernel
from ...memory import LEFT_OUT, addresses, control, counts
from .known_times import model_time

NEARLY_DEPENDENT = 4  # status of elimination whose accepted rows are nearly dependent


@kernel
def near_singular(run: Any) -> Any:
    """Return whether accelerations in this step failed or needed a more robust solution than usual."""
    return run.counts[counts.STATUS_WORST] < 0 or run.counts[counts.STATUS_WORST] > run.counts[counts.STATUS_USUAL]


@kernel
def rates(run: Any, t: Any, y: Any, f: Any) -> Any:
    """Fill f (m) at t, y (m); return whether accelerations exist. Updates counts[STATUS_WORST]."""
    n = run.n
    f[2 * n] = 0.0
    if not accelerate(run, t, y, f):
        return False
    if run.addresses[addresses.POWER] != 0:
        for i in range(n):
            run.inputs[i] = f[n + i]
        f[2 * n] = power(run, t, y)
    return True


@kernel
def accelerate(run: Any, t: Any, y: Any, f: Any) -> Any:
    """Fill f[:2 n] = (v, q'') at t, y (m); return whether accelerations exist. The power f[2 n] is unchanged.

    Multipliers and drives are stored in the inputs, after n numbers. The compiled function for the accelerations is
    called directly here, because it is nearly always valid and the general call would take longer than the function.
    It checks its digits at accepted states, and everywhere while they are in doubt: forces that nearly balance within a
    step do so at its ends.
    """
    n, s, inputs, work, motion = run.n, run.s, run.inputs, run.work, run.addresses[addresses.MOTION]
    unchecked = run.places[slots.DIGITS]
    for i in range(n):
        f[i] = y[n + i]
    run.counts[counts.EVALUATIONS] += 1
    if motion != 0 and (s < n or 0 < run.places[slots.RANK] < n):
        v = vector(y, n, n)
        result = call_motion(motion, unchecked == 0, model_time(run, t), y, v, run.parameters, inputs, work)
        run.places[slots.DIGITS] = 1 if result == 0 else 0
        if result == DOUBTFUL and run.places[slots.DOUBTS] > 0:
            run.places[slots.DOUBTS] -= 1
            result = 0
        if result == 0:
            invalid = 0.0
            for i in range(n):
                f[n + i] = work[i]
                invalid += work[i] - work[i]  # NaN if work[i] is not finite
            for i in range(s):
                inputs[n + i] = work[n + i]
                invalid += work[n + i] - work[n + i]
            if invalid == 0:
                return True
    return _accelerate_robustly(run, t, y, f)


@kernel
def _accelerate_robustly(run: Any, t: Any, y: Any, f: Any) -> Any:
    """Fill the accelerations by the first solution method that is reliable at this state; return whether they exist.

    Schur's complement counts as elimination if its pivots grow by more than control[GROWTH]; the status of elimination
    is NEARLY_DEPENDENT if its least pivot is below control[LEAST_PIVOT].
    """
    n, s = run.n, run.s
    q, v, a = vector(y, 0, n), vector(y, n, n), vector(f, n, n)
    inputs = run.inputs
    time = model_time(run, t)
    if run.places[slots.RANK] > 0:
        acting = vector(run.places, acting_rows_at(n, s), s)
        for r in range(s):
            acting[r] = 1 if run.level[r] < LEFT_OUT else 0
    arguments = (time, q, v, run.parameters, inputs, a, vector(inputs, n, inputs.size - n), run.work, run.places)
    status = accelerations_into(run.addresses[addresses.MOTION], run.addresses[addresses.TERMS], *arguments)
    if status == SCHUR and run.work[work_size(n, s) - 1] > run.control[control.GROWTH]:
        status = ELIMINATION
    elif status >= ELIMINATION and run.work[least_pivot_at(n, s)] < run.control[control.LEAST_PIVOT]:
        status = NEARLY_DEPENDENT
    if status < 0:
        run.counts[counts.STATUS_WORST] = status
        return False
    if status > run.counts[counts.STATUS_WORST] >= 0:
        run.counts[counts.STATUS_WORST] = status
    return True


@kernel
def power(run: Any, t: Any, y: Any) -> Any:
    """Return the power at t, y (m), with the accelerations and multipliers in the inputs."""
    n, out = run.n, vector(run.work, 0, 1)
    q, v = vector(y, 0, n), vector(y, n, n)
    call(run.addresses[addresses.POWER], model_time(run, t), q, v, run.parameters, run.inputs, out)
    return out[0]
