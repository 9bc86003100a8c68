"""Accelerations of many states, one after another, without the interpreter; each thread brings its own workspace."""

from __future__ import annotations

from typing import Any

from .accelerations import accelerations_here
from .jit import entry


@entry(
    "int64(int64, int64, f8[::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], i8[::1], "
    "f8[::1], i8[::1])"
)
def accelerations_many(
    motion: Any,
    terms: Any,
    t: Any,
    q: Any,
    v: Any,
    parameters: Any,
    inputs: Any,
    a: Any,
    multipliers: Any,
    status: Any,
    work: Any,
    places: Any,
) -> Any:
    """Fills a (N x n), multipliers (N x s) and status (N) at t (N), q and v (N x n); how many states have none.

    `parameters` and `inputs` have N rows, or one that holds for every state.
    """
    failed = 0
    for k in range(t.size):
        here = k if parameters.shape[0] > 1 else 0
        given = k if inputs.shape[0] > 1 else 0
        status[k] = accelerations_here(
            motion, terms, t[k], q[k], v[k], parameters[here], inputs[given], a[k], multipliers[k], work, places
        )
        if status[k] < 0:
            failed += 1
    return failed
