"""Known times of a run: where formulas of time and parameters alone change their course, which therefore end steps."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...foundation.arrays import Array
from .crossings import crossings
from .time_function import TimeFunction

KNOWN_TIMES_CACHED = 64  # [runs] whose known times are kept
COLUMNS = 3  # [columns] of known times: the time, one before it, one after it
NONE = np.zeros((0, COLUMNS))


def known_times(functions: tuple[TimeFunction, ...], parameters: Array, begin: float, end: float) -> Array:
    """Return the known times of a run (K x 3), increasing: the time, one shortly before it, one shortly after it.

    Between two of them no formula of time alone has a jump or a kink. The model is evaluated at the time before it up
    to the end of a step, and at the time after it from then on, so that rounding does not decide on the side.
    """
    if not functions:
        return NONE
    used = sorted({k for function in functions for k in function.parameters})
    numbers = np.zeros(used[-1] + 1 if used else 0)
    numbers[used] = parameters[used]
    return _known_times(functions, numbers.tobytes(), begin, end)


@lru_cache(maxsize=KNOWN_TIMES_CACHED)
def _known_times(functions: tuple[TimeFunction, ...], numbers: bytes, begin: float, end: float) -> Array:
    """Return the known times for the bytes of the parameters."""
    parameters, rounding = np.frombuffer(numbers), float(np.spacing(max(abs(begin), abs(end))))
    margin = 8 * rounding  # one exactly at the begin or the end belongs to the run
    every = [crossings(f, parameters, begin - margin, end + margin, rounding) for f in functions]
    times = np.concatenate(every)
    times = times[np.lexsort(times.T[::-1])]
    merged = _merged(times)
    merged.setflags(write=False)
    return merged


def _merged(times: Array) -> Array:
    """Return increasing times in which those that overlap between before and after are one."""
    if len(times) < 2:
        return times
    times = times[np.argsort(times[:, 1], kind="stable")]
    reach = np.maximum.accumulate(times[:, 2])
    first = np.concatenate([[True], times[1:, 1] > reach[:-1]])
    starts = np.flatnonzero(first)
    return np.column_stack(
        [
            np.maximum.reduceat(times[:, 0], starts),
            np.minimum.reduceat(times[:, 1], starts),
            np.maximum.reduceat(times[:, 2], starts),
        ]
    )
