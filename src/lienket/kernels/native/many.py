"""Accelerations of many states, one after another, without the interpreter; each thread brings its own workspace."""

from __future__ import annotations

from typing import Any

from .accelerations import accelerations_here
from .address import doubles, integers, table, word
from .jit import entry


@entry
def accelerations_many(words: Any) -> Any:
    """Fills a (N x n), multipliers (N x s) and status (N) at t (N), q and v (N x n); how many states have none.

    motion, terms, t, q, v, parameters, inputs, a, multipliers, status, work, places. `parameters` and `inputs` have N
    rows, or one that holds for every state.
    """
    motion, terms, t, q, v = word(words, 0), word(words, 1), doubles(words, 2), table(words, 4), table(words, 7)
    parameters, inputs, a, multipliers = table(words, 10), table(words, 13), table(words, 16), table(words, 19)
    status, work, places = integers(words, 22), doubles(words, 24), integers(words, 26)
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
